"""Only what was asked alike is compared: shared groups, shared contexts, one sample; all else is refused by name."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bvf_knowledge.analysis import KnowledgeAnalysis
from helpers.made_alike import GROUPS, drawn, measured, probabilities, with_asked, with_model

from bvf import BvfError
from bvf.domain.asked import AskedTemplate
from bvf.domain.topic import Attribute
from bvf.hooks.loader import load
from bvf.study.config import AnalysisConfig
from bvf.study.pairing import paired


@pytest.fixture(scope="module")
def pair():
    plugins = load()

    def make(*runs, **choices):
        return paired(runs, AnalysisConfig(**choices), plugins)

    return make


def plain_risks(p, counts):
    """R and R^b of two classes, by hand: linf of p / (1/2) - 1 is |2 p - 1| on the unit scale."""
    w = np.array(counts) / sum(counts)
    lean = 2 * p[..., 0] - 1
    return np.mean(np.abs(lean) @ w), np.mean(np.abs(lean @ w))


def test_shared_groups_and_contexts_are_compared_and_the_others_counted(pair):
    p, q = probabilities(1), probabilities(2)
    first, turned = measured("a", p), measured("b", q[::-1], groups=GROUPS[::-1])
    assert pytest.approx(plain_risks(q, range(3, 15))[0]) == pair(first, turned).models[1].risk.R
    pairing = pair(first, measured("c", q[1:], groups=GROUPS[1:]))
    assert [group.name for group in pairing.groups] == list(GROUPS[1:])
    assert (pairing.left_out.groups, pairing.left_out.contexts, pairing.left_out.prompts) == (1, 0, 0)
    risk = pairing.models[0].risk
    assert (risk.R, risk.R_bias) == pytest.approx(plain_risks(p[1:], range(3, 15)))
    assert pairing.undefined == ""
    assert pairing.models[0].sample is pairing.models[1].sample is pairing.sample


def test_contexts_that_one_lacks_are_left_out_of_all_and_then_nothing_is_a_sample(pair):
    p, q = probabilities(1, contexts=13), probabilities(2, contexts=13)
    first, whole = measured("a", p), measured("b", q)
    second = with_asked(whole, templates=whole.record.asked.templates[:0:-1])
    second = replace(second, probabilities=q[:, :0:-1], bounds=whole.bounds[:, 1:], word_logprobs=None)
    pairing = pair(first, second)
    assert pairing.left_out.contexts == 1
    for model, probs in zip(pairing.models, (p, q), strict=True):
        assert model.risk.R_bias == pytest.approx(plain_risks(probs[:, 1:], range(4, 16))[1])
        assert model.sample is None
    assert "not a random sample" in pairing.undefined
    assert pair(first, second, unit="template").undefined == ""


def test_a_prompt_without_an_answer_in_one_model_counts_in_none(pair):
    p, q = probabilities(1), probabilities(2)
    p[0, 3], q[2, 5] = np.nan, np.nan
    pairing = pair(measured("a", p), measured("b", q))
    assert pairing.left_out.prompts == 2
    gaps = [np.isnan(model.predictions.probabilities).any(axis=2) for model in pairing.models]
    assert np.argwhere(gaps[0]).tolist() == np.argwhere(gaps[1]).tolist() == [[0, 3], [2, 5]]


def test_of_draws_the_fewest_count_for_both(pair):
    p, q = probabilities(1), probabilities(2)
    long, short = drawn("a", p, 60), drawn("b", q, 20)
    pairing = pair(long, short)
    assert pairing.undefined == ""
    assert [each.measurement.record.asked.draws.number for each in pairing.models] == [20, 20]
    R = pytest.approx(pairing.models[0].risk.R)
    assert pair(drawn("a", p, 20), short).models[0].risk.R == R
    assert pair(long, drawn("b", q, 60)).models[0].risk.R != R


A = measured("a", probabilities(1))
B = measured("b", probabilities(2))
DRAWN = drawn("a", probabilities(1), 20)
CLASSES, TEMPLATES = A.record.asked.attributes, A.record.asked.templates
OTHER_WORDS = (Attribute(name="male", words=("he", "his")), Attribute(name="female", words=("she",)))
ONE_WORD = Attribute(name="female", words=("female one",))
NINE = AskedTemplate(template="The [X] 0 [Y]", count=9)
CHAT = with_model(B, wording="chat")
REFUSED = {
    "one run alone": [A],
    "a run compared with itself": [A, replace(A, folder=Path("elsewhere"))],
    "has the topic made, and b weather": [A, with_asked(B, topic="weather")],
    "has the language en, and b zh": [A, with_asked(B, language="zh")],
    "has the wording bare, and b chat": [A, CHAT],
    "has the wording chat, and b chat, assistant's turn": [
        with_model(A, wording="chat"),
        with_model(B, wording="chat-assistant"),
    ],
    "has the word boundary not counted, and b counted": [A, with_model(B, word_boundary=True)],
    "a counts texts that go on to male ones for": [A, with_model(B, longer_words=("male ones", "other"))],
    "other words for male: he, his, male one, male two": [A, with_asked(B, attributes=OTHER_WORDS)],
    "has the classes male, female, and b female, male": [A, with_asked(B, attributes=CLASSES[::-1])],
    "has the count 3 in a, and 9 in b": [A, with_asked(B, templates=(NINE, *TEMPLATES[1:]))],
    "have no groups in common": [A, measured("b", probabilities(2), groups=("w", "x", "y", "z"))],
    "by the seed 0, and b by 1": [DRAWN, drawn("b", probabilities(2), 20, seed=1)],
    "a was asked in contexts that were drawn, and b in all": [DRAWN, B],
    "drew contexts from other templates": [
        DRAWN,
        with_asked(drawn("b", probabilities(2), 20), templates=TEMPLATES[:-1]),
    ],
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_was_not_asked_alike_is_refused_by_name(pair, message):
    with pytest.raises(BvfError, match=message):
        pair(*REFUSED[message])


@pytest.mark.parametrize("longer_words", [None, ("other",)])
def test_longer_words_of_no_word_that_counts_do_not_matter_nor_those_of_masked_models(pair, longer_words):
    without = with_model(A, longer_words=() if longer_words else ("male ones",))
    assert pair(without, with_model(B, longer_words=longer_words))


def test_models_are_paired_by_criteria_of_knowledge_too(pair):
    pairing = pair(*(with_asked(each, criterion="knowledge:sqrt") for each in (A, B)))
    assert pairing.choices.criterion_name == "knowledge:sqrt"
    assert isinstance(pairing.analysis, KnowledgeAnalysis)


def doubtful(run):
    """The run with little probability of its words."""
    mass = run.record.check.candidate_mass.model_copy(update={"mean": 1e-4})
    check = run.record.check.model_copy(update={"candidate_mass": mass})
    return replace(run, record=run.record.model_copy(update={"check": check}))


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ([A, doubtful(B)], "^b: "),
        ([A, with_model(B, tolerance=0.01)], "tolerance: 0 in a, 0.01 in b"),
        ([with_model(A, start="separator"), with_model(B, start="harness")], "-B start"),
    ],
)
def test_what_makes_a_run_doubtful_and_what_was_asked_otherwise_is_noted(pair, runs, said):
    assert any(re.search(said, note) for note in pair(*runs).notes)
    assert not any(re.search(said, note) for note in pair(A, B).notes)


def test_runs_that_gave_the_same_answers_everywhere_are_noted(pair):
    def notes(*runs):
        return [note for note in pair(A, *runs).notes if "same answers" in note]

    again, third = measured("c", probabilities(1) + 1e-9), measured("d", probabilities(1) + 2e-9)
    assert notes(B, again) == ["a and c both gave the same answers everywhere: are they the same model?"]
    (note,) = notes(B, again, third)
    assert note.startswith("a, c and d all gave the same answers")
    p = probabilities(1)
    p[0, 0] = np.nan
    assert notes(measured("c", p))


def test_hints_name_the_option_of_compare_that_would_do(pair):
    one_word = with_asked(B, attributes=(CLASSES[0], ONE_WORD))
    same, other, in_chat = (with_model(run, weights=name) for run, name in ((A, "same"), (A, "other"), (CHAT, "same")))
    wordings, asked_for = "bvf compare --by wording compares wordings of one model", "count those that both asked for: "
    for runs, message, hint in (
        ((A, one_word), "other words for female", f"{asked_for}bvf compare --words 'female=female one'"),
        ((same, in_chat), "has the wording bare, and b chat", wordings),
        ((other, in_chat), "has the wording bare, and b chat", "only runs that were asked alike can be compared"),
    ):
        with pytest.raises(BvfError, match=message) as refused:
            pair(*runs)
        assert refused.value.hint == hint


def test_another_way_of_reading_one_model_is_noted(pair):
    def notes(*read_as, name="one"):
        first, second = (with_model(A, read_as=read_as[0], name="one"), with_model(B, read_as=read_as[1], name=name))
        return [note for note in pair(first, second).notes if "same way" in note]

    assert notes("CausalModel", "CausalModel, by llama.cpp") == [
        "one was not read in the same way: CausalModel in a; CausalModel, by llama.cpp in b"
    ]
    assert notes("CausalModel", "") == ["one was not read in the same way: CausalModel in a; not recorded in b"]
    assert notes("CausalModel", "CausalModel") == notes("CausalModel", "MaskedModel", name="two") == []


def test_other_variables_and_another_date_of_a_chat_template_are_noted(pair):
    """A run of an earlier version has no date, and may have had that of its day. Another model may write none."""
    chat = {"wording": "chat", "settings": "one", "chat_date": "26 Jul 2024"}
    now = with_model(measured("now", probabilities(1)), **chat)
    low = with_model(measured("low", probabilities(2)), **chat, chat_variables={"effort": "low"})
    earlier = with_model(measured("earlier", probabilities(3)), **{**chat, "chat_date": ""})
    other = with_model(measured("other", probabilities(4)), **{**chat, "settings": "two", "chat_date": ""})

    def notes(*runs):
        return [note for note in pair(*runs).notes if "template" in note]

    assert notes(now, low) == ["the chat template has other variables: none in now, effort=low in low"]
    assert notes(now, earlier) == [
        "the chat template takes another date for today's: 26 Jul 2024 in now, not recorded in earlier"
    ]
    assert notes(now, other) == []
