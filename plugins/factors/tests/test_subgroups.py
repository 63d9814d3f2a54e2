"""Subgroups, log disparity, their mean distance (DM), and models: worked numbers, plain computations, permutations."""

from itertools import combinations, product

import numpy as np
import pytest
from bvf_factors.rates.comparing import compare_models, ks_distance, ks_p_value
from bvf_factors.rates.spread import distance_to, log_disparity, spread
from bvf_factors.rates.subgroups import subgroups
from helpers.factor_tables import table_of
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp, wasserstein_distance
from scipy.stats import t as student
from scipy.stats.contingency import odds_ratio

from bvf import BvfError


def counted_rows(cells):
    """Rows for cells. Each cell is given as levels mapped to (deviations, prompts)."""
    for levels, (deviations, prompts) in cells.items():
        for number in range(prompts):
            yield {**dict(levels), "d": number < deviations}


def of_cells(cells, **declared):
    names = dict(next(iter(cells)))
    return table_of(list(counted_rows(cells)), outcome="d", factors={name: {} for name in names}, **declared)


WORKED = {(("g", "in"),): (8, 20), (("g", "out"),): (10, 80)}


def test_the_worked_subgroup():
    by_level = {each.name: each for each in subgroups(of_cells(WORKED)).found}
    each = by_level["g=in"]
    figures = [each.rate, each.disparity, each.error, each.low, each.high]
    assert figures == pytest.approx([0.4, 1.540445, 0.567996, 0.4272, 2.6537], abs=5e-5)
    assert each.p_value == pytest.approx(0.00669, abs=5e-6)
    assert by_level["g=out"].disparity == pytest.approx(-each.disparity)


rows_of_three = st.lists(
    st.tuples(st.sampled_from("xyz"), st.sampled_from("pq"), st.sampled_from("uv"), st.booleans()),
    min_size=20,
    max_size=90,
)


@given(rows_of_three, st.integers(1, 3), st.sampled_from(["all", "parent"]))
def test_every_subgroup_is_counted_as_one_by_one(rows, order, against):
    rows = [*rows, ("x", "p", "u", True), ("y", "q", "v", False)]
    dicts = [dict(zip("abcd", row, strict=True)) for row in rows]
    tested = subgroups(table_of(dicts, outcome="d", factors={"a": {}, "b": {}, "c": {}}), order, against=against)
    expected = {
        tuple(zip(names, levels, strict=True))
        for names in combinations("abc", order)
        for levels in {tuple(r[n] for n in names) for r in dicts}
    }
    assert {tuple(zip(each.factors, each.levels, strict=True)) for each in tested.found} == expected
    for each in tested.found:
        level_of = dict(zip(each.factors, each.levels, strict=True))
        same = [row for row in dicts if all(row[name] == level for name, level in level_of.items())]
        shared = dict(list(level_of.items())[: -1 if against == "parent" else 0])
        others = [row for row in dicts if row not in same and all(row[n] == level for n, level in shared.items())]
        assert (each.rows, each.rate) == (len(same), pytest.approx(np.mean([row["d"] for row in same])))
        assert (each.disparity is None) == (not others)
        if others:
            a, b = sum(row["d"] for row in same), sum(row["d"] for row in others)
            table = np.array([a, len(same) - a, b, len(others) - b], dtype=float)
            assert each.corrected == (table == 0).any()
            table += 0.5 * each.corrected
            assert each.disparity == pytest.approx(np.log(table[0] / table[1] / (table[2] / table[3])))
        assert (each.adjusted_p is None) == each.few
        if len(same) < 10 or len(others) < 10:
            assert each.few


def test_false_discoveries_are_adjusted_for_overlap():
    cells = {(("g", level),): (deviations, 100) for level, deviations in zip("abcd", (10, 20, 30, 55), strict=True)}
    tested = subgroups(of_cells(cells)).found
    p = np.sort([each.p_value for each in tested])
    steps = p * 4 / np.arange(1, 5) * sum(1 / k for k in range(1, 5))
    adjusted = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1)
    assert np.sort([each.adjusted_p for each in tested]) == pytest.approx(adjusted)


