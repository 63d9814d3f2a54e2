"""The interface of a picture: values, caption, and drawings for paper and browser."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Columns = Literal[1, 2]
Figure = dict[str, Any]
"""``data`` and ``layout`` of a figure of plotly."""


class Picture(ABC):
    """A picture of results. Implement `caption` and `draw` in a frozen dataclass whose fields are the values to draw.

    Attributes:
        kind: The value of ``bvf plot --kind`` that selects it; empty: reports or another kind show it.
        title: A title of a few words.
        wide: Default width of its drawing, in columns of a journal page: 1 or 2.
        limited: Whether ``bvf plot --show`` limits what it shows, such as the number of groups: see `with_ends`.
    """

    kind: ClassVar[str] = ""
    title: ClassVar[str] = ""
    wide: ClassVar[Columns] = 1
    limited: ClassVar[bool] = False

    @abstractmethod
    def caption(self) -> str:
        """Return a caption of whole sentences on one line. It is also the picture's text alternative."""

    @abstractmethod
    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> "Axes":
        """Draw the picture with matplotlib, imported only here.

        Args:
            ax: The axes; None: those of a new figure.
            columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

        Raises:
            BvfError: A font or matplotlib is not installed.
        """

    def with_ends(self, show: int) -> "Picture":
        """Return the picture with ``show`` rows from both ends of their order (0: all). Implement it if `limited`."""
        return self

    def interactive(self) -> Figure | None:
        """Return data and layout for plotly in a browser. None: a report shows the drawing of `draw` instead."""
        return None
