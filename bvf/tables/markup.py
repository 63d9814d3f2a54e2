"""Tables as Markdown, CSV, and HTML for notebooks. Texts of cells are escaped."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from bvf.errors import harmless, in_one_line
from bvf.interfaces.section import Section

if TYPE_CHECKING:
    import pandas as pd

MARKDOWN = str.maketrans(
    {**{char: f"\\{char}" for char in "\\`*_[]~|$"}, "&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": "<br>"}
)
FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t")
"""Characters that begin a formula in some spreadsheet; four of them are as wide as Chinese characters."""
NUMBER = re.compile(r"[+-]?[0-9][0-9,.]*([eE][+-]?[0-9]+)?")
CELL = "padding:.15em .6em;border:0;white-space:nowrap;background:none"
RULE = "border-bottom:1px solid"
PLAIN = "margin:.3em 0;max-width:60em"


def markdown(sections: Sequence[Section]) -> str:
    r"""Return tables as GitHub-flavoured Markdown, each below its title as a heading.

    >>> print(markdown([Section("t", ("group", "r"), [("a|b", "0.5")])]))
    ### t
    <BLANKLINE>
    | group | r |
    | :-- | --: |
    | a\|b | 0.5 |
    <BLANKLINE>
    """
    return "\n".join(line for section in sections for line in _markdown(section))


def _markdown(section: Section) -> Iterable[str]:
    for warning in section.warnings:
        yield from (f"> {_escaped(warning)}", "")
    yield from (f"### {_escaped(section.title)}", "")
    for sentence in section.subtitle:
        yield from (_escaped(sentence), "")
    if section.columns:
        rules = [":--" if _is_left(section, y) else "--:" for y in range(len(section.columns))]
        rows = [[_escaped(cell) for cell in row] for row in (section.columns, *section.above, *section.rows)]
        yield from (f"| {' | '.join(cells)} |" for cells in (rows[0], rules, *rows[1:]))
        yield ""
    for sentence in section.notes:
        yield from (_escaped(sentence), "")


def _escaped(text: str) -> str:
    return harmless(text.strip()).translate(MARKDOWN)


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return a header and rows as CSV. No spreadsheet reads a cell as a formula.

    >>> as_csv(("group", "r"), [('a "b", c', 0.5)])
    'group,r\n"a ""b"", c",0.5\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_shown_number(cell) or without_formula(cell) for cell in row] for row in (columns, *rows))
    return text.getvalue()


def frame_as_csv(frame: "pd.DataFrame") -> str:
    """Return a data frame as CSV: commas, a line feed after every row, an empty cell for a missing value."""
    from pandas.api.types import is_numeric_dtype

    safe = frame.apply(lambda column: column if is_numeric_dtype(column) else column.map(without_formula))
    text: str = safe.rename(columns=without_formula).to_csv(index=False, lineterminator="\n")
    return text


def without_formula(value: Any) -> Any:
    """Return a text that no spreadsheet reads as a formula. Other values are returned unchanged.

    >>> without_formula("=1+1"), without_formula("nurse"), without_formula(-0.5)
    ("'=1+1", 'nurse', -0.5)
    """
    if not isinstance(value, str):
        return value
    text = harmless(value)
    return f"'{text}" if text.lstrip(" \n").startswith(FORMULA) else text


def _shown_number(cell: object) -> str:
    """A cell that is a number as tables show it; empty for other cells."""
    return cell if isinstance(cell, str) and NUMBER.fullmatch(cell) else ""


def html(sections: Sequence[Section]) -> str:
    """Return tables as HTML without scripts. Colours are inherited from the page."""
    return "\n".join(_html(section) for section in sections)


def _html(section: Section) -> str:
    head = _row("th", section.columns, section, f"{CELL};{RULE}")
    above = [_row("td", row, section, f"{CELL};opacity:.7") for row in section.above]
    rows = [_row("td", row, section, CELL) for row in section.rows]
    bodies = "".join(f'<tbody style="{RULE}">{"".join(part)}</tbody>' for part in (above, rows) if part)
    return (
        f"{_paragraphs(section.warnings, f'{PLAIN};font-weight:bold')}"
        f'<p style="{PLAIN};margin-top:1.2em"><b>{_html_text(section.title)}</b></p>'
        f"{_paragraphs(section.subtitle, PLAIN)}"
        '<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:.6em 0;'
        f'font-variant-numeric:tabular-nums"><thead>{head}</thead>{bodies}</table></div>'
        f"{_paragraphs(section.notes, f'{PLAIN};opacity:.7')}"
    )


def _row(tag: str, cells: Sequence[str], section: Section, style: str) -> str:
    sides = ["left" if _is_left(section, y) else "right" for y in range(len(cells))]
    inner = [
        f'<{tag} dir="auto" style="{style};text-align:{side}">{_html_text(cell)}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    ]
    return f"<tr>{''.join(inner)}</tr>"


def _paragraphs(sentences: Sequence[str], style: str) -> str:
    return "".join(f'<p style="{style}">{_html_text(sentence)}</p>' for sentence in sentences)


def _html_text(text: str) -> str:
    return escape(in_one_line(text))


def _is_left(section: Section, column: int) -> bool:
    return column < section.names or (section.last != "figure" and column == len(section.columns) - 1)
