"""Figures of groups against social factors: worked figures, planted and shuffled slopes, contexts drawn again."""

import csv
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from bvf_insights.regress.analysis import counts_of
from bvf_insights.regress.result import sections
from scipy.stats import spearmanr
from scipy.stats import t as student

import bvf
from bvf.results.restore import predictions_of

WORKED = Path(__file__).resolve().parents[4] / "tests" / "data" / "table8.csv"


def written(file, values, column="value"):
    """A table of a value per group."""
    with file.open("w", newline="") as lines:
        csv.writer(lines).writerows([("group", column), *values])
    return str(file)


def drawn(file, result):
    """A table of a value per group that was drawn by chance."""
    values = np.random.default_rng(0).normal(size=len(result.groups))
    return written(file, zip((group.group for group in result.groups), values, strict=True))


def run_with(folder, leans):
    """A stored run whose predictions are the same in every context: p(male) of each group."""
    (folder / "p.csv").write_text("group,male,female\n" + "".join(f"{g},{p},{1 - p}\n" for g, p in leans.items()))
    asked = {"topic": "gender-2026", "contexts": "gender-table8", "reference": str(folder / "p.csv")}
    made = bvf.run(model="baseline:unbiased", **asked, out=str(folder / "run"))
    return bvf.analyse(made.folder, reference="uniform")


@pytest.fixture(scope="module")
def worked():
    """The mean predictions of the bundled causal model in ten templates, with wages, shares of women and weights.

    They are from published tables of labour statistics; weights count the rows that publish a wage.
    """
    with WORKED.open() as lines:
        return list(csv.DictReader(lines))


@pytest.fixture(scope="module")
def result(worked, tmp_path_factory):
    return run_with(tmp_path_factory.mktemp("worked"), {row["group"]: float(row["male"]) for row in worked})


@pytest.fixture(scope="module")
def noisy(run_of):
    """A run whose contexts are a sample."""
    return run_of(limit_groups=24)


def only(regressions):
    (one,) = regressions.regressions
    return one


def test_the_worked_figures_are_those_that_were_computed_by_hand(result, worked, tmp_path):
    weighted = [(row["group"], row["weight"]) for row in worked if row["weight"]]
    weights = written(tmp_path / "w.csv", weighted, "weight")
    tables = [f"{WORKED}:weekly_wage", f"{WORKED}:women"]
    wages, women = bvf.regress([result], against=tables, of=("r", "lean"), weights=weights).regressions[::3]
    assert (wages.figure, women.figure) == ("r", "lean:male")
    assert (len(wages.groups), len(wages.unpublished)) == (63, 57)
    slope, error = 1000 * wages.slope, 1000 * wages.error  # per 1,000 $
    assert [f"{slope:.5f}", f"{1000 * wages.classical_error:.3f}", f"{error:.4f}"] == ["0.04782", "0.045", "0.0683"]
    assert [f"{wages.r_squared:.4f}", f"{1000 * wages.unweighted:.5f}"] == ["0.0182", "-0.00516"]
    assert [f"{women.slope:.4f}", f"{women.classical_error:.3f}", f"{women.error:.3f}"] == ["-0.2925", "0.139", "0.312"]
    assert [f"{women.unweighted:.4f}", f"{women.effective:.1f}"] == ["-0.0370", "13.5"]
    heaviest = max(women.groups, key=lambda group: group.weight)
    assert (heaviest.group, f"{heaviest.weight:.3f}") == ("manager", "0.215")


