"""The lean of groups to a class: how far its probability is from p*, averaged over contexts."""

import numpy as np

from bvf.arrays import FloatArray
from bvf.stats.figures.probabilities import mean_over_contexts, normalised_context_weights
from bvf.stats.sampling.samples import ContextSample
from bvf.study.predictions import Predictions


def lean_of(read: Predictions, name: str) -> tuple[FloatArray, FloatArray]:
    """Return E_c[s] of the named class, (X,), and the influence of each context on it, (X, C)."""
    return mean_in_contexts(read.stereotypes[..., read.classes.index(name)], read)


def lean_in_probability(read: Predictions, name: str) -> tuple[FloatArray, FloatArray]:
    """Return E_c[p - p*] of the named class, (X,), and the influence of each context on it, (X, C)."""
    return mean_in_contexts(read.lean[..., read.classes.index(name)], read)


def mean_in_contexts(values: FloatArray, read: Predictions) -> tuple[FloatArray, FloatArray]:
    """Return E_c of values, (X, C), where they are known, (X,), and the influence of each context on it, (X, C)."""
    each = values[..., np.newaxis]
    mean = mean_over_contexts(each, normalised_context_weights(read.context_weights, each))[:, 0]
    there = ~np.isnan(values)
    known = there / (there @ read.context_weights)[:, np.newaxis]
    return mean, known * (np.where(there, values, 0.0) - mean[:, np.newaxis])


def ends_in_contexts(value: float, influence: FloatArray, sample: ContextSample, level: float) -> tuple[float, float]:
    """Return the ends of the interval of a mean over contexts, of which each context has an influence, (C,)."""
    error = float(sample.standard_errors(influence))
    below, above = sample.margins(influence, level)
    return value - float(below) * error, value + float(above) * error
