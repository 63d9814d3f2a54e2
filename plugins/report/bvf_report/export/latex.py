"""Writes tables for papers in LaTeX (booktabs). Intervals are in the cells."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from bvf.results.result import ResultBase
from bvf.tables.symbols import Quantity
from bvf_report.export.names import one_line
from bvf_report.export.readable import Cell, Column, ReadableTable, readable_table
from bvf_report.export.wide_tables import Table

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": r"\char96{}",
    **{character: f"\\{character}" for character in "#$%&_{}"},
    **{character: f"{{{character}}}" for character in "[]*"},
}
"""Replacements for characters that TeX interprets or draws differently; it interprets [ and * at the start of a row."""
NARROW = r"\footnotesize\setlength{\tabcolsep}{3pt}"
"""Makes figures with intervals fit the text of an article."""
CENTRED = r"\setlength{\LTleft}{0pt plus 1fill minus 1fill}\setlength{\LTright}{\LTleft}"
"""Makes a table that is still too wide extend into both margins equally."""


def latex_text(results: Sequence[ResultBase], table: Table = "models") -> str:
    r"""Return a table in LaTeX for ``\usepackage{booktabs}``. The table of groups also needs ``longtable``.

    A cell is ``.396 {\scriptsize[.367, .436]}``. Names are escaped; those that are not ASCII stay as they are, and
    need an engine and a font that have them.
    """
    shown = readable_table(results, table)
    return "\n".join(_long(shown) if table == "groups" else _floating(shown)) + "\n"


def latex_of(table: ReadableTable) -> str:
    r"""Return any table in LaTeX for ``\usepackage{booktabs}``."""
    return "\n".join(_floating(table)) + "\n"


def escaped(text: str) -> str:
    r"""Return a text on one line, escaped so that TeX prints it as it is.

    >>> escaped("R&D_{1} 100%")
    'R\\&D\\_\\{1\\} 100\\%'
    """
    shown = "".join(SPECIAL.get(character, character) for character in one_line(text))
    return re.sub("-(?=-)", "-{}", shown)


def _floating(table: ReadableTable) -> list[str]:
    return [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        rf"\centering{NARROW}",
        rf"\caption{{{escaped(table.title)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{_alignment(table.columns)}}}",
        r"\toprule",
        _header(table.columns),
        r"\midrule",
        *(_row(map(_cell, row)) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        "",
        _notes(table),
        r"\end{table}",
    ]


def _long(table: ReadableTable) -> list[str]:
    runs = list(table.columns).index("group")
    return [
        r"% \usepackage{booktabs,longtable}",
        rf"\begingroup{NARROW}{CENTRED}",
        rf"\begin{{longtable}}{{{_alignment(table.columns[runs:])}}}",
        rf"\caption{{{escaped(table.title)}}}\label{{tab:{table.name}}} \\",
        r"\toprule",
        _header(table.columns[runs:]),
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *_below_their_runs(table, runs),
        r"\end{longtable}",
        "",
        _notes(table),
        r"\endgroup",
    ]


def _below_their_runs(table: ReadableTable, runs: int) -> Iterator[str]:
    """Yield the rows of groups, below the name of their run. No page is wide enough for the name in every row."""
    for place, (named, rows) in enumerate(groupby(table.rows, key=lambda row: [str(cell) for cell in row[:runs]])):
        if place:
            yield r"\addlinespace"
        if named:
            width = len(table.columns) - runs
            yield rf"\multicolumn{{{width}}}{{l}}{{\itshape {escaped(', '.join(named))}}} \\*"
        yield from (_row(map(_cell, row[runs:])) for row in rows)


def _alignment(columns: Sequence[Column]) -> str:
    return "".join("r" if isinstance(column, Quantity) else "l" for column in columns)


def _header(columns: Sequence[Column]) -> str:
    return _row(_symbol(column) if isinstance(column, Quantity) else escaped(column) for column in columns)


def _symbol(figure: Quantity) -> str:
    return figure.formula or escaped(figure.symbol)


def _row(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return escaped(cell)
    figure = _number(cell.digits)
    return rf"{figure} {{\scriptsize[{', '.join(map(_number, cell.ends))}]}}" if cell.ends else figure


def _number(digits: str) -> str:
    """A number in LaTeX, which has a real minus sign and no zero before the decimal point."""
    bare = digits.removeprefix("-")
    shown = bare.removeprefix("0") if bare.startswith("0.") else bare
    return f"$-${shown}" if digits.startswith("-") else shown


def _notes(table: ReadableTable) -> str:
    meanings = [f"{_symbol(figure)}: {escaped(figure.meaning)}." for figure in table.explained]
    return rf"\smallskip{{\footnotesize {' '.join([*meanings, *map(escaped, table.notes)])}\par}}"
