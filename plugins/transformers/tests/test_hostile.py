"""Whatever a model folder contains, a one-line error comes soon and takes little memory."""

import json
import re
import struct

import pytest
import torch
import transformers as tf
from bvf_transformers.loading.checks import check_gguf
from bvf_transformers.loading.fit import unread_layer
from bvf_transformers.reading.memory import Budget

from bvf import BvfError, ModelRequest, Prompt
from bvf.hooks.loader import load

PROMPT = Prompt("The nurse said that", ".", "nurse", "The [X] said that [Y].")
LAYERS = {
    "llama": "num_hidden_layers",
    "gpt2": "n_layer",
    "opt": "num_hidden_layers",
    "bert": "num_hidden_layers",
    "distilbert": "n_layers",
    "xlnet": "n_layer",
    "t5": "num_layers",
    "bart": "encoder_layers",
}


@pytest.mark.parametrize(("family", "name"), [*LAYERS.items(), ("bart", "decoder_layers")])
def test_a_layer_of_the_weights_that_the_configuration_leaves_out_is_named(copy_of, load_model, family, name):
    with pytest.raises(BvfError, match=r"the weights have .*\.1, and the configuration leaves it out"):
        load_model(copy_of(family, **{name: 1}))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (
            {"model_type": "tomorrow9"},
            r'llama: the transformers library here \(.+\) knows no model of type "tomorrow9"',
        ),
        ({"model_type": "tomorrow9", "architectures": ["Tomorrow9ForCausalLM"]}, 'knows no model of type "tomorrow9"'),
        ({"model_type": ""}, 'knows no model of type ""'),
        ({"model_type": "clip"}, "llama: a model of type clip is neither masked, causal, seq2seq nor permutation"),
        ({"model_type": "dinov2", "architectures": None}, "a model of type dinov2 is neither"),
    ],
)
def test_a_type_that_is_not_known_gets_one_line_whatever_backend_is_asked(copy_of, topic, settings, says):
    folder, said = copy_of("llama", **{"architectures": None, **settings}), set()
    for backend in ("transformers", "masked", "causal", "llama"):
        with pytest.raises(BvfError, match=says) as error:
            load().backends.find(backend).described(ModelRequest(str(folder), topic))
        assert "\n" not in error.value.message
        assert "--backend" not in error.value.hint
        said.add((error.value.message, error.value.hint))
    assert len(said) == 1


def test_a_configuration_without_a_type_gets_one_line(copy_of, describe):
    folder = copy_of("llama", architectures=["LlamaForCausalLM"])
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({name: config[name] for name in config if name != "model_type"}))
    with pytest.raises(BvfError, match=r"llama: config\.json has no model_type"):
        describe(folder)


@pytest.mark.parametrize("value", [0, 3, 10**30])
@pytest.mark.parametrize(("family", "name"), LAYERS.items())
def test_another_number_of_layers_than_the_weights_have_is_refused_before_they_are_built(
    copy_of, load_model, family, name, value, built
):
    with pytest.raises(BvfError):
        load_model(copy_of(family, **{name: value}))
    assert built() < 20_000


@pytest.mark.parametrize(
    "settings",
    [
        {"vocab_size": 10**15},
        {"hidden_size": 10**7},
        {"intermediate_size": 10**9},
        {"num_labels": 10**12},
        {"num_attention_heads": 10**9},
        {"max_position_embeddings": 10**12},
    ],
)
@pytest.mark.parametrize("family", ["llama", "bert"])
def test_sizes_that_the_weights_have_not_are_refused_before_they_are_built(
    copy_of, load_model, family, settings, built
):
    folder = copy_of(family, **settings)
    try:
        load_model(folder)
    except BvfError:
        pass
    else:
        assert settings == {"max_position_embeddings": 10**12}  # Llama computes its positions
        assert family == "llama"
    assert built() < 20_000


@pytest.fixture
def built():
    """Return the number of modules that this test has built."""
    from torch.nn.modules import module as registration

    parts = []
    handle = registration.register_module_module_registration_hook(lambda *_: parts.append(1) and None)
    yield lambda: len(parts)
    handle.remove()


