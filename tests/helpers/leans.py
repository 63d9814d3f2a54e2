"""Leans of groups, computed plainly from the stereotypes of a result."""

import numpy as np


def long(result):
    """p by group, context and class, and P(c)."""
    frame = result.stereotypes()
    frame["lean"] = frame["probability"] - frame["probability"] / (1 + frame["stereotype"])
    return frame


def mean_of(rows, column="lean"):
    there = rows[rows[column].notna()]
    return np.average(there[column], weights=there["weight"])
