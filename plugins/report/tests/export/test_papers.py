"""Tables for papers, of results, explanations and regressions: figures, intervals, notes, no markup of strangers."""

import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from bvf_insights.contexts import compare_contexts
from bvf_report.export.papers import of_intervals
from helpers.renaming import renamed

import bvf
from bvf import BvfError, export
from bvf.study.config import AnalysisConfig

HOSTILE = ("<script>alert(1)</script>", r"\input{x}", "a|b", "**x** _y_ `z` & % $")


def rows(tex):
    """The cells of every row of the body, split at each & that is no character."""
    body = tex.split("\\midrule\n")[1].removeprefix("\\endhead\n\\bottomrule\n\\endfoot\n")
    lines = body.split("\n\\bottomrule" if "\\begin{table}" in tex else "\n\\end{longtable}")[0].split("\n")
    assert all(line.endswith(" \\\\") for line in lines)
    return [re.split(r" (?<!\\)& ", line.removesuffix(" \\\\")) for line in lines]


def cells(text):
    """The cells of the body of a table in Markdown."""
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][2:]


@pytest.mark.parametrize("table", ["models", "groups"])
def test_names_of_strangers_are_names(result, table):
    named = renamed(result, *HOSTILE)
    tex, text = (write([named], table) for write in (export.latex_text, export.markdown_text))
    assert r"\input" not in tex
    assert "<" not in text
    for rows_of_it in (rows(tex), cells(text)):
        assert len({len(row) for row in rows_of_it}) == 1
        assert len(rows_of_it) == (1 if table == "models" else len(named.groups))


def test_cells_have_intervals_and_the_note_says_of_what(results):
    tex = export.latex_text(results)
    result = results[0]
    (row,) = (row for row in rows(tex) if row[0] == "toy:hash")
    interval = result.uncertainty.intervals["R"]
    ends = [f"{end:.3f}".removeprefix("0") for end in (interval.low, interval.high)]
    assert row[1] == rf"{result.R:.3f} {{\scriptsize({ends[0]} to {ends[1]})}}".removeprefix("0")
    assert r"model & $R$ & $R^{b}$ & $R^{v}$ & shared $R^{b}$ & particular $R^{b}$ \\" in tex
    assert "Intervals of 95\\% for texts like those mined: 20 contexts drawn from 707 occurrences" in tex
    assert r"\caption{gender (en), criterion linf, unit scale}" in tex
    assert r"\label{tab:bvf-gender-models}" in tex
    assert tex.count("\\toprule") == tex.count("\\midrule") == tex.count("\\bottomrule") == 1


def test_groups_of_several_runs_stand_below_the_name_of_each(result):
    other = placed(result, model="a_b", measurement="other")
    _, body = export.latex_text([result, other], "groups").split("\\endfoot\n")
    lines = body.split("\n\\end{longtable}")[0].splitlines()
    first, second = len(result.groups) + 1, len(result.groups) + 2
    assert lines[0] == r"\multicolumn{6}{l}{\itshape toy:hash} \\*"
    assert lines[first : second + 1] == [r"\addlinespace", r"\multicolumn{6}{l}{\itshape a\_b} \\*"]
    assert [line.split(" & ")[0] for line in lines[1:first]] == [group.group for group in result.groups]
    assert lines[second + 1 :] == lines[1:first]


def test_minus_signs_are_signs_and_ones_are_whole(result):
    without = result.uncertainty.model_copy(update={"intervals": {}})
    figures = {"R": 1.0, "R_bias": -0.25, "R_volatility": -0.0001}
    (row,) = rows(export.latex_text([result.model_copy(update={**figures, "uncertainty": without})]))
    assert row[1:4] == ["1.000", "$-$.250", ".000"]


def placed(result, place=None, **changes):
    """The result with something else in it, and in another folder, or in none."""
    changed = result.model_copy(update=changes)
    changed._folder = place
    return changed


