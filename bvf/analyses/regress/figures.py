"""The figures of groups that are regressed, and the influence of each context on them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bvf.analyses.risk.result import Result
from bvf.arrays import FloatArray
from bvf.errors import BvfError, nearest
from bvf.hooks.loader import Plugins
from bvf.results.again import measurement_of, predictions_of, study_of
from bvf.stats.samples import ContextSample
from bvf.study.leans import ends_in_contexts, lean_of
from bvf.study.study import Study

RISKS = ("r", "r_bias", "r_volatility")
LEAN = "lean"


@dataclass(frozen=True)
class Figures:
    """The values of one figure for all groups, and their errors due to the sample of contexts."""

    name: str
    values: FloatArray  # (X,)
    influence: FloatArray | None  # of an occurrence of each context, (X, C); None: contexts are not a sample
    sample: ContextSample | None  # None: contexts are not a sample
    undefined: str  # why contexts are not a sample; empty: they are one
    is_mean: bool  # over contexts, and so neither too high nor too low on average

    def context_error(self, groups: FloatArray, pull: FloatArray) -> float | None:
        """Return the standard error, due to contexts, of the linear combination ``pull @ values[groups]``.

        None if contexts are not a random sample.

        The errors of groups are correlated, as all groups have the same contexts; this is taken into account.
        """
        if self.influence is None or self.sample is None:
            return None
        return float(self.sample.standard_errors(pull @ self.influence[groups]))

    def reach_of_contexts(self, groups: FloatArray, pull: FloatArray, level: float) -> tuple[float, float] | None:
        """Return how far an interval of ``pull @ values[groups]`` for these groups reaches below and above it.

        Its error is that of contexts alone: Student's t of what each context adds to the slope, the sum over groups of
        pull times influence. None if contexts are not a random sample, or if the figure is not a mean over contexts, so
        that its values are too high or too low (r^b, r^v, and r of sampled answers).
        """
        if self.influence is None or self.sample is None or not self.is_mean:
            return None
        low, high = ends_in_contexts(0.0, pull @ self.influence[groups], self.sample, level)
        return -low, high


def named_figures(of: Sequence[str], result: Result, share_of: str) -> tuple[str, ...]:
    """Return the full names of the figures of groups in ``--of``, such as ``lean:male`` for ``lean``.

    The default is r, or the lean if the factor is a class's percentage.
    """
    chosen = of or (LEAN if share_of else "r",)
    return tuple(dict.fromkeys(_named(figure, tuple(result.groups[0].mean_probabilities)) for figure in chosen))


def figures_of(result: Result, names: Sequence[str], plugins: Plugins) -> dict[str, Figures]:
    """Return the named figures with their values for all groups, by name."""
    measurement = measurement_of(result)
    read = predictions_of(result, measurement)
    influences = _influences(study_of(result, plugins, measurement)) if set(names) & set(RISKS) else {}
    figures = dict[str, Figures]()
    for name in dict.fromkeys(names):
        if name in RISKS:
            values, influence = np.array([getattr(group, name) for group in result.groups]), influences.get(name)
        else:
            values, influence = lean_of(read, name.partition(":")[2])
        is_mean = name == RISKS[0] and not result.samples if name in RISKS else True
        figures[name] = Figures(name, values, influence, read.sample, result.uncertainty.undefined, is_mean)
    return figures


def _named(figure: str, classes: tuple[str, ...]) -> str:
    if figure in RISKS:
        return figure
    kind, colon, name = figure.partition(":")
    if kind != LEAN:
        raise BvfError(f"--of {figure}: there is no such figure of groups", nearest(figure, [*RISKS, LEAN]))
    if not colon and len(classes) > 2:
        raise BvfError(f"--of {LEAN}: there are {len(classes)} classes", f"say which: --of {LEAN}:{classes[0]}")
    if colon and name not in classes:
        raise BvfError(f"--of {figure}: there is no such class", nearest(name, list(classes)))
    return f"{LEAN}:{name or classes[0]}"


def _influences(study: Study) -> dict[str, FloatArray]:
    """The influence of contexts on r, r^b and r^v of groups, (X, C) each, by field.

    Empty if contexts are not a random sample.
    """
    if study.sample is None:
        return {}
    risk = study.sampled_risk(study.sample).risk
    on_total, on_mean, on_rest = risk.influences
    sign = -1.0 if risk.J.concave else 1.0  # a concave J is represented by -J
    return dict(zip(RISKS, (sign * on_total, sign * on_mean, on_rest), strict=True))
