"""The interface of JSON files of plugins that ``bvf report`` and ``bvf plot`` can read."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from bvf.interfaces.picture import Picture
from bvf.interfaces.section import Section

ROWS_SHOWN = 24
"""Rows of a table on a page, and levels or groups in a picture, where the user asks for no number."""


@dataclass(frozen=True)
class ReportedFigure:
    """A figure in a file, or its difference from that of a baseline, for which ``bvf gate`` takes limits.

    Args:
        name: The name by which a limit names it, such as ``accuracy`` or ``accuracy[Age]``.
        model: Name of the model whose figure it is.
        value: The figure.
        low: Lower end of its interval; None: it has none.
        high: Upper end of its interval.
        level: Confidence level of the interval.
        unit: What is drawn for the interval, such as ``template``.
        lowest: The lowest value that is possible; None: not known.
        highest: The highest value that is possible.
        rough: Why the interval decides nothing, such as that there are few units; empty: it decides.
        ideal: The value of an ideal model; None: no value is ideal.
        of_part: It is of a part of what the file is about, such as one category.
    """

    name: str
    model: str
    value: float
    low: float | None
    high: float | None
    level: float
    unit: str
    lowest: float | None = None
    highest: float | None = None
    rough: str = ""
    ideal: float | None = None
    of_part: bool = False


@dataclass(frozen=True)
class ReportedGroup:
    """How a model treats one group, item by item, which ``bvf compare --by asking`` sets beside runs.

    Args:
        model: Name of the model.
        group: Who the items are about, such as ``nurse``.
        to: Names of the class that values tie the group to, such as ``women`` and ``female``.
        values: By how much, in each item: more of the class is larger.
    """

    model: str
    group: str
    to: tuple[str, ...]
    values: tuple[float, ...]


class ReportedFile(ABC):
    """The content of a JSON file of a plugin. Implement `__init__`, `sections` and `picture`.

    `figures` and `differences` are for ``bvf gate``; `group_figures` is for ``bvf compare --by asking``.

    Attributes:
        what: What such files are about, as the title of a page: "Factors of a benchmark".
        pictures: The classes of its pictures, in their order on a page. ``bvf plot`` takes those that have a ``kind``.
        title: The title of this file, such as the name of a benchmark.
        asked: The digest of what was asked: figures of files with one title are compared where it is the same.
    """

    what: ClassVar[str]
    pictures: ClassVar[Sequence[type[Picture]]] = ()
    title: str
    asked: str = ""

    @abstractmethod
    def __init__(self, values: Mapping[str, Any], name: str) -> None:
        """Take the values of a parsed JSON file.

        Args:
            values: The JSON object in the file.
            name: The name of the file without its ending, for use as the title if the object has none.

        Raises:
            BvfError: A value is missing or wrong.
        """

    @abstractmethod
    def sections(self, show: int = ROWS_SHOWN) -> list[Section]:
        """Return the tables of the file, each with at most ``show`` rows (0: all)."""

    @abstractmethod
    def picture(self, of: type[Picture], *, show: int = ROWS_SHOWN, factors: Sequence[str] = ()) -> Picture:
        """Return a picture of the content of the file, of the class ``of``.

        Args:
            of: The class of the picture, one of `pictures`.
            show: Largest number of levels or groups to draw; 0: all.
            factors: Factors to draw, as named by ``--factor``; if too few, the first others of the file follow.

        Raises:
            BvfError: The file does not have the values for this picture; the message says what is missing.
        """

    def figures(self) -> Sequence[ReportedFigure]:
        """Return the figures for which ``bvf gate`` takes limits; none by default."""
        return ()

    def differences(self, file: Path, baseline: Self, file_of_baseline: Path, plugins: Any) -> Sequence[ReportedFigure]:
        """Return by how much figures are above those of a baseline, for ``bvf gate --baseline``; none by default.

        A difference has the name and the model of its figure. Its interval is of paired differences, from the questions
        that both were asked. ``bvf gate`` has compared `title` and `asked` before.

        Args:
            file: This file. Folders that it names may lie beside it.
            baseline: The content of the other file, which is of the same class.
            file_of_baseline: The other file.
            plugins: What is installed, as `bvf.load` returns it.

        Raises:
            BvfError: What is compared cannot be found, or has several models in the baseline.
        """
        return ()

    def group_figures(self) -> Sequence[ReportedGroup]:
        """Return how models treat each group; none by default."""
        return ()
