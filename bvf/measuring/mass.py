"""The candidate mass: how much of what a model would say is measured, over prompts and by format."""

from collections.abc import Sequence

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.measurement import AskedTemplate, CandidateMass
from bvf.domain.variants.formats import FORMAT
from bvf.stats.figures.quantiles import weighted_quantile


def candidate_mass(mass: FloatArray, weights: FloatArray, contexts: Sequence[AskedTemplate]) -> CandidateMass:
    """Return the distribution of the candidate mass over prompts, and its mean in each format.

    Args:
        mass: The candidate mass of each prompt, shape (P,); of texts: the share that was read.
        weights: How much each prompt counts, shape (P,), sums to 1.
        contexts: The context of each prompt, length P.
    """
    formats = np.array([context.columns.get(FORMAT, "") for context in contexts])
    named = [name for name in dict.fromkeys(formats.tolist()) if name and weights[formats == name].any()]
    return CandidateMass(
        prompts=len(mass),
        mean=float(weights @ mass),
        quantile_05=weighted_quantile(mass, weights, 0.05),
        quantile_25=weighted_quantile(mass, weights, 0.25),
        by_format={name: float(np.average(mass[formats == name], weights=weights[formats == name])) for name in named},
    )
