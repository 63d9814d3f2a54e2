"""What all printed tables share: 80 columns at most, numbers to the right, names cut in the middle."""

from collections.abc import Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bvf.analysing.formatting import shortened
from bvf.errors import harmless
from bvf.interfaces.analysis import Section

WIDTH, EDGES, BETWEEN = 80, 2, 2
LEAST_ROOM = 8


def drawn(section: Section) -> RenderableType:
    """Return a title, sentences, a table and notes. Rows ``above`` are set apart by a rule."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    rooms = _rooms_for_names([section.columns, *section.above, *section.rows], section.names)
    for column in section.columns[: section.names]:
        table.add_column(column, no_wrap=True)
    for column in section.columns[section.names :]:
        table.add_column(column, no_wrap=True, justify="right")
    for row in section.above:
        table.add_row(*_cells(row, rooms), style="dim")
    if section.above:
        table.add_section()
    for row in section.rows:
        table.add_row(*_cells(row, rooms))
    notes = [Text(harmless("\n".join(section.notes)), style="dim")] if section.notes else []
    return Group(Text(harmless(section.title), style="bold"), *map(Text, map(harmless, section.said)), table, *notes)


def _cells(row: Sequence[str], rooms: Sequence[int]) -> list[Text]:
    fitting = [shortened(harmless(name), room) for name, room in zip(row, rooms, strict=False)]
    return [Text(cell) for cell in (*fitting, *map(harmless, row[len(rooms) :]))]


def _rooms_for_names(rows: Sequence[Sequence[str]], names: int) -> list[int]:
    """How wide the first ``names`` columns may be if the others are to be seen whole: what is left, in equal parts."""
    wanted = [max(cell_len(harmless(cell)) for cell in column) for column in zip(*rows, strict=True)]
    left = WIDTH - EDGES - BETWEEN * (len(wanted) - 1) - sum(wanted[names:])
    unused = [left - sum(wanted[:names]) + own for own in wanted[:names]]
    return [max(LEAST_ROOM, left // names, room) for room in unused]
