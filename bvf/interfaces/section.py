"""What a table is made of: cells, the quantities of its columns, and the sentences around it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Cell:
    """A cell of a table. A plain ``str`` is a cell, too; ``str()`` of either is what a table shows.

    Args:
        text: What is shown: a name, or a number with the decimals of its column.
        value: The number by which a page sorts the cell; None: it is sorted by its text.
        interval: The interval of the number, as `bvf.tables.between` writes it; empty: it has none.
        spark: A small histogram that a page draws in the cell: shares in bins of equal width from 0 to 1; may be empty.
        link: The relative address of the page that the text leads to; empty: it leads nowhere.
    """

    text: str
    value: float | None = None
    interval: str = ""
    spark: tuple[float, ...] = ()
    link: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.interval})" if self.interval else self.text


@dataclass(frozen=True)
class Quantity:
    """A quantity that results have for a model or for a group, such as R^b.

    Args:
        field: The name of its field in the result, or in groups of the result.
        symbol: Its symbol in plain text.
        formula: Its symbol in LaTeX; empty: the same as ``symbol``.
        meaning: Its meaning in one sentence.
        lower_is_better: Whether lower values are better; None: neither, or unknown.
        words: Its meaning in a few words.
        legend: Its meaning for the legend of a table; empty: ``words`` is used.
        of_some: Only some results have it; tables of others leave it out.
    """

    field: str
    symbol: str
    formula: str = ""
    meaning: str = ""
    lower_is_better: bool | None = None
    words: str = ""
    legend: str = ""
    of_some: bool = False

    @property
    def in_legends(self) -> str:
        """The meaning of the quantity for the legend of a table."""
        return self.legend or self.words

    def is_unknown(self, holders: Iterable[object]) -> bool:
        """Whether only some results have it, and none of ``holders``."""
        return self.of_some and all(getattr(each, self.field) is None for each in holders)


@dataclass(frozen=True)
class Section:
    """A table of cells, its title, and the sentences around it.

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
        quantities: The quantities that stand in columns. LaTeX has their formulas as headings; LaTeX and Markdown
            explain those that have a meaning. Other formats have the names of the columns alone.
        searched: A page lets readers search the rows.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    above: Sequence[Sequence[str | Cell]] = ()
    names: int = 1
    subtitle: Sequence[str] = ()
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()
    last: Literal["figure", "line", "text"] = "figure"
    spare: int = 0
    quantities: Sequence[Quantity] = ()
    searched: bool = False

    def is_left(self, column: int) -> bool:
        """Whether a column, counted from 0, is aligned to the left."""
        return column < self.names or (self.last != "figure" and column == len(self.columns) - 1)

    @property
    def explained(self) -> list[Quantity]:
        """The quantities of the table that have a meaning to explain."""
        return [each for each in self.quantities if each.meaning]
