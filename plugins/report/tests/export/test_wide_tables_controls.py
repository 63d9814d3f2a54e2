"""Controls in exported tables: the figures of the result, beside those of its study."""

import io

import numpy as np
import pandas as pd
import pytest

import bvf
from bvf import export
from bvf.errors import BvfError


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
        assert f"{control.apart_ratio:.3f}" in row.split("|")[8]
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
