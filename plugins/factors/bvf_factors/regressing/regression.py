"""Regressions on distinct rows of factors (logistic, linear, Firth's), with cluster-robust errors.

Coefficients depend on the counts and sums of distinct rows alone, and clustered errors on their sums in each cluster:
a million rows cost as little as their patterns.
"""

import warnings
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

import numpy as np
from scipy.sparse import coo_array
from scipy.special import expit

from bvf import BvfError
from bvf.stats import BoolArray, FloatArray, IntArray
from bvf_factors.regressing.model_matrix import combined
from bvf_factors.stats.logistic import firth_logit, information, inverse_information, separated_columns

LOGISTIC, FIRTH, LINEAR = "logistic regression", "Firth's penalised logistic regression", "linear regression"
CERTAIN = 15.0
"""A linear predictor beyond it is a fitted probability below 1e-6: levels may separate."""
MOST_STEPS = 100
NO_VARIANCE = 1e-9
"""A squared error below this share of that of independent rows is rounding."""


@dataclass(frozen=True)
class Fit:
    """A fitted regression."""

    method: str
    coefficients: FloatArray  # estimates, the intercept first, shape (K,)
    # cluster-robust covariance of the coefficients, shape (K, K): B M B G/(G - 1) (P - 1)/(P - K), corrected for few
    # clusters; B is the inverse of the information, and M the meat
    covariance: FloatArray
    separated: BoolArray  # coefficients whose maximum-likelihood estimate is infinite, shape (K,)
    varies: BoolArray  # whether clusters differ in a coefficient, shape (K,): else its error would be 0


@dataclass(frozen=True)
class Grouped:
    """The outcome of a table summed over its distinct rows."""

    values: FloatArray  # distinct rows of the model matrix, shape (D, K)
    pattern: IntArray  # index of the distinct row that each row has, shape (P,)
    outcome: FloatArray  # outcome of each row, shape (P,)
    clusters: IntArray  # index of the cluster of each row, shape (P,)

    @cached_property
    def number(self) -> int:
        """G, the number of clusters."""
        return int(self.clusters.max()) + 1

    @cached_property
    def trials(self) -> FloatArray:
        """The number of table rows that each distinct row stands for, shape (D,)."""
        return self._sums()

    @cached_property
    def totals(self) -> FloatArray:
        """The sum of the outcomes of each distinct row, shape (D,)."""
        return self._sums(self.outcome)

    def meat(self, means: FloatArray, pull: FloatArray | None = None) -> FloatArray:
        """Return the sum over clusters of s s'. s is the sum of x (y - mean + pull) over the rows of a cluster.

        ``means`` are fitted and ``pull`` is what a penalty adds to each residual; of distinct rows, shape (D,).
        """
        expected = means if pull is None else means - pull
        if self.number == len(self.pattern):
            squares = self._sums(self.outcome**2) - 2.0 * expected * self.totals + self.trials * expected**2
            return information(self.values, squares)
        cells, cell = np.unique(
            combined([self.clusters, self.pattern], [self.number, len(self.values)]), return_inverse=True
        )
        cluster, pattern = np.divmod(cells, len(self.values))
        residuals = np.bincount(cell, self.outcome) - np.bincount(cell) * expected[pattern]
        scores = coo_array((residuals, (cluster, pattern)), shape=(self.number, len(self.values))).tocsr() @ self.values
        return np.asarray(scores.T @ scores)

    def _sums(self, weights: FloatArray | None = None) -> FloatArray:
        return np.bincount(self.pattern, weights, len(self.values)).astype(np.float64)


def linear_fit(data: Grouped) -> Fit:
    """Return the least-squares regression of a numeric outcome."""
    fitted = _statsmodels().WLS(data.totals / data.trials, data.values, weights=data.trials).fit().params
    bread = inverse_information(data.values, data.trials)
    return _checked(data, LINEAR, fitted, bread, data.meat(data.values @ fitted), np.zeros(len(fitted), dtype=bool))


