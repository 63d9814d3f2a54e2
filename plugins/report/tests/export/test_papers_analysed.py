"""Explanations and regressions as tables: the figures of the JSON that bvf printed, and no markup of strangers."""

import io
import json
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from bvf_insights.contexts import compare_contexts

import bvf
from bvf import BvfError, export
from bvf.study.config import AnalysisConfig

TOY = str(Path(__file__).resolve().parents[4] / "tests" / "data" / "toy_plugin.py")


@pytest.fixture(scope="module")
def printed(runs, results, tmp_path_factory):
    """The JSON of an explanation and of regressions, in files."""
    folder = tmp_path_factory.mktemp("printed")
    table = folder / "hours.csv"
    rows = [f"{group.group},{number / 900}" for number, group in enumerate(results[1].groups)]
    table.write_text("\n".join(["group,value", *rows]) + "\n")
    analysed = {
        "explanation": bvf.explain(results[0]),
        "regressions": bvf.regress([runs / "silent"], against=(str(table),)),
    }
    sets = ((folder / "a", "mine.csv"), (folder / "b", "mine.csv"))
    for number, (place, name) in enumerate(sets):
        place.mkdir()
        (place / name).write_text(f"template,count\nThe [X] said that [Y],3\nThe [X] knew that [Y],{number + 1}\n")
    over = {"plugin": (TOY,), "limit_groups": 4}
    folders = [
        bvf.run(
            model=f"toy:{model}", contexts=str(place / name), out=str(folder / "over" / model / place.name), **over
        ).folder
        for model in ("hash", "alike")
        for place, name in sets
    ]
    analysed["contexts"] = compare_contexts(folders, AnalysisConfig())
    for name, each in analysed.items():
        (folder / f"{name}.json").write_text(each.model_dump_json(by_alias=True))
    return folder, analysed


@pytest.mark.parametrize("name", ["explanation", "regressions", "contexts"])
def test_what_is_read_is_what_was_found(printed, name):
    folder, analysed = printed
    assert export.read_analysed(folder / f"{name}.json") == analysed[name]
    for to in ("csv", "latex", "markdown"):
        assert str(folder.parent) not in export.analysed_text(analysed[name], to), "no folder of this machine leaves it"


@pytest.mark.parametrize("name", ["explanation", "regressions", "contexts"])
def test_csv_has_the_rows_of_the_frame_with_every_digit(printed, name):
    _, analysed = printed
    read = pd.read_csv(io.StringIO(export.analysed_text(analysed[name], "csv")))
    frame = analysed[name].to_frame()
    assert list(read.columns) == list(frame.columns)
    number = {"explanation": "difference", "regressions": "slope", "contexts": "total_variation"}[name]
    assert read[number].tolist() == frame[number].tolist()


def test_latex_and_markdown_have_every_table(printed):
    _, analysed = printed
    tex, page = (export.analysed_text(analysed["explanation"], to) for to in ("latex", "markdown"))
    shapes = analysed["explanation"].shapes
    assert rf"as measured & {shapes.measured.R_volatility:.4f} & {shapes.measured.zero} &" in tex
    assert f"| as measured | {shapes.measured.R_volatility:.4f} | {shapes.measured.zero} |" in page
    assert r"\caption{How $r^{b}$ and $r^{v}$ of groups are distributed}" in tex
    assert tex.count(r"\begin{table}") == tex.count(r"\end{table}") == page.count("### ")
    slope = analysed["regressions"].regressions[0].slope
    tex = export.analysed_text(analysed["regressions"], "latex")
    assert f"& {slope:.4f} &".replace("& -", "& $-$") in tex


def test_csv_has_the_other_tables_by_name(printed):
    _, analysed = printed
    for name, table in (("explanation", "varying"), ("contexts", "sets"), ("contexts", "orders")):
        read = pd.read_csv(io.StringIO(export.analysed_text(analysed[name], "csv", table)))
        rows = getattr(analysed[name], table)
        assert list(read.columns) == list(type(rows[0]).model_fields)
        assert len(read) == len(rows)
    with pytest.raises(BvfError, match="there is none in such a file") as wrong:
        export.analysed_text(analysed["explanation"], "csv", "placebos")
    assert "placebo" in wrong.value.hint
    with pytest.raises(BvfError, match="this file has no such rows"):
        export.analysed_text(analysed["explanation"], "csv", "placebo")
    with pytest.raises(BvfError, match="does nothing with --to latex"):
        export.analysed_text(analysed["explanation"], "latex", "varying")


def test_context_sets_that_have_one_name_without_their_folders_stay_apart(printed):
    read = pd.read_csv(io.StringIO(export.analysed_text(printed[1]["contexts"], "csv", "sets")))
    assert read.contexts.tolist() == ["mine.csv (1)", "mine.csv (1)", "mine.csv (2)", "mine.csv (2)"]
    page = export.analysed_text(printed[1]["contexts"], "markdown")
    assert "two models have only two orders" in page


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_is_set(printed, tmp_path):
    _, analysed = printed
    body = "".join(export.analysed_text(each, "latex") for each in analysed.values())
    (tmp_path / "t.tex").write_text(
        rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{body}\end{{document}}"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout[-800:]


def test_another_file_and_one_that_was_edited_are_refused(printed, tmp_path):
    for text in ('{"schema": "bvf.result/3"}', "[]", '{"schema": ["a"]}'):
        (tmp_path / "t.json").write_text(text)
        with pytest.raises(BvfError, match="neither an explanation nor regressions"):
            export.read_analysed(tmp_path / "t.json")
    told = json.loads((printed[0] / "explanation.json").read_text())
    del told["drivers"]
    (tmp_path / "t.json").write_text(json.dumps(told))
    with pytest.raises(BvfError, match="not as bvf printed it"):
        export.read_analysed(tmp_path / "t.json")


def test_there_are_three_formats(printed):
    with pytest.raises(BvfError, match='not written as "latx"') as wrong:
        export.analysed_text(printed[1]["explanation"], "latx")
    assert "latex" in wrong.value.hint
