"""Tables as LaTeX with booktabs, for papers. No text of a cell or sentence is read as TeX."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from bvf import Section
from bvf.errors import in_one_line
from bvf.interfaces import Cell
from bvf.tables import undirected

SPECIAL = str.maketrans(
    {
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
)
"""Replacements for characters that TeX interprets or draws differently; it interprets [ and * at the start of a row."""
EXPONENT = re.compile(r"\b([Rr])\\textasciicircum\{\}([bv])\b")
MINUS = re.compile(r"(?<![\w-])-(?=\d)")
ZERO = re.compile(r"(?<!\d)0(?=\.\d)")
"""The zero before a decimal point, which numbers in papers go without."""
NARROW = r"\footnotesize\setlength{\tabcolsep}{3pt}"
"""Makes figures with intervals fit the text of an article."""
CENTRED = r"\setlength{\LTleft}{0pt plus 1fill minus 1fill}\setlength{\LTright}{\LTleft}"
"""Makes a table that is still too wide extend into both margins equally."""


def as_latex(section: Section, label: str) -> str:
    r"""Return a table in LaTeX for ``\usepackage{booktabs}``. ``label`` is the name for references to it.

    Cells with a value are numbers such as ``.396 {\scriptsize(.367 to .436)}``. Names that are not ASCII stay as they
    are, and need an engine and a font that have them.
    """
    lines = (
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        rf"\centering{NARROW}",
        rf"\caption{{{escaped(section.title)}}}",
        rf"\label{{tab:{label}}}",
        rf"\begin{{tabular}}{{{_alignment(section)}}}",
        r"\toprule",
        _header(section),
        r"\midrule",
        *(_row(map(_cell, row)) for row in (*section.above, *section.rows)),
        r"\bottomrule",
        r"\end{tabular}",
        "",
        _notes(section),
        r"\end{table}",
    )
    return "\n".join(lines) + "\n"


def as_long_latex(section: Section, label: str, apart: int = 0) -> str:
    r"""Return a table over several pages in LaTeX for ``\usepackage{booktabs,longtable}``.

    The cells of the first ``apart`` columns stand in a line of their own above the rows that have them: no page is wide
    enough for the name of a run in every row.
    """
    lines = (
        r"% \usepackage{booktabs,longtable}",
        rf"\begingroup{NARROW}{CENTRED}",
        rf"\begin{{longtable}}{{{_alignment(section, apart)}}}",
        rf"\caption{{{escaped(section.title)}}}\label{{tab:{label}}} \\",
        r"\toprule",
        _header(section, apart),
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *_rows_apart(section, apart),
        r"\end{longtable}",
        "",
        _notes(section),
        r"\endgroup",
    )
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    r"""Return a text on one line that TeX prints as it is, with symbols such as R^b and minus signs as in formulas.

    >>> escaped("R&D_{1} 100%"), escaped("R^b: -1")
    ('R\\&D\\_\\{1\\} 100\\%', '$R^{b}$: $-$1')
    """
    shown = re.sub("-(?=-)", "-{}", undirected(in_one_line(text)).translate(SPECIAL))
    return MINUS.sub("$-$", EXPONENT.sub(r"$\1^{\2}$", shown))


def _rows_apart(section: Section, apart: int) -> Iterator[str]:
    for place, (named, rows) in enumerate(groupby(section.rows, key=lambda row: list(map(str, row[:apart])))):
        if place:
            yield r"\addlinespace"
        if named:
            width = len(section.columns) - apart
            yield rf"\multicolumn{{{width}}}{{l}}{{\itshape {escaped(', '.join(named))}}} \\*"
        yield from (_row(map(_cell, row[apart:])) for row in rows)


def _alignment(section: Section, apart: int = 0) -> str:
    return "".join("l" if section.is_left(y) else "r" for y in range(apart, len(section.columns)))


def _header(section: Section, apart: int = 0) -> str:
    formulas = {each.symbol: each.formula for each in section.quantities}
    return _row(formulas.get(column) or escaped(column) for column in section.columns[apart:])


def _row(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _cell(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return escaped(cell)
    number = ZERO.sub("", escaped(cell.text))
    return rf"{number} {{\scriptsize({ZERO.sub('', escaped(cell.interval))})}}" if cell.interval else number


def _notes(section: Section) -> str:
    meanings = [f"{each.formula or escaped(each.symbol)}: {escaped(each.meaning)}." for each in section.explained]
    sentences = [escaped(each) for each in (*section.warnings, *section.subtitle, *section.notes)]
    ended = [each if each.endswith(".") else f"{each}." for each in sentences]
    return rf"\smallskip{{\footnotesize {' '.join([*meanings, *ended])}\par}}"