def test_warnings_and_intervals_name_the_run_and_show_no_folder(result):
    chat = result.model_copy(update={"wording": "chat", "warnings": ("hardly any mass",)})
    known = chat.uncertainty.model_copy(update={"intervals": {}, "undefined": "there is one context"})
    tex = export.latex_text([result, placed(chat, Path("/home/me/chat"), uncertainty=known)])
    assert "Warning, toy:hash (chat): hardly any mass." in tex
    assert "toy:hash (chat): No intervals: there is one context." in tex
    assert "toy:hash (bare): Intervals of 95" in tex
    again = placed(chat, Path("/home/me/again"), wording="bare")
    assert "Warning, toy:hash (again): hardly any mass." in export.latex_text([result, again])


def test_a_method_that_somebody_chose_is_in_the_caption(result):
    chosen = result.model_copy(update={"reference": "percent-women", "group_weights": "tables/w.csv"})
    caption = r"\caption{gender (en), criterion linf, unit scale, p{*} percent-women, group weights w.csv}"
    assert caption in export.latex_text([chosen])


def test_runs_of_one_model_are_told_apart_by_what_differs(result):
    def cells_of(*results):
        return [row[1] for row in rows(export.latex_text([*results]))]

    chat = placed(result, wording="chat", measurement="other")
    assert cells_of(result, chat) == ["bare", "chat"]
    ours = placed(chat, wording="chat-assistant", user="Continue the text.")
    assert cells_of(chat, ours) == ["chat", "chat, assistant's turn"]
    story = placed(ours, user="Tell me a story.")
    of_both = rows(export.latex_text([ours, story]))
    assert [row[2] for row in of_both] == ["Continue the text.", "Tell me a story."]
    assert cells_of(result, placed(result, measurement="other")) == [result.measurement, "other"]


@pytest.mark.parametrize("table", ["models", "groups"])
def test_other_analyses_have_tables_too(knowledge, doubt, table):
    known = export.latex_text([knowledge], table)
    assert "mastery & expected & gap" in known
    tex = export.latex_text([doubt], table)
    assert tex.count("doubt") == 1
    assert [row[-1] for row in rows(tex)] == ([".125"] if table == "models" else [".000", ".125", ".250", ".375"])


UNDRAWN = {"draws": None, "documents": None, "unit": "occurrence"}
OTHERS = {"estimand": "templates", "units": 12.49, "level": 0.9}
NOTES = {
    "95% for texts like those mined: 20 contexts drawn from 707 occurrences in 539 documents, by document": {},
    "95% for texts like those mined: 707 occurrences, by occurrence": UNDRAWN,
    "90% for other templates of the kind, as if these templates had been drawn; these are worth 12.5": OTHERS,
    "95% for these contexts alone": {"estimand": "set", "occurrences": None},
    "95% for sets cut like this one, where no template counts more than 20 times: 20 contexts drawn from 707 "
    "occurrences (≤ 20 each), by document": {"capped_at": 20.0},
}


@pytest.mark.parametrize("note", NOTES)
def test_the_note_says_what_the_intervals_are_of_whatever_that_is(result, note):
    changed = result.uncertainty.model_copy(update=NOTES[note])
    assert of_intervals(result.model_copy(update={"uncertainty": changed})) == f"Intervals of {note}"


def test_cells_of_markdown_have_intervals_and_figures_are_explained(results):
    text = export.markdown_text(results)
    for row, result in zip(cells(text), results, strict=True):
        interval = result.uncertainty.intervals["R_bias"]
        shown = f"{result.R_bias:.3f} ({interval.low:.3f} to {interval.high:.3f})"
        assert (row[0], row[2]) == (result.model, shown)
    assert "- R: Discrimination risk" in text
    assert re.search(r"^Intervals of 95% for texts like those mined: 20 contexts", text, re.MULTILINE)


def test_three_classes_or_more_have_a_column_each(several, result):
    text = export.markdown_text([several], "groups")
    classes = list(several.groups[0].mean_probabilities)
    assert f"| group | on average | {' | '.join(f'p {name}' for name in classes)} | r |" in text
    for row, group in zip(cells(text), several.groups, strict=True):
        assert row[2:9] == [f"{group.mean_probabilities[name]:.3f}" for name in classes]
    assert "p: mean probability of each class over contexts." in text
    assert "mean probability of each class" not in export.markdown_text([result], "groups")