def test_a_number_as_outcome_gives_differences_of_means():
    rows = [{"g": g, "s": s} for g, s in [*product("a", [1.0, 2.0, 3.0] * 5), *product("b", [2.0, 4.0] * 8)]]
    tested = subgroups(table_of(rows, outcome={"column": "s", "number": True}, factors={"g": {}}))
    a = next(each for each in tested.found if each.levels == ("a",))
    assert a.disparity == pytest.approx(-1.0)
    one, two = (np.array([row["s"] for row in rows if row["g"] == g]) for g in "ab")
    assert a.error == pytest.approx(np.sqrt(one.var(ddof=1) / len(one) + two.var(ddof=1) / len(two)))


def test_nested_rows_are_others_and_no_subgroup():
    rows = [{"cot": "yes", "seed": n % 2, "d": n % 3 == 0} for n in range(40)] + [
        {"cot": "no", "d": n % 2} for n in range(20)
    ]
    table = table_of(rows, outcome="d", factors={"cot": {}, "seed": {"within": {"cot": ["yes"]}}})
    tested = subgroups(table)
    assert {each.name for each in tested.found} == {"cot=no", "cot=yes", "seed=0", "seed=1"}
    of_seed = [row["d"] for row in rows if row.get("seed") == 0]
    others = [row["d"] for row in rows if row.get("seed") != 0]
    odds = [np.sum(d) / (len(d) - np.sum(d)) for d in (of_seed, others)]
    seed = next(each for each in tested.found if each.name == "seed=0")
    assert seed.disparity == pytest.approx(np.log(odds[0] / odds[1]))


def of_three_factors():
    rows = [
        {"g": g, "h": h, "k": k, "d": (n + (g == "a") + (k == "z")) % 4 == 0}
        for g, h, k, n in product("ab", "pq", "xyz", range(11))
    ]
    return table_of(rows, outcome="d", factors={"g": {}, "h": {}, "k": {}})


@pytest.mark.parametrize(
    ("order", "factors", "message"),
    [
        (0, [], r"subgroups of 0 factors: there are 3 \(g, h, k\)\nhint: choose 1 to 3"),
        (2, ["g"], r"subgroups of 2 factors: there is 1 \(g\)\nhint: choose 1$"),
        (2, ["g", "g"], r"there is 1 \(g\)"),
    ],
)
@pytest.mark.parametrize("figure", [subgroups, spread])
def test_orders_that_are_refused(figure, order, factors, message):
    with pytest.raises(BvfError, match=message):
        figure(of_three_factors(), order, factors=factors)


@pytest.mark.parametrize("against", ["all", "parent"])
def test_named_factors_give_their_subgroups_alone(against):
    table = of_three_factors()
    of_two = subgroups(table, 2, factors=["g", "k"], against=against).found
    every = {each.name: each for each in subgroups(table, 2, against=against).found}
    assert {each.name for each in of_two} == {f"g={g}, k={k}" for g in "ab" for k in "xyz"}
    for each in of_two:
        assert each.model_dump(exclude={"adjusted_p"}) == every[each.name].model_dump(exclude={"adjusted_p"})
        assert each.adjusted_p <= every[each.name].adjusted_p
    assert spread(table, 2, factors=["g", "k"]).rates == pytest.approx(sorted(each.rate for each in of_two))


def test_the_order_of_named_factors_says_what_the_parent_is_and_one_named_twice_counts_once():
    table = of_three_factors()
    found = subgroups(table, 2, factors=["k", "g"], against="parent").found
    g, k, d = table.factor("g").codes, table.factor("k").codes, table.outcome
    here, other = (d[(k == 2) & (g == level)] for level in (0, 1))
    odds = [each.sum() / (len(each) - each.sum()) for each in (here, other)]
    each = next(each for each in found if each.name == "k=z, g=a")
    assert each.disparity == pytest.approx(np.log(odds[0] / odds[1]))
    assert subgroups(table, 1, factors=["g", "g"]) == subgroups(table, 1, factors=["g"])


RATES = {(("g", level),): (deviations, 20) for level, deviations in zip("abcd", (2, 4, 12, 18), strict=True)}


