"""The share of subgroups whose rate of deviations is at most a given rate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bvf.arrays import FloatArray
from bvf.factors.disparity import distance_to


@dataclass(frozen=True)
class Steps:
    """A distribution function.

    Args:
        name: What the rates are of.
        rates: Where it rises, ascending, shape (S,).
        heights: What it rises to, shape (S,).
        distance: DM, the mean distance of the rates from the target.
    """

    name: str
    rates: FloatArray
    heights: FloatArray
    distance: float


@dataclass(frozen=True)
class Ecdf:
    """Distribution functions on one axis.

    Args:
        steps: One for each name.
        target: C, the rate that is wanted.
        line: A rate that is marked; None: none is.
    """

    steps: tuple[Steps, ...]
    target: float
    line: float | None


def ecdf(rates: Mapping[str, Sequence[float]], target: float = 0.0, line: float | None = None) -> Ecdf:
    """Return the distribution functions of rates.

    Args:
        rates: Rates of subgroups, by the name of what they are of.
        target: C.
        line: A rate that is marked, such as 0.2.
    """
    return Ecdf(
        tuple(_steps(name, np.sort(np.asarray(of_subgroups, float)), target) for name, of_subgroups in rates.items()),
        target,
        line,
    )


def _steps(name: str, rates: FloatArray, target: float) -> Steps:
    return Steps(name, rates, np.arange(1, len(rates) + 1) / len(rates), distance_to(rates, target))
