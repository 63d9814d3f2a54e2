"""Runs in two languages by concept: leans and R against plain computations, and what is refused."""

import re

import numpy as np
import pytest
from bvf_insights.languages import compare_languages, sections
from scipy.stats import kendalltau

from bvf import AnalysisConfig, BvfError, analyse, load

ENGLISH = {"groups": ("nurse", "journalist", "reporter", "dentist", "cook", "diver"), "limit_groups": 0}
CHINESE = {"lang": "zh", "contexts": "", "groups": ("厨师", "护士", "记者", "牙医", "警察"), "limit_groups": 0}
CONCEPTS = {"2221 nurse": "护士", "2642 journalist": "记者", "2261 dentist": "牙医", "5120 cook": "厨师"}


def compared(*results, **choices):
    return compare_languages([each.folder for each in results], AnalysisConfig(**choices))


@pytest.fixture(scope="module")
def en(run_of):
    return run_of(**ENGLISH)


@pytest.fixture(scope="module")
def zh(run_of):
    return run_of(**CHINESE)


def test_concepts_are_set_apart_by_the_mean_of_their_groups(en, zh):
    """Journalist and reporter are one concept; diver and 警察 are in one language alone."""
    found = compared(en, zh)
    english, chinese = (
        {g.group: g.mean_probabilities["male"] / g.reference_probabilities["male"] - 1 for g in each.groups}
        for each in (en, zh)
    )
    english["journalist"] = (english["journalist"] + english["reporter"]) / 2
    leans = np.array([[english[concept[5:]], chinese[group]] for concept, group in CONCEPTS.items()])
    apart = dict(zip(CONCEPTS, leans - leans.mean(axis=0), strict=True))
    assert {each.concept: each.leans for each in found.leans} == {name: pytest.approx(apart[name]) for name in apart}
    sizes = [abs(each.difference) for each in found.leans]
    assert sizes == sorted(sizes, reverse=True)
    assert found.order.kendall == pytest.approx(kendalltau(*leans.T).statistic)
    r = {group.group: group.r for group in en.groups}
    by_hand = ((r["journalist"] + r["reporter"]) / 2 + r["nurse"] + r["dentist"] + r["cook"]) / 4
    assert pytest.approx(by_hand) == found.risks[0].R
    assert found.risks[0].low < by_hand < found.risks[0].high
    frame = found.to_frame().set_index("concept")
    assert (len(sections(found, 2)[0].rows), len(frame)) == (2, 4)
    assert frame.loc["2642 journalist", ["groups_en", "groups_zh"]].tolist() == ["journalist, reporter", "记者"]


def test_an_interval_of_a_difference_is_that_of_two_independent_ones(en, zh, run_of):
    """A model without lean adds nothing, so beside it each language has its own interval."""
    own = compared(en, run_of(**CHINESE, model="baseline:unbiased"))
    theirs = compared(zh, run_of(**ENGLISH, model="baseline:unbiased"))
    assert own.order is None
    assert "a language does not set the concepts apart" in sections(own)[0].subtitle
    below, above = ({each.concept: each for each in found.leans} for found in (own, theirs))
    for each in compared(en, zh).leans:
        first, second = below[each.concept], above[each.concept]
        together = np.hypot(first.difference - first.low, second.high - second.difference)
        assert each.difference - each.low == pytest.approx(together)


def test_a_topic_names_concepts_of_its_own(run_of, tmp_path, zh):
    names = {"matron": "2221 nurse", "hack": "2642 journalist", "tooth fairy": "2261 dentist", "nurse": "no such"}
    topic = tmp_path / "people.toml"
    topic.write_text(
        'schema = "bvf.topic/1"\nname = "people"\nlanguage = "en"\nsummary = "test"\ncontexts = "gender-mixed"\n'
        f'groups = {list(names)}\nanswers = ["him", "her"]\n[factors]\n'
        + "\n".join(f'"{name}" = {{ concept = "{concept}" }}' for name, concept in names.items())
    )
    found = compared(run_of(topic=str(topic), limit_groups=0), zh)
    assert {each.groups for each in found.leans} == {("matron", "护士"), ("hack", "记者"), ("tooth fairy", "牙医")}
    assert [each.to for each in found.risks] == ["him", "male"]


def test_a_concept_that_is_not_analysed_in_one_language_is_left_out(en, zh, tmp_path):
    known = ("journalist", "reporter", "dentist", "cook", *CONCEPTS.values())
    (tmp_path / "p.csv").write_text("group,male,female\n" + "".join(f"{group},0.5,0.5\n" for group in known))
    found = compared(en, zh, reference=str(tmp_path / "p.csv"))
    assert {each.concept for each in found.leans} == set(CONCEPTS) - {"2221 nurse"}
    r = {group.group: group.r for group in analyse(zh.folder, reference=str(tmp_path / "p.csv")).groups}
    assert pytest.approx((r["记者"] + r["牙医"] + r["厨师"]) / 3) == found.risks[1].R


def test_what_cannot_be_compared_is_refused(en, zh, run_of):
    other_classes = run_of(**{**CHINESE, "topic": "nationality", "sample_contexts": 0})
    few = run_of(**{**CHINESE, "groups": ("护士", "记者", "警察")})
    for runs, message in [
        ([en], "the runs are in en\n"),
        ([en, zh, few], "the runs are in en, zh, zh"),
        ([en, few], "share 2 concepts; 3 are needed"),
        ([en, other_classes], "no class of male, female is one of American"),
    ]:
        with pytest.raises(BvfError, match=message):
            compared(*runs)


def test_a_concept_has_one_code_in_all_packs_and_a_group_one_concept():
    named = dict[str, str]()
    for code in ("en", "es", "zh"):
        concepts = load().languages.make(code).concepts()
        assert all(named.setdefault(re.sub(r"^\d{4} ", "", each), each) == each for each in concepts)
        groups = [group for each in concepts.values() for group in each]
        assert len(groups) == len(set(groups))
