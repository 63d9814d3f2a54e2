"""The risk of the answers that are analysed: its figures, and what contexts add to them."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from bvf.arrays import FloatArray
from bvf.errors import BvfError
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import Criterion
from bvf.stats.risk import Risk, decompose_risk, mean_prediction, total_risk
from bvf.stats.risk_intervals import SampledRisk, sampled_risk
from bvf.stats.samples import ContextSample
from bvf.study.basis import Basis

T = TypeVar("T")


def criterion_of_risk(choices: Choices) -> Criterion:
    """Return J.

    Raises:
        BvfError: It is a criterion of knowledge.
    """
    if not isinstance(choices.criterion, Criterion):
        raise BvfError(
            f"risk is by a criterion of risk, and {choices.criterion_name} is one of knowledge",
            "choose another with --criterion, such as linf",
        )
    return choices.criterion


def reference_of(basis: Basis) -> FloatArray:
    """Return p*, shape (X, 1, Y) or (X, C, Y): what was chosen, or the mean over groups.

    Raises:
        BvfError: The mean has a class of probability 0.
    """
    if basis.reference is not None:
        return basis.reference
    mean = mean_prediction(basis.probabilities, basis.context_weights, basis.group_weights)
    if not mean.all():
        raise BvfError(
            f"--reference mean: no group gives the class {basis.classes[int(mean.argmin())]} any probability",
            "p* is above 0 for every class: choose another reference",
        )
    return np.tile(mean, (len(basis.groups), 1, 1))


def risk_of(basis: Basis, choices: Choices) -> Risk:
    """Return R, R^b and R^v, and the same of each group.

    Raises:
        BvfError: As `criterion_of_risk` and `reference_of`.
    """
    return _applied(decompose_risk, basis, choices)


def total_risk_of(basis: Basis, choices: Choices) -> tuple[float, float, float]:
    """Return R, R^b and R^v alone.

    Raises:
        BvfError: As `risk_of`.
    """
    return _applied(total_risk, basis, choices)


def _applied(decompose: Callable[..., T], basis: Basis, choices: Choices) -> T:
    return decompose(
        basis.probabilities,
        criterion_of_risk(choices),
        context_weights=basis.context_weights,
        group_weights=basis.group_weights,
        reference=reference_of(basis),
        scale=choices.scale,
    )


def sampled_risk_of(basis: Basis, choices: Choices, sample: ContextSample) -> SampledRisk:
    """Return what each context adds to the risk; p* is taken as known.

    Args:
        basis: What is analysed.
        choices: J and the scale.
        sample: What the contexts are a sample of.

    Raises:
        BvfError: As `risk_of`; or J is neither convex nor concave.
    """
    return sampled_risk(
        basis.probabilities,
        criterion_of_risk(choices),
        sample,
        group_weights=basis.group_weights,
        reference=reference_of(basis),
        scale=choices.scale,
    )
