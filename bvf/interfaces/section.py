"""A table of text cells, for a terminal, a page or a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Section:
    """A table of text cells, its title, and the sentences around it.

    Args:
        title: The title above the table.
        columns: Names of the columns; those after the first ``names`` are aligned to the right, except a last column
            that holds a line or a text.
        rows: The rows, each with a cell per column.
        above: Rows that are set apart above the others, such as those of reference models.
        names: How many columns name a row; they are cut in the middle where a terminal has no room for them.
        subtitle: Sentences below the title.
        notes: Sentences below the table.
        warnings: Sentences above the title.
        last: What the last column holds: figures; a line, whose end is cut where a terminal has no room for it; or a
            text, which is wrapped.
        spare: How many of the rightmost columns a terminal may leave out if the table is too wide.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    above: Sequence[Sequence[str]] = ()
    names: int = 1
    subtitle: Sequence[str] = ()
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()
    last: Literal["figure", "line", "text"] = "figure"
    spare: int = 0
