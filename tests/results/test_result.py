"""Results have names of their own; as frames they have every number of the distribution."""

import re
from pathlib import Path

import numpy as np
import pytest
from bvf_knowledge.result import GroupKnowledge
from pydantic import ValidationError

import bvf
from bvf import BvfError
from bvf.analyses.compare.result import ModelDifference
from bvf.results.columns import result_columns
from bvf.results.result import NO_COLUMNS, ResultBase, name_of, names_of, with_distinct_names
from bvf.results.sections import notebook_sections


def test_results_of_one_model_are_told_apart_by_what_differs(result, several):
    assert names_of([result]) == ("toy:hash",)
    assert names_of([result, several]) == ("toy:hash, gender", "toy:hash, weekday")
    assert names_of([result, result]) == (f"toy:hash, {result.folder}",) * 2
    ours = result.model_copy(update={"wording": "chat-assistant"})
    assert names_of([result, ours]) == ("toy:hash (bare)", "toy:hash (chat, assistant's turn)")
    elsewhere = result.model_copy(update={"contexts": "other.csv"})
    assert names_of([result, elsewhere, several])[1] == "toy:hash, gender, other"


@pytest.mark.parametrize(
    ("choices", "names"),
    [
        ({"number_of_contexts": 3}, ("toy:hash (12 contexts)", "toy:hash (3 contexts)")),
        ({"system": "Be brief."}, ("toy:hash", "toy:hash (system: Be brief.)")),
    ],
)
def test_each_warning_and_column_of_a_table_has_the_name_that_distinguishes_its_run(result, choices, names):
    result = in_12_contexts(result).model_copy(update={"warnings": ("hardly any mass",)})
    other = result.model_copy(update=choices)
    first, *_ = notebook_sections([result, other])
    assert first.warnings == [f"WARNING: {name}: hardly any mass" for name in names]
    of_columns = [line.rpartition(" (words: ")[0] for line in first.subtitle if "the probability" in line]
    assert of_columns == [f"{letter}: {name}" for letter, name in zip("AB", names, strict=True)]


def test_a_chat_by_itself_is_called_one_and_only_once(result):
    chat = result.model_copy(update={"wording": "chat"})
    (named,) = with_distinct_names(with_distinct_names([chat]))
    assert name_of(named) == name_of(chat) == "toy:hash (chat)"
    assert chat.model == "toy:hash"
    assert ", toy:hash (chat), criterion linf" in notebook_sections([chat])[0].title
    assert name_of(result) == "toy:hash"


def test_an_analysis_of_others_may_have_fields_of_any_name(result):
    class Theirs(ResultBase):
        name: str
        named: str
        size: int

    fields = {name: getattr(result, name) for name in ResultBase.model_fields}
    theirs = Theirs(**fields, name="J", named="K", size=3)
    (shown,) = with_distinct_names([theirs])
    assert (shown.name, shown.named, shown.size, name_of(shown)) == ("J", "K", 3, "toy:hash")
    with pytest.raises(ValidationError, match="size"):
        Theirs(**fields, name="J", named="K")


def test_numbers_of_contexts_are_a_column_where_they_differ(result):
    asked = in_12_contexts(result)
    fewer = asked.model_copy(update={"number_of_contexts": 3, "model": "other"})
    elsewhere = fewer.model_copy(update={"contexts": "/a/few.csv"})
    assert [column.title for column in result_columns([asked, asked])] == ["model"]
    for results, texts in (
        ([asked, fewer], ["12", "3"]),
        ([asked, elsewhere], ["gender-mixed, 12", "few, 3"]),
        ([result, fewer], [f"{result.uncertainty.draws} drawn", "3"]),
    ):
        _, contexts = result_columns(results)
        assert [contexts.text(each) for each in results] == texts


def in_12_contexts(result):
    """The result as if all 12 contexts had been asked, and none drawn."""
    asked = result.uncertainty.model_copy(update={"draws": None})
    return result.model_copy(update={"number_of_contexts": 12, "uncertainty": asked})


API = Path(__file__).resolve().parents[2] / "docs" / "reference" / "api.md"


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


def test_tails_are_shares_of_the_distribution_beyond_a_threshold_that_is_not_below_0(result):
    long = result.stereotypes()
    tails = result.tails(0.25).set_index(["group", "attribute"])
    for (group, attribute), rows in long.groupby(["group", "attribute"]):
        expected = [rows["weight"][rows["stereotype"] < -0.25].sum(), rows["weight"][rows["stereotype"] > 0.25].sum()]
        assert tails.loc[(group, attribute)].tolist() == pytest.approx(expected)
    assert 0 < tails["above"].mean() < 1
    for threshold in (-1, float("nan")):
        with pytest.raises(BvfError, match=f"a threshold of {threshold}"):
            result.tails(threshold)


def test_intervals_stand_as_they_do_in_the_result_and_their_ends_are_columns(result, several):
    frame = result.intervals().set_index(["group", "figure"])
    whole, group = result.uncertainty.intervals["R_bias"], result.groups[3]
    assert frame.loc[("", "R_bias")].tolist() == [result.R_bias, whole.low, whole.high, whole.cross_fit]
    interval = group.intervals["r"]
    assert frame.loc[(group.group, "r"), ["value", "low", "high"]].tolist() == [group.r, interval.low, interval.high]
    assert np.isnan(frame.loc[("", "R"), "cross_fit"])
    none = several.intervals()
    assert (len(none), list(none.columns)) == (0, ["group", "figure", "value", "low", "high", "cross_fit"])
    groups = result.to_frame()
    assert groups["r_low"].tolist() == [group.intervals["r"].low for group in result.groups]
    assert groups["particular_high"].tolist() == [group.intervals["particular"].high for group in result.groups]
    assert "intervals" not in groups


def test_the_share_of_bias_is_that_of_the_risk_and_none_where_there_is_no_risk(result):
    assert result.bias_share == result.R_bias / result.R
    assert result.model_copy(update={"R": 0.0, "R_bias": 0.0}).bias_share is None


def test_every_column_of_a_frame_has_a_unit_on_the_page(result):
    documented = set(re.findall(r"`(\w+)`", API.read_text(encoding="utf-8").split("## Columns of frames")[1]))
    words = result.word_lists.to_frame()
    assert list(words.columns) == ["word", "attribute", "share", "unit", "R", "R_bias", "R_volatility"]
    assert words.groupby("attribute")["share"].sum().tolist() == pytest.approx([1.0, 1.0])
    frames = [words, result.to_frame(), result.stereotypes(), result.risks(), result.tails(0.5), result.intervals()]
    columns = {column for frame in frames for column in frame.columns}
    of_others = {*GroupKnowledge.model_fields, *ModelDifference.model_fields} - NO_COLUMNS
    for column in columns | of_others:
        named = re.sub("_(fe)?male$", "_CLASS", re.sub("^.+_(low|high)$", r"FIGURE_\1", column))
        assert named in documented, column
