"""Which models are loaded, which are refused, and the error messages."""

import json

import pytest
import torch
import transformers as tf
from helpers.plain_models import logprob_of_rest
from tiny_models import model_of, tokenizer_of, write_custom_code

from bvf import BvfError, Prompt

PROMPT = Prompt("The nurse said that", "", "nurse", "The [X] said that [Y]")


@pytest.mark.parametrize(
    ("model_type", "offered_as"),
    [("baichuan", "AutoModelForCausalLM"), ("chatglm", "AutoModelForSeq2SeqLM"), ("chatglm", "AutoModel")],
)
def test_code_that_comes_with_a_model_runs_only_when_trusted(tmp_path, load_model, model_type, offered_as, monkeypatch):
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    folder = write_custom_code(tmp_path / f"own-{model_type}", model_type, offered_as)
    with pytest.raises(BvfError, match="code of its own") as error:
        load_model(folder)
    assert "--trust-remote-code" in error.value.hint
    backend = load_model(folder, trust_remote_code=True)
    assert not backend.has_cache  # found out, not assumed
    ids = [backend.tokenizer(f"The nurse said that {word}")["input_ids"] for word in ("he", "grandson")]
    left = len(backend.tokenizer(PROMPT.left)["input_ids"])
    plain = [logprob_of_rest(backend.model, row, left) for row in ids]
    assert backend.word_logprobs([PROMPT], ["he", "grandson"])[0] == pytest.approx(plain, abs=1e-5)


def test_pickled_weights_are_refused_unless_allowed(folder_of, pickled, load_model):
    before = load_model(folder_of("gpt2")).word_logprobs([PROMPT], ["he"])
    with pytest.raises(BvfError, match=r"pytorch_model\.bin: these weights are pickled") as error:
        load_model(pickled)
    assert "--allow-pickle" in error.value.hint
    assert load_model(pickled, allow_pickle=True).word_logprobs([PROMPT], ["he"]) == pytest.approx(before)


def test_a_folder_that_lacks_something(copy_of, load_model):
    folder = copy_of("gpt2")
    file = folder / "model.safetensors"
    for keep in (3000, 0):
        file.write_bytes(file.read_bytes()[:keep])
        with pytest.raises(BvfError, match=r"model\.safetensors: damaged or cut off"):
            load_model(folder)
    for name, says in ((file.name, "no weights in this folder"), ("config.json", r"no config\.json")):
        (folder / name).unlink()
        with pytest.raises(BvfError, match=says):
            load_model(folder)


def test_weights_without_a_head_would_answer_at_random(tmp_path, load_model):
    tokenizer = tokenizer_of("wordpiece")
    model_of("bert", tokenizer).bert.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(BvfError, match="would answer at random"):
        load_model(tmp_path, backend="masked")


def test_a_masked_model_whose_tokenizer_has_no_mask(tmp_path, load_model):
    tokenizer = tokenizer_of("bytes-around")
    model_of("roberta", tokenizer).save_pretrained(tmp_path)
    tokenizer.mask_token = None
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(BvfError, match="no mask token"):
        load_model(tmp_path)


def test_a_seq2seq_model_whose_tokenizer_has_no_sentinel(tmp_path, load_model):
    tokenizer = tokenizer_of("unigram-eos")
    model_of("t5", tokenizer).save_pretrained(tmp_path)
    text = json.loads(tokenizer.backend_tokenizer.to_str())
    text["added_tokens"] = [token for token in text["added_tokens"] if not token["content"].startswith("<extra")]
    text["model"]["vocab"] = [
        [piece.replace("<extra_id_", "<other_"), score] for piece, score in text["model"]["vocab"]
    ]
    tokenizer.save_pretrained(tmp_path)
    (tmp_path / "tokenizer.json").write_text(json.dumps(text))
    config = json.loads((tmp_path / "tokenizer_config.json").read_text())
    for key in ("extra_special_tokens", "additional_special_tokens", "added_tokens_decoder"):
        config.pop(key, None)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    with pytest.raises(BvfError, match="no sentinel"):
        load_model(tmp_path)