SETTINGS = {
    "gpt2": [
        *({"architectures": value} for value in (5, [3], "GPT2LMHeadModel")),
        *({"model_type": value} for value in (7, None)),
        {"vocab_size": 3},
        *({"quantization_config": value} for value in ({"quant_method": "nothing"}, 3)),
        *({name: 3} for name in ("auto_map", "id2label", "attn_implementation", "transformers_version")),
        *({name: "x"} for name in ("tie_word_embeddings", "is_decoder")),
        *({"tokenizer_class": 3}, {"n_head": 7}, {"n_embd": 0}, {"pad_token_id": 10**6}, {"dtype": 5}),
    ],
    "bert": [{"hidden_size": None}, {"hidden_act": "nothing"}, {"layer_norm_eps": "x"}],
    "llama": [{"rope_scaling": {"type": 3}}],
    "t5": [{"num_heads": 0}, {"decoder_start_token_id": 10**6}],
    "xlnet": [{"d_model": -3}],
}


@pytest.mark.parametrize(
    ("family", "settings"),
    [(family, each) for family, several in SETTINGS.items() for each in several],
    ids=lambda given: json.dumps(given) if isinstance(given, dict) else given,
)
def test_any_setting_gives_an_answer_or_one_line(copy_of, load_model, family, settings):
    answers_or_one_line(load_model, copy_of(family, **settings))


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "tokenizer_config.json", "generation_config.json"])
@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000, "\udcff\udcfe", '{"model": {}}', '{"a": 1e999}'])
def test_any_file_gives_an_answer_or_one_line(copy_of, load_model, name, text):
    folder = copy_of("gpt2")
    (folder / name).write_text(text, errors="surrogateescape")
    answers_or_one_line(load_model, folder)


@pytest.mark.parametrize("change", ["vocabulary", "no-model", "normalizer", "decoder", "ids"])
def test_a_broken_tokenizer_gives_an_answer_or_one_line(copy_of, load_model, change):
    folder = copy_of("gpt2")
    content = json.loads((folder / "tokenizer.json").read_text())
    if change == "vocabulary":
        content["model"]["vocab"] = {"a": 0}
    elif change == "no-model":
        del content["model"]
    elif change == "ids":
        content["model"]["vocab"] = {token: index + 10**6 for token, index in content["model"]["vocab"].items()}
    else:
        content[change] = {"type": "Nothing"}
    (folder / "tokenizer.json").write_text(json.dumps(content))
    answers_or_one_line(load_model, folder)


def replaced(text, content, kind="String"):
    return {"type": "Replace", "pattern": {kind: text}, "content": content}


@pytest.mark.parametrize(
    ("part", "change", "times"),
    [
        ("normalizer", [replaced("e", "e" * 40)] * 8, "6.6e+12"),
        (
            "pre_tokenizer",
            [replaced("e", "e" * 101, "Regex"), {"type": "Sequence", "x": [replaced("e", "ee")] * 7}],
            "1.3",
        ),
        ("decoder", [{"type": "Prepend", "prepend": "x" * 10_001}], "1e+04"),
        ("normalizer", [replaced("e", "e" * 100)] * 2, ""),
    ],
)
def test_a_tokenizer_that_makes_texts_far_longer_is_refused_before_it_does(copy_of, load_model, part, change, times):
    folder = copy_of("gpt2")
    content = json.loads((folder / "tokenizer.json").read_text())
    content[part] = {"type": "Sequence", f"{part}s": change}
    (folder / "tokenizer.json").write_text(json.dumps(content))
    if not times:
        return answers_or_one_line(load_model, folder)
    with pytest.raises(BvfError, match=rf"tokenizer\.json: .* {re.escape(times)}.* times longer, and 10,000"):
        load_model(folder)


@pytest.mark.parametrize("size", [None, 2**63])
def test_a_header_of_many_tensors_is_refused_before_they_are_read(copy_of, load_model, monkeypatch, size):
    folder = copy_of("gpt2")
    tensor = {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}
    header = json.dumps({f"t{n}": tensor for n in range(200_001)}).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", size or len(header)) + header)
    monkeypatch.setattr("bvf_transformers.loading.checkpoint.safe_open", None)
    with pytest.raises(BvfError, match=r"model\.safetensors: 200,001 tensors, and 200,000 at most are read"):
        load_model(folder)


@pytest.mark.parametrize("content", [b"", b"x", b"PK\x03\x04", b"\x80\x04.", b"\x80\x02}q\x00."])
def test_broken_pickled_weights_are_one_line(copy_of, load_model, content):
    folder = copy_of("gpt2")
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(content)
    with pytest.raises(BvfError):
        load_model(folder, allow_pickle=True)


