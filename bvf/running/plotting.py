"""The interface of kinds of pictures, and what ``bvf plot`` was asked to draw."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from bvf.domain.measurement import RECORD
from bvf.drawing.marked import caption_of
from bvf.errors import BvfError
from bvf.files.folder import is_run, lost_record, run_at
from bvf.hooks.loader import Plugins
from bvf.interfaces.picture import Picture
from bvf.interfaces.reported_file import ROWS_SHOWN
from bvf.results.compatible import in_words
from bvf.results.footnotes import in_short, not_of_the_run, not_the_own
from bvf.results.result import ResultBase, names_of
from bvf.running.run import result_in
from bvf.study.config import AnalysisConfig
from bvf.study.found import folders_of_runs


class CaptionedPicture(NamedTuple):
    """A picture, and sentences for its caption: the analysis, if it is not the run's own, and what is doubtful."""

    picture: Picture
    notes: str = ""


@dataclass(frozen=True)
class PlotRequest:
    """Folders of runs, or files of plugins, and the options of ``bvf plot`` that determine the content of a picture.

    Args:
        sources: The folders or files.
        plugins: Where analyses and criteria are looked up.
        config: Choices of the analysis (criterion, p*, ...) that differ from those of the run's own analysis.
        show: Number of groups or levels to show; 0: all.
        by: The label of a trend or of pairs; empty: the number of parameters of models.
        factors: Factors to show in a picture of a file; if fewer are given than needed, the first ones of the file.
    """

    sources: Sequence[Path]
    plugins: Plugins
    config: AnalysisConfig = field(default_factory=AnalysisConfig)
    show: int = ROWS_SHOWN
    by: str = ""
    factors: tuple[str, ...] = ()

    def results(self) -> list[ResultBase]:
        """Return the results of all runs in the folders."""
        folders = [folder for source in self.sources for folder in folders_of_runs(source)]
        return [result_in(folder, self.config, self.plugins) for folder in folders]

    def result(self) -> ResultBase:
        """Return the result of the only run.

        Raises:
            BvfError: There are several runs, or a folder is not that of a run.
        """
        if len(self.sources) > 1:
            raise BvfError(
                f"{len(self.sources)} runs, and this figure shows one",
                "draw them one by one, or with --kind scale or compare",
            )
        (source,) = self.sources
        if not run_at(source).exists(RECORD):
            if is_run(source):
                raise lost_record(source)
            raise BvfError(f"{source}: not the folder of a run", "name a folder that bvf run has written")
        return result_in(source, self.config, self.plugins)

    def captioned(self, picture: Picture, results: Sequence[ResultBase]) -> CaptionedPicture:
        """Return a picture with what its caption says of the results: the analysis, if not their own, and warnings."""
        analysed = not_of_the_run(results) if len(results) > 1 else [not_the_own(results[0])]
        return CaptionedPicture(picture, caption_of(*analysed, in_short(_warnings(results))))

    def captioned_comparison(
        self, picture: Picture, warnings: Mapping[str, Sequence[str]] | None = None
    ) -> CaptionedPicture:
        """Return a picture of a comparison with the choices that its options make for all runs, and with warnings.

        ``warnings`` are by the name of a run; None: those of the results of all runs.
        """
        given = self.config.given()
        analysed = f"All analysed by: {in_words(given)}." if given else ""
        doubts = _warnings(self.results()) if warnings is None else warnings
        return CaptionedPicture(picture, caption_of(analysed, in_short(doubts)))


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

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        """Return the picture for ``bvf plot``: that of the only run, or if `of_several`, of all runs.

        Raises:
            BvfError: The runs have no such picture, or there are too many.
        """
        results = request.results() if self.of_several else [request.result()]
        options = {"show": request.show} if self.picture.limited else {}
        return request.captioned(self.of(results if self.of_several else results[0], **options), results)


def _warnings(results: Sequence[ResultBase]) -> dict[str, Sequence[str]]:
    return {name: result.warnings for name, result in zip(names_of(results), results, strict=True)}
