"""How surprised somebody is who expects p* and sees p."""

import numpy as np

from bvf import Criterion


class Surprise(Criterion):
    """J(s) = sum over y of p log(p / p*) for uniform p*: with p = (s + 1) / |Y|, the mean of (s + 1) log(s + 1)."""

    curvature = "convex"
    needs_uniform_reference = True

    def risk(self, s, /):
        ratio = s + 1.0
        return (ratio * np.log(np.where(ratio > 0, ratio, 1.0))).mean(axis=-1)
