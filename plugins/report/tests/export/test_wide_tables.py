"""Tables with every digit: what pandas reads back is what the result and its controls say, and no cell is a formula."""

import io

import numpy as np
import pandas as pd
import pytest
from helpers.renaming import renamed

import bvf
from bvf import BvfError, export


def read(text):
    return pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""])


def test_a_row_per_model_has_every_figure_and_interval_with_every_digit(results):
    table = read(export.csv_text(results)).set_index("model")
    for result in results:
        row = table.loc[result.model]
        for name in ("R", "R_bias", "R_volatility", "shared", "particular", "spread", "divisor"):
            assert row[name] == getattr(result, name), name
        for name, interval in result.uncertainty.intervals.items():
            assert (row[f"{name}_low"], row[f"{name}_high"]) == (interval.low, interval.high), name
        assert row["R_bias_cross_fit"] == result.uncertainty.intervals["R_bias"].cross_fit
        assert row["candidate_mass_mean"] == result.candidate_mass.mean
        assert row["uncertainty_draws"] == 20
    assert table["R_cross_fit"].isna().all()


def test_a_row_per_group_has_what_the_frames_of_the_result_have(results):
    table = read(export.csv_text(results, "groups"))
    assert len(table) == sum(len(result.groups) for result in results)
    for result in results:
        of_result = table[table["measurement"] == result.measurement].set_index("group")
        frame = result.to_frame().set_index("group")
        for name in ("r", "r_bias", "weight", "p_male", "lean_female"):
            assert of_result[name].tolist() == frame[name].tolist()
        intervals = result.intervals()
        low = intervals[(intervals["figure"] == "r") & (intervals["group"] != "")].set_index("group")["low"]
        assert of_result["r_low"].to_dict() == low.to_dict()
    assert table["lean_male"].lt(0).any()


def test_the_long_form_has_a_row_per_figure_with_its_interval(results):
    table = read(export.csv_text(results, "figures"))
    assert len(table.columns) < 20
    wide = export.model_table(results).set_index("measurement")
    for row in table.itertuples():
        assert row.value == wide.loc[row.measurement, row.figure]
        if not pd.isna(row.low):
            ends = (wide.loc[row.measurement, f"{row.figure}_low"], wide.loc[row.measurement, f"{row.figure}_high"])
            assert (row.low, row.high) == ends
    for result in results:
        of_result = table[table["measurement"] == result.measurement]
        assert set(of_result["figure"]) >= {*result.uncertainty.intervals, "R", "spread"}
        assert set(of_result["criterion"]) == {result.criterion}
    with pytest.raises(BvfError, match="--table figures is for --to csv"):
        export.latex_text(results, "figures")


def test_counts_stay_whole_where_some_run_has_none(results):
    unknown = results[0].uncertainty.model_copy(update={"draws": None, "level": 0.9})
    mixed = [results[0].model_copy(update={"uncertainty": unknown}), results[1]]
    assert export.model_table(mixed)["uncertainty_draws"].dtype == "Int64"
    lines = [line.split(",") for line in export.csv_text(mixed).splitlines()]
    draws = lines[0].index("uncertainty_draws")
    assert [line[draws] for line in lines[1:]] == ["", "20"]


def test_names_of_strangers_come_back_with_an_apostrophe_and_numbers_as_numbers(result):
    named = renamed(result, "=HYPERLINK(1)", "+x", 'a,"b"\nc', "护士")
    table = read(export.csv_text([named], "groups"))
    assert table["model"].unique().tolist() == ["'=HYPERLINK(1)"]
    assert table["group"].tolist()[:3] == ["'+x", 'a,"b"\nc', "护士"]
    assert table["lean_male"].tolist() == named.to_frame()["lean_male"].tolist()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scale": "raw"}, "has the scale unit and .* raw"),
        ({"margin": "race"}, "has the margin none and .* race"),
        ({"words": {"male": ("he",)}}, "differ in their words"),
    ],
)
def test_results_that_were_asked_otherwise_are_one_line_that_says_what_differs(results, changes, message):
    with pytest.raises(BvfError, match=message):
        export.csv_text([results[0], results[1].model_copy(update=changes)])


