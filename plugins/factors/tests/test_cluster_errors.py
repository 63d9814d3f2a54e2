"""Rates by model and by subgroup, and errors and intervals that are valid for dependent answers of a cluster."""

import numpy as np
import pytest
from bvf_factors.rates.comparing import Rates, compare_models
from bvf_factors.rates.spread import spread
from bvf_factors.rates.subgroups import cells_of, cluster_errors, subgroups
from bvf_factors.regressing.importance import importance
from helpers.factor_tables import table_of
from scipy.stats import t as student


def made():
    """Rows of clusters that deviate more or less often, with factors g and h."""
    generator = np.random.default_rng(0)
    rows = []
    for t in range(24):
        often = generator.beta(2.0, 2.0)
        for _ in range(int(generator.integers(4, 12))):
            g, h = generator.choice(list("abc")), generator.choice(list("pq"))
            rows.append({"t": t, "g": g, "h": h, "d": bool(generator.random() < often)})
    return table_of(rows, outcome="d", cluster="t", factors={"g": {}, "h": {}})


def kish(clusters):
    """(sum n)^2 / sum n^2, of the rows of each cluster, one by one."""
    sizes = [int((clusters == t).sum()) for t in set(clusters.tolist())]
    return sum(sizes) ** 2 / sum(n**2 for n in sizes)


def by_sums(table, inside, outside):
    """Errors of the difference and the log odds of two sets of rows, from sums of influences by cluster."""
    d, t = table.outcome, table.clusters
    p, q = d[inside].mean(), d[outside].mean()
    both = np.where(inside, (d - p) / inside.sum(), 0.0) - np.where(outside, (d - q) / outside.sum(), 0.0)
    odds = np.where(inside, (d - p) / (inside.sum() * p * (1 - p)), 0.0)
    odds = odds - np.where(outside, (d - q) / (outside.sum() * q * (1 - q)), 0.0)
    used = len(np.unique(t[inside | outside]))
    freedom = min(kish(t[inside]), kish(t[outside])) - 1
    rows = (inside | outside).sum()
    correction = used / (used - 1) * (rows - 1) / (rows - 2)
    return *(np.sqrt(correction * (np.bincount(t, each) ** 2).sum()) for each in (both, odds)), freedom


@pytest.mark.parametrize("against", ["all", "parent"])
def test_errors_are_those_of_influences_summed_over_clusters(against):
    table = made()
    g, h = (table.factor(name) for name in "gh")
    cells = cells_of((g, h), table.outcome, against)
    of_difference, of_log_odds, freedom = cluster_errors(table, table.outcome, cells)
    for place, (of_g, of_h) in enumerate(cells.levels):
        inside = (g.codes == of_g) & (h.codes == of_h)
        outside = ~inside if against == "all" else (g.codes == of_g) & ~inside
        expected = by_sums(table, inside, outside)
        assert (of_difference[place], of_log_odds[place], freedom[place]) == pytest.approx(expected)


def test_intervals_hold_the_truth_where_clusters_decide_a_level():
    """A template decides g and the rate of deviation. For independent prompts, intervals would be half as wide."""
    held = np.zeros(2)
    for seed in range(200):
        generator = np.random.default_rng(seed)
        rows = [
            {"t": t, "g": "ab"[t % 2], "d": bool(d)}
            for t in range(40)
            for d in generator.random(10) < generator.beta(1.0, 1.0)
        ]
        by_cluster, independent = (
            subgroups(table_of(rows, outcome="d", factors={"g": {}}, **cluster)).found[0]
            for cluster in ({"cluster": "t"}, {})
        )
        for place, each in enumerate((by_cluster, independent)):
            held[place] += each.difference_low <= 0.0 <= each.difference_high
        assert (by_cluster.low <= 0.0 <= by_cluster.high) == (by_cluster.p_value >= 0.05)
    assert 0.91 < held[0] / 200 < 0.99
    assert held[1] / 200 < 0.8


def test_a_subgroup_in_one_cluster_is_not_tested_whatever_its_counts():
    """100 answers to one template show nothing about other templates, also if none deviates."""
    for deviating in (0, 1, 30):
        rows = [{"t": 0, "g": "a", "d": n < deviating} for n in range(100)]
        rows += [{"t": t, "g": "b", "d": n == t % 5} for t in range(1, 40) for n in range(5)]
        found = subgroups(table_of(rows, outcome="d", cluster="t", factors={"g": {}})).found
        for each in found:
            assert (each.error, each.p_value, each.adjusted_p, each.low, each.difference_low) == (None,) * 5
            assert each.disparity is not None


