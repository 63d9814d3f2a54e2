"""`decompose`: split risk for arrays of probabilities from any source."""

from typing import Literal, get_args

from numpy.typing import ArrayLike

from bvf.arrays import FloatArray, floats
from bvf.domain.scale import USUAL, Scale
from bvf.errors import BvfError
from bvf.hooks.loader import load
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.stats.figures.probabilities import checked_probabilities
from bvf.stats.figures.risk import Risk, decompose_risk, mean_prediction


def decompose(
    probabilities: ArrayLike,
    *,
    context_weights: ArrayLike | None = None,
    group_weights: ArrayLike | None = None,
    criterion: str = "linf",
    reference: ArrayLike | Literal["uniform", "mean"] = "uniform",
    scale: Scale = USUAL,
) -> Risk:
    """Split the discrimination risk of an array of probabilities into bias and volatility (Eq. 1 to 7).

    Args:
        probabilities: p(y | x, c), shape (X, C, Y), 0 to 1, summing to 1 over Y; NaN where missing.
        context_weights: P(C), shape (C,), 0 or more; normalised here. Uniform if None.
        group_weights: P(X), shape (X,), 0 or more; normalised here. Uniform if None.
        criterion: J by its name for ``--criterion``, such as ``linf``; a class is named by its index: ``direction:0``.
        reference: p*, shape (Y,), (X, Y) or (X, C, Y), above 0; ``"uniform"``; or ``"mean"``, the mean over groups and
            contexts, which is the same for all groups.
        scale: ``unit``: a fully stereotyped model has R = 1; ``raw``: Eq. 1 and 2 as written.

    Returns:
        R, R^b, R^v, shared and particular risk, and the figures of each group.

    Raises:
        BvfError: A shape or range is wrong, something is not an array of numbers, or a name is unknown.

    Example:
        >>> round(decompose([[[0.5, 0.5], [0.35, 0.65], [0.65, 0.35]]]).R_volatility, 10)
        0.2
    """
    if scale not in get_args(Scale):
        raise BvfError(f"there is no scale {scale!r}", f"write {' or '.join(get_args(Scale))}")
    p = checked_probabilities(probabilities)
    J = _criterion(criterion)
    if isinstance(J, KnowledgeCriterion):
        raise BvfError(f"{criterion} scores knowledge, not risk", "use bvf.decompose_knowledge")
    return decompose_risk(
        p,
        J.for_classes(tuple(str(y) for y in range(p.shape[2]))),
        context_weights=context_weights,
        group_weights=group_weights,
        reference=_p_star(reference, p, context_weights, group_weights),
        scale=scale,
    )


def _criterion(name: object) -> Criterion | KnowledgeCriterion:
    if not isinstance(name, str):
        raise BvfError(f"the criterion is {name!r}, not a name", 'give a name such as "linf"')
    criterion: Criterion | KnowledgeCriterion = load().criteria.make(name)
    return criterion


def _p_star(
    reference: ArrayLike | str, p: FloatArray, context_weights: ArrayLike | None, group_weights: ArrayLike | None
) -> FloatArray | None:
    if not isinstance(reference, str):
        return floats(reference, "reference")
    if reference not in {"uniform", "mean"}:
        raise BvfError(f'there is no reference "{reference}"', 'give "uniform", "mean" or an array')
    return None if reference == "uniform" else mean_prediction(p, context_weights, group_weights)
