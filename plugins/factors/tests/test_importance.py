"""Effects of levels: comparisons with statsmodels on single rows and with log disparity, and refusals."""

import json
import sys

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from bvf_factors.rates.spread import log_disparity
from bvf_factors.regressing.importance import Importance, importance
from bvf_factors.regressing.model_matrix import model_matrix
from bvf_factors.tables import importance_sections
from helpers.factor_tables import table_of_columns as table_of
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import f as fisher
from scipy.stats import t as student

from bvf import BvfError
from bvf.stats.comparing.adjusting import holm


def simulated(seed, rows=600, clusters=30, number=False):
    """Simulated rows of three factors, one constant within clusters. Levels have effects, and clusters vary."""
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, clusters, rows)
    frame = pd.DataFrame(
        {
            "one": rng.choice(["a", "b", "c"], rows),
            "two": rng.choice(["x", "y"], rows, p=[0.3, 0.7]),
            "three": np.array(["p", "q"])[cluster % 2],
            "cluster": cluster,
        }
    )
    eta = -0.5 + 0.8 * (frame["one"] == "b") - 0.4 * (frame["two"] == "y") + rng.normal(0, 0.7, clusters)[cluster]
    outcome = eta + rng.normal(size=rows) if number else (rng.random(rows) < 1 / (1 + np.exp(-eta))).astype(int)
    return frame.assign(deviates=outcome)


def kish(clusters):
    sizes = clusters.value_counts()
    return sizes.sum() ** 2 / (sizes**2).sum()


FORMULA = "deviates ~ C(one, Treatment('a')) + C(two, Treatment('x')) + C(three, Treatment('p'))"
SIMULATED = {"one": "a", "two": "x", "three": "p"}


def by_columns(analysis):
    return np.array([(effect.coefficient, effect.error) for effect in analysis.effects]).T


