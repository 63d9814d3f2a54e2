"""Logistic regression with Firth's penalty. It is finite even under separation, and less biased in small samples.

The penalised score of coefficient j is sum_i (y_i - pi_i + h_i (1/2 - pi_i)) x_ij = 0, where h_i are the leverages: it
maximises the log likelihood plus log det(I) / 2, I = X' W X (Firth 1993; Heinze and Schemper 2002).
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit

from bvf import BvfError
from bvf.stats import FloatArray

MOST_STEPS = 200
LONGEST_STEP = 5.0
MOST_HALVINGS = 30
CLOSE = 1e-9


@dataclass(frozen=True)
class FirthFit:
    """A fitted penalised logistic regression.

    Args:
        coefficients: Log odds, shape (K,).
        covariance: Covariance for independent rows, shape (K, K): the inverse of X' W X after adding half a success and
            half a failure per unit of leverage; the plain likelihood of these counts has the same maximum.
        leverages: The sum of h over the trials of each row of ``values``, shape (D,).
        log_likelihood: The penalised log likelihood.
    """

    coefficients: FloatArray
    covariance: FloatArray
    leverages: FloatArray
    log_likelihood: float

    @property
    def errors(self) -> FloatArray:
        """Wald standard errors, shape (K,)."""
        return np.sqrt(np.diag(self.covariance))


def firth_logit(values: FloatArray, successes: FloatArray, trials: FloatArray) -> FirthFit:
    """Fit a logistic regression with Firth's penalty to counts of successes.

    Args:
        values: Rows of the model matrix, distinct or not, shape (D, K), of rank K.
        successes: Number of trials with outcome 1 for each row, shape (D,).
        trials: Number of trials for each row, shape (D,), above 0.

    Raises:
        BvfError: The columns are linearly dependent, or the fit does not converge.

    >>> fit = firth_logit(np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([0.0, 10.0]), np.array([20.0, 80.0]))
    >>> fit.coefficients.round(6).tolist()
    [-1.904237, -1.809335]
    """
    if np.linalg.matrix_rank(values) < values.shape[1]:
        raise BvfError(f"a penalised regression needs columns of rank {values.shape[1]}", "leave dependent ones out")
    coefficients = np.zeros(values.shape[1])
    at = _state(values, successes, trials, coefficients)
    for _ in range(MOST_STEPS):
        step = at.step
        if np.abs(step).max() < CLOSE:
            information: FloatArray = values.T @ (at.weights[:, np.newaxis] * values)
            return FirthFit(
                coefficients, np.asarray(np.linalg.inv(information), dtype=np.float64), at.leverages, at.log_likelihood
            )
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
    information = values.T @ (weights[:, np.newaxis] * values)
    try:
        root = cho_factor(information, lower=True)
    except np.linalg.LinAlgError:
        return _State(-np.inf, np.zeros_like(coefficients), weights, weights)
    leverages = weights * np.einsum("dk,kd->d", values, cho_solve(root, values.T))
    score = values.T @ (successes - trials * p + leverages * (0.5 - p))
    log_likelihood = float(successes @ predictor - trials @ np.logaddexp(0.0, predictor))
    half_log_det = float(np.log(np.diag(root[0])).sum())
    augmented = (trials + leverages) * p * (1.0 - p)
    step = np.linalg.solve(values.T @ (augmented[:, np.newaxis] * values), score)
    return _State(log_likelihood + half_log_det, step, augmented, leverages)
