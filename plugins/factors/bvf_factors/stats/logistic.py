"""Logistic regression: Firth's penalty, infinite coefficients, and a joint test of several.

The penalised score of coefficient j is sum_i (y_i - pi_i + h_i (1/2 - pi_i)) x_ij = 0, where h_i are the leverages: it
maximises the log likelihood plus log det(I) / 2, I = X' W X (Firth 1993; Heinze and Schemper 2002).
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve, null_space
from scipy.optimize import linprog
from scipy.sparse import eye_array, hstack
from scipy.special import expit

from bvf import BvfError
from bvf.stats import BoolArray, FloatArray

MOST_STEPS = 200
LONGEST_STEP = 5.0
MOST_HALVINGS = 30
CLOSE = 1e-9
TOLERANCE = 1e-7


@dataclass(frozen=True)
class FirthFit:
    """A fitted penalised logistic regression."""

    coefficients: FloatArray  # log odds, shape (K,)
    # covariance for independent rows, shape (K, K): the inverse of X' W X after adding half a success and half
    # a failure per unit of leverage; the plain likelihood of these counts has the same maximum
    covariance: FloatArray
    leverages: FloatArray  # the sum of h over the trials of each row of ``values``, shape (D,)


def firth_logit(values: FloatArray, successes: FloatArray, trials: FloatArray) -> FirthFit:
    """Fit a logistic regression with Firth's penalty to counts of successes.

    Args:
        values: Rows of the model matrix, distinct or not, shape (D, K), of rank K.
        successes: Number of trials with outcome 1 for each row, shape (D,).
        trials: Number of trials for each row, shape (D,), above 0.

    Raises:
        BvfError: The fit does not converge.

    >>> fit = firth_logit(np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([0.0, 10.0]), np.array([20.0, 80.0]))
    >>> fit.coefficients.round(6).tolist()
    [-1.904237, -1.809335]
    """
    coefficients = np.zeros(values.shape[1])
    at = _state(values, successes, trials, coefficients)
    for _ in range(MOST_STEPS):
        step = at.step
        if np.abs(step).max() < CLOSE:
            return FirthFit(coefficients, inverse_information(values, at.weights), at.leverages)
        step *= min(1.0, LONGEST_STEP / np.abs(step).max())
        for _ in range(MOST_HALVINGS):
            after = _state(values, successes, trials, coefficients + step)
            if after.log_likelihood >= at.log_likelihood - CLOSE:
                break
            step /= 2.0
        coefficients, at = coefficients + step, after
    raise BvfError(f"the penalised regression did not converge in {MOST_STEPS} steps", "take fewer factors or levels")


@dataclass(frozen=True)
class _State:
    log_likelihood: float
    step: FloatArray
    weights: FloatArray
    leverages: FloatArray


def _state(values: FloatArray, successes: FloatArray, trials: FloatArray, coefficients: FloatArray) -> _State:
    """The penalised log likelihood at given coefficients, and the Newton step from there. Leverages are held fixed."""
    predictor = values @ coefficients
    p = expit(predictor)
    weights = trials * p * (1.0 - p)
    try:
        root = cho_factor(information(values, weights), lower=True)
    except np.linalg.LinAlgError:
        return _State(-np.inf, np.zeros_like(coefficients), weights, weights)
    leverages = weights * np.einsum("dk,kd->d", values, cho_solve(root, values.T))
    score = values.T @ (successes - trials * p + leverages * (0.5 - p))
    log_likelihood = float(successes @ predictor - trials @ np.logaddexp(0.0, predictor))
    half_log_det = float(np.log(np.diag(root[0])).sum())
    augmented = (trials + leverages) * p * (1.0 - p)
    step = np.linalg.solve(information(values, augmented), score)
    return _State(log_likelihood + half_log_det, step, augmented, leverages)


def information(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return X' W X, shape (K, K), from rows of the model matrix, (D, K), and their weights, (D,)."""
    return np.asarray(values.T @ (weights[:, np.newaxis] * values), dtype=np.float64)


def inverse_information(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the inverse of `information`, which is the covariance of coefficients of independent rows, (K, K)."""
    return np.asarray(np.linalg.inv(information(values, weights)), dtype=np.float64)


def joint_statistic(coefficients: FloatArray, covariance: FloatArray, clusters: float) -> float:
    """Return Hotelling's F = W (G - q) / (q (G - 1)), on q and G - q df, for the hypothesis that q coefficients are 0.

    W is Wald's statistic, and G > q the number of clusters, Kish's where sizes differ. W / q on q and G - 1 df rejects
    far too often if q is near G, as a q x q covariance is then estimated from hardly more than q clusters. For q = 1
    the F is t squared.
    """
    q = len(coefficients)
    wald = float(coefficients @ np.linalg.solve(covariance, coefficients))
    return wald * (clusters - q) / (q * (clusters - 1.0))


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
    most, bounds = np.concatenate([np.zeros(size), -np.ones(rows)]), [(None, None)] * size + [(0.0, 1.0)] * rows
    above = hstack([-signed, eye_array(rows)], format="csr")
    solution = linprog(most, A_ub=above, b_ub=np.zeros(rows), bounds=bounds)
    if not solution.success:
        raise BvfError(f"whether levels separate the outcomes cannot be found: {solution.message}")
    overlapping = mixed.copy()
    overlapping[~mixed] = solution.x[size:] < 0.5
    rest = values[overlapping]
    undetermined = null_space(rest.T @ rest)
    separated: BoolArray = (np.abs(undetermined) > TOLERANCE).any(axis=1)
    return separated
