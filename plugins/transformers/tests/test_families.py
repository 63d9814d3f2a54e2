"""Every family agrees with a plain computation, and uses every tensor of its weights, or refuses it by name."""

import json

import numpy as np
import pytest
import torch
import transformers as tf
from bvf_testing import backend_checks
from bvf_transformers.loading.fit import unread_tensor
from plain import Plain
from safetensors.torch import load_file, save_file
from tiny_models import model_of, tokenizer_of

import bvf
from bvf import BvfError, Prompt

WORDS = ["he", "she", "her", "stepmother", "grandson", "actress", "himself"]
TEXTS = [
    ("The nurse said that", ""),
    ("The nurse said that", "."),
    ("The engineer told us that", " to leave."),
    ("A baker claimed that", ""),
    ("The captain of the old house claimed that it was known that", ""),
    ("He said", " was late."),
    ("The nurse said that", ""),
    ("The nurse met a nurse. The nurse said that", " told the nurse."),
]


def prompts(order=None):
    made = [Prompt(left, right, "g", f"context {index}") for index, (left, right) in enumerate(TEXTS)]
    return made if order is None else [made[index] for index in order]


@pytest.fixture(scope="module")
def expected(folder_of):
    known = {}

    def values(family):
        if family.name not in known:
            plain = Plain(folder_of(family.name), family)
            assert len({len(plain.split(TEXTS[0][0], word, "")[1]) for word in WORDS}) >= 3, "of one, two, more pieces"
            right_of = (lambda text: "") if family.kind == "causal" else (lambda text: text)
            known[family.name] = np.array(
                [plain.own_logprobs(left, right_of(right), tuple(WORDS)) for left, right in TEXTS]
            )
        return known[family.name]

    return values


def test_word_logprobs_are_those_of_a_plain_computation(family, folder_of, load_model, expected):
    many = [*range(len(TEXTS)), *[0, 2, 4] * 4]
    backend = load_model(folder_of(family.name), batch_tokens=1)
    logp = backend.word_logprobs(prompts(many), WORDS)
    assert np.abs(logp - expected(family)[many]).max() < 1e-5
    assert (logp < 0).all()
    assert logp.std() > 0.3  # the random weights do say something


def test_a_family_passes_the_conformance_kit(family, folder_of, load_model):
    for check in backend_checks(load_model(folder_of(family.name)), prompts([0, 2, 3, 4, 7]), WORDS):
        check()


def test_the_kind_is_found_and_fast_paths_are_taken_where_they_are_exact(family, folder_of, load_model):
    backend = load_model(folder_of(family.name))
    assert type(backend).__name__ == f"{family.kind.title()}Model"
    assert backend.capabilities.reads_right == (family.kind != "causal")
    ids = backend.token_ids(Prompt("The nurse said that", "", "g", "c"), "he")
    special = {"<s>", "</s>", "<cls>", "<sep>", "[CLS]", "[SEP]"}
    specials = [token for token in backend.tokenizer.convert_ids_to_tokens(ids) if token in special]
    assert len(specials) == len(set(specials)) == family.before + (family.behind if family.kind != "causal" else 0)
    assert backend.readout.can_choose_rows == (family.name not in {"bart"})
    if family.kind in {"causal", "sentinel", "denoising"}:
        assert backend.has_cache
    if family.kind == "causal":
        backend.word_logprobs(prompts()[:2], WORDS[:2])
        assert backend.reads_trees == (family.name != "mistral")  # its window is shorter than the texts
        assert backend.readout.head


def test_a_slower_path_and_padding_on_the_other_side_give_the_same(family, folder_of, load_model, expected):
    backend = load_model(folder_of(family.name))
    backend.tokenizer.padding_side = backend.tokenizer.truncation_side = "left"
    backend.readout.head = None
    assert np.abs(backend.word_logprobs(prompts(), WORDS) - expected(family)).max() < 1e-5
    backend.readout._linear = None
    backend.readout.can_choose_rows = False
    backend.has_cache = False
    backend.reads_trees = False
    assert np.abs(backend.word_logprobs(prompts(), WORDS) - expected(family)).max() < 1e-5


