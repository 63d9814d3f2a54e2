"""Tables for papers, in LaTeX and Markdown: figures, intervals, and what the notes say."""

import io
import re
from pathlib import Path

import pandas as pd
import pytest
from bvf_report.export.papers import of_intervals
from helpers.renaming import renamed

import bvf
from bvf import export

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
    other = result.model_copy(update={"model": "a_b", "measurement": "other"})
    other._folder = None
    _, body = export.latex_text([result, other], "groups").split("\\endfoot\n")
    lines = body.split("\n\\end{longtable}")[0].splitlines()
    first, second = len(result.groups) + 1, len(result.groups) + 2
    assert lines[0] == r"\multicolumn{6}{l}{\itshape toy:hash} \\*"
    assert lines[first : second + 1] == [r"\addlinespace", r"\multicolumn{6}{l}{\itshape a\_b} \\*"]
    assert [line.split(" & ")[0] for line in lines[1:first]] == [group.group for group in result.groups]
    assert lines[second + 1 :] == lines[1:first]


def test_minus_signs_are_signs_and_ones_are_whole(result):
    changed = result.model_copy(update={"R": 1.0, "R_bias": -0.25, "R_volatility": -0.0001})
    without = changed.model_copy(update={"uncertainty": changed.uncertainty.model_copy(update={"intervals": {}})})
    (row,) = rows(export.latex_text([without]))
    assert row[1:4] == ["1.000", "$-$.250", ".000"]


def test_warnings_and_intervals_name_the_run_and_show_no_folder(result):
    chat = result.model_copy(update={"wording": "chat", "warnings": ("hardly any mass",)})
    known = chat.uncertainty.model_copy(update={"intervals": {}, "undefined": "there is one context"})
    written = chat.model_copy(update={"uncertainty": known})
    written._folder = Path("/home/me/chat")
    tex = export.latex_text([result, written])
    assert "Warning, toy:hash (chat): hardly any mass." in tex
    assert "toy:hash (chat): No intervals: there is one context." in tex
    assert "toy:hash (bare): Intervals of 95" in tex
    again = chat.model_copy(update={"wording": "bare"})
    again._folder = Path("/home/me/again")
    assert "Warning, toy:hash (again): hardly any mass." in export.latex_text([result, again])


def test_a_method_that_somebody_chose_is_in_the_caption(result):
    chosen = result.model_copy(update={"reference": "percent-women", "group_weights": "tables/w.csv"})
    caption = r"\caption{gender (en), criterion linf, unit scale, p{*} percent-women, group weights w.csv}"
    assert caption in export.latex_text([chosen])


def test_runs_of_one_model_are_told_apart_by_what_differs(result):
    chat = result.model_copy(update={"wording": "chat", "measurement": "other"})
    chat._folder = None
    assert [row[:2] for row in rows(export.latex_text([result, chat]))] == [["toy:hash", "bare"], ["toy:hash", "chat"]]
    ours = chat.model_copy(update={"wording": "chat-assistant", "user": "Continue the text."})
    assert [row[1] for row in rows(export.latex_text([chat, ours]))] == ["chat", "chat, assistant's turn"]
    story = ours.model_copy(update={"user": "Tell me a story."})
    assert [row[2] for row in rows(export.latex_text([ours, story]))] == ["Continue the text.", "Tell me a story."]
    again = result.model_copy(update={"measurement": "other"})
    again._folder = None
    of_both = rows(export.latex_text([result, again]))
    assert [row[1] for row in of_both] == [result.measurement, "other"]


@pytest.mark.parametrize("table", ["models", "groups"])
def test_other_analyses_have_tables_too(knowledge, doubt, table):
    known = export.latex_text([knowledge], table)
    assert "mastery & expected & gap" in known
    tex = export.latex_text([doubt], table)
    assert tex.count("doubt") == 1
    assert [row[-1] for row in rows(tex)] == ([".125"] if table == "models" else [".000", ".125", ".250", ".375"])


def test_the_note_says_what_the_intervals_are_of_whatever_that_is(result):
    def note(**changes):
        return of_intervals(result.model_copy(update={"uncertainty": result.uncertainty.model_copy(update=changes)}))

    assert note() == (
        "Intervals of 95% for texts like those mined: 20 contexts drawn from 707 occurrences in 539 documents, "
        "by document"
    )
    assert note(draws=None, documents=None, unit="occurrence").endswith("mined: 707 occurrences, by occurrence")
    assert note(estimand="templates", units=12.49, level=0.9) == (
        "Intervals of 90% for other templates of the kind, as if these templates had been drawn; these are worth 12.5"
    )
    assert note(estimand="set", occurrences=None) == "Intervals of 95% for these contexts alone"
    assert note(capped_at=20.0) == (
        "Intervals of 95% for sets cut like this one, where no template counts more than 20 times: 20 contexts drawn "
        "from 707 occurrences (≤ 20 each), by document"
    )
    assert note(intervals={}, undefined="there is one context") == "No intervals: there is one context"


def test_cells_of_markdown_have_intervals_and_figures_are_explained(results):
    text = export.markdown_text(results)
    for row, result in zip(cells(text), results, strict=True):
        interval = result.uncertainty.intervals["R_bias"]
        assert row[0] == result.model
        assert row[2] == f"{result.R_bias:.3f} ({interval.low:.3f} to {interval.high:.3f})"
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
    asked = {"reading": "generated", "samples": 2, "limit_groups": 3, "sample_contexts": 12}
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
