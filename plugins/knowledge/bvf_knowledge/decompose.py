"""`bvf.decompose_knowledge`: split mastery for arrays of probabilities from any source."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from bvf import BvfError, KnowledgeCriterion, load
from bvf.stats import FloatArray, checked_probabilities, mean_over_contexts, normalised_weights, without_rounding
from bvf_knowledge.stats.knowledge import true_probabilities


@dataclass(frozen=True)
class Knowledge:
    """Scores J of the probabilities of the true answers, over all subjects and per subject.

    Args:
        mastery: E_x[J(E_c[p])].
        expected_score: E_x[E_c[J(p)]].
        confidence_gap: mastery - expected_score, >= 0 for a concave J.
        x_mastery: J(E_c[p]), shape (X,).
        x_expected_score: E_c[J(p)], shape (X,).
        x_confidence_gap: x_mastery - x_expected_score, shape (X,).
        group_weights: P(X), shape (X,), sums to 1.
    """

    mastery: float
    expected_score: float
    confidence_gap: float
    x_mastery: FloatArray
    x_expected_score: FloatArray
    x_confidence_gap: FloatArray
    group_weights: FloatArray


def decompose_knowledge(
    probabilities: ArrayLike,
    truth: ArrayLike,
    criterion: str | KnowledgeCriterion,
    *,
    context_weights: ArrayLike | None = None,
    group_weights: ArrayLike | None = None,
) -> Knowledge:
    """Split mastery into the expected score and the confidence gap (Appendix E.1).

    Args:
        probabilities: p(y | x, c), shape (X, C, Y), 0 to 1, summing to 1 over Y; NaN where missing.
        truth: Index of the true attribute of each group, shape (X,), 0 to Y - 1; where several are true, booleans that
            say which, shape (X, Y). The probability of several is their sum.
        criterion: The score J by its name for ``--criterion``, such as ``knowledge:sqrt``; or your own concave J.
        context_weights: P(C), shape (C,), 0 or more; normalised here. Uniform if None.
        group_weights: P(X), shape (X,), 0 or more; normalised here. Uniform if None.

    Returns:
        Mastery, the expected score and the confidence gap, in all and for each group.

    Raises:
        BvfError: A shape or range is wrong, something is not an array of numbers, or the criterion is unknown.

    Example:
        >>> round(decompose_knowledge([[[1.0, 0.0], [0.0, 1.0]]], [0], "knowledge:sqrt").confidence_gap, 4)
        0.2071
    """
    if not isinstance(criterion, str | KnowledgeCriterion):
        raise BvfError(f"the criterion is {criterion!r}, not a name", 'give a name such as "knowledge:sqrt"')
    J = load().criteria.make(criterion) if isinstance(criterion, str) else criterion
    if not isinstance(J, KnowledgeCriterion):
        raise BvfError(f"{criterion} scores risk, not knowledge", "use bvf.decompose")
    p = checked_probabilities(probabilities)
    true_p = true_probabilities(p, truth)
    weights, p_x = normalised_weights(p, context_weights, group_weights)
    mastery = J(mean_over_contexts(true_p, weights))
    expected = mean_over_contexts(J(true_p), weights)
    gap = without_rounding(mastery - expected, mastery)
    return Knowledge(float(p_x @ mastery), float(p_x @ expected), float(p_x @ gap), mastery, expected, gap, p_x)
