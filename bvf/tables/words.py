"""Names and numbers as tables have them."""

from collections.abc import Sequence
from typing import TypeVar

from rich.cells import cell_len, chop_cells

T = TypeVar("T")
NAME_WIDTH = 40
NOTHING = 5e-5
"""What four decimals show as zero."""
DECIDED = {"higher": "more", "lower": "less"}
SMALLEST_SHOWN = 1e-4


def shortened(name: str, width: int = NAME_WIDTH) -> str:
    """Return a name, cut in the middle where it is wider than ``width`` columns.

    >>> shortened("someone/a-model-with-a-name-that-is-far-too-long")
    'someone/a-model-wit…that-is-far-too-long'
    """
    if cell_len(name) <= width:
        return name
    right = width // 2
    return f"{chop_cells(name, width - right - 1)[0]}…{chop_cells(name[::-1], right)[0][::-1]}"


def ends(rows: Sequence[T], show: int) -> tuple[Sequence[T], Sequence[T]]:
    """Return rows from both ends, ``show`` in all. All rows, and none from the end, if ``show`` is 0 or large enough.

    >>> ends([1, 2, 3, 4, 5], 3)
    ([1, 2], [5])
    """
    if show == 0 or len(rows) <= show:
        return rows, rows[:0]
    last = show // 2
    return rows[: show - last], rows[len(rows) - last :]


def decimals(*values: float | None, places: int = 4) -> tuple[str, ...]:
    """Return numbers with this many decimals; nothing for None."""
    zero = f"{0:.{places}f}"
    return tuple("" if value is None else f"{value:.{places}f}".replace(f"-{zero}", zero) for value in values)


def counted(number: int, what: str) -> str:
    """Return how many there are of something.

    >>> counted(1, "group"), counted(12, "group")
    ('1 group', '12 groups')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def between(low: float, high: float, places: int = 4) -> str:
    """Return the ends of an interval.

    >>> between(0.45671, 0.4725)
    '0.4567 to 0.4725'
    """
    return " to ".join(decimals(low, high, places=places))


def adding_up(total: float, difference: float) -> tuple[str, str, str]:
    """Return a total, what is left without the difference, and the difference, so that the printed digits add up.

    >>> adding_up(0.46476, 0.00006)
    ('0.4648', '0.4647', '0.0001')
    """
    shown_total, shown_difference = round(total, 4), round(difference, 4)
    first, rest, last = decimals(shown_total, shown_total - shown_difference, shown_difference)
    return first, rest, last


def p_value(value: float) -> str:
    """Return a p value as tables have it."""
    return f"<{SMALLEST_SHOWN:g}" if value < SMALLEST_SHOWN else f"{value:.4f}"
