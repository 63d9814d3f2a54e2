"""P values adjusted for multiple testing. A hypothesis is rejected if its adjusted p is below alpha.

Holm controls the familywise error rate under any dependence; Benjamini and Hochberg control the false discovery rate
under positive dependence, Benjamini and Yekutieli under any dependence.
"""

import numpy as np

from bvf.arrays import FloatArray


def holm(p_values: FloatArray) -> FloatArray:
    """Return p values adjusted to control the familywise error rate (Holm 1979), shape (T,).

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values)
    steps = np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1))
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def benjamini_hochberg(p_values: FloatArray) -> FloatArray:
    """Return p values adjusted to control the false discovery rate (Benjamini and Hochberg 1995), shape (T,).

    Only valid for tests that are independent or positively dependent; otherwise use `benjamini_yekutieli`.

    >>> benjamini_hochberg(np.array([0.001, 0.01, 0.03, 0.04])).round(6).tolist()
    [0.004, 0.02, 0.04, 0.04]
    """
    from scipy.stats import false_discovery_control

    adjusted: FloatArray = false_discovery_control(p_values, method="bh")
    return adjusted


def benjamini_yekutieli(p_values: FloatArray) -> FloatArray:
    """Return p values adjusted to control the false discovery rate under any dependence (2001), shape (T,).

    >>> benjamini_yekutieli(np.array([0.001, 0.01, 0.03, 0.04])).round(6).tolist()
    [0.008333, 0.041667, 0.083333, 0.083333]
    """
    from scipy.stats import false_discovery_control

    adjusted: FloatArray = false_discovery_control(p_values, method="by")
    return adjusted