def test_the_worked_distance():
    found = spread(of_cells(RATES), 1, line=0.2)
    assert found.distance == pytest.approx(0.45)
    assert found.rates == pytest.approx((0.1, 0.2, 0.6, 0.9))
    assert found.above == (0.5, 0.2)
    assert found.low < 0.45 < found.high
    with_few = spread(of_cells({**RATES, (("g", "e"),): (3, 3)}), 1)
    assert (with_few.subgroups, with_few.few, with_few.distance) == (4, 1, pytest.approx(0.45))
    with pytest.raises(BvfError, match="no subgroup of 1 factor has 50 prompts"):
        spread(of_cells(RATES), 1, fewest=50)
    half = spread(of_cells(RATES), 1, target=0.5)
    assert half.distance == pytest.approx(0.3)
    assert half.distance == pytest.approx(wasserstein_distance([0.1, 0.2, 0.6, 0.9], [0.5]))
    assert any("chance alone" in note for note in half.notes)


def test_the_interval_of_dm_draws_clusters_where_there_are_any():
    rows = [{"g": g, "t": t, "d": t % 2} for g in "ab" for t in range(8) for _ in range(10)]
    apart = spread(table_of(rows, outcome="d", factors={"g": {}}), 1)
    together = spread(table_of(rows, outcome="d", cluster="t", factors={"g": {}}), 1)
    assert (together.clusters, apart.clusters) == (8, 160)
    assert together.high - together.low > 3 * (apart.high - apart.low)
    assert any("8 values of t are fewer than 40" in note for note in together.notes)


def test_samples_without_a_prompt_of_any_subgroup_are_left_out_of_dm():
    """A factor occurs in only one of six clusters. So a third of the cluster samples lack a prompt of it."""

    def of_seed(rows):
        factors = {"cot": {}, "seed": {"within": {"cot": ["yes"]}}}
        return spread(table_of(rows, outcome="d", cluster="t", factors=factors), 1, factors=["seed"])

    rows = [{"cot": "no", "t": t, "d": n % 4 == 0} for t in range(5) for n in range(20)]
    rows += [{"cot": "yes", "t": 5, "seed": n % 2, "d": n % 20 in {0, 2, 3}} for n in range(40)]
    of_one = of_seed(rows)
    assert of_one.rates == pytest.approx((0.1, 0.2))
    assert (of_one.low, of_one.high) == (None, None)
    assert of_one.notes == ("1 value of t is fewer than 40, so there is no interval.",)
    of_two = of_seed([*rows, *({"cot": "yes", "t": 6, "seed": n % 2, "d": n % 20 in {0, 2}} for n in range(40))])
    assert of_two.low < 0.125 < of_two.high


def clustered(seed, rates, clusters=40, each=3):
    """Prompts whose deviations depend on each other in a cluster; the rates of subgroups a, b, ... are given."""
    generator = np.random.default_rng(seed)
    rows = []
    for t in range(clusters):
        apart = generator.choice([-0.12, 0.12])
        for g, rate in zip("abcdef", rates, strict=False):
            rows += [{"t": t, "g": g, "d": bool(d)} for d in generator.random(each) < rate + apart]
    return table_of(rows, outcome="d", cluster="t", factors={"g": {}})


def test_the_interval_of_dm_reaches_from_the_cross_fit_to_the_plug_in_and_further_by_a_bootstrap():
    """By plain loops over rows: sides from the clusters of one half, distances from those of the other."""
    table, generator = clustered(3, (0.3, 0.35, 0.4, 0.45)), np.random.default_rng(1)
    d, g, t = table.outcome, table.factor("g").codes, table.clusters

    def rates_of(chosen):
        times = np.bincount(chosen, minlength=40)[t]
        return np.array([(times * d)[g == each].sum() / times[g == each].sum() for each in range(4)])

    whole, crossed, free, fixed = rates_of(np.arange(40)), [], [], []
    for _ in range(400):
        half = generator.permutation(40)[:20]
        one, other = rates_of(half), rates_of(np.setdiff1d(np.arange(40), half))
        crossed += [np.mean(np.sign(one - 0.37) * (other - 0.37)), np.mean(np.sign(other - 0.37) * (one - 0.37))]
        drawn = rates_of(generator.integers(0, 40, 40)) - 0.37
        free.append(np.abs(drawn).mean())
        fixed.append((np.sign(whole - 0.37) * drawn).mean())
    reach = student.ppf(0.975, 39) * max(np.std(free), np.std(fixed))
    found, plug_in = spread(table, 1, target=0.37, draws=4_000), np.abs(whole - 0.37).mean()
    assert found.distance == pytest.approx(plug_in)
    assert np.mean(crossed) < plug_in - 0.002
    expected = max(np.mean(crossed) - reach, 0.0), plug_in + reach
    assert (found.low, found.high) == pytest.approx(expected, abs=0.006)