def test_neither_no_result_nor_one_twice_is_a_table(result, knowledge):
    with pytest.raises(BvfError, match="no result"):
        export.model_table([])
    with pytest.raises(BvfError, match="named twice"):
        export.group_table([result, result])
    with pytest.raises(BvfError, match=r"has the topic gender and .* knowledge/capitals"):
        export.model_table([result, knowledge])


@pytest.mark.parametrize("table", ["models", "groups"])
def test_every_row_has_the_warnings_of_its_result_without_folders(results, table):
    doubtful = results[0].model_copy(update={"warnings": ("little mass in /home/me/c.csv", "few contexts")})
    rows = read(export.csv_text([doubtful, results[1]], table))
    of_doubtful = rows["measurement"] == doubtful.measurement
    assert set(rows["warnings"][of_doubtful]) == {"little mass in c.csv; few contexts"}
    assert set(rows["warnings"][~of_doubtful]) == {"; ".join(results[1].warnings)}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    out = tmp_path_factory.mktemp("study") / "out"
    few = {"limit_groups": 3, "sample_contexts": 20, "out": str(out)}
    return bvf.run(model="baseline:random", controls=True, **few)


def test_csv_has_a_row_per_control_with_every_digit(study):
    frame = pd.read_csv(io.StringIO(export.csv_text([study], "controls")))
    assert list(frame.control) == [each.topic for each in study.controls] == ["hair-colour", "ordinal", "weekday"]
    for row, control in zip(frame.to_dict("records"), study.controls, strict=True):
        assert (row["topic"], row["R_of_topic"], row["model"]) == ("gender", study.R, study.model)
        assert (row["R"], row["R_bias"], row["difference"]) == (control.R, control.R_bias, control.difference)
        assert row["ratio"] == pytest.approx(study.R / control.R, rel=1e-12)
        assert row["bias_difference"] == study.R_bias - control.R_bias
        assert row["apart_difference"] == pytest.approx(row["apart_of_topic"] - control.apart, abs=1e-15)
        for name in ("ratio", "difference", "R", "bias_ratio", "apart", "apart_difference", "particular_bias_ratio"):
            ends = control.intervals.get(name, (np.nan, np.nan))
            assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx(ends, nan_ok=True)


def test_tables_for_papers_begin_with_the_study(study):
    rows = [line for line in export.markdown_text([study], "controls").splitlines() if line.startswith("| ")]
    assert [row.split("|")[1].strip() for row in rows[2:]] == ["gender", "hair-colour", "ordinal", "weekday"]
    for row, control in zip(rows[3:], study.controls, strict=True):
        assert f"{control.difference:.3f}" in row.split("|")[6]
        ratio = "" if control.apart_ratio is None else f"{control.apart_ratio:.3f}"
        assert ratio in row.split("|")[8]
    low, high = study.controls[0].intervals["apart_in_topic"]
    assert f"({low:.3f} to {high:.3f})" in rows[2].split("|")[7]
    assert export.latex_text([study], "controls").count(r"\\") == 5
    assert r"\begin{table}" in export.latex_text([study], "controls")


def test_runs_without_controls_are_refused(study):
    without = study.model_copy(update={"controls": ()})
    for write in (export.csv_text, export.latex_text, export.markdown_text):
        with pytest.raises(BvfError, match="none of these runs has controls") as refused:
            write([without], "controls")
        assert "--controls" in refused.value.hint


def test_warnings_of_study_and_control_are_in_every_table(study):
    colour, *others = study.controls
    doubtful = study.model_copy(
        update={"warnings": ("little mass",), "controls": (colour.model_copy(update={"warnings": ("less",)}), *others)}
    )
    rows = pd.read_csv(io.StringIO(export.csv_text([doubtful], "controls")), keep_default_na=False)
    assert rows["warnings_of_topic"].tolist() == ["little mass"] * 3
    assert rows["warnings"].tolist() == ["less", "", ""]
    for write in (export.latex_text, export.markdown_text):
        text = write([doubtful], "controls")
        assert "Warning, baseline:random: little mass." in text
        assert "Warning, baseline:random: control hair-colour: less." in text
        assert "control hair-colour" not in write([doubtful], "models")
