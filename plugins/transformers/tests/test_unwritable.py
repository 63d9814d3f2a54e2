"""Text that a tokenizer cannot encode, or encodes alike, is refused. Scores would be of something else."""

import json

import pytest
import torch
import transformers as tf
from tiny_models import model_of, tokenizer_of
from tokenizers import normalizers

import bvf
from bvf import BvfError, Prompt

KINDS = {"masked": "bert", "permutation": "xlnet", "causal": "llama", "seq2seq": "t5"}
WORDS = ["he", "she"]
ALL_KINDS = pytest.mark.parametrize("kind", KINDS)
READS_RIGHT = pytest.mark.parametrize("kind", sorted(set(KINDS) - {"causal"}))
TOPIC = """
schema = "bvf.topic/1"
name = "t"
language = "en"
summary = "s"
contexts = "gender"
sources = ["s"]
groups = {groups}

[measurement]
construct = "c"
harm = "h"
chosen_by = "b"
reference = "r"
gaps = ["g"]

[[attributes]]
name = "male"
words = {male}

[[attributes]]
name = "female"
words = ["she"]
"""


@pytest.fixture(scope="module")
def lower_case(tmp_path_factory):
    """Return a copy of a family's folder whose tokenizer lower-cases text."""
    made = {}

    def folder(family):
        if family not in made:
            made[family] = tmp_path_factory.mktemp(f"lower-{family}")
            tokenizer = tokenizer_of(
                {"bert": "wordpiece", "xlnet": "unigram-behind", "llama": "unigram-before", "t5": "unigram-eos"}[family]
            )
            if family != "bert":
                tokenizer.backend_tokenizer.normalizer = normalizers.Lowercase()
            model_of(family, tokenizer).save_pretrained(made[family])
            tokenizer.save_pretrained(made[family])
        return made[family]

    return folder


@ALL_KINDS
def test_a_group_of_unknown_tokens_is_named(folder_of, load_model, kind):
    backend = load_model(folder_of(KINDS[kind]))
    known = Prompt("The nurse said that", ".", "nurse", "The [X] said that [Y].")
    unknown = Prompt("The 护士 said that", ".", "护士", "The [X] said that [Y].")
    with pytest.raises(BvfError, match='cannot write the group "护士": it becomes tokens that it does not know'):
        backend.word_logprobs([known, unknown], WORDS)


@READS_RIGHT
def test_unknown_tokens_right_of_the_slot_are_named_where_they_are_read(folder_of, load_model, kind):
    backend = load_model(folder_of(KINDS[kind]))
    group = Prompt("It was known that", " is the 护士.", "护士", "It was known that [Y] is the [X].")
    with pytest.raises(BvfError, match='the group "护士"'):
        backend.word_logprobs([group], WORDS)
    template = Prompt("The nurse said that", " 走.", "nurse", "The [X] said that [Y] 走.")
    with pytest.raises(BvfError, match=r'"走.*" of the template'):
        backend.word_logprobs([template], WORDS)


def test_what_a_causal_model_does_not_read_may_be_unknown(folder_of, load_model):
    backend = load_model(folder_of("llama"))
    one, other = (Prompt("The nurse said that", right, "nurse", "c") for right in ("", " 走."))
    logp = backend.word_logprobs([one, other], WORDS)
    assert (logp[0] == logp[1]).all()


def test_a_group_that_becomes_no_tokens_is_named(folder_of, load_model):
    prompt = Prompt("The \u200d said that", ".", "\u200d", "The [X] said that [Y].")
    with pytest.raises(BvfError, match='the group "\u200d": it becomes no tokens'):
        load_model(folder_of("bert")).word_logprobs([prompt], WORDS)


def test_a_special_token_that_stands_for_the_unknown_too_is_no_unknown_text(folder_of, copy_of, load_model):
    folder = copy_of("opt")
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)
    tokenizer.unk_token = tokenizer.bos_token = "</s>"  # as in OPT, and in GPT-2 under another name
    tokenizer.save_pretrained(folder)
    prompt = Prompt("The nurse said that", ".", "nurse", "c")
    same = load_model(folder_of("opt")).word_logprobs([prompt], WORDS)
    assert load_model(folder).word_logprobs([prompt], WORDS) == pytest.approx(same)


@ALL_KINDS
def test_two_words_of_the_same_tokens_are_refused(lower_case, load_model, kind):
    backend = load_model(lower_case(KINDS[kind]))
    prompt = Prompt("the nurse said that", ".", "nurse", "c")
    assert backend.word_logprobs([prompt], WORDS).shape == (1, 2)
    with pytest.raises(BvfError, match='writes "he" and "He" with the same tokens') as error:
        backend.word_logprobs([prompt], ["he", "she", "He"])
    assert "--words" in error.value.hint


def run(model, tmp_path, groups, male):
    contexts = tmp_path / "contexts.csv"
    contexts.write_text("template,count\n" + "".join(f"The [X] said {i} that [Y],1\n" for i in "abcdefgh"))
    topic = tmp_path / "topic.toml"
    topic.write_text(TOPIC.format(groups=json.dumps(groups), male=json.dumps(male)))
    return bvf.run(bvf.RunConfig(model=str(model), topic=str(topic), contexts=str(contexts), out=str(tmp_path / "out")))


@pytest.mark.parametrize("male", [["he", "He"], ["he", "SHE"]])
def test_a_run_with_two_such_words_in_a_class_or_in_two_is_refused(lower_case, tmp_path, male):
    with pytest.raises(BvfError, match="with the same tokens"):
        run(lower_case("bert"), tmp_path, ["nurse", "baker"], male)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_the_last_of_many_groups_is_looked_at_before_anything_is_scored(folder_of, tmp_path, kind):
    groups = [f"nurse {i}{j}" for i in "abdehilnorst" for j in "abdehilnorst"]
    with pytest.raises(BvfError, match='the group "护士"'):
        run(folder_of(KINDS[kind]), tmp_path, [*groups, "护士"], ["he"])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("family", "value"), [("bert", 0.0), ("gpt2", 1.0), ("llama", 0.0), ("t5", 0.0)])
def test_empty_weights_give_no_figure(copy_of, tmp_path, family, value):
    folder = copy_of(family)
    classes = {"bert": "MaskedLM", "t5": "Seq2SeqLM"}
    model = getattr(tf, f"AutoModelFor{classes.get(family, 'CausalLM')}").from_pretrained(folder)
    with torch.no_grad():
        for weight in model.parameters():
            weight.fill_(value)
    model.save_pretrained(folder)
    with pytest.raises(BvfError, match="in every prompt: it does not read them") as error:
        run(folder, tmp_path, ["nurse", "baker", "captain"], ["he", "grandson"])
    assert "weights may be empty" in error.value.hint
    assert "answers_from_table" in error.value.hint