def test_an_interval_of_dm_holds_0_where_rates_are_truly_the_target():
    """A percentile bootstrap holds it never: the mean distance of rates that vary is above 0 in every resample."""
    held = [spread(clustered(seed, [0.3] * 6), 1, target=0.3, draws=200).low == 0.0 for seed in range(60)]
    assert np.mean(held) >= 0.93


@given(st.lists(st.floats(0, 1), min_size=2, max_size=12), st.lists(st.floats(0, 1), min_size=2, max_size=12))
def test_ks_is_that_of_scipy(first, second):
    assert ks_distance(np.array(first), np.array(second)) == pytest.approx(
        ks_2samp(first, second, method="asymp").statistic
    )


def test_ks_has_a_p_value_where_scipy_cannot_count_paths():
    """scipy warns and takes the asymptotic p value for 5 rates each that are .2 apart. Warnings are errors here."""
    assert ks_p_value(np.arange(5.0), np.arange(5.0) - 0.1) == pytest.approx(1.0)
    assert ks_p_value(np.arange(4.0), np.arange(4.0) + 9) == pytest.approx(2 / 70)


def two_models(rate_of, clusters=7, each=4, groups="ab"):
    rows = []
    for model, t, g, n in product("mn", range(clusters), groups, range(each)):
        rows.append({"model": model, "t": t, "g": g, "d": n < rate_of(model, t, g)})
    return table_of(rows, outcome="d", cluster="t", factors={"model": {"type": "model"}, "g": {}})


def test_the_interval_of_a_difference_has_degrees_of_freedom_by_kishs_number():
    """m has 10, 2, 2 and 2 prompts in four clusters, 16^2 / 112 = 2.29; n has 2 in each, which are worth 4."""
    rows = [{"model": "m", "t": t, "g": "ab"[n % 2], "d": n < t} for t in range(4) for n in range(2 if t else 10)]
    rows += [{"model": "n", "t": t, "g": "ab"[n % 2], "d": n < t % 2} for t in range(4) for n in range(2)]
    table = table_of(rows, outcome="d", cluster="t", factors={"model": {"type": "model"}, "g": {}})
    found = compare_models(table, order=1, fewest=2)
    assert found.rates == {"m": 5 / 16, "n": 2 / 8}
    off = (np.array([0, 1, 2, 2]) - 5 / 16 * np.array([10, 2, 2, 2])) / 16
    off -= (np.array([0, 1, 0, 1]) - 2 / 8 * 2) / 8
    reach = student.ppf(0.975, 256 / 112 - 1) * np.sqrt(4 / 3 * (off**2).sum())
    (pair,) = found.pairs
    assert (pair.low, pair.high) == pytest.approx((1 / 16 - reach, 1 / 16 + reach))


def test_the_exchange_of_answers_is_that_of_all_exchanges():
    table = two_models(lambda model, t, g: (t + (model == "m") * 2 + (g == "a")) % 5)
    comparison = compare_models(table, order=1, fewest=1)
    model, g, t, d = table.factor("model").codes, table.factor("g").codes, table.clusters, table.outcome

    def ks(of):
        return ks_2samp(*([d[(of == m) & (g == level)].mean() for level in (0, 1)] for m in (0, 1))).statistic

    seen = ks(model)
    every = [ks(np.where(np.array(swap)[t], 1 - model, model)) for swap in product((False, True), repeat=7)]
    assert comparison.pairs[0].ks == pytest.approx(seen)
    assert comparison.pairs[0].p_value == pytest.approx(np.mean([one >= seen - 1e-9 for one in every]))


