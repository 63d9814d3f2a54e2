"""Variance components of predictions: group, context, and their interaction.

A prediction d of group x in context c is the sum of the grand mean, the main effect of the group, the main effect of
the context, and their interaction:

    d_xc = m + (m_x - m) + (m_c - m) + e_xc

The variance of d over groups and contexts is the sum of the variances of the last three. In a sample of contexts the
interaction does not cancel in the mean m_x of a group: groups seem to differ by more than they do, and the interaction
seems to vary by less. Both are corrected by the variance of those means, which is known from the sample. For
occurrences this is the estimate of mean squares (Brennan 2001, Generalizability Theory), with the groups fixed.

Predictions that are shares of sampled answers also vary by the noise of sampling. Its variance is known without bias
for each prompt, p (1 - p) / (h - 1) for h samples, and so are its parts in all three components, which are taken off.
"""

from dataclasses import dataclass

import numpy as np

from bvf.arrays import FloatArray
from bvf.stats.sampling.samples import NO_VARIANCE, ContextSample


@dataclass(frozen=True)
class Components:
    """Variance components of predictions, summed over classes, in squared probability.

    ``group`` is the variance of the means of groups, ``context`` the variance of the effects of contexts on all groups
    alike, ``interaction`` the variance of the effects of contexts on some groups but not on others, and ``sampling``
    that of the noise of sampled answers.
    """

    group: float
    context: float
    interaction: float
    sampling: float = 0.0

    @property
    def total(self) -> float:
        """The variance of the predictions over groups and contexts: the sum of the components."""
        return self.group + self.context + self.interaction + self.sampling

    @property
    def shares(self) -> tuple[float, float, float, float]:
        """The fractions of the total variance due to each component; all 0 if nothing varies."""
        total = self.total or 1.0
        return self.group / total, self.context / total, self.interaction / total, self.sampling / total


def variance_components(
    lean: FloatArray,
    group_weights: FloatArray,
    context_weights: FloatArray,
    sample: ContextSample | None,
    noise: FloatArray | None = None,
) -> Components:
    """Split the variance of predictions into group, context, interaction and sampling components, all >= 0.

    Args:
        lean: p - p* of every group in every context, none missing, shape (X, C, Y).
        group_weights: P(X), shape (X,), sums to 1.
        context_weights: P(C), shape (C,), sums to 1.
        sample: The contexts as a sample, with these weights; None: the variances are those of these contexts alone.
            If groups differ by less than expected by chance, their component is 0.
        noise: Variance of each prediction due to the sampling of answers, summed over classes, shape (X, C); None:
            predictions were computed.
    """
    of_group = np.einsum("c,xcy->xy", context_weights, lean)
    of_context = np.einsum("x,xcy->cy", group_weights, lean)
    mean = group_weights @ of_group
    left = lean - of_group[:, np.newaxis] - of_context + mean
    group = float(group_weights @ ((of_group - mean) ** 2).sum(axis=1))
    context = float(context_weights @ ((of_context - mean) ** 2).sum(axis=1))
    interaction = float(group_weights @ (left**2).sum(axis=2) @ context_weights)
    noisy = np.zeros(lean.shape[:2]) if noise is None else noise
    of_noise = _components_of_noise(noisy, group_weights, context_weights, sample)
    if sample is not None:
        errors = sample.standard_errors(np.moveaxis(left, 2, 1))
        of_means = float(group_weights @ (errors**2).sum(axis=1))
        group, interaction = group - of_means, interaction + of_means
        context += float((sample.standard_errors((of_context - mean).T) ** 2).sum())
    left_over = np.array([group, context, interaction]) - of_noise
    group, context, interaction = np.where(left_over > NO_VARIANCE, left_over, 0.0).tolist()
    return Components(group, context, interaction, float(of_noise.sum()))


def _components_of_noise(
    noise: FloatArray, group_weights: FloatArray, context_weights: FloatArray, sample: ContextSample | None
) -> FloatArray:
    """What noise of the variance ``noise``, shape (X, C), adds to the three components on average.

    The correction for the means of groups takes off their noise too, but not all of that of repeated contexts.
    """
    in_means = context_weights**2
    if sample is not None:
        in_means = np.maximum(in_means - sample.own_variances, 0.0)
    of_groups, of_contexts = noise @ in_means, group_weights**2 @ noise
    group = float((group_weights * (1.0 - group_weights)) @ of_groups)
    context = float((context_weights - in_means) @ of_contexts)
    total = float(group_weights @ noise @ context_weights - group_weights**2 @ of_groups)
    return np.array([group, context, total - group - context])
