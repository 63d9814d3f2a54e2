"""A picture of marks, drawn once for paper and once for a browser."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from bvf.drawing.browser import figure_of_marks
from bvf.drawing.marks import Marks
from bvf.drawing.paper import draw_marks
from bvf.interfaces.picture import Columns, Figure, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
