"""Results as frames: every number can be had from the distribution."""

import re
from pathlib import Path

import numpy as np
import pytest
from bvf_knowledge.result import GroupKnowledge

import bvf
from bvf import BvfError
from bvf.analyses.compare.result import ModelDifference
from bvf.results.result import NO_COLUMNS

ROOT = Path(__file__).resolve().parents[2]


def weighted(frame, column):
    there = frame[frame[column].notna()]
    return np.average(there[column], weights=there["weight"])


@pytest.mark.parametrize("choices", [{}, {"criterion": "kl"}, {"criterion": "released:a"}, {"scale": "raw"}])
def test_the_mean_of_the_risks_in_contexts_is_the_risk_of_the_group(result, choices):
    result = bvf.analyse(result.folder, **choices)
    by_group = {name: rows for name, rows in result.risks().groupby("group")}
    for group in result.groups:
        assert weighted(by_group[group.group], "risk") == pytest.approx(group.r)


def test_prompts_that_are_missing_have_no_risk(silent):
    frame = silent.risks()
    nurse = frame[frame["group"] == "nurse"]
    assert nurse["risk"].isna().sum() == silent.missing > 0
    assert weighted(nurse, "risk") == pytest.approx(next(g.r for g in silent.groups if g.group == "nurse"))


def test_tails_are_shares_of_the_distribution(result):
    long = result.stereotypes()
    tails = result.tails(0.25).set_index(["group", "attribute"])
    for (group, attribute), rows in long.groupby(["group", "attribute"]):
        expected = [rows["weight"][rows["stereotype"] < -0.25].sum(), rows["weight"][rows["stereotype"] > 0.25].sum()]
        assert tails.loc[(group, attribute)].tolist() == pytest.approx(expected)
    assert 0 < tails["above"].mean() < 1


def test_a_threshold_below_zero_is_one_line(result):
    with pytest.raises(BvfError, match="a threshold of -1"):
        result.tails(-1)
    with pytest.raises(BvfError, match="a threshold of nan"):
        result.tails(float("nan"))


def test_intervals_stand_as_they_do_in_the_result(result):
    frame = result.intervals().set_index(["group", "figure"])
    whole, group = result.uncertainty.intervals["R_bias"], result.groups[3]
    assert frame.loc[("", "R_bias")].tolist() == [result.R_bias, whole.low, whole.high, whole.cross_fit]
    interval = group.intervals["r"]
    assert frame.loc[(group.group, "r"), ["value", "low", "high"]].tolist() == [group.r, interval.low, interval.high]
    assert np.isnan(frame.loc[("", "R"), "cross_fit"])


def test_a_result_without_intervals_has_a_frame_without_rows(several):
    frame = several.intervals()
    assert len(frame) == 0
    assert list(frame.columns) == ["group", "figure", "value", "low", "high", "cross_fit"]


def test_the_share_of_bias_is_that_of_the_risk_and_none_where_there_is_no_risk(result):
    assert result.bias_share == result.R_bias / result.R
    assert result.model_copy(update={"R": 0.0, "R_bias": 0.0}).bias_share is None


def test_words_are_rows(result):
    frame = result.word_lists.to_frame()
    assert list(frame.columns) == ["word", "attribute", "share", "unit", "R", "R_bias", "R_volatility"]
    assert frame.groupby("attribute")["share"].sum().tolist() == pytest.approx([1.0, 1.0])


def test_every_column_of_a_frame_has_a_unit_on_the_page(result):
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8").split("## Columns of frames")[1]
    documented = set(re.findall(r"`(\w+)`", page))
    frames = [result.to_frame(), result.stereotypes(), result.risks(), result.tails(0.5), result.intervals()]
    columns = {column for frame in [*frames, result.word_lists.to_frame()] for column in frame.columns}
    of_others = {*GroupKnowledge.model_fields, *ModelDifference.model_fields} - NO_COLUMNS
    for column in columns | of_others:
        named = re.sub("_(fe)?male$", "_CLASS", re.sub("^.+_(low|high)$", r"FIGURE_\1", column))
        assert named in documented, column


def test_the_ends_of_intervals_are_columns(result):
    frame = result.to_frame()
    assert frame["r_low"].tolist() == [group.intervals["r"].low for group in result.groups]
    assert frame["particular_high"].tolist() == [group.intervals["particular"].high for group in result.groups]
    assert "intervals" not in frame
