"""A table for a paper: booktabs, with intervals in the cells."""

import re
from collections.abc import Iterable, Sequence

from bvf.analysing.result import ResultBase
from bvf.export.figures import Figure
from bvf.export.names import one_line
from bvf.export.readable import Cell, ReadableTable, readable_table
from bvf.export.wide import Table

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
"""What stands for a character that TeX would obey or draw as another; at the start of a row it would obey [ and *."""


def latex_text(results: Sequence[ResultBase], table: Table = "models") -> str:
    r"""Return a table in LaTeX for ``\usepackage{booktabs}``; that of groups also needs ``longtable``.

    A cell is ``.396 {\scriptsize[.367, .436]}``. Names are escaped; those that are not ASCII stay as they are, and
    need an engine and a font that have them.

    Args:
        results: Of one topic and criterion; of any analysis.
        table: ``models``, or ``groups`` for all groups of all models.

    Raises:
        BvfError: The results cannot stand in one table, or there is no such table.
    """
    shown = readable_table(results, table)
    return "\n".join(_floating(shown) if table == "models" else _long(shown)) + "\n"


def escaped(text: str) -> str:
    r"""Return a text as TeX prints it, in one line.

    >>> escaped("R&D_{1} 100%")
    'R\\&D\\_\\{1\\} 100\\%'
    """
    shown = "".join(SPECIAL.get(character, character) for character in one_line(text))
    return re.sub("-(?=-)", "-{}", shown)


def _floating(table: ReadableTable) -> list[str]:
    return [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering\small\setlength{\tabcolsep}{4pt}",
        rf"\caption{{{escaped(table.title)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{_alignment(table)}}}",
        r"\toprule",
        _header(table),
        r"\midrule",
        *_rows(table),
        r"\bottomrule",
        r"\end{tabular}",
        "",
        _notes(table),
        r"\end{table}",
    ]


def _long(table: ReadableTable) -> list[str]:
    return [
        r"% \usepackage{booktabs,longtable}",
        r"\begingroup\small\setlength{\tabcolsep}{4pt}",
        rf"\begin{{longtable}}{{{_alignment(table)}}}",
        rf"\caption{{{escaped(table.title)}}}\label{{tab:{table.name}}} \\",
        r"\toprule",
        _header(table),
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *_rows(table),
        r"\end{longtable}",
        "",
        _notes(table),
        r"\endgroup",
    ]


def _alignment(table: ReadableTable) -> str:
    return "".join("r" if isinstance(column, Figure) else "l" for column in table.columns)


def _header(table: ReadableTable) -> str:
    return _row(_called(column) if isinstance(column, Figure) else escaped(column) for column in table.columns)


def _called(figure: Figure) -> str:
    return figure.formula or escaped(figure.text)


def _rows(table: ReadableTable) -> list[str]:
    return [_row(map(_cell, row)) for row in table.rows]


def _row(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return escaped(cell)
    figure = _number(cell.digits)
    return rf"{figure} {{\scriptsize[{', '.join(map(_number, cell.ends))}]}}" if cell.ends else figure


def _number(digits: str) -> str:
    """Digits without a zero before the point, and with a minus sign."""
    bare = digits.removeprefix("-")
    shown = bare.removeprefix("0") if bare.startswith("0.") else bare
    return f"$-${shown}" if digits.startswith("-") else shown


def _notes(table: ReadableTable) -> str:
    meanings = [f"{_called(figure)}: {escaped(figure.meaning)}." for figure in table.explained]
    return rf"\smallskip{{\footnotesize {' '.join([*meanings, *map(escaped, table.notes)])}\par}}"