def test_a_tokenizer_with_ids_that_the_model_has_not_is_one_line(copy_of, load_model):
    folder = copy_of("gpt2")
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(["Zebedee"])
    tokenizer.save_pretrained(folder)
    backend = load_model(folder)
    assert backend.word_logprobs([PROMPT], ["he", "she"]).shape == (1, 2)
    for prompt, words in ((PROMPT, ["he", "Zebedee"]), (Prompt("The Zebedee said", "", "Zebedee", "c"), ["he", "she"])):
        with pytest.raises(BvfError, match="the tokenizer has tokens that the model does not have"):
            backend.word_logprobs([prompt], words)


@pytest.mark.parametrize("device", ["meta", "cpu:1", "nothing", "cuda:99", ""])
def test_a_device_that_answers_nothing_is_one_line(folder_of, load_model, device):
    with pytest.raises(BvfError, match=f'--device "{device}" is not available here'):
        load_model(folder_of("gpt2"), device=device)


@pytest.mark.parametrize(
    ("unread", "layer"),
    [
        (["model.layers.2.mlp.weight"], "model.layers.2"),
        (["model.layers.1.rotary_emb.inv_freq"], ""),
        (["layers.2.mlp.weight"], "layers.2"),
        (["vision.encoder.layers.0.weight", "lm_head.bias", "cls.seq_relationship.weight"], ""),
        (["model.mtp.0.weight"], ""),
    ],
)
def test_tensors_without_a_place_are_a_layer_or_none(unread, layer):
    parts = ["model.embed_tokens.weight", "model.layers.0.mlp.weight", "model.layers.1.mlp.weight", "lm_head.weight"]
    assert unread_layer(unread, parts, "model") == layer


def answers_or_one_line(load_model, folder):
    error = ""
    try:
        logp = load_model(folder).word_logprobs([PROMPT], ["he", "she"])
    except BvfError as refused:
        error = refused.message
    else:
        assert logp.shape == (1, 2)
        assert torch.isfinite(torch.tensor(logp)).all()
    assert "\n" not in error
    assert len(error) < 1000


@pytest.mark.parametrize(("family", "usable"), [("roberta", 62), ("bert", 64), ("gpt2", 64), ("opt", 64)])
def test_a_text_may_be_as_long_as_the_positions_that_the_model_uses(folder_of, load_model, family, usable):
    backend = load_model(folder_of(family))

    def prompt_of(tokens):
        texts = (Prompt("The" + " the" * times, "", "g", "c") for times in range(80))
        return next(p for p in texts if len(backend.token_ids(p, "he")) + (family in {"gpt2", "opt"}) == tokens)

    words = [
        word
        for word in ("the", "was", "he")
        if len(backend.tokenizer(f" {word}", add_special_tokens=False)["input_ids"]) == 1
    ]
    assert backend.word_logprobs([prompt_of(usable)], words[:1]).shape == (1, 1)
    with pytest.raises(BvfError, match=f"has {usable + 1} tokens, and the model has positions for {usable}"):
        backend.word_logprobs([prompt_of(usable + 1)], words[:1])


def test_memory_is_given_back_after_the_error_that_holds_it_is_gone(monkeypatch):
    held, seen = [], []

    class Held:
        def __del__(self):
            held.append("freed")

    def run():
        tensors = Held()  # noqa: F841, the traceback holds it
        raise torch.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.empty_cache", lambda: seen.append(list(held)))
    budget = Budget(64, torch.device("cpu"), "m")
    assert budget.tried(run, 2, 8) is None
    assert seen == [["freed"]]
    assert (budget.tokens, budget.tried(run, 40, 8), budget.tokens) == (8, None, 4)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("elements", "content"), [(2**40, b""), (2**40, b"1" * 10**5)])
def test_a_header_that_says_more_entries_than_its_file_has_is_refused_at_once(tmp_path, order, elements, content):
    key = struct.pack(f"{order}Q", 1) + b"a"
    header = b"GGUF" + struct.pack(f"{order}IQQ", 3, 0, 1) + key + struct.pack(f"{order}IIQ", 9, 0, elements)
    (tmp_path / "a.gguf").write_bytes(header + content)
    with pytest.raises(BvfError, match=rf"a\.gguf: damaged or cut off: .* {elements:,} entries"):
        check_gguf(tmp_path / "a.gguf")
