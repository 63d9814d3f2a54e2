"""Subjects with several true answers, against a topic in which those are words of one class; answers with aliases."""

import numpy as np
import pandas as pd
import pytest
from bvf_knowledge.pictures.truths import truths_of
from helpers.topic_text import topic_text

import bvf

NAMES = ("Pretoria", "Cape Town", "Bloemfontein", "Paris", "Tokyo", "Lima", "Cairo")
WORDINGS = [f"{begin} [X] {end} [Y]" for begin in ("The seat of", "Our", "This") for end in ("is", "has", "in", "and")]
SEVERAL = '["Pretoria", "Cape Town", "Bloemfontein"]'


def asked(folder, truth, words=None, **choices):
    folder.mkdir()
    (folder / "seats.csv").write_text("\n".join(["template,count", *(f"{each},1" for each in WORDINGS)]))
    tables = f'[truth]\n"France" = "Paris"\n"Japan" = "Tokyo"\n"South Africa" = {truth}'
    of = {"contexts": "seats.csv", "groups": ["South Africa", "France", "Japan"], "tables": tables}
    (folder / "seats.toml").write_text(topic_text(words or {name: [name] for name in NAMES}, **of))
    choices = {"model": "bundled:en-causal", "criterion": "knowledge:sqrt", **choices}
    return bvf.run(topic=str(folder / "seats.toml"), out=str(folder / "out"), **choices)


def stored(folder):
    return pd.concat(map(pd.read_parquet, sorted((folder / "out" / "probabilities").glob("*.parquet"))))


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """A result of three seats of one country, and of one of each other."""
    return asked(tmp_path_factory.mktemp("seats") / "several", SEVERAL)


def test_the_probability_of_any_true_answer_is_what_one_class_of_all_of_them_has(several, tmp_path):
    """Everything that is computed from the truth agrees, and only which answer is on top goes by the classes."""
    one = asked(tmp_path / "one", '"seat"', {"seat": NAMES[:3], **{name: [name] for name in NAMES[3:]}})
    first = several.groups[0]
    assert (first.truth, first.truths) == ("Pretoria or Cape Town or Bloemfontein", NAMES[:3])
    for field in ("mastery", "expected_score", "confidence_gap"):
        of_each, same = ([getattr(each, field) for each in (result, *result.groups)] for result in (several, one))
        assert of_each == pytest.approx(same, rel=1e-5)
        ends, other = (each.uncertainty.intervals[field] for each in (several, one))
        assert (ends.low, ends.high) == pytest.approx((other.low, other.high), rel=1e-4)
    here, there = (truths_of(each) for each in (several, one))
    assert (here.subjects, here.p) == (there.subjects, pytest.approx(there.p, rel=1e-4))
    explained, other = (bvf.explain(each) for each in (several, one))
    assert [each.share for each in explained.varying] == pytest.approx([each.share for each in other.varying], rel=1e-3)


def test_an_answer_is_right_if_it_is_any_of_the_true_ones(several):
    tables = stored(several.folder.parent).groupby("group")
    p = {group: rows[[f"p_{name}" for name in NAMES]].to_numpy() for group, rows in tables}
    known = {"South Africa": (0, 1, 2), "France": (3,), "Japan": (4,)}
    for group in several.groups:
        assert group.right == pytest.approx(np.isin(p[group.group].argmax(axis=1), known[group.group]).mean())
        assert group.chance == pytest.approx(len(known[group.group]) / len(NAMES))
    right = [p[group].mean(axis=0).argmax() in answers for group, answers in known.items()]
    assert (several.accuracy, several.chance) == pytest.approx((np.mean(right), 5 / 21))
    assert several.guesser.mastery == pytest.approx((np.sqrt(3 / 7) + 2 * np.sqrt(1 / 7)) / 3)
    assert several.guesser.consistency == pytest.approx(1 / 7)


COUNTRY = ["USA", "the United States", "the United States of America"]


@pytest.mark.parametrize("word_boundary", [False, True])
@pytest.mark.parametrize("aliases", [COUNTRY, ["1,000", "1 000", "1"], ["4 July 1776", "July 4, 1776"]])
def test_aliases_add_up_and_one_that_begins_another_counts_once(tmp_path, aliases, word_boundary):
    def ratios(folder, words):
        """Of the probability of an answer to that of Paris, in every prompt."""
        words = words | {"Paris": ["Paris"], "Tokyo": ["Tokyo"]}
        asked(tmp_path / folder, '"Tokyo"', words, word_boundary=word_boundary, limit_contexts=4)
        p = stored(tmp_path / folder)
        return p.filter(regex="^p_(?!Paris|Tokyo)").sum(axis=1).to_numpy() / p["p_Paris"].to_numpy()

    together = ratios("together", {"alias": aliases})
    assert together == pytest.approx(ratios("apart", {alias: [alias] for alias in aliases}), rel=1e-4)
    if aliases == COUNTRY and not word_boundary:
        assert together == pytest.approx(ratios("shorter", {"alias": aliases[:2]}), rel=1e-4)
