"""Formats names and numbers as texts for tables and sentences."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TypeVar

from rich.cells import cell_len, chop_cells

from bvf.errors import in_one_line

T = TypeVar("T")
NAME_WIDTH = 40
NOTHING = 5e-5
"""Smaller numbers are printed as 0 with four decimals."""
DECIDED = ("higher", "lower")
DIRECTING = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that change the direction of a line, and of the figures in it."""


def shortened(name: str, width: int = NAME_WIDTH) -> str:
    """Return a name. It is cut in the middle if it is wider than ``width`` columns of a terminal.

    >>> shortened("someone/a-model-with-a-name-that-is-far-too-long")
    'someone/a-model-wit…that-is-far-too-long'
    """
    if cell_len(name) <= width:
        return name
    right = width // 2
    return f"{chop_cells(name, width - right - 1)[0]}…{chop_cells(name[::-1], right)[0][::-1]}"


def undirected(text: str) -> str:
    r"""Return a text whose marks of direction are escaped.

    >>> undirected("nurse \u202e12")
    'nurse \\u202e12'
    """
    return DIRECTING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def warned(warnings: Iterable[str]) -> list[str]:
    """Return warnings as lines above a table.

    >>> warned(["gpt2: hardly any mass"])
    ['WARNING: gpt2: hardly any mass']
    """
    return [in_one_line(f"WARNING: {warning}") for warning in warnings]


def ends(rows: Sequence[T], show: int) -> tuple[Sequence[T], Sequence[T]]:
    """Return the first and the last rows, ``show`` in all. If ``show`` is 0 or large enough, all rows are the first.

    >>> ends([1, 2, 3, 4, 5], 3)
    ([1, 2], [5])
    """
    if show == 0 or len(rows) <= show:
        return rows, rows[:0]
    last = show // 2
    return rows[: show - last], rows[len(rows) - last :]


def decimals(*values: float | None, places: int = 4) -> tuple[str, ...]:
    """Return numbers as text with ``places`` decimals; '' for None."""
    zero = f"{0:.{places}f}"
    return tuple("" if value is None else f"{value:.{places}f}".replace(f"-{zero}", zero) for value in values)


def these(number: int, what: str) -> str:
    """Return a noun with what points at all of that number.

    >>> these(1, "group"), these(12, "group")
    ('this group', 'these 12 groups')
    """
    return f"this {what}" if number == 1 else f"these {counted(number, what)}"


def counted(number: int, what: str) -> str:
    """Return a number with a noun in the singular or plural.

    >>> counted(1, "group"), counted(12, "group")
    ('1 group', '12 groups')
    """
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def in_a_list(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> in_a_list(["R", "R^b", "R^v"])
    'R, R^b and R^v'
    """
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def some_of(shown: int, there_are: int) -> str:
    """Return the end of a title with the number of rows shown, such as  (8 of 120); '' if all rows are shown.

    >>> some_of(8, 120), some_of(3, 3)
    (' (8 of 120)', '')
    """
    return f" ({shown} of {there_are})" if shown < there_are else ""


def between(low: float | None, high: float | None, places: int = 4) -> str:
    """Return an interval as text; '' for None.

    >>> between(0.45671, 0.4725), between(None, None)
    ('0.4567 to 0.4725', '')
    """
    return " to ".join(decimals(low, high, places=places)) if low is not None and high is not None else ""


def percent(level: float) -> str:
    """Return a level as a percentage.

    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * level:.10g}%"


def percents(low: float | None, high: float | None) -> str:
    """Return an interval of fractions as text in percent; '' for None.

    >>> percents(0.25, 0.5)
    '25.0% to 50.0%'
    """
    return f"{low:.1%} to {high:.1%}" if low is not None and high is not None else ""


def points(difference: float) -> str:
    """Return a difference of probabilities as signed text in percentage points. The column's title has the unit.

    A percent sign would read as a ratio: from 40% to 50% it is 10 points, or 25%.

    >>> points(0.0958), points(-0.2)
    ('+9.6', '-20.0')
    """
    return f"{100.0 * difference:+.1f}"


def if_rounded(total: str, *parts: str) -> str:
    """Return the end of a sentence that says that ``parts`` sum to ``total``; '' if their rounded digits do, too.

    >>> if_rounded("0.325", "0.220", "0.105"), if_rounded("0.262", "0.163", "0.100")
    ('', ' before rounding')
    """
    return "" if sum(map(Decimal, parts)) == Decimal(total) else " before rounding"


def p_value(value: float | None, places: int = 4) -> str:
    """Return a p value as text with ``places`` decimals; '' for None.

    >>> p_value(0.0312), p_value(0.00007), p_value(0.00007, places=2)
    ('0.0312', '<0.0001', '<0.01')
    """
    if value is None:
        return ""
    smallest = 10.0**-places
    return f"<{smallest:g}" if value < smallest else f"{value:.{places}f}"


def correlation(value: float | None) -> str:
    """Return a correlation as text with its sign; '' for None.

    >>> correlation(0.5)
    '+0.50'
    """
    return "" if value is None else f"{value:+.2f}"