def test_a_device_map(folder_of, load_model, describe):
    pytest.importorskip("accelerate")
    plain = load_model(folder_of("llama")).word_logprobs([PROMPT], ["he", "grandson"])
    mapped = load_model(folder_of("llama"), device_map="auto")
    assert mapped.word_logprobs([PROMPT], ["he", "grandson"]) == pytest.approx(plain, abs=1e-5)
    assert describe(folder_of("llama"), device_map="auto").memory is None


def test_a_word_that_the_tokenizer_cannot_write(folder_of, load_model):
    backend = load_model(folder_of("bert"))
    with pytest.raises(BvfError, match='cannot write "她": it becomes tokens that it does not know'):
        backend.word_logprobs([PROMPT], ["he", "她"])
    with pytest.raises(BvfError, match="it becomes no tokens"):
        backend.word_logprobs([PROMPT], ["he", " "])


def test_a_word_that_changes_the_tokens_of_its_context(folder_of, load_model):
    backend = load_model(folder_of("roberta"))
    with pytest.raises(BvfError, match=r"\[.*\] is not a prefix of \[.*\]"):
        backend.word_logprobs([Prompt("The nurse s", "", "g", "c", spaced=False)], ["he"])


def test_text_that_begins_with_the_word(folder_of, load_model):
    backend = load_model(folder_of("gpt2"))
    start = backend.tokenizer.bos_token_id
    scored = backend.word_logprobs([Prompt("", " said so.", "g", "c")], ["He"])
    pieces = backend.tokenizer("He")["input_ids"]
    assert scored[0, 0] == pytest.approx(logprob_of_rest(backend.model, [start, *pieces], 1), abs=1e-5)


@pytest.mark.parametrize(
    ("family", "separator", "start", "token"),
    [
        ("gpt2", True, "separator", "<|endoftext|>"),
        ("gpt2", True, "harness", "<s>"),
        ("gpt2", False, "separator", "<s>"),
        ("llama", True, "separator", "<s>"),
        ("llama", True, "harness", "<s>"),
    ],
)
def test_which_token_stands_before_a_text(copy_of, load_model, describe, family, separator, start, token):
    """GPT-2's tokenizer puts none before a text, and that of Llama always puts <s> there."""
    folder = copy_of(family)
    for name in ("tokenizer.json", "tokenizer_config.json") if separator else ():
        (folder / name).write_text((folder / name).read_text().replace("<extra_id_1>", "<|endoftext|>"))
    backend = load_model(folder, start=start)
    ids = backend.tokenizer("The nurse said that he", add_special_tokens=False)["input_ids"]
    first = [backend.tokenizer.convert_tokens_to_ids(token)]
    whole = backend.word_logprobs([Prompt("", "", "g", "c")], ["The nurse said that he"])
    assert whole[0, 0] == pytest.approx(logprob_of_rest(backend.model, [*first, *ids], 1), abs=1e-5)
    by_tokenizer = first if family == "llama" else []
    plain = logprob_of_rest(backend.model, [*by_tokenizer, *ids], len(by_tokenizer) + len(ids) - 1)
    assert backend.word_logprobs([PROMPT], ["he"])[0, 0] == pytest.approx(plain, abs=1e-5)
    assert describe(folder, start=start).start == start


@pytest.mark.parametrize(
    ("raised", "error", "says"),
    [
        ("DefaultCPUAllocator: can't allocate memory", BvfError, "not even one prompt"),
        ("shapes do not match", RuntimeError, "shapes do not match"),
    ],
)
def test_memory_for_not_even_one_prompt_is_said_and_no_other_error_is_hidden(
    folder_of, load_model, monkeypatch, raised, error, says
):
    backend = load_model(folder_of("gpt2"))

    def forward(*args, **kwargs):
        raise RuntimeError(raised)

    monkeypatch.setattr(backend.model, "forward", forward)
    with pytest.raises(error, match=says):
        backend.word_logprobs([PROMPT], ["he"])


def test_logits_that_are_nan_name_the_model_and_the_prompt(copy_of, load_model):
    folder = copy_of("gpt2")
    model = tf.AutoModelForCausalLM.from_pretrained(folder)
    with torch.no_grad():
        model.transformer.ln_f.weight[0] = float("nan")
    model.save_pretrained(folder)
    with pytest.raises(BvfError, match='gpt2 gave nan for "he" in "The nurse said that'):
        load_model(folder).word_logprobs([PROMPT], ["he"])
