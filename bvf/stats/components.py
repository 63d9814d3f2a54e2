"""Variance components of predictions: group, context, and their interaction.

A prediction d of group x in context c is the sum of the grand mean, the main effect of the group, the main effect of
the context, and their interaction:

    d_xc = m + (m_x - m) + (m_c - m) + e_xc

The variance of d over groups and contexts is the sum of the variances of the last three. In a sample of contexts the
interaction does not cancel in the mean m_x of a group: groups seem to differ by more than they do, and the interaction
seems to vary by less. Both are corrected by the variance of those means, which is known from the sample. For
occurrences this is the estimate of mean squares (Brennan 2001, Generalizability Theory), with the groups fixed.
"""

from dataclasses import dataclass

import numpy as np

from bvf.arrays import FloatArray
from bvf.stats.samples import ContextSample


@dataclass(frozen=True)
class Components:
    """Variance components of predictions, summed over classes, in squared probability.

    ``group`` is the variance of the means of groups, ``context`` the variance of the effects of contexts on all groups
    alike, and ``interaction`` the variance of the effects of contexts on some groups but not on others.
    """

    group: float
    context: float
    interaction: float

    @property
    def total(self) -> float:
        """The variance of the predictions over groups and contexts: the sum of the three components."""
        return self.group + self.context + self.interaction

    @property
    def shares(self) -> tuple[float, float, float]:
        """The fractions of the total variance due to group, context and interaction; all 0 if nothing varies."""
        total = self.total or 1.0
        return self.group / total, self.context / total, self.interaction / total


def variance_components(
    lean: FloatArray, group_weights: FloatArray, context_weights: FloatArray, sample: ContextSample | None
) -> Components:
    """Split the variance of predictions into group, context and interaction components, all >= 0.

    Args:
        lean: p - p* of every group in every context, none missing, shape (X, C, Y).
        group_weights: P(X), shape (X,), sums to 1.
        context_weights: P(C), shape (C,), sums to 1.
        sample: The contexts as a sample, with these weights; None: the variances are those of these contexts alone.
            If groups differ by less than expected by chance, their component is 0.
    """
    of_group = np.einsum("c,xcy->xy", context_weights, lean)
    of_context = np.einsum("x,xcy->cy", group_weights, lean)
    mean = group_weights @ of_group
    left = lean - of_group[:, np.newaxis] - of_context + mean
    group = float(group_weights @ ((of_group - mean) ** 2).sum(axis=1))
    context = float(context_weights @ ((of_context - mean) ** 2).sum(axis=1))
    interaction = float(group_weights @ (left**2).sum(axis=2) @ context_weights)
    if sample is not None:
        errors = sample.standard_errors(np.moveaxis(left, 2, 1))
        of_means = float(group_weights @ (errors**2).sum(axis=1))
        group, interaction = max(group - of_means, 0.0), interaction + of_means
        context += float((sample.standard_errors((of_context - mean).T) ** 2).sum())
    return Components(group, context, interaction)
