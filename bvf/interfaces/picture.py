"""A picture: its values, its caption, and its drawings on paper and in a browser."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Columns = Literal[1, 2]
Figure = dict[str, Any]
"""``data`` and ``layout`` of a figure of plotly."""


class Picture(ABC):
    """A picture. Implement `caption` and `draw`; a subclass is a frozen dataclass, and its fields are its values.

    Attributes:
        kind: The value of ``bvf plot --kind``; empty: a page shows it, or a kind whose runs call for it.
        title: A title of a few words.
        wide: How many columns of a page its drawing takes by default.
    """

    kind: ClassVar[str] = ""
    title: ClassVar[str] = ""
    wide: ClassVar[Columns] = 1

    @abstractmethod
    def caption(self) -> str:
        """Return a description in whole sentences on one line, which is also the text alternative of the picture."""

    @abstractmethod
    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> "Axes":
        """Draw it with matplotlib, which is imported here and not with the module.

        Args:
            ax: The axes; None: those of a new figure.
            columns: Width of a new figure: 1 (3.5 inches) or 2 (7.16 inches).

        Raises:
            BvfError: A font or matplotlib is not installed.
        """

    def interactive(self) -> Figure | None:
        """Return data and layout for plotly in a browser; None: a page shows the drawing."""
        return None