def test_against_the_tables_of_the_pack_it_is_statsmodels_own_regression(result, worked):
    both = bvf.regress([result], against=["wages", "women"], weights="employment")
    wages, women = both.regressions
    assert (len(wages.groups), len(wages.unmatched)) == (63, 48)
    unpublished = "diver economist geologist geophysicist surgeon surveyor translator tutor vendor"
    assert wages.unpublished == tuple(unpublished.split())
    published = {row["group"]: float(row["weekly_wage"]) / 1000 for row in worked if row["weekly_wage"]}
    assert {group.group: group.x for group in wages.groups} == pytest.approx(published, rel=0.03)
    assert (women.figure, len(women.groups)) == ("association:male", 66)
    of_group = {each.group: each.association for each in result.groups}
    assert [each.y for each in women.groups] == pytest.approx([of_group[each.group] for each in women.groups])
    for each in both.regressions:
        x, y, w = (np.array([getattr(group, field) for group in each.groups]) for field in ("x", "y", "weight"))
        theirs = sm.WLS(y, sm.add_constant(x), weights=w).fit()
        robust = theirs.get_robustcov_results("HC2")
        assert (each.slope, each.error) == pytest.approx((robust.params[1], robust.bse[1]))
        assert each.unweighted == pytest.approx(sm.OLS(y, sm.add_constant(x)).fit().params[1])
        assert (each.spearman, each.spearman_p) == pytest.approx(tuple(spearmanr(x, y)))
        kept = np.arange(len(x)) != 5
        without = sm.WLS(y[kept], sm.add_constant(x[kept]), weights=w[kept]).fit().params[1]
        assert each.groups[5].without == pytest.approx(without)
        assert 2.0 < each.freedom < 1 / (w**2).sum() - 2, "fewer than the weights alone leave"
        reach = student.ppf(0.975, each.freedom) * each.error
        assert (each.low, each.high) == pytest.approx((each.slope - reach, each.slope + reach))
    lower, higher = sorted(each.p_value for each in both.regressions)
    assert {each.adjusted_p for each in both.regressions} == {min(1.0, 2 * lower), max(2 * lower, higher)}
    assert wages.context_error is None
    assert "most frequent" in wages.undefined


def test_a_planted_slope_is_found_and_a_shuffled_one_is_not(result, tmp_path):
    groups = [group.group for group in result.groups]
    lean = np.array([group.mean_probabilities["male"] for group in result.groups])
    rng = np.random.default_rng(3)
    planted = written(tmp_path / "a.csv", zip(groups, lean + 0.05 * rng.normal(size=120), strict=True))
    shuffled = [written(tmp_path / f"{n}.csv", zip(groups, rng.permutation(lean), strict=True)) for n in range(20)]
    assert only(bvf.regress([result], against=planted, of="lean")).decision == "rises"
    assert only(bvf.regress([result], against=planted, of="lean:female")).decision == "falls"
    family = bvf.regress([result], against=shuffled, of="lean")
    assert (family.tests, {each.decision for each in family.regressions}) == (20, {"cannot tell"})


def pull_of(regression):
    """What each group adds to the slope, by its figure, where all weigh the same."""
    away = np.array([group.x for group in regression.groups])
    away = away - away.mean()
    return away / (away**2).sum()


@pytest.mark.parametrize("of", ["r", "r_bias", "r_volatility", "lean", "association"])
def test_the_error_of_contexts_is_that_of_slopes_in_single_contexts(noisy, tmp_path, of):
    noisy = bvf.analyse(noisy.folder, unit="template")
    regression = only(bvf.regress([noisy], against=drawn(tmp_path / "x.csv", noisy), of=of))
    read = predictions_of(noisy)
    lean, w = 2 * read.probabilities[..., 0] - 1, read.context_weights
    side = np.sign(lean @ w)[:, np.newaxis]
    neutral = bvf.read_measurement(noisy.folder / "prior").probabilities[..., 0].mean(axis=0)
    added = {"r": abs(lean), "r_bias": side * lean, "r_volatility": abs(lean) - side * lean, "lean": lean}
    added["association"] = read.probabilities[..., 0] - neutral
    slopes = pull_of(regression) @ added[of]
    assert regression.slope == pytest.approx(slopes @ w)
    c = len(w)
    error = np.sqrt((w**2 * (slopes - slopes @ w) ** 2).sum() * c / (c - 1))
    assert regression.context_error == pytest.approx(error)
    reach = student.ppf(0.975, regression.freedom) * np.hypot(regression.error, error)
    assert regression.high - regression.low == pytest.approx(2 * reach)


@pytest.mark.parametrize("of", ["r", "lean"])
def test_the_slope_of_these_groups_is_a_mean_over_contexts_and_has_its_own_interval(noisy, tmp_path, of):
    """Between the quantiles of Student's t, and of Hall's correction for skewness, of slopes in single contexts."""
    noisy = bvf.analyse(noisy.folder, unit="occurrence")
    regression = only(bvf.regress([noisy], against=drawn(tmp_path / "x.csv", noisy), of=of))
    read = predictions_of(noisy)
    lean = 2 * read.probabilities[..., 0] - 1
    slopes = pull_of(regression) @ (abs(lean) if of == "r" else lean)
    of_draws = np.repeat(slopes, read.sample.counts.astype(int))
    n, variance = len(of_draws), of_draws.var(ddof=1)
    error = np.sqrt(variance / n + (variance / noisy.uncertainty.occurrences if noisy.uncertainty.draws else 0.0))
    assert regression.context_error == pytest.approx(error, rel=1e-6)
    assert regression.low_in_groups < regression.slope < regression.high_in_groups
    width = regression.high_in_groups - regression.low_in_groups
    assert width == pytest.approx(2 * student.ppf(0.975, n - 1) * error, rel=0.1)
    assert width < regression.high - regression.low