def test_one_cluster_or_a_count_of_0_tells_no_error():
    rows = [{"t": t, "g": "ab"[t > 0], "d": t % 2 == 0 and n == 0} for t in range(4) for n in range(4)]
    rows += [{"t": 5, "g": "c", "d": False}, {"t": 6, "g": "c", "d": False}]
    table = table_of(rows, outcome="d", cluster="t", factors={"g": {}})
    cells = cells_of(table.factors, table.outcome)
    of_difference, of_log_odds, freedom = cluster_errors(table, table.outcome, cells)
    assert np.isnan(of_log_odds[[0, 2]]).all()
    assert np.isnan(of_difference[0])
    assert freedom.tolist() == [0.0, 1.0, 1.0], "of b the others are 4, 1 and 1 rows: 6^2 / 18 clusters"


def test_a_cluster_that_has_most_rows_of_a_level_tells_no_error_and_half_of_them_few_degrees_of_freedom():
    """Of 6 clusters with g, one has 40 of 50 rows: 50^2 / (40^2 + 5 x 2^2) = 1.54 clusters. With 10 of 20, 3.33."""
    for most, worth, is_tested in ((40, 50**2 / 1620, False), (10, 20**2 / 120, True)):
        rows = [{"t": t, "g": "a", "d": (n + t) % 3 == 0} for t in range(6) for n in range(2 if t else most)]
        rows += [{"t": t, "g": "b", "d": (n * t) % 4 == 0} for t in range(6, 36) for n in range(3)]
        table = table_of(rows, outcome="d", cluster="t", factors={"g": {}})
        _, _, freedom = cluster_errors(table, table.outcome, cells_of(table.factors, table.outcome))
        assert freedom == pytest.approx([worth - 1] * 2)
        of_a, _ = sorted(subgroups(table).found, key=lambda each: each.levels)
        (effect,) = importance(table).effects
        assert effect.freedom == pytest.approx(worth - 1)
        assert [each.p_value is not None for each in (of_a, effect)] == [is_tested] * 2
        if is_tested:
            assert of_a.p_value == pytest.approx(2 * student.sf(abs(of_a.disparity / of_a.error), worth - 1))
        else:
            assert effect.undefined == "all or most of its rows, or of its reference's, are of one t"


def test_clusters_are_few_by_kishs_number():
    """99 clusters of one row and one of 20: 119^2 / (99 + 400) = 28.4."""
    rows = [{"t": t, "g": "ab"[t % 2], "d": (t + n) % 3 == 0} for t in range(100) for n in range(1 if t else 20)]
    table = table_of(rows, outcome="d", cluster="t", factors={"g": {}})
    few = "100 values of t, of unequal sizes, count as 28.4, fewer than 40"
    assert table.effective == pytest.approx(119**2 / 499)
    assert importance(table).rough == f"{few}: p values and intervals are rough"
    assert f"{few}, so intervals are rough." in spread(table, 1).notes


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


def test_intervals_of_rates_hold_the_truth_as_often_as_they_say():
    held = np.zeros(2)
    for seed in range(400):
        rates = Rates.of(*answers(seed), are_shares=True)
        low, high = rates.interval(0, 0.95)
        apart = rates.difference(1, 0, 0.95)
        held += [low <= 0.32 <= high, apart["low"] <= 0.2 <= apart["high"]]
    assert ((held / 400 > 0.92) & (held / 400 < 0.98)).all()


def rates_of(outcome, model, cluster, are_shares=True):
    return Rates.of(np.array(outcome, dtype=float), np.array(model), np.array(cluster), are_shares=are_shares)


def test_an_interval_of_a_share_ends_at_0_and_1_and_there_is_none_where_clusters_do_not_vary():
    rates = rates_of([0] * 5 + [1] * 5, [0] * 5 + [1] * 5, [*range(5)] * 2)
    assert rates.interval(0, 0.95) is None
    assert rates.difference(0, 1, 0.95) == {"difference": -1.0, "low": None, "high": None}
    assert rates_of([0, 1], [0, 0], [0, 0]).interval(0, 0.95) is None, "of one cluster"
    assert rates_of([0, 1, 1] * 4, [0] * 12, [0] * 9 + [1, 2, 3]).interval(0, 0.95) is None, "most are of one cluster"
    assert rates_of([1, 0, 0], [0] * 3, range(3)).interval(0, 0.95) == (0.0, 1.0)
    low, high = rates_of([1, 0, 0], [0] * 3, range(3), are_shares=False).interval(0, 0.95)
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