def test_many_exchanges_are_drawn():
    def rate_of(model, t, g):
        return "abcdef".index(g) + (4 if model == "m" else 0)

    pair = compare_models(two_models(rate_of, clusters=30, each=10, groups="abcdef"), order=1).pairs[0]
    assert pair.ks == pytest.approx(4 / 6)
    assert pair.p_value == pytest.approx(1 / 1001)
    assert pair.ks_p == pytest.approx(ks_2samp(np.arange(4, 10), np.arange(6)).pvalue)


def of_two_models_and_factors(n_factors=2, **declared):
    rows = [
        {"model": m, "t": t, "g": g, "h": h, "d": (t + n + (m == "m") * (g == "a")) % 3 == 0}
        for m, t, g, h, n in product("mn", range(6), "ab", "pqr", range(3))
    ]
    factors = {"model": {"type": "model"}, **{name: {} for name in "gh"[:n_factors]}}
    return table_of(rows, **{"outcome": "d", "cluster": "t", "factors": factors, **declared})


def test_models_are_compared_on_subgroups_of_named_factors_or_of_up_to_two():
    one, two = (compare_models(of_two_models_and_factors(number)) for number in (1, 2))
    assert (one.order, one.factors, one.pairs[0].subgroups) == (1, ("g",), 2)
    assert (two.order, two.factors, two.pairs[0].subgroups) == (2, ("g", "h"), 6)
    table = of_two_models_and_factors()
    comparison = compare_models(table, factors=["h"])
    assert (comparison.order, comparison.factors) == (1, ("h",))
    h, model, d = table.factor("h").codes, table.factor("model").codes, table.outcome
    for index, name in enumerate("mn"):
        rates = sorted(d[(model == index) & (h == level)].mean() for level in range(3))
        assert comparison.spread[name] == pytest.approx(rates)


@pytest.mark.parametrize(
    ("table", "given", "message"),
    [
        ({}, {"order": 3}, r"subgroups of 3 factors: there are 2 \(g, h\)\nhint: choose 1 to 2"),
        ({}, {"factors": ["model", "g"]}, "model is what is compared: subgroups are made of other factors"),
        ({}, {"factors": ["i"]}, 'there is no factor "i"'),
        ({}, {"fewest": 30}, r"no subgroup has 30 prompts of each\nhint: the largest has 18: .*--fewest 18"),
        ({"n_factors": 0}, {}, "model is the only factor"),
        ({"cluster": ""}, {}, "models are compared on the same prompts"),
    ],
)
def test_comparisons_that_are_refused_say_what_is_possible(table, given, message):
    with pytest.raises(BvfError, match=message):
        compare_models(of_two_models_and_factors(**table), **given)


COUNTS = st.integers(1, 60)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_it_is_the_log_odds_ratio_and_turns_with_the_sides(a, b, c, d):
    disparity, turned = log_disparity(a, a + b, c, c + d), log_disparity(c, c + d, a, a + b)
    table = odds_ratio([[a, b], [c, d]], kind="sample")
    assert disparity.value == pytest.approx(np.log(table.statistic))
    low, high = table.confidence_interval(0.9)
    assert disparity.interval(0.9) == (pytest.approx(np.log(low)), pytest.approx(np.log(high)))
    assert turned.value == pytest.approx(-disparity.value)


def test_many_subgroups_at_once_are_each_by_itself():
    together = log_disparity([8, 0], [20, 20], [10, 10], [80, 80])
    assert together.value.tolist() == [log_disparity(k, 20, 10, 80).value for k in (8, 0)]
    assert together.corrected.tolist() == [False, True]
    assert together.value[1] == pytest.approx(-1.809335, abs=1e-6)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0, 1))
def test_the_distance_is_that_of_wasserstein(rates, target):
    assert distance_to(rates, target) == pytest.approx(wasserstein_distance(rates, [target]), abs=1e-12)


@pytest.mark.parametrize("counts", [(5, 4, 1, 2), (-1, 4, 1, 2), (0, 0, 1, 2), (1, 2, 0, 0)])
def test_counts_that_cannot_be_are_one_line(counts):
    with pytest.raises(BvfError, match="deviations are below 0 or more than the prompts"):
        log_disparity(*counts)
    with pytest.raises(BvfError, match="there is no subgroup"):
        distance_to([])
