"""Tables in Markdown, read by a real parser: names of strangers are text and nothing else."""

import re
from itertools import pairwise

from bvf_report.export.markdown import escaped
from bvf_report.export.names import one_line
from helpers.renaming import renamed
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bvf import export

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OF_HTML = ("<script>alert(1)</script>", "&amp;")
HOSTILE = (*OF_HTML, "a|b", "**x** _y_ `z`", "[a](javascript:b)", "~~a~~", "\\|", "$x$", "![]()")


def cells(text):
    """The cells of the table's body as (tokens, text), row by row."""
    tokens = PARSER.parse(text)
    rows, row = [], []
    for before, token in pairwise(tokens):
        if before.type == "td_open":
            row.append([child.content for child in token.children if child.type in ("text", "text_special")])
            assert {child.type for child in token.children} <= {"text", "text_special"}, token.content
        if token.type == "tr_close" and row:
            rows.append(["".join(parts) for parts in row])
            row = []
    return rows


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
@example("".join(HOSTILE))
@example("\\")
def test_a_name_is_shown_as_it_is_and_obeyed_in_nothing(text):
    (row,) = cells(f"| a | b |\n| --- | --- |\n| {escaped(text)} | 1 |\n")
    assert row == [one_line(text).strip(), "1"]


def test_every_cell_of_a_table_is_as_the_result_has_it(results):
    text = export.markdown_text([renamed(results[0], HOSTILE[0]), results[1]])
    body = cells(text)
    assert [row[0] for row in body] == [HOSTILE[0], "toy:silent-nurse"]
    for row, result in zip(body, results, strict=True):
        interval = result.uncertainty.intervals["R_bias"]
        assert row[2] == f"{result.R_bias:.3f} [{interval.low:.3f}, {interval.high:.3f}]"
    assert "- R: Discrimination risk" in text
    assert re.search(r"^Intervals of 95% for texts such as those mined: 20 contexts", text, re.MULTILINE)


def test_hostile_groups_keep_the_columns(result):
    named = renamed(result, "m", *HOSTILE[1:5])
    body = cells(export.markdown_text([named], "groups"))
    assert [row[0] for row in body] == [group.group for group in named.groups]
    assert len({len(row) for row in body}) == 1


def test_three_classes_or_more_have_a_column_each(several, result):
    text = export.markdown_text([several], "groups")
    classes = list(several.groups[0].mean_probabilities)
    assert f"| group | on average | {' | '.join(f'p {name}' for name in classes)} | r |" in text
    for row, group in zip(cells(text), several.groups, strict=True):
        assert row[2:9] == [f"{group.mean_probabilities[name]:.3f}" for name in classes]
    assert "p: mean probability of each class over contexts." in text
    assert "mean probability of each class" not in export.markdown_text([result], "groups")


def test_why_there_is_no_interval_is_said(knowledge):
    text = export.markdown_text([knowledge])
    assert "No intervals: there are only 3.0 effective wordings, and intervals take 10." in text
    assert "[" not in "".join("".join(row) for row in cells(text))


def test_groups_of_knowledge_have_the_truth_and_what_the_model_says(knowledge):
    for row, group in zip(cells(export.markdown_text([knowledge], "groups")), knowledge.groups, strict=True):
        assert row[:3] == [group.group, group.truth, group.says]
