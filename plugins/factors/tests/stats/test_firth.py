"""Firth's penalised regression: published numbers, another program's, and its score; separation by a linear program."""

import numpy as np
import pytest
from bvf_factors.rates.spread import log_disparity
from bvf_factors.stats.logistic import firth_logit, separated_columns
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

ONE_DUMMY = np.array([[1.0, 1.0], [1.0, 0.0]])
COUNTS = st.integers(0, 30).flatmap(lambda trials: st.tuples(st.integers(0, trials + 1), st.just(trials + 1)))


def penalised(coefficients, values, successes, trials):
    """The log likelihood plus half the log determinant of the information, by its definition."""
    eta = values @ coefficients
    p = 1 / (1 + np.exp(-eta))
    information = values.T @ np.diag(trials * p * (1 - p)) @ values
    likelihood = successes @ eta - trials @ np.logaddexp(0, eta)
    return likelihood + np.linalg.slogdet(information)[1] / 2


def errors_of(fit):
    return np.sqrt(np.diag(fit.covariance))


def test_three_columns_of_which_one_separates():
    """Expected values by PyPI firthmodels 0.8.2, FirthLogisticRegression(gtol=1e-9, max_iter=500)."""
    rng = np.random.default_rng(3)
    x = np.column_stack([rng.integers(0, 2, 200), rng.integers(0, 2, 200), rng.normal(size=200)]).astype(float)
    y = (rng.random(200) < 1 / (1 + np.exp(1 - x @ [1, -0.5, 0.3]))).astype(float)
    y[x[:, 1] == 1] = 0.0
    values = np.column_stack([np.ones(200), x])
    fit = firth_logit(values, y, np.ones(200))
    assert fit.coefficients == pytest.approx([-0.7127274, 0.75219375, -4.98115374, 0.23555955], abs=1e-7)
    assert errors_of(fit) == pytest.approx([0.29995784, 0.40508513, 1.41110015, 0.19186189], abs=1e-7)
    assert penalised(fit.coefficients, values, y, np.ones(200)) == pytest.approx(-63.55765038213142, abs=1e-9)
    assert separated_columns(values, y, np.ones(200)).tolist() == [False, False, True, False]


@given(COUNTS, COUNTS)
def test_of_one_dummy_it_is_the_log_odds_ratio_with_half_a_count_more(inside, outside):
    successes, trials = np.array([inside, outside], dtype=float).T
    fit = firth_logit(ONE_DUMMY, successes, trials)
    table = np.array([successes, trials - successes]) + 0.5
    assert fit.coefficients[1] == pytest.approx(np.diff(np.log(table[0] / table[1]))[0] * -1, abs=1e-7)
    assert errors_of(fit)[1] == pytest.approx(np.sqrt((1 / table).sum()), abs=1e-7)
    corrected = log_disparity(*inside, *outside)
    if corrected.corrected:
        found = fit.coefficients[1], errors_of(fit)[1]
        assert found == pytest.approx((corrected.value, corrected.error), abs=1e-7)


def designs(rows, most, rate):
    """Drawn columns of two dummies, successes and trials, of as many rows with fewer than ``most`` trials each."""

    def drawn(seed):
        rng = np.random.default_rng(seed)
        values = np.column_stack([np.ones(rows), rng.integers(0, 2, (rows, 2))]).astype(float)
        trials = rng.integers(1, most, rows)
        return values, rng.binomial(trials, rate).astype(float), trials.astype(float)

    return st.integers(0, 10_000).map(drawn).filter(lambda design: np.linalg.matrix_rank(design[0]) == 3)


@given(designs(8, 6, 0.3))
def test_it_maximises_what_it_says_and_counts_are_rows(design):
    values, successes, trials = design
    fit = firth_logit(values, successes, trials)
    best = minimize(lambda b: -penalised(b, values, successes, trials), np.zeros(3), method="BFGS")
    assert penalised(fit.coefficients, values, successes, trials) >= -best.fun - 1e-8
    assert fit.coefficients == pytest.approx(best.x, abs=1e-3)
    rows = np.repeat(np.arange(8), trials.astype(int))
    answers = np.concatenate(
        [np.arange(n) < k for k, n in zip(successes.astype(int), trials.astype(int), strict=True)]
    ).astype(float)
    by_rows = firth_logit(values[rows], answers, np.ones(len(rows)))
    assert by_rows.coefficients == pytest.approx(fit.coefficients, abs=1e-7)
    assert by_rows.covariance == pytest.approx(fit.covariance, abs=1e-7)


def test_two_factors_may_separate_only_together():
    """Nothing deviates where either of two factors has its second level but not both: no level alone separates."""
    values = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], dtype=float)
    trials = np.full(4, 10.0)
    assert separated_columns(values, np.array([10.0, 10.0, 4.0, 0.0]), trials).tolist() == [True, True, True]
    assert separated_columns(values, np.array([4.0, 4.0, 0.0, 0.0]), trials).tolist() == [False, False, True]
    assert not separated_columns(values, np.array([5.0, 0.0, 0.0, 5.0]), trials).any()


@given(designs(6, 4, 0.4))
def test_coefficients_that_run_away_are_separated(design):
    """Against the maximum-likelihood fit with a faint ridge: a hundredth of it moves infinite coefficients."""
    values, successes, trials = design

    def ridge(strength):
        eta = np.zeros(3)
        for _ in range(300):
            p = 1 / (1 + np.exp(-values @ eta))
            information = values.T @ ((trials * p * (1 - p))[:, None] * values) + strength * np.eye(3)
            step = np.linalg.solve(information, values.T @ (successes - trials * p) - strength * eta)
            eta += step / max(1.0, np.abs(step).max())
        return eta

    moved, separated = np.abs(ridge(1e-7) - ridge(1e-5)) > 0.5, separated_columns(values, successes, trials)
    assert moved.any() == separated.any()
    assert separated[moved].all()