@pytest.mark.parametrize("of", ["r_bias", "r_volatility"])
def test_a_slope_of_figures_that_are_too_high_or_too_low_has_no_interval_for_these_groups(noisy, of):
    regression = only(bvf.regress([noisy], against="wages", of=of))
    assert regression.context_error is not None
    assert (regression.low_in_groups, regression.high_in_groups) == (None, None)


def test_tables_say_which_groups_an_interval_is_for_and_name_who_is_missing(noisy, result):
    regressed = bvf.regress([noisy], against="wages")
    slopes, checks, *_ = sections(regressed, 3)
    assert any("for other groups of the kind" in note for note in slopes.notes)
    assert any("of these very groups in other contexts" in note for note in checks.notes)
    low = only(regressed).low_in_groups
    shown = dict(zip(checks.columns, checks.rows[0], strict=True))["these groups"]
    assert shown.startswith(f"{low:.4f}" if abs(low) >= 1e-3 else f"{low:.2e}")
    slopes, checks, *groups = sections(bvf.regress([result], against=["wages", "women"], weights="employment"), 3)
    assert "these groups" not in checks.columns
    assert "slope per 1,000 $" in slopes.subtitle[0]
    assert "which is no median" in slopes.subtitle[0]
    assert any("no value, 9 groups: diver" in note for note in checks.notes)
    assert any("wages, women: not in the table, 48 groups: administrator" in note for note in checks.notes)
    assert [len(section.rows) for section in groups] == [3, 3]
    assert groups[0].rows[0][0] == "manager"


def test_a_lower_level_makes_intervals_narrower(noisy):
    found = [only(bvf.regress([noisy], against="wages", level=level)) for level in (0.5, 0.8, 0.95)]
    widths = [each.high - each.low for each in found]
    assert widths[0] < widths[1] < widths[2]


def test_several_models_are_one_family_and_have_their_names(result, noisy, tmp_path):
    other = run_with(tmp_path, {group.group: 0.4 + 0.001 * x for x, group in enumerate(result.groups)})
    both = bvf.regress([result, other], against="wages", weights="employment")
    assert both.tests == 2
    assert len({each.model for each in both.regressions}) == 2
    assert both.to_frame()["model"].is_unique
    assert len(both.groups_frame()) == 2 * 63
    with pytest.raises(bvf.BvfError, match=r"has the criterion linf and .* lk:2"):
        bvf.regress([result, bvf.analyse(other.folder, criterion="lk:2")], against="wages")


def test_words_are_counted_whole_with_capitals_or_without(noisy, tmp_path):
    texts = ["The Nurse and the nurse, nursed by truck drivers; a truck driver, CAPTAIN's nurse."]
    assert counts_of(["nurse", "truck driver", "captain", "pilot"], texts) == (
        {"nurse": 3, "truck driver": 1, "captain": 1, "pilot": 0},
        15,
    )
    assert counts_of(["护士", "医生"], ["护士说,护士是医生。"], "") == ({"护士": 2, "医生": 1}, 10)
    corpus = tmp_path / "corpus.txt"
    names = [group.group for group in noisy.groups]
    corpus.write_text("\n\n".join(f"The {name} came. " * (x + 1) for x, name in enumerate(names[2:])))
    regression = only(bvf.regress([noisy], against="word-frequency", corpus=str(corpus)))
    assert regression.unpublished == tuple(names[:2])
    number = sum(3 * (x + 1) for x in range(len(names) - 2))
    assert regression.groups[4].x == pytest.approx(np.log10(5 / number * 1e6))


def test_associations_are_regressed_only_where_neutral_subjects_were_asked(noisy):
    without = noisy.model_copy(update={"parts_of_lean": None})
    with pytest.raises(bvf.BvfError, match="--of association: neutral subjects were not asked"):
        bvf.regress([without], against="wages", of="association")
    assert only(bvf.regress([without], against="women")).figure == "lean:male"