def test_a_run_after_openings_has_the_p_of_a_plain_forward_of_the_whole_text(family, folder_of, tmp_path):
    groups, words = ("nurse", "baker"), {"male": ("he", "himself"), "female": ("she", "her")}
    templates = ("The [X] said that [Y]", "A [X] claimed that [Y].")
    (tmp_path / "pool.txt").write_text("He is there.\nThe quick brown fox jumped.\n")
    (tmp_path / "two.csv").write_text("template,count\n" + "".join(f"{each},1\n" for each in templates))
    asked = {"contexts": str(tmp_path / "two.csv"), "openings": str(tmp_path / "pool.txt"), "topic": "gender-2026"}
    out = str(tmp_path / "run")
    asked |= {"groups": groups, "words": words, "tolerance": 0, "mass_sample": 1}
    bvf.measure(model=str(folder_of(family.name)), out=out, **asked)
    read, plain = bvf.read_measurement(out, words=True), Plain(folder_of(family.name), family)
    contexts = [each.columns for each in read.record.asked.in_order]
    assert len(contexts) == 4
    for x, group in enumerate(read.record.asked.group_names):
        for c, of_context in enumerate(contexts):
            whole = f"{of_context['opening']} {of_context['template']}".replace("[X]", group)
            left, right = whole.split(" [Y]")
            ours = np.exp(read.word_logprobs[x, c])
            right = "" if family.kind == "causal" else right
            own = np.exp(plain.own_logprobs(left, right, tuple(read.record.asked.words)))
            assert ours / ours.sum() == pytest.approx(own / own.sum(), abs=1e-5)  # logs are up to a constant


PROMPT = Prompt("The nurse said that", ".", "nurse", "The [X] said that [Y].")
BIASED = {"attention_bias": True, "mlp_bias": True}


def llama(folder, **settings):
    """Write a model of the llama family with these settings and non-zero biases."""
    tokenizer = tokenizer_of("unigram-before")
    config = model_of("llama", tokenizer).config.to_dict()
    torch.manual_seed(5)
    model = tf.LlamaForCausalLM(tf.LlamaConfig(**{**config, **settings}))
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("bias"):
                weight.normal_(0, 0.5)
    return write(model, tokenizer, folder)


def write(model, tokenizer, folder):
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def change_config(folder, **settings):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **settings}))


def add_tensors(folder, **tensors):
    file = folder / "model.safetensors"
    save_file({**load_file(file), **tensors}, file, metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("left_out", "named"),
    [
        ({"attention_bias": False, "mlp_bias": False}, r"model\.layers\.0\.mlp\.down_proj\.bias"),
        ({"attention_bias": False}, r"model\.layers\.0\.self_attn\.k_proj\.bias"),
        ({"mlp_bias": False}, r"model\.layers\.0\.mlp\.down_proj\.bias"),
    ],
)
def test_biases_that_the_configuration_leaves_out_are_refused(tmp_path, load_model, left_out, named):
    folder = llama(tmp_path, **BIASED)
    load_model(folder)
    change_config(folder, **left_out)
    with pytest.raises(BvfError, match=f"the weights have {named}, and the configuration leaves it out"):
        load_model(folder)


def test_norms_that_the_configuration_leaves_out_whole_are_refused(tmp_path, load_model):
    tokenizer = tokenizer_of("unigram-before")
    settings = model_of("llama", tokenizer).config.to_dict()
    settings = {name: settings[name] for name in settings if name not in {"model_type", "architectures"}}
    torch.manual_seed(5)
    model = tf.Qwen3ForCausalLM(tf.Qwen3Config(**{**settings, "attention_bias": False}))
    folder = write(model, tokenizer, tmp_path)
    load_model(folder)
    change_config(folder, model_type="llama", architectures=["LlamaForCausalLM"])
    with pytest.raises(BvfError, match=r"the weights have model\.layers\.0\.self_attn\.k_norm\.weight, and the conf"):
        load_model(folder)


