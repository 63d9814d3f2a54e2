"""A picture of marks, drawn once for paper and once for a browser, and sentences for its caption."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from bvf.drawing.browser import figure_of_marks
from bvf.drawing.marks import Marks
from bvf.drawing.paper import draw_marks
from bvf.interfaces.picture import Columns, Figure, Picture
from bvf.tables.words import counted, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def caption_of(*sentences: str) -> str:
    """Return sentences as a caption of one line; empty sentences are left out."""
    return " ".join(filter(None, sentences))


def groups_shown(number: int, of: int, called: str = "group") -> str:
    """Return a phrase on how many groups a picture shows: ``number`` of ``of``. ``called`` is the noun for one.

    >>> groups_shown(4, 6)
    '4 of 6 groups, from both ends of their order'
    """
    return counted(of, called) if number == of else f"{number} of {of} {called}s, from both ends of their order"


def what_bars_are(level: float | None, undefined: str) -> str:
    """Return a sentence on the bars of a picture: intervals of ``level``; for None, that ``undefined`` is why not."""
    if level is None:
        return f"No intervals: {undefined}." if undefined else "No intervals."
    return f"Bars: intervals of {percent(level)} for other contexts of the kind."


class MarkedPicture(Picture):
    """A picture that is drawn from its marks, on paper and in a browser. Implement `caption` and `marks`."""

    @abstractmethod
    def marks(self) -> Marks:
        """Return the marks and the axes of the picture."""

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw the marks with matplotlib, as `Picture.draw` says."""
        return draw_marks(self.marks(), ax, columns)

    def interactive(self) -> Figure | None:
        """Return the marks as data and layout for plotly."""
        return figure_of_marks(self.marks())