@pytest.mark.parametrize("number", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_coefficients_and_clustered_errors_are_those_of_statsmodels_on_every_row(seed, number):
    frame, regression = simulated(seed, number=number), smf.ols if number else smf.logit
    table = table_of(frame, SIMULATED, cluster="cluster", number=number)
    main, more = (importance(table, interactions=each, level=0.9) for each in ([], [("one", "two")]))
    fit, with_interaction = (
        regression(formula, frame).fit(disp=0, cov_type="cluster", cov_kwds={"groups": frame["cluster"]}, use_t=True)
        for formula in (FORMULA, f"{FORMULA} + C(one, Treatment('a')) : C(two, Treatment('x'))")
    )
    for ours, theirs in ((main, fit), (more, with_interaction)):
        coefficients, errors = by_columns(ours)
        assert coefficients == pytest.approx(theirs.params.to_numpy()[1:], abs=1e-6)
        assert errors == pytest.approx(theirs.bse.to_numpy()[1:], rel=1e-5)
        assert ours.intercept == pytest.approx(theirs.params.iloc[0], abs=1e-6)
    b = main.effects[0]
    of_each = {level: kish(frame["cluster"][frame["one"] == level]) for level in "abc"}
    freedom = min(of_each["a"], of_each["b"]) - 1
    assert 20 < freedom < 29
    reach = student.ppf(0.95, freedom) * b.error
    assert (b.low, b.high) == pytest.approx((b.coefficient - reach, b.coefficient + reach))
    assert b.p_value == pytest.approx(2 * student.sf(abs(b.coefficient / b.error), freedom))
    p_values = np.array([effect.p_value for effect in main.effects])
    assert [effect.adjusted_p for effect in main.effects] == pytest.approx(holm(p_values))
    joint = fit.wald_test(np.eye(5)[1:3], use_f=True, scalar=True)
    test = main.tests[0]
    q, most = 2, min(of_each.values()) - 1
    assert (test.term, test.levels, test.freedom) == ("one", q, pytest.approx(most - 1))
    assert test.statistic == pytest.approx(joint.statistic * (most - 1) / most, rel=1e-4)
    assert test.p_value == pytest.approx(fisher.sf(joint.statistic * (most - 1) / most, q, most - 1), rel=1e-3)


@pytest.mark.parametrize("number", [False, True])
def test_without_clusters_errors_are_those_of_rows_alone(number):
    frame = simulated(2, number=number)
    analysis = importance(table_of(frame.drop(columns="cluster"), SIMULATED, number=number))
    groups = {"groups": np.arange(len(frame))}
    fit = (smf.ols if number else smf.logit)(FORMULA, frame).fit(disp=0, cov_type="cluster", cov_kwds=groups)
    coefficients, errors = by_columns(analysis)
    assert coefficients == pytest.approx(fit.params.to_numpy()[1:], abs=1e-6)
    assert errors == pytest.approx(fit.bse.to_numpy()[1:], rel=1e-5)
    assert (analysis.clusters, analysis.cluster, analysis.rough) == (600, "", "")
    assert analysis.method == ("linear regression" if number else "logistic regression")


COUNTS = st.tuples(st.integers(1, 40), st.integers(1, 40))


@given(COUNTS, COUNTS)
def test_of_one_factor_of_two_levels_it_is_the_log_disparity(inside, outside):
    (a, b), (c, d) = inside, outside
    assume(a + b + c + d > 4)
    columns = {"g": ["in"] * (a + b) + ["out"] * (c + d), "deviates": [1] * a + [0] * b + [1] * c + [0] * d}
    effect = importance(table_of(columns, {"g": "out"})).effects[0]
    expected = log_disparity(a, a + b, c, c + d)
    rows = a + b + c + d
    assert effect.coefficient == pytest.approx(expected.value, abs=1e-6)
    assert effect.error == pytest.approx(float(expected.error) * np.sqrt(rows / (rows - 2)), rel=1e-5)
    assert (effect.rows, effect.mean) == (a + b, pytest.approx(a / (a + b)))


def test_a_level_in_which_nothing_or_everything_deviates_takes_firths_penalty_and_says_so():
    table = table_of({"g": ["in"] * 20 + ["out"] * 80, "deviates": [0] * 20 + [1] * 10 + [0] * 70}, {"g": "out"})
    analysis = importance(table)
    (effect,) = analysis.effects
    assert (analysis.method, effect.separated) == ("Firth's penalised logistic regression", True)
    assert (effect.coefficient, analysis.intercept) == pytest.approx((-1.8093345, -1.904237), abs=1e-6)
    assert effect.error == pytest.approx(1.46908236, rel=0.03)
    assert effect.error >= 1.46908
    with pytest.raises(BvfError, match="no finite solution: levels separate the outcomes"):
        importance(table, firth=False)
    columns = {"g": ["in"] * 20 + ["out"] * 20, "deviates": [0] * 20 + [1] * 20}
    effect = importance(table_of(columns, {"g": "out"})).effects[0]
    expected = log_disparity(0, 20, 20, 20)
    assert (effect.coefficient, effect.error) == pytest.approx((expected.value, expected.error), abs=1e-6)
    assert effect.separated


def test_a_separated_level_in_clusters_is_no_surer_than_rows_alone_and_others_keep_their_sandwich():
    frame = simulated(4)
    frame.loc[frame["one"] == "c", "deviates"] = 0
    analysis = importance(table_of(frame, SIMULATED, cluster="cluster"))
    b, c, two, three = analysis.effects
    assert [effect.separated for effect in analysis.effects] == [False, True, False, False]
    alone = importance(table_of(frame.drop(columns="cluster"), SIMULATED))
    assert c.error >= alone.effects[1].error * 0.98
    kept = frame[frame["one"] != "c"]
    rest = smf.logit("deviates ~ C(one) + C(two) + C(three)", kept).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": kept["cluster"]}
    )
    ours = [b.coefficient, two.coefficient, three.coefficient]
    assert ours == pytest.approx(rest.params.to_numpy()[1:], abs=0.03)
    assert [b.error, two.error, three.error] == pytest.approx(rest.bse.to_numpy()[1:], rel=0.05)


