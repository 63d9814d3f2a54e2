"""Leans and risks, computed plainly."""

import numpy as np


def long(result):
    """p by group, context and class, and P(c)."""
    frame = result.stereotypes()
    frame["lean"] = frame["probability"] - frame["probability"] / (1 + frame["stereotype"])
    return frame


def mean_of(rows, column="lean"):
    there = rows[rows[column].notna()]
    return np.average(there[column], weights=there["weight"])


def plain_risks(p, weights):
    """R, R^b and R^v by linf of two classes: J is |s| with s = 2 p - 1. ``p`` is that of a class, shape (X, C)."""
    s, w = 2 * p - 1, weights / weights.sum()
    R, R_bias = (np.abs(s) @ w).mean(), np.abs(s @ w).mean()
    return R, R_bias, R - R_bias