REFUSED = {
    "has no such statistic, and it is not a table": {"against": "wage"},
    "there is no corpus to count words in": {"against": "word-frequency"},
    'there is no column "salry"': {"against": "good.csv:salry"},
    '"much" in column "value" is not a number': {"against": "words.csv"},
    '"nan" in column "value" is not a number': {"against": "nan.csv"},
    'the group "nurse" occurs twice': {"against": "twice.csv"},
    "9 of 24 groups of gender have a value and a weight": {"against": "few.csv:salary"},
    "no group of gender is in it": {"against": "strangers.csv"},
    "all points have the same x": {"against": "same.csv"},
    "all points but one have the same x": {"against": "one.csv"},
    "the weight is -1.0": {"against": "good.csv:salary", "weights": "negative.csv"},
    "has no such weights, and it is not a table": {"against": "wages", "weights": "employ"},
    "there is no such figure of groups": {"against": "wages", "of": "R"},
    "there is no such class": {"against": "wages", "of": "lean:men"},
    "level is": {"against": "wages", "level": 1.5},
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_regressed_is_one_line(noisy, tmp_path, monkeypatch, message):
    monkeypatch.chdir(tmp_path)
    names = [group.group for group in noisy.groups]
    numbered = list(enumerate(names))
    tables = {
        "good": ("salary", [(name, x) for x, name in numbered]),
        "few": ("salary", [(name, x) for x, name in numbered[:9]]),
        "words": ("value", [(name, "much") for name in names]),
        "nan": ("value", [(name, "nan") for name in names]),
        "twice": ("value", [("nurse", 1), ("nurse", 2)]),
        "strangers": ("value", [("nobody", 1)]),
        "same": ("value", [(name, 3) for name in names]),
        "one": ("value", [(name, int(x == 4)) for x, name in numbered]),
        "negative": ("weight", [(name, -1) for name in names]),
    }
    for name, (column, values) in tables.items():
        written(tmp_path / f"{name}.csv", values, column)
    with pytest.raises(bvf.BvfError) as refused:
        bvf.regress([noisy], **REFUSED[message])
    assert message in str(refused.value)
    if '"salry"' in message:
        assert refused.value.hint == "did you mean salary?"


FIGURES = ["mastery", "expected_score", "confidence_gap", "corrected_mastery"]


@pytest.fixture(scope="module")
def known(run_of):
    return run_of(topic="knowledge/continents", contexts="", sample_contexts=0, limit_groups=30)


@pytest.fixture(scope="module")
def table(known, tmp_path_factory):
    """A table of subjects with a property that says nothing: the number of letters."""
    file = tmp_path_factory.mktemp("letters") / "letters.csv"
    file.write_text("group,letters\n" + "".join(f"{each.group},{len(each.group)}\n" for each in known.groups))
    return file


def test_figures_of_subjects_have_statsmodels_own_slope_and_the_error_of_slopes_in_single_wordings(known, table):
    found = bvf.regress([known], against=f"{table}:letters", of=FIGURES).regressions
    letters = [float(len(each.group)) for each in known.groups]
    for figure, each in zip(FIGURES, found, strict=True):
        values = [getattr(group, figure) for group in known.groups]
        fitted = sm.OLS(values, sm.add_constant(letters)).fit(cov_type="HC2")
        assert each.figure == figure
        assert (each.slope, each.error) == pytest.approx((fitted.params[1], fitted.bse[1]))
        assert each.context_error > 0.0
        assert (each.low_in_groups is None) == (figure != "expected_score")
    read = known.probabilities()
    truth = [list(read.classes).index(group.truth) for group in known.groups]
    scores = np.sqrt(np.asarray(read)[np.arange(len(truth)), :, truth])
    slopes = np.polyfit(letters, scores, 1)[0]
    expected = found[FIGURES.index("expected_score")]
    assert expected.slope == pytest.approx(slopes.mean())
    assert expected.context_error == pytest.approx(slopes.std(ddof=1) / np.sqrt(len(slopes)))


def test_the_command_takes_mastery_and_refuses_a_lean(command, known, table):
    done = command("regress", known.folder, "--against", f"{table}:letters")
    assert done.code == 0
    assert "mastery on letters: the groups that move the slope most" in done.out
    refused = command("regress", known.folder, "--against", f"{table}:letters", "--of", "lean")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("error: --of lean: there is no such figure of groups")