def test_a_factor_that_is_the_cluster_has_no_error_and_is_refused():
    frame = simulated(7).assign(template=lambda rows: rows["cluster"])
    with pytest.raises(BvfError, match="levels of template are in one cluster each") as error:
        importance(table_of(frame, SIMULATED, cluster="cluster"), ["template", "two"])
    assert error.value.hint == "leave template out, or choose another cluster"
    with pytest.raises(BvfError, match="levels of g are in one row each"):
        importance(table_of({"g": ["a", "b", "c"], "deviates": [0, 1, 1]}, {"g": "a"}))


def test_a_level_in_one_cluster_alone_has_no_error_and_the_others_have_theirs():
    frame = simulated(6)
    frame.loc[(frame["one"] == "c") & (frame["cluster"] != 3), "one"] = "a"
    analysis = importance(table_of(frame, SIMULATED, cluster="cluster"))
    b, c = analysis.effects[:2]
    assert (c.clusters, c.error, c.p_value, c.adjusted_p, c.low) == (1, None, None, None, None)
    assert c.undefined == "all or most of its rows, or of its reference's, are of one cluster"
    assert b.error > 0
    assert (analysis.tests[0].levels, analysis.tests[0].p_value) == (1, pytest.approx(b.p_value))


def test_a_level_in_few_clusters_has_as_few_degrees_of_freedom():
    frame = simulated(8)
    frame["three"] = np.where(frame["cluster"] < 4, "q", "p")
    analysis = importance(table_of(frame, SIMULATED, cluster="cluster"))
    three = analysis.effects[3]
    few = kish(frame["cluster"][frame["three"] == "q"]) - 1
    assert (three.clusters, three.freedom) == (4, pytest.approx(few))
    assert 2.7 < few < 3
    assert all(20 < effect.freedom < 29 for effect in analysis.effects[:3])
    assert three.high - three.coefficient == pytest.approx(student.ppf(0.975, few) * three.error)
    assert analysis.tests[2].p_value == pytest.approx(three.p_value)
    turned = importance(table_of(frame, SIMULATED | {"three": "q"}, cluster="cluster")).effects[3]
    assert (turned.clusters, turned.freedom) == (26, pytest.approx(few))
    assert turned.p_value == pytest.approx(three.p_value)


