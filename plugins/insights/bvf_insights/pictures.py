"""The kinds of pictures of explanations, context sets, ways of asking and regressions.

They are for ``bvf plot``, and functions of `bvf.plot`, which adds ``ax`` and ``columns`` to the parameters of ``of``.
"""

from bvf import BvfError, CaptionedPicture, Picture, PictureKind, PlotRequest
from bvf_insights.asking.analysis import compare_asking
from bvf_insights.asking.pictures import Asking
from bvf_insights.contexts.analysis import compare_contexts
from bvf_insights.contexts.pictures import OverContexts
from bvf_insights.explain.analysis import explain_risk
from bvf_insights.explain.pictures import FrameEffects, Variance, frame_effects, variance
from bvf_insights.regress.analysis import regress
from bvf_insights.regress.config import RegressConfig
from bvf_insights.regress.pictures import RegressionLine
from bvf_insights.regress.result import Regressions


class OfExplanation(PictureKind):
    """A picture of what ``bvf explain`` finds of one run."""

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        result = request.result()
        return request.captioned(self.of(explain_risk(result, show=1, plugins=request.plugins)), [result])


class VarianceKind(OfExplanation):
    """Variance components of the predictions p(y | x, c), placebo shares, and split-half reliabilities.

    A placebo share is the fraction of variance or volatility that is due to harmless swaps of words.
    """

    picture = Variance
    of = staticmethod(variance)


class FramesKind(OfExplanation):
    """How R, R^b (bias) and R^v (volatility) differ between levels of frames, such as two years."""

    picture = FrameEffects
    of = staticmethod(frame_effects)


class ContextsKind(PictureKind):
    """The risk R of models over context sets, and the distance of each set from the first (Table 4)."""

    picture = OverContexts
    of = staticmethod(OverContexts)

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        compared = compare_contexts(request.sources, request.config, plugins=request.plugins)
        return request.captioned_comparison(self.of(compared))


class AskingKind(PictureKind):
    """Correlations over groups of ways of asking: runs, benchmarks and statistics, each with each."""

    picture = Asking
    of = staticmethod(Asking)
    of_files = True

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        compared = compare_asking(request.sources, request.config, plugins=request.plugins)
        return request.captioned_comparison(self.of(compared), {"": compared.warnings})


class RegressionKind(PictureKind):
    """A figure of groups, such as r, on a social factor, and the regression line (Figures 9 and 12 to 15)."""

    picture = RegressionLine

    def __init__(self, config: RegressConfig) -> None:
        self._config = config

    def of(self, regressions: Regressions, *, number: int = 0) -> Picture:
        if not 0 <= number < len(regressions.regressions):
            raise BvfError(f"there is no regression {number}", f"there are {len(regressions.regressions)}, from 0")
        return RegressionLine(regressions, regressions.regressions[number])

    def of_runs(self, request: PlotRequest) -> CaptionedPicture:
        result = request.result()
        regressions = regress([result], self._config, plugins=request.plugins)
        if len(regressions.regressions) > 1:
            raise BvfError(
                f"{len(regressions.regressions)} regressions, and this figure shows one",
                "give one --against and one --of",
            )
        return request.captioned(self.of(regressions), [result])
