"""What all printed tables share: 80 columns at most, numbers to the right, names cut in the middle."""

from collections.abc import Sequence
from typing import TypeVar

from rich import box
from rich.cells import cell_len, chop_cells
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bvf.errors import harmless

T = TypeVar("T")

WIDTH, EDGES, BETWEEN = 80, 2, 2
NAME_WIDTH = 40
LEAST_ROOM = 8
NOTHING = 5e-5
"""What four decimals show as zero."""


def titled(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    above: Sequence[Sequence[str]] = (),
    names: int = 1,
    said: Sequence[str] = (),
) -> RenderableType:
    """Return a title, sentences, and a table whose columns but the first ``names`` are aligned to the right.

    Rows ``above`` are set apart by a rule. Names that do not fit are cut in the middle.
    """
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    rooms = _rooms_for_names([columns, *above, *rows], names)
    for column in columns[:names]:
        table.add_column(column, no_wrap=True)
    for column in columns[names:]:
        table.add_column(column, no_wrap=True, justify="right")
    for row in above:
        table.add_row(*_cells(row, rooms), style="dim")
    if above:
        table.add_section()
    for row in rows:
        table.add_row(*_cells(row, rooms))
    return Group(Text(title, style="bold"), *map(Text, said), table)


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
    """Return the first and the last of the rows, ``show`` together; all of them and none where 0 or enough.

    >>> ends([1, 2, 3, 4, 5], 3)
    ([1, 2], [5])
    """
    if show == 0 or len(rows) <= show:
        return rows, rows[:0]
    last = show // 2
    return rows[: show - last], rows[len(rows) - last :]


def decimals(*values: float | None) -> tuple[str, ...]:
    """Return numbers with four decimals; nothing for None."""
    return tuple("" if value is None else f"{value:.4f}".replace("-0.0000", "0.0000") for value in values)


def adding_up(total: float, difference: float) -> tuple[str, str, str]:
    """Return a total, what is left without the difference, and the difference, so that the printed digits add up.

    >>> adding_up(0.46476, 0.00006)
    ('0.4648', '0.4647', '0.0001')
    """
    shown_total, shown_difference = round(total, 4), round(difference, 4)
    first, rest, last = decimals(shown_total, shown_total - shown_difference, shown_difference)
    return first, rest, last


def _cells(row: Sequence[str], rooms: Sequence[int]) -> list[Text]:
    fitting = [shortened(harmless(name), room) for name, room in zip(row, rooms, strict=False)]
    return [Text(cell) for cell in (*fitting, *map(harmless, row[len(rooms) :]))]


def _rooms_for_names(rows: Sequence[Sequence[str]], names: int) -> list[int]:
    """How wide the first ``names`` columns may be if the others are to be seen whole: what is left, in equal parts."""
    wanted = [max(cell_len(harmless(cell)) for cell in column) for column in zip(*rows, strict=True)]
    left = WIDTH - EDGES - BETWEEN * (len(wanted) - 1) - sum(wanted[names:])
    unused = [left - sum(wanted[:names]) + own for own in wanted[:names]]
    return [max(LEAST_ROOM, left // names, room) for room in unused]
