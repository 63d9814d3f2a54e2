"""Tables as HTML for notebooks, as Markdown and as CSV. No text of a cell is read as HTML, Markdown or a formula."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from bvf.domain.numbers import Record
from bvf.errors import harmless, in_one_line
from bvf.hooks.provider import imported
from bvf.interfaces.section import Cell, Section
from bvf.tables.words import undirected

if TYPE_CHECKING:
    import pandas as pd


class Finding(Record):
    """What an analysis, a comparison or a regression found, and which function makes tables of it.

    Attributes:
        tables: ``module:function`` that returns the tables of a finding, or None if they cannot be made.
        row_fields: Fields whose elements `bvf export --table` writes as rows; for the first, `to_frame` has them.
        portable: ``module:function`` that returns the finding without folders of this machine in its names; empty: it
            has none.
    """

    tables: ClassVar[str]
    row_fields: ClassVar[tuple[str, ...]] = ()
    portable: ClassVar[str] = ""

    def _repr_html_(self) -> str | None:
        """The tables of the finding as HTML, for notebooks; None if they cannot be made."""
        sections: Sequence[Section] | None = imported(self.tables)(self)
        return None if sections is None else as_html(sections)


CELL = "padding:.15em .6em;border:0;white-space:nowrap;background:none"
RULE = "border-bottom:1px solid"
PLAIN = "margin:.3em 0;max-width:60em"


def as_html(sections: Sequence[Section]) -> str:
    """Return tables as HTML without scripts. Colours are inherited from the page."""
    return "\n".join(_html(section) for section in sections)


def _html(section: Section) -> str:
    head = _row("th", section.columns, section, f"{CELL};{RULE}")
    above = [_row("td", row, section, f"{CELL};opacity:.7") for row in section.above]
    rows = [_row("td", row, section, CELL) for row in section.rows]
    bodies = "".join(f'<tbody style="{RULE}">{"".join(part)}</tbody>' for part in (above, rows) if part)
    return (
        f"{_paragraphs(section.warnings, f'{PLAIN};font-weight:bold')}"
        f'<p style="{PLAIN};margin-top:1.2em"><b>{_escaped(section.title)}</b></p>'
        f"{_paragraphs(section.subtitle, PLAIN)}"
        '<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:.6em 0;'
        f'font-variant-numeric:tabular-nums"><thead>{head}</thead>{bodies}</table></div>'
        f"{_paragraphs(section.notes, f'{PLAIN};opacity:.7')}"
    )


def _row(tag: str, cells: Sequence[str | Cell], section: Section, style: str) -> str:
    sides = ["left" if section.is_left(y) else "right" for y in range(len(cells))]
    inner = [
        f'<{tag} dir="auto" style="{style};text-align:{side}">{_escaped(str(cell))}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    ]
    return f"<tr>{''.join(inner)}</tr>"


def _paragraphs(sentences: Sequence[str], style: str) -> str:
    return "".join(f'<p style="{style}">{_escaped(sentence)}</p>' for sentence in sentences)


def _escaped(text: str) -> str:
    return escape(in_one_line(text))


SPECIAL = str.maketrans({**{char: f"\\{char}" for char in "\\`*_[]~|$"}, "&": "&amp;", "<": "&lt;", ">": "&gt;"})


def as_markdown(sections: Sequence[Section], *, captions: bool = False) -> str:
    r"""Return tables as Markdown, each below its title: a heading, or a bold line if ``captions``.

    >>> print(as_markdown([Section("t", ("group", "r"), [("a|b", "0.5")])]))
    ### t
    <BLANKLINE>
    | group | r |
    | --- | ---: |
    | a\|b | 0.5 |
    <BLANKLINE>
    """
    return "\n".join(line for section in sections for line in _lines(section, "**{}**" if captions else "### {}"))


def escaped(text: str) -> str:
    r"""Return a text on one line that Markdown shows as it is.

    >>> escaped("a|b <i> *c*")
    'a\\|b &lt;i&gt; \\*c\\*'
    """
    return undirected(in_one_line(text)).translate(SPECIAL)


def _with_breaks(text: str) -> str:
    return "<br>".join(map(escaped, text.strip().split("\n")))


def _lines(section: Section, title: str) -> Iterator[str]:
    for warning in section.warnings:
        yield from (f"> {_with_breaks(warning)}", "")
    yield from (title.format(_with_breaks(section.title)), "")
    for sentence in section.subtitle:
        yield from (_with_breaks(sentence), "")
    if section.columns:
        rules = ["---" if section.is_left(y) else "---:" for y in range(len(section.columns))]
        rows = [[_with_breaks(str(cell)) for cell in row] for row in (section.columns, *section.above, *section.rows)]
        yield from (f"| {' | '.join(cells)} |" for cells in (rows[0], rules, *rows[1:]))
        yield ""
    if meanings := [f"- {escaped(each.symbol)}: {escaped(each.meaning)}" for each in section.explained]:
        yield from (*meanings, "")
    for sentence in section.notes:
        yield from (_with_breaks(sentence), "")


FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t")
"""Characters that begin a formula in some spreadsheet; four of them are as wide as Chinese characters."""
NUMBER = re.compile(r"[+-]?[0-9][0-9,.]*([eE][+-]?[0-9]+)?")


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return a header and rows of cells or numbers as CSV. A number stays as tables show it.

    >>> as_csv(("group", "r"), [('a "b", c', 0.5)])
    'group,r\n"a ""b"", c",0.5\n'
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [cell if NUMBER.fullmatch(cell) else without_formula(cell) for cell in map(str, row)]
        for row in (columns, *rows)
    )
    return text.getvalue()


def frame_as_csv(frame: "pd.DataFrame") -> str:
    """Return a data frame as CSV. A missing value is an empty cell."""
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
