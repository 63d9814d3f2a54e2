"""The interface of a picture: values, caption, and drawings for paper and browser."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bvf.running.plotting import PlotRequest

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


class CaptionedPicture(NamedTuple):
    """A picture, and sentences for its caption: the analysis, if it is not the run's own, and what is doubtful."""

    picture: Picture
    notes: str = ""


class PictureKind(ABC):
    """A kind of picture: a value of ``bvf plot --kind``, and a function of `bvf.plot`. Implement `of`.

    Attributes:
        picture: The class of its pictures. Its ``kind`` is the name under which a plugin offers the kind.
        of_several: Whether `of` gets the results of several runs. Otherwise it gets the result of one.
        of_files: Whether it is also drawn from files of plugins, beside folders of runs.
    """

    picture: ClassVar[type[Picture]]
    of_several: ClassVar[bool] = False
    of_files: ClassVar[bool] = False

    @abstractmethod
    def of(self, *args: Any, **options: Any) -> Picture:
        """Return the picture of what a function of `bvf` returned, such as a result.

        The function of `bvf.plot` has the parameters of this method, and says what it draws by the docstring of the
        class. The first parameter is what is drawn; the others are options by keyword: ``show`` if the pictures are
        `Picture.limited`.

        Raises:
            BvfError: There is no such picture of it; the message says why.
        """

    def of_runs(self, request: "PlotRequest") -> CaptionedPicture:
        """Return the picture for ``bvf plot``: that of the only run, or if `of_several`, of all runs.

        Raises:
            BvfError: The runs have no such picture, or there are too many.
        """
        results = request.results() if self.of_several else [request.result()]
        options = {"show": request.show} if self.picture.limited else {}
        return request.captioned(self.of(results if self.of_several else results[0], **options), results)
