"""Only what was asked alike is compared: shared groups, shared contexts, one sample; all else is refused by name."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bvf_knowledge.analysis import KnowledgeAnalysis
from helpers.made_alike import GROUPS, drawn, measured, probabilities, with_asked, with_model

from bvf import BvfError
from bvf.domain.measurement import AskedTemplate
from bvf.domain.topic import Attribute
from bvf.hooks.loader import load
from bvf.study.config import AnalysisConfig
from bvf.study.pairing import paired


@pytest.fixture(scope="module")
def plugins():
    return load()


def plain_risks(p, counts):
    """R and R^b of two classes, by hand: linf of p / (1/2) - 1 is |2 p - 1| on the unit scale."""
    w = np.array(counts) / sum(counts)
    lean = 2 * p[..., 0] - 1
    return np.mean(np.abs(lean) @ w), np.mean(np.abs(lean @ w))


def test_shared_groups_and_contexts_are_compared_and_the_others_counted(plugins):
    p, q = probabilities(1), probabilities(2)
    first = measured("a", p)
    second = measured("b", q[::-1], groups=GROUPS[::-1])
    fewer = measured("c", q[1:], groups=GROUPS[1:])
    pairing = paired([first, second], AnalysisConfig(), plugins)
    assert pytest.approx(plain_risks(q, range(3, 15))[0]) == pairing.models[1].risk.R
    pairing = paired([first, fewer], AnalysisConfig(), plugins)
    assert [group.name for group in pairing.groups] == list(GROUPS[1:])
    assert (pairing.left_out.groups, pairing.left_out.contexts, pairing.left_out.prompts) == (1, 0, 0)
    R, R_bias = plain_risks(p[1:], range(3, 15))
    assert pytest.approx(R) == pairing.models[0].risk.R
    assert pairing.models[0].risk.R_bias == pytest.approx(R_bias)
    assert pairing.undefined == ""
    assert pairing.models[0].sample is pairing.models[1].sample is pairing.sample


def test_contexts_that_one_lacks_are_left_out_of_all_and_then_nothing_is_a_sample(plugins):
    p, q = probabilities(1, contexts=13), probabilities(2, contexts=13)
    first, whole = measured("a", p), measured("b", q)
    templates = whole.record.asked.templates
    second = with_asked(whole, templates=templates[:0:-1])
    second = replace(second, probabilities=q[:, :0:-1], bounds=whole.bounds[:, 1:], word_logprobs=None)
    pairing = paired([first, second], AnalysisConfig(), plugins)
    assert pairing.left_out.contexts == 1
    for model, probs in zip(pairing.models, (p, q), strict=True):
        assert model.risk.R_bias == pytest.approx(plain_risks(probs[:, 1:], range(4, 16))[1])
        assert model.sample is None
    assert "not a random sample" in pairing.undefined
    assert paired([first, second], AnalysisConfig(unit="template"), plugins).undefined == ""


def test_a_prompt_without_an_answer_in_one_model_counts_in_none(plugins):
    p, q = probabilities(1), probabilities(2)
    p[0, 3], q[2, 5] = np.nan, np.nan
    pairing = paired([measured("a", p), measured("b", q)], AnalysisConfig(), plugins)
    assert pairing.left_out.prompts == 2
    gaps = [np.isnan(model.predictions.probabilities).any(axis=2) for model in pairing.models]
    assert np.argwhere(gaps[0]).tolist() == np.argwhere(gaps[1]).tolist() == [[0, 3], [2, 5]]


def test_of_draws_the_fewest_count_for_both(plugins):
    p, q = probabilities(1), probabilities(2)
    long, short = drawn("a", p, 60), drawn("b", q, 20)
    pairing = paired([long, short], AnalysisConfig(), plugins)
    assert pairing.undefined == ""
    assert [each.measurement.record.asked.draws.number for each in pairing.models] == [20, 20]
    alone = drawn("a", p, 20)
    again = paired([alone, short], AnalysisConfig(), plugins)
    assert pytest.approx(again.models[0].risk.R) == pairing.models[0].risk.R
    assert (
        pytest.approx(paired([long, drawn("b", q, 60)], AnalysisConfig(), plugins).models[0].risk.R)
        != pairing.models[0].risk.R
    )


A = measured("a", probabilities(1))
B = measured("b", probabilities(2))
OTHER_WORDS = (Attribute(name="male", words=("he", "his")), Attribute(name="female", words=("she",)))
ONE_WORD = Attribute(name="female", words=("female one",))
REFUSED = {
    "one run alone": [A],
    "a run compared with itself": [A, replace(A, folder=Path("elsewhere"))],
    "has the topic made, and b weather": [A, with_asked(B, topic="weather")],
    "has the language en, and b zh": [A, with_asked(B, language="zh")],
    "has the wording bare, and b chat": [A, with_model(B, wording="chat")],
    "has the wording chat, and b chat, assistant's turn": [
        with_model(A, wording="chat"),
        with_model(B, wording="chat-assistant"),
    ],
    "has the word boundary not counted, and b counted": [A, with_model(B, word_boundary=True)],
    "a counts texts that go on to male ones for": [A, with_model(B, longer_words=("male ones", "other"))],
    "other words for male: he, his, male one, male two": [A, with_asked(B, attributes=OTHER_WORDS)],
    "has the classes male, female, and b female, male": [
        A,
        with_asked(B, attributes=A.record.asked.attributes[::-1]),
    ],
    "has the count 3 in a, and 9 in b": [
        A,
        with_asked(B, templates=(AskedTemplate(template="The [X] 0 [Y]", count=9), *A.record.asked.templates[1:])),
    ],
    "have no groups in common": [A, measured("b", probabilities(2), groups=("w", "x", "y", "z"))],
    "by the seed 0, and b by 1": [drawn("a", probabilities(1), 20), drawn("b", probabilities(2), 20, seed=1)],
    "a was asked in contexts that were drawn, and b in all": [drawn("a", probabilities(1), 20), B],
    "drew contexts from other templates": [
        drawn("a", probabilities(1), 20),
        with_asked(drawn("b", probabilities(2), 20), templates=A.record.asked.templates[:-1]),
    ],
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_was_not_asked_alike_is_refused_by_name(plugins, message):
    with pytest.raises(BvfError, match=message):
        paired(REFUSED[message], AnalysisConfig(), plugins)


@pytest.mark.parametrize("longer_words", [None, ("other",)])
def test_longer_words_of_no_word_that_counts_do_not_matter_nor_those_of_masked_models(plugins, longer_words):
    without = with_model(A, longer_words=() if longer_words else ("male ones",))
    assert paired([without, with_model(B, longer_words=longer_words)], AnalysisConfig(), plugins)


def test_models_are_paired_by_criteria_of_knowledge_too(plugins):
    both = [with_asked(each, criterion="knowledge:sqrt") for each in (A, B)]
    pairing = paired(both, AnalysisConfig(), plugins)
    assert pairing.choices.criterion_name == "knowledge:sqrt"
    assert isinstance(pairing.analysis, KnowledgeAnalysis)


def test_what_makes_the_figures_of_one_run_doubtful_is_noted_with_its_folder(plugins):
    mass = B.record.check.candidate_mass.model_copy(update={"mean": 1e-4})
    check = B.record.check.model_copy(update={"candidate_mass": mass})
    doubtful = replace(B, record=B.record.model_copy(update={"check": check}))
    assert any(note.startswith("b: ") for note in paired([A, doubtful], AnalysisConfig(), plugins).notes)
    assert not any(note.startswith("b: ") for note in paired([A, B], AnalysisConfig(), plugins).notes)


def test_another_tolerance_is_noted(plugins):
    pairing = paired([A, with_model(B, tolerance=0.01)], AnalysisConfig(), plugins)
    assert any("tolerance: 0 in a, 0.01 in b" in note for note in pairing.notes)


def test_another_token_before_words_is_noted(plugins):
    pairing = paired([with_model(A, start="separator"), with_model(B, start="harness")], AnalysisConfig(), plugins)
    assert [note for note in pairing.notes if "-B start" in note]
    assert not [note for note in paired([A, B], AnalysisConfig(), plugins).notes if "-B start" in note]


def test_runs_that_gave_the_same_answers_everywhere_are_noted(plugins):
    again = measured("c", probabilities(1) + 1e-9)
    pairing = paired([A, B, again], AnalysisConfig(), plugins)
    assert [note for note in pairing.notes if "same answers" in note] == [
        "a and c both gave the same answers everywhere: are they the same model?"
    ]
    third = measured("d", probabilities(1) + 2e-9)
    (note,) = [note for note in paired([A, B, again, third], AnalysisConfig(), plugins).notes if "same" in note]
    assert note.startswith("a, c and d all gave the same answers")
    p = probabilities(1)
    p[0, 0] = np.nan
    assert any("same answers" in note for note in paired([A, measured("c", p)], AnalysisConfig(), plugins).notes)


def test_the_hint_at_words_is_an_option_of_compare(plugins):
    with pytest.raises(BvfError, match="other words for female") as refused:
        paired([A, with_asked(B, attributes=(A.record.asked.attributes[0], ONE_WORD))], AnalysisConfig(), plugins)
    assert refused.value.hint == "count those that both asked for: bvf compare --words 'female=female one'"


def test_a_refusal_of_two_wordings_of_one_model_names_the_way_to_compare_them(plugins):
    of_one = with_model(B, wording="chat", weights="same")
    with pytest.raises(BvfError, match="has the wording bare, and b chat") as refused:
        paired([with_model(A, weights="same"), of_one], AnalysisConfig(), plugins)
    assert refused.value.hint == "bvf compare --by wording compares wordings of one model"
    with pytest.raises(BvfError) as refused:
        paired([with_model(A, weights="other"), of_one], AnalysisConfig(), plugins)
    assert refused.value.hint == "only runs that were asked alike can be compared"


def test_another_way_of_reading_one_model_is_noted(plugins):
    def notes(*read_as, name="one"):
        first, second = (with_model(A, read_as=read_as[0], name="one"), with_model(B, read_as=read_as[1], name=name))
        return [note for note in paired([first, second], AnalysisConfig(), plugins).notes if "same way" in note]

    assert notes("CausalModel", "CausalModel, by llama.cpp") == [
        "one was not read in the same way: CausalModel in a; CausalModel, by llama.cpp in b"
    ]
    assert notes("CausalModel", "") == ["one was not read in the same way: CausalModel in a; not recorded in b"]
    assert notes("CausalModel", "CausalModel") == notes("CausalModel", "MaskedModel", name="two") == []


def test_other_variables_and_another_date_of_a_chat_template_are_noted(plugins):
    """A run of an earlier version has no date, and may have had that of its day. Another model may write none."""
    chat = {"wording": "chat", "settings": "one", "chat_date": "26 Jul 2024"}
    now = with_model(measured("now", probabilities(1)), **chat)
    low = with_model(measured("low", probabilities(2)), **chat, chat_variables={"effort": "low"})
    earlier = with_model(measured("earlier", probabilities(3)), **{**chat, "chat_date": ""})
    other = with_model(measured("other", probabilities(4)), **{**chat, "settings": "two", "chat_date": ""})

    def notes(*measurements):
        return [note for note in paired(measurements, AnalysisConfig(), plugins).notes if "template" in note]

    assert notes(now, low) == ["the chat template has other variables: none in now, effort=low in low"]
    assert notes(now, earlier) == [
        "the chat template takes another date for today's: 26 Jul 2024 in now, not recorded in earlier"
    ]
    assert notes(now, other) == []