def test_tables_and_comparisons_say_what_was_read_in_texts_and_both_parts_of_it(tmp_path):
    asked = {"reading": "generated", "samples": 2, "limit_groups": 3, "sample_contexts": 6}
    result, other = (bvf.run(**asked, tokens=tokens, out=str(tmp_path / str(tokens))) for tokens in (6, 7))
    texts = result.texts
    parts = [f"{name} {first:.1%} ({added:+.1%})" for name, (first, added) in texts.expected.items()]
    said = [f"of {texts.written:,} texts {texts.read / texts.written:.1%} were read", *parts]
    compared = bvf.compare([str(tmp_path / str(tokens)) for tokens in (6, 7)])
    for text in (export.latex_text([result]), export.markdown_text([result, other]), *compared.topics[0].notes[-2:-1]):
        assert [each for each in said if each not in text.replace("\\", "").replace("$-$", "-")] == []
    row = pd.read_csv(io.StringIO(export.csv_text([result]))).iloc[0]
    assert [row[f"texts_{name}"] for name in ("written", "read", "cut")] == [texts.written, texts.read, texts.cut]
    assert (row["texts_expected_male"], row["texts_added_male"]) == texts.expected["male"]
    assert row["texts_unread"] == sum(texts.unread.values())


@pytest.fixture(scope="module")
def printed(runs, results, run_of, tmp_path_factory):
    """The JSON of an explanation and of regressions, in files."""
    folder = tmp_path_factory.mktemp("printed")
    rows = [f"{group.group},{number / 900}" for number, group in enumerate(results[1].groups)]
    (folder / "hours.csv").write_text("\n".join(["group,value", *rows]) + "\n")
    overs = []
    for number in (1, 2):
        sets = folder / f"{number}" / "mine.csv"
        sets.parent.mkdir()
        sets.write_text(f"template,count\nThe [X] said that [Y],3\nThe [X] knew that [Y],{number}\n")
        over = {"contexts": str(sets), "sample_contexts": 0, "limit_groups": 4}
        overs += [run_of(model=f"toy:{name}", **over) for name in ("hash", "alike")]
    analysed = {
        "explanation": bvf.explain(results[0]),
        "regressions": bvf.regress([runs / "silent"], against=(str(folder / "hours.csv"),)),
        "contexts": compare_contexts([run.folder for run in overs], AnalysisConfig()),
    }
    for name, each in analysed.items():
        (folder / f"{name}.json").write_text(each.model_dump_json(by_alias=True))
    return folder, analysed


@pytest.mark.parametrize(
    ("name", "number"), [("explanation", "difference"), ("regressions", "slope"), ("contexts", "total_variation")]
)
def test_what_is_read_is_what_was_found_and_csv_has_the_rows_of_the_frame_with_every_digit(printed, name, number):
    folder, analysed = printed
    assert export.read_analysed(folder / f"{name}.json") == analysed[name]
    for to in ("csv", "latex", "markdown"):
        assert str(folder.parent) not in export.analysed_text(analysed[name], to), "no folder of this machine leaves it"
    read = pd.read_csv(io.StringIO(export.analysed_text(analysed[name], "csv")))
    frame = analysed[name].to_frame()
    assert list(read.columns) == list(frame.columns)
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


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (("csv", "placebos"), "there is none in such a file", "placebo"),
        (("csv", "placebo"), "this file has no such rows", ""),
        (("latex", "varying"), "does nothing with --to latex", ""),
        (("latx",), 'not written as "latx"', "latex"),
    ],
)
def test_other_tables_and_formats_are_refused(printed, arguments, message, hint):
    with pytest.raises(BvfError, match=message) as wrong:
        export.analysed_text(printed[1]["explanation"], *arguments)
    assert hint in wrong.value.hint


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
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60)
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
