"""R, R^b and R^v computed plainly."""

import numpy as np


def plain_risks(p, weights):
    """By linf of two classes: J is |s| with s = 2 p - 1. ``p`` is that of a class, shape (X, C)."""
    s, w = 2 * p - 1, weights / weights.sum()
    R, R_bias = (np.abs(s) @ w).mean(), np.abs(s @ w).mean()
    return R, R_bias, R - R_bias
