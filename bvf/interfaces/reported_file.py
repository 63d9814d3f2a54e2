"""A file of a plugin that ``bvf report`` and ``bvf plot`` take, besides folders of runs."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bvf.interfaces.picture import Picture
from bvf.interfaces.section import Section

ROWS_SHOWN = 24
"""Rows of a table on a page, and levels or groups in a picture, where the user asks for no number."""


class ReportedFile(ABC):
    """What a JSON file of a plugin holds. Implement `__init__`, `sections` and `picture`.

    Attributes:
        what: What such files are about, as the title of a page: "Factors of a benchmark".
        pictures: The classes of its pictures, in the order of a page. ``bvf plot`` takes those that have a ``kind``.
        title: What this one is called, such as the name of a benchmark.
    """

    what: ClassVar[str]
    pictures: ClassVar[Sequence[type[Picture]]] = ()
    title: str

    @abstractmethod
    def __init__(self, values: Mapping[str, Any], name: str) -> None:
        """Read the object in a file.

        Args:
            values: The object in the file.
            name: The name of the file without its ending, for a file that has no title.

        Raises:
            BvfError: A value is missing or wrong.
        """

    @abstractmethod
    def sections(self, show: int = ROWS_SHOWN) -> list[Section]:
        """Return its tables, each with at most ``show`` rows; 0: all."""

    @abstractmethod
    def picture(self, of: type[Picture], *, show: int = ROWS_SHOWN, factors: Sequence[str] = ()) -> Picture:
        """Return one of its pictures.

        Args:
            of: One of `pictures`.
            show: The most levels or groups; 0: all.
            factors: Factors to draw, as ``--factor`` names them; missing ones are the first others of the file.

        Raises:
            BvfError: The file holds nothing that can be drawn so; says what is missing.
        """
