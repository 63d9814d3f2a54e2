"""Finds the coefficients of a logistic regression that are infinite because of (quasi-)complete separation."""

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import linprog
from scipy.sparse import eye_array, hstack

from bvf import BvfError
from bvf.stats import BoolArray, FloatArray

TOLERANCE = 1e-7


def separated_columns(values: FloatArray, successes: FloatArray, trials: FloatArray) -> BoolArray:
    """Return a mask of the coefficients without a finite maximum-likelihood estimate, (K,). It uses a linear program.

    A direction b separates if x'b >= 0 in rows of outcome 1 and x'b <= 0 in rows of outcome 0, not all 0: the
    likelihood only grows along it (Albert and Anderson 1984). The program maximises the sum of t <= |x'b|, 0 <= t <= 1,
    so that t is 1 in every row that some direction separates (Konis 2007, with as many rows as can be). A coefficient
    is finite if the other rows determine it.

    Args:
        values: Distinct rows of the model matrix, shape (D, K), of rank K.
        successes: Number of observations with outcome 1 for each distinct row, shape (D,).
        trials: Number of all observations for each distinct row, shape (D,).

    Raises:
        BvfError: The program cannot be solved.

    >>> values = np.array([[1.0, 1.0], [1.0, 0.0]])
    >>> separated_columns(values, np.array([0.0, 10.0]), np.array([20.0, 80.0])).tolist()
    [False, True]
    """
    mixed = (successes > 0) & (successes < trials)
    free = null_space(values[mixed].T @ values[mixed]) if mixed.any() else np.eye(values.shape[1])
    if not free.shape[1] or mixed.all():
        return np.zeros(values.shape[1], dtype=bool)
    sign = np.where(successes > 0, 1.0, -1.0)[~mixed, np.newaxis]
    signed = sign * (values[~mixed] @ free)
    rows, size = signed.shape
    solution = linprog(
        np.concatenate([np.zeros(size), -np.ones(rows)]),
        A_ub=hstack([-signed, eye_array(rows)], format="csr"),
        b_ub=np.zeros(rows),
        bounds=[(None, None)] * size + [(0.0, 1.0)] * rows,
    )
    if not solution.success:
        raise BvfError(f"whether levels separate the outcomes cannot be found: {solution.message}")
    overlapping = mixed.copy()
    overlapping[~mixed] = solution.x[size:] < 0.5
    rest = values[overlapping]
    undetermined = null_space(rest.T @ rest)
    separated: BoolArray = (np.abs(undetermined) > TOLERANCE).any(axis=1)
    return separated