@pytest.mark.parametrize(("family", "tensor"), [("gpt2", "lm_head.bias"), ("llama", "model.norm.bias")])
def test_a_bias_that_no_configuration_has_is_refused(copy_of, load_model, family, tensor):
    folder = copy_of(family)
    add_tensors(folder, **{tensor: torch.ones(8)})
    with pytest.raises(BvfError, match=tensor):
        load_model(folder)


def test_the_head_of_next_sentences_is_no_loss_to_a_masked_model(tmp_path, load_model):
    tokenizer = tokenizer_of("wordpiece")
    masked = model_of("bert", tokenizer)
    both = tf.BertForPreTraining(masked.config)
    both.load_state_dict(masked.state_dict(), strict=False)
    one, other = write(masked, tokenizer, tmp_path / "masked"), write(both, tokenizer, tmp_path / "both")
    add_tensors(other, **{"classifier.weight": torch.ones(2, 32), "classifier.bias": torch.ones(2)})
    answers = [load_model(folder, "masked").word_logprobs([PROMPT], ["he", "she"]) for folder in (one, other)]
    assert answers[0] == pytest.approx(answers[1], abs=1e-5)


@pytest.mark.parametrize(
    ("family", "attention"),
    [("gpt2", "transformer.h.0.attn"), ("gpt2", "h.0.attn"), ("gpt_neox", "gpt_neox.layers.0.attention")],
)
def test_masks_and_angles_that_were_saved_with_the_weights_are_no_loss(copy_of, load_model, family, attention):
    folder = copy_of(family)
    before = load_model(folder).word_logprobs([PROMPT], ["he", "she"])
    mask = torch.ones(64, 64).tril().view(1, 1, 64, 64)
    add_tensors(
        folder,
        **{
            f"{attention}.bias": mask,
            f"{attention}.masked_bias": torch.tensor(-1e4),
            f"{attention}.rotary_emb.inv_freq": torch.ones(4),
        },
    )
    assert load_model(folder).word_logprobs([PROMPT], ["he", "she"]) == pytest.approx(before, abs=1e-6)


@pytest.mark.parametrize("more", [-5, 5])
def test_a_tensor_of_another_shape_is_named_with_both_shapes(tmp_path, load_model, more):
    folder = llama(tmp_path)
    rows = json.loads((folder / "config.json").read_text())["vocab_size"]
    change_config(folder, vocab_size=rows + more)
    with pytest.raises(BvfError) as error:
        load_model(folder)
    assert f": lm_head.weight has the shape {rows} x 32 in the weights, and {rows + more} x 32" in str(error.value)
    assert "ignore_mismatched_sizes" not in f"{error.value} {error.value.hint}"


def test_a_tensor_is_found_with_and_without_the_name_of_the_body():
    model = model_of("llama", tokenizer_of("unigram-before"))
    for name in ("model.layers.1.self_attn.q_proj.bias", "layers.1.self_attn.q_proj.bias"):
        assert unread_tensor(["pooler.dense.weight", name], model) == name
    harmless = ["score.weight", "model.layers.1.self_attn.bias", "model.layers.1.self_attn.rotary_emb.inv_freq"]
    other_models = ["vision_tower.layers.0.norm.weight", "encoder.layers.0.norm.weight", "score.0.weight"]
    assert unread_tensor([*harmless, *other_models, "pooler.dense.weight"], model) == ""
    for name in ("model.layers.1.self_attn.q_norm.weight", "layers.1.post_feedforward_layernorm.weight"):
        assert unread_tensor([*harmless, name], model) == name
