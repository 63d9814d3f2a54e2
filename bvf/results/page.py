"""The interface of sections that plugins add to the page of ``bvf report``."""

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, ClassVar, Literal

from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.results.compatible import comparable_choices, grouped, headings
from bvf.results.restore import predictions_of, words_chosen
from bvf.results.result import ResultBase
from bvf.results.unknown import refuse_missing
from bvf.study.config import AnalysisConfig
from bvf.study.predictions import Predictions


class Place(IntEnum):
    """Where sections stand on a page, from its top.

    Those of single results stand together in the middle of the page, those of one result after another.
    """

    SUMMARY = 1
    """Below the verdicts: what all results show together. Of a single result: its first sections."""
    CHECKS = 2
    """Below the limits of the figures: reasons to trust or to doubt them."""
    CAUSES = 3
    """Below the first sections of a result: what makes its figures what they are."""
    DETAILS = 4
    """Below the causes: words and other parts of the questions."""
    ACROSS_TEXTS = 5
    """Below all results: one model in several sets of texts."""
    ACROSS_MODELS = 6
    """Below these: several models in one set of texts."""
    BACKGROUND = 7
    """Below the comparisons: how figures relate to what is known from elsewhere."""


@dataclass(frozen=True)
class Part:
    """A section of a page: an anchor, a heading and blocks. With level 3 it is a subsection.

    A block is a paragraph (``str``), a table (`bvf.Section`), or a `bvf.Picture`. A folded one shows its heading until
    the reader opens it, and is not printed.
    """

    id: str
    title: str
    blocks: tuple[Any, ...]
    level: Literal[2, 3] = 2
    folded: bool = False


@dataclass(frozen=True)
class PageResult:
    """A result, the name of its model on the page, and the measurement that it was computed from.

    The measurement is read for results that a room shows itself (`PageParts.results`), so that pictures have
    p(y | x, c). ``unread`` says why it cannot be read, if so.
    """

    result: ResultBase
    name: str
    measurement: Measurement | None = None
    unread: str = ""

    @cached_property
    def predictions(self) -> Predictions:
        """The p(y | x, c) of the result.

        Raises:
            BvfError: They cannot be read, or the result cannot be restored from its measurement.
        """
        return predictions_of(self.result, self.measurement)

    @property
    def method(self) -> dict[str, Any]:
        """The choices of analysis (criterion, p*, ...) in which compared results agree; the topic is not one."""
        counted = {} if self.measurement is None else words_chosen(self.result, self.measurement.record.asked)
        return {**comparable_choices(self.result), "words": counted}


@dataclass(frozen=True)
class PageResults:
    """The results that a page shows, the plugins, and the label over which models are compared (empty: none)."""

    all: tuple[PageResult, ...]
    plugins: Plugins
    by: str = ""

    def of(self, kind: type[ResultBase]) -> list[PageResult]:
        """Return the results of a class that were read from folders."""
        return [each for each in self.all if isinstance(each.result, kind) and each.result.folder]


class PageParts(ABC):
    """Sections that a room adds to the page of ``bvf report``, for some results or for all together.

    Attributes:
        place: Where they stand on the page. Sections at one place stand in the order of the names of their providers.
        results: The class of the results that the room shows itself by `of_result`. None: the page shows the pictures
            and the tables of their analysis.
    """

    place: ClassVar[Place]
    results: ClassVar[type[ResultBase] | None] = None

    def of_page(self, page: PageResults, above: Sequence[Part]) -> Sequence[Part]:
        """Return sections on all results together. ``above`` are those that other rooms placed below the results.

        Raises:
            BvfError: The user wants a section, by an option, that fits none of the results.
        """
        return ()

    def of_result(self, result: PageResult, number: int, page: PageResults) -> Sequence[Part]:
        """Return sections on one result of any kind. ``number`` makes their anchors unique on the page."""
        return ()


def alike(results: Sequence[PageResult]) -> list[tuple[str, list[PageResult]]]:
    """Return results in groups of one method of analysis, each after a heading that tells it from the others.

    Where texts have several readers, probabilities are compared with texts: the reader may differ.
    """
    several = len({each.result.reader for each in results if each.result.reader}) > 1

    def key(each: PageResult) -> dict[str, Any]:
        return {name: value for name, value in each.method.items() if several or name != "reader"}

    groups = grouped(results, key)
    return list(zip(headings(groups, key), groups, strict=True))


def comparable(results: Sequence[PageResult], plugins: Plugins) -> tuple[list[Measurement], AnalysisConfig]:
    """Return the measurements of results that have one method of analysis, and also that method as a configuration.

    Raises:
        BvfError: A measurement cannot be read, or the plugin of a criterion is not installed.
    """
    measurements = list[Measurement]()
    for each in results:
        refuse_missing(each.result, plugins)
        if each.measurement is None:
            raise BvfError(each.unread)
        measurements.append(each.measurement)
    read = ((each.result, of) for each, of in zip(results, measurements, strict=True) if each.result.reader)
    reader = next((result.reader_again(of.record.asked) for result, of in read), "")
    chosen = results[0].result.method_fields(measurements[0].record.asked)
    return measurements, AnalysisConfig(**{**chosen, "reader": reader}).as_stored(results[0].result)


def refuse_if_none(found: Sequence[tuple[Any, ...] | BvfError], nothing: str) -> None:
    """Raise `BvfError` if an option fits none of the runs on a page: the first reason, or ``nothing`` if none is known.

    Args:
        found: For each set of runs what the option adds to the page, or why it adds nothing.
        nothing: The message if there is no set of runs.
    """
    reasons = [each for each in found if isinstance(each, BvfError)]
    if len(reasons) == len(found):
        raise (*reasons, BvfError(nothing, "leave it out"))[0]
