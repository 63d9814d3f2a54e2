"""`decompose` for arrays from anywhere, under the names that the command line uses."""

from typing import Literal

from numpy.typing import ArrayLike

from bvf.arrays import FloatArray
from bvf.criterion import KnowledgeCriterion
from bvf.errors import BvfError
from bvf.plugins import load
from bvf.probabilities import checked_probabilities
from bvf.risk import Risk, Scale, decompose_risk, mean_prediction


def decompose(
    probabilities: ArrayLike,
    *,
    context_weights: ArrayLike | None = None,
    group_weights: ArrayLike | None = None,
    criterion: str = "linf",
    reference: ArrayLike | Literal["uniform", "mean"] = "uniform",
    scale: Scale = "unit",
) -> Risk:
    """Split the discrimination risk of any probabilities into bias and volatility (Eq. 1 to 7).

    Args:
        probabilities: p(y | x, c), shape (X, C, Y), 0 to 1, summing to 1 over Y; NaN where missing.
        context_weights: P(C), shape (C,), 0 or more; normalised here. Uniform if None.
        group_weights: P(X), shape (X,), 0 or more; normalised here. Uniform if None.
        criterion: As ``--criterion``; classes are called by their index here: ``direction:0``.
        reference: p*, shape (Y,), (X, Y) or (X, C, Y), above 0; ``"uniform"``; or ``"mean"``, the mean over groups and
            contexts, which is the same for all groups.
        scale: ``unit``: 1 is a fully stereotyped model; ``raw``: Eq. 1 and 2 as written.

    Returns:
        R, R^b, R^v, what groups share and what sets them apart, and the same for each group.

    Raises:
        BvfError: A shape or range is wrong, or the criterion is unknown.

    Example:
        >>> round(decompose([[[0.5, 0.5], [0.35, 0.65], [0.65, 0.35]]]).R_volatility, 10)
        0.2
    """
    p = checked_probabilities(probabilities)
    made = load().criteria.make(criterion)
    if isinstance(made, KnowledgeCriterion):
        raise BvfError(f"{criterion} scores knowledge, not risk", "use bvf.decompose_knowledge")
    return decompose_risk(
        p,
        made.for_classes(tuple(str(y) for y in range(p.shape[2]))),
        context_weights=context_weights,
        group_weights=group_weights,
        reference=_p_star(reference, p, context_weights, group_weights),
        scale=scale,
    )


def _p_star(
    reference: ArrayLike | str, p: FloatArray, context_weights: ArrayLike | None, group_weights: ArrayLike | None
) -> ArrayLike | None:
    if not isinstance(reference, str):
        return reference
    if reference not in {"uniform", "mean"}:
        raise BvfError(f'there is no reference "{reference}"', 'give "uniform", "mean" or an array')
    return None if reference == "uniform" else mean_prediction(p, context_weights, group_weights)
