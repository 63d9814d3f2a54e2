"""Writes tables in Markdown, as GitHub shows it."""

from collections.abc import Iterable, Sequence
from html import escape

from bvf.results.result import ResultBase
from bvf.tables.symbols import Quantity
from bvf_report.export.names import one_line
from bvf_report.export.readable import Cell, readable_table
from bvf_report.export.wide_tables import Table

SPECIAL = frozenset("\\`*_[]~|$")
"""Punctuation that Markdown interprets within a line, besides that of HTML."""


def markdown_text(results: Sequence[ResultBase], table: Table = "models") -> str:
    """Return a table in Markdown: a title, rows that show intervals in the cells, and notes.

    Names are escaped, so that none is read as Markdown or HTML.
    """
    shown = readable_table(results, table)
    header = _row(escaped(column.symbol if isinstance(column, Quantity) else column) for column in shown.columns)
    rule = _row("---:" if isinstance(column, Quantity) else "---" for column in shown.columns)
    rows = [_row(map(_cell, row)) for row in shown.rows]
    meanings = [f"- {escaped(figure.symbol)}: {escaped(figure.meaning)}" for figure in shown.explained]
    notes = [*([""] if meanings else []), *meanings, *(f"\n{escaped(note)}" for note in shown.notes)]
    return "\n".join([f"**{escaped(shown.title)}**\n", header, rule, *rows, *notes]) + "\n"


def escaped(text: str) -> str:
    r"""Return a text on one line, escaped so that Markdown shows it as it is.

    >>> escaped("a|b <i> *c*")
    'a\\|b &lt;i&gt; \\*c\\*'
    """
    line = escape(one_line(text), quote=False)
    return "".join(f"\\{character}" if character in SPECIAL else character for character in line)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return escaped(cell)
    return f"{cell.digits} [{', '.join(cell.ends)}]" if cell.ends else cell.digits
