"""The kinds of pictures of risk, of controls, and of compared models: for ``bvf plot``, and as functions of `bvf.plot`.

`bvf.plot` adds ``ax`` and ``columns`` to the parameters of each method ``of``.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from bvf import BvfError, CaptionedPicture, Comparison, Picture, PictureKind, PlotRequest, ResultBase, compare
from bvf.domain import named_groups
from bvf.drawing import caption_of
from bvf.interfaces import ROWS_SHOWN
from bvf.results import in_short, of_risk
from bvf_report.pictures.compare import Compared, Pairs, Said, Trend, by_label, said
from bvf_report.pictures.controls import AmongWords, Controls, among_words, controls
from bvf_report.pictures.risk.contexts import Distributions, Grid, distributions, grid
from bvf_report.pictures.risk.groups import Curve, Densities, Scatter, curve, densities, scatter
from bvf_report.pictures.risk.leanings import Leanings, leanings
from bvf_report.pictures.risk.models import Scale, doubts_of_controls, leans_of_models, scale

T = TypeVar("T", bound=Compared | Said | Trend | Pairs)


class LeanKind(PictureKind):
    """A row per group: what it adds to neutral subjects, and E_c[p] - p*.

    Several results give a box plot per model (Figure 5).
    """

    picture = Leanings

    def of(
        self, result: ResultBase | Sequence[ResultBase], *, rank: str | None = None, show: int = ROWS_SHOWN
    ) -> Picture:
        return leanings(result, rank, show) if isinstance(result, ResultBase) else leans_of_models(result)

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        results = request.results()
        return request.captioned(self.of(results if len(results) > 1 else results[0], show=request.show), results)


class HeatmapKind(PictureKind):
    """A matrix of groups by contexts: hue is the class leaned to, intensity how far (Figure 11)."""

    picture = Grid

    def of(self, result: ResultBase, *, show: int = ROWS_SHOWN) -> Picture:
        return grid(result, show=show)


class DistributionKind(PictureKind):
    """The distribution over contexts of the class probabilities p(y | x, c), a row per group."""

    picture = Distributions

    def of(self, result: ResultBase, *, groups: Sequence[str] | None = None, show: int = ROWS_SHOWN) -> Picture:
        return distributions(result, groups, show)


class ScatterKind(PictureKind):
    """A point per group: r^v (volatility risk, vertical) against r^b (bias risk, horizontal)."""

    picture = Scatter
    of = staticmethod(scatter)


class CurveKind(PictureKind):
    """The criterion J over the probability of the first of two classes, and r, r^b (bias), r^v of one group."""

    picture = Curve

    def of(self, result: ResultBase, *, group: str = "") -> Picture:
        return curve(result, group)

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        """Return the curve of the group that ``--groups`` names, in the analysis of all groups."""
        result = replace(request, config=request.config.model_copy(update={"groups": ()})).result()
        names = named_groups(request.config.groups, [each.group for each in result.groups], "of the result")
        if len(names) > 1:
            raise BvfError(f"--groups names {len(names)} groups, and a curve shows one", "draw them one by one")
        return request.captioned(curve(result, *names, plugins=request.plugins), [result])


class DensityKind(PictureKind):
    """Densities over groups of r^b (bias risk) and r^v (volatility risk) by model (Figures 10 and 16)."""

    picture = Densities
    of_several = True
    of = staticmethod(densities)


class ScaleKind(PictureKind):
    """A row per model with R (risk), R^b (its bias) and R^v (its volatility), with reference models."""

    picture = Scale
    of_several = True
    of = staticmethod(scale)


class ControlsKind(PictureKind):
    """The figure R, and the total variation of groups from their mean, for a topic and its control topics.

    Each figure is a dot for the whole topic, and a stroke for each group.
    """

    picture = Controls
    of = staticmethod(controls)

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        picture, notes = super().of_runs(request)
        doubts = in_short(doubts_of_controls(of_risk([request.result()])))
        return CaptionedPicture(picture, caption_of(notes, doubts))


class WordsKind(PictureKind):
    """How far groups are apart: a dot for the topic, and a stroke for each set of other words in the same prompts."""

    picture = AmongWords
    of = staticmethod(among_words)


class CompareKind(PictureKind):
    """A row per model: R, R^b (bias), R^v (volatility) in the common contexts, and the possible ranks by R."""

    picture = Compared

    def of(self, compared: Comparison, *, topic: str = "") -> Picture:
        return of_topic([Compared(each, compared.level) for each in compared.topics], topic)

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        return request.captioned_comparison(self.of(_comparison(request, request.by)))


class SaidKind(PictureKind):
    """A point per group: its lean by the texts of a model (vertical) and by probable words (horizontal)."""

    picture = Said

    def of(self, compared: Comparison, *, topic: str = "") -> Picture:
        pictures = said(compared)
        if not pictures:
            raise BvfError(
                "no topic has two runs of which one was read by probabilities and the other by texts",
                "name two folders: of a run, and of the same with --reading generated",
            )
        return of_topic(pictures, topic)

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        return request.captioned_comparison(self.of(_comparison(request)))


class TrendKind(PictureKind):
    """The figures R, R^b and R^v of models against a label of their runs; of two values, pairs of runs."""

    picture = Trend

    def of(self, compared: Comparison, *, by: str = "", topic: str = "") -> Picture:
        return of_topic(by_label(compared, by), topic)

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        return request.captioned_comparison(self.of(_comparison(request, request.by or Comparison.PARAMETERS)))


def _comparison(request: PlotRequest, by: str = "") -> Comparison:
    return compare(request.sources, request.config, plugins=request.plugins, by=by)


def of_topic(pictures: Sequence[T], topic: str) -> T:
    """Return the picture of the named topic, or the only one if no topic is named."""
    names = [picture.topic.topic for picture in pictures]
    if not topic and len(pictures) > 1:
        raise BvfError(f"there are {len(pictures)} topics: {', '.join(names)}", "draw them one by one")
    if topic and topic not in names:
        raise BvfError(f"there is no topic {topic}", f"there are {', '.join(names)}")
    return pictures[names.index(topic) if topic else 0]