def logistic_fit(data: Grouped, firth: bool | None = None) -> Fit:
    """Return the logistic regression of an outcome of 0 and 1.

    Where levels separate the outcomes, errors of separated coefficients are those of Firth's penalty for independent
    rows, times the largest design effect of the others, if above 1: there is no sandwich estimate, as nothing varies.
    ``firth``: whether to take the penalty; None: where levels separate.
    """
    coefficients, converged = _maximum_likelihood(data)
    doubtful = not converged or np.abs(data.values @ coefficients).max() > CERTAIN
    separated = np.zeros(len(coefficients), dtype=bool)
    if doubtful or firth:
        separated = separated_columns(data.values, data.totals, data.trials)
    if firth or (firth is None and separated.any()):
        return _penalised(data, separated)
    if separated.any() or not converged:
        why = "levels separate the outcomes" if separated.any() else f"no convergence in {MOST_STEPS} steps"
        raise BvfError(f"the {LOGISTIC} has no finite solution: {why}", "use Firth's penalty")
    means = expit(data.values @ coefficients)
    bread = inverse_information(data.values, data.trials * means * (1.0 - means))
    return _checked(data, LOGISTIC, coefficients, bread, data.meat(means), separated)


def _penalised(data: Grouped, separated: BoolArray) -> Fit:
    penalised = firth_logit(data.values, data.totals, data.trials)
    means = expit(data.values @ penalised.coefficients)
    meat = data.meat(means, penalised.leverages / data.trials * (0.5 - means))
    fit = _checked(data, FIRTH, penalised.coefficients, penalised.covariance, meat, separated)
    if not separated.any():
        return fit
    effects = (np.diag(fit.covariance) / np.diag(penalised.covariance))[~separated]
    independent = penalised.covariance * max(1.0, float(effects.max(initial=1.0)))
    either = separated[:, np.newaxis] | separated
    covariance = np.where(either, independent, fit.covariance)
    return Fit(FIRTH, fit.coefficients, covariance, separated, fit.varies | separated)


def _maximum_likelihood(data: Grouped) -> tuple[FloatArray, bool]:
    """The maximum-likelihood coefficients (statsmodels), and also whether the fit converged."""
    counts = np.stack([data.totals, data.trials - data.totals], axis=1)
    api = _statsmodels()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `logistic_fit` looks for separation itself
        with np.errstate(all="ignore"):
            by_statsmodels = api.GLM(counts, data.values, family=api.families.Binomial()).fit(maxiter=MOST_STEPS)
    coefficients = np.asarray(by_statsmodels.params, dtype=np.float64)
    return coefficients, bool(by_statsmodels.converged) and bool(np.isfinite(coefficients).all())


def _checked(
    data: Grouped, method: str, coefficients: FloatArray, bread: FloatArray, meat: FloatArray, separated: BoolArray
) -> Fit:
    rows = len(data.pattern)
    if rows <= len(coefficients):
        raise BvfError(f"{rows:,} rows cannot carry {len(coefficients)} coefficients", "take fewer factors")
    if data.number == 1:
        raise BvfError("all rows are in one cluster, which does not show how much others would differ")
    correction = data.number / (data.number - 1.0) * (rows - 1.0) / (rows - len(bread))
    covariance = correction * bread @ meat @ bread
    if not (np.isfinite(coefficients).all() and np.isfinite(covariance).all()):
        raise BvfError(f"the {method} has no finite solution", "take fewer factors or levels")
    scale = float(data.outcome.var()) if method == LINEAR else 1.0
    varies = np.diag(covariance) > NO_VARIANCE * scale * np.diag(bread)
    return Fit(method, coefficients, covariance, separated, varies)


def _statsmodels() -> ModuleType:
    try:
        import statsmodels.api
    except ImportError as error:
        raise BvfError(
            "the importance of factors needs statsmodels, which is not installed", "pip install 'bvf[factors]'"
        ) from error
    module: ModuleType = statsmodels.api
    return module
