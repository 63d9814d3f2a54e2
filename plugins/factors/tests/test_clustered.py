"""Rates by model, and intervals that are valid for dependent answers of a cluster."""

import numpy as np
import pytest
from bvf_factors.rates.comparing import Rates, compare_models
from helpers.factor_tables import table_of
from scipy.stats import t as student


def answers(seed, clusters=30, each=8, apart=0.2):
    """Outcome, model and cluster of rows. Two models share a propensity per cluster, and one deviates more often."""
    generator = np.random.default_rng(seed)
    propensity = generator.beta(1.0, 1.5, clusters) * (1.0 - apart)
    model, cluster = np.repeat([0, 1], clusters * each), np.tile(np.repeat(np.arange(clusters), each), 2)
    outcome = generator.random(len(model)) < propensity[cluster] + apart * model
    return outcome.astype(float), model, cluster


def test_rates_have_the_interval_of_means_of_clusters_of_one_size():
    outcome, model, cluster = answers(0)
    rates = Rates.of(outcome, model, cluster, are_shares=True)
    of_clusters = outcome.reshape(2, 30, 8).mean(axis=2)
    for index in (0, 1):
        mean, error = of_clusters[index].mean(), of_clusters[index].std(ddof=1) / np.sqrt(30)
        assert rates.interval(index, 0.9) == pytest.approx(student.interval(0.9, 29, mean, error))
    apart = of_clusters[0] - of_clusters[1]
    found = rates.difference(0, 1, 0.95)
    assert found["difference"] == pytest.approx(apart.mean())
    assert (found["low"], found["high"]) == pytest.approx(
        student.interval(0.95, 29, apart.mean(), apart.std(ddof=1) / np.sqrt(30))
    )


def test_intervals_hold_the_truth_as_often_as_they_say():
    held = np.zeros(2)
    for seed in range(400):
        rates = Rates.of(*answers(seed), are_shares=True)
        low, high = rates.interval(0, 0.95)
        apart = rates.difference(1, 0, 0.95)
        held += [low <= 0.32 <= high, apart["low"] <= 0.2 <= apart["high"]]
    assert ((held / 400 > 0.92) & (held / 400 < 0.98)).all()


def test_where_nothing_varies_between_clusters_there_is_no_interval():
    cluster = np.tile(np.arange(5), 2)
    rates = Rates.of(np.repeat([0.0, 1.0], 5), np.repeat([0, 1], 5), cluster, are_shares=True)
    assert rates.interval(0, 0.95) is None
    assert rates.difference(0, 1, 0.95) == {"difference": -1.0, "low": None, "high": None}
    one = Rates.of(np.array([0.0, 1.0]), np.array([0, 0]), np.array([0, 0]), are_shares=True)
    assert one.interval(0, 0.95) is None


def test_an_interval_of_a_share_ends_at_0_and_1_and_that_of_a_mean_does_not():
    outcome, model, cluster = np.array([1.0, 0.0, 0.0]), np.zeros(3, dtype=int), np.arange(3)
    assert Rates.of(outcome, model, cluster, are_shares=True).interval(0, 0.95) == (0.0, 1.0)
    low, high = Rates.of(outcome, model, cluster, are_shares=False).interval(0, 0.95)
    assert low < 0.0
    assert high > 1.0


def test_a_comparison_has_the_intervals_of_its_models_and_of_each_pair():
    outcome, model, cluster = answers(1)
    rows = [
        {"model": "mn"[m], "t": int(t), "g": "ab"[i % 2], "d": bool(y)}
        for i, (y, m, t) in enumerate(zip(outcome, model, cluster, strict=True))
    ]
    table = table_of(rows, outcome="d", cluster="t", factors={"model": {"type": "model"}, "g": {}})
    compared, rates = compare_models(table, level=0.9), Rates.of(outcome, model, cluster, are_shares=True)
    assert compared.intervals["n"] == pytest.approx(rates.interval(1, 0.9))
    (pair,) = compared.pairs
    assert {name: getattr(pair, name) for name in ("difference", "low", "high")} == rates.difference(0, 1, 0.9)
    assert compared.rates["m"] == pytest.approx(outcome[model == 0].mean())