def test_a_level_that_other_factors_leave_no_variation_has_no_error():
    """Each pair of clusters has its own level. In only one pair do the clusters differ in another factor."""
    frame = simulated(9, clusters=12)
    frame["one"] = np.array(list("abcdef"))[frame["cluster"] // 2]
    frame["three"] = np.where(frame["cluster"].isin([1, 4, 5]), "q", "p")
    analysis = importance(table_of(frame, {"three": "p"}, cluster="cluster"), ["one", "three"])
    three = next(effect for effect in analysis.effects if effect.term == "three")
    assert (three.error, three.p_value) == (None, None)
    assert three.undefined.startswith("nothing varies between values of cluster")
    assert analysis.tests[1].undefined == "the error of no level can be estimated"


def test_an_outcome_that_is_said_exactly_has_no_errors():
    frame = simulated(1).assign(deviates=lambda rows: 1.0 * (rows["one"] == "b") + 0.5 * (rows["two"] == "y"))
    analysis = importance(table_of(frame, SIMULATED, cluster="cluster", number=True))
    assert [effect.p_value for effect in analysis.effects] == [None] * 4
    assert [effect.coefficient for effect in analysis.effects] == pytest.approx([1.0, 0.0, 0.5, 0.0], abs=1e-9)


def test_the_sandwich_of_firths_fit_is_that_of_penalised_scores_of_every_row():
    frame = simulated(3, rows=120, clusters=12)
    table = table_of(frame, SIMULATED, cluster="cluster")
    analysis, matrix = importance(table, firth=True), model_matrix(table)
    x, y = matrix.values[matrix.pattern], table.outcome
    p = 1 / (1 + np.exp(-x @ [analysis.intercept, *by_columns(analysis)[0]]))
    root = np.sqrt(p * (1 - p))[:, np.newaxis] * x
    h = np.diag(root @ np.linalg.inv(root.T @ root) @ root.T)
    scores = pd.DataFrame((y - p + h * (0.5 - p))[:, np.newaxis] * x).groupby(table.clusters).sum().to_numpy()
    assert scores.sum(axis=0) == pytest.approx(np.zeros(5), abs=1e-6)
    bread = np.linalg.inv(x.T @ (((1 + h) * p * (1 - p))[:, np.newaxis] * x))
    covariance = 12 / 11 * 119 / 115 * bread @ scores.T @ scores @ bread
    assert by_columns(analysis)[1] == pytest.approx(np.sqrt(np.diag(covariance))[1:], rel=1e-5)


def test_results_are_json_and_a_table():
    analysis = importance(table_of(simulated(1), SIMULATED, cluster="cluster"), interactions=[("one", "two")])
    assert Importance.model_validate(json.loads(analysis.model_dump_json())) == analysis
    frame = analysis.to_frame()
    assert frame["term"].tolist() == ["one", "one", "two", "three", "one : two", "one : two"]
    assert frame["level"].tolist()[-1] == "c : y"
    assert frame["reference"].tolist()[-1] == "a : x"
    assert frame["coefficient"].tolist() == [effect.coefficient for effect in analysis.effects]


def test_an_interaction_whose_levels_are_never_crossed_is_named():
    frame = simulated(1)
    either = table_of(frame[(frame["one"] == "a") | (frame["two"] == "x")], SIMULATED, cluster="cluster")
    analysis, alone = importance(either, interactions=[("one", "two")]), importance(either)
    assert (analysis.effects, analysis.tests[:-1]) == (alone.effects, alone.tests)
    test = analysis.tests[-1]
    assert (test.term, test.reference, test.levels) == ("one : two", "a : x", 0)
    assert (test.statistic, test.p_value) == (None, None)
    assert test.undefined.startswith("one : two: no row has a level of each that is not its reference")
    factors, levels = importance_sections("T", analysis, 8)
    assert factors.rows[-1] == ("one : two", "a : x", "0", "", "")
    assert test.undefined in factors.notes
    assert levels.notes[-1] == "In no prompt, and so without a coefficient: one=b : two=y, one=c : two=y."


def test_statsmodels_is_asked_for_where_it_is_missing(monkeypatch):
    for name in [each for each in sys.modules if each.split(".")[0] == "statsmodels"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(BvfError, match="needs statsmodels, which is not installed") as error:
        importance(table_of(simulated(1), SIMULATED, cluster="cluster"))
    assert error.value.hint == "pip install 'bvf[factors]'"


FEW = {"one": [*"abab"], "two": [*"xxyy"], "deviates": [0, 1, 1, 0], "cluster": range(4)}


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (simulated(1), {"level": 1.0}, "--level 1: an interval holds the truth with a probability of 0.5 to 1"),
        (simulated(1).assign(deviates=0), {}, "the outcome is no in all 600 rows"),
        (simulated(1).assign(cluster=1), {}, "all rows are in one cluster"),
        (simulated(1, number=True), {"firth": True}, "Firth's penalty is for outcomes of yes and no"),
        (pd.DataFrame(FEW), {"interactions": [("one", "two")]}, "4 rows cannot carry 4 coefficients"),
    ],
)
def test_what_cannot_be_fitted_is_one_line(frame, options, message):
    is_number = frame["deviates"].dtype.kind == "f"
    table = table_of(frame, SIMULATED, cluster="cluster", number=is_number)
    with pytest.raises(BvfError, match=message):
        importance(table, **options)
