"""Figures of runs beside scores: ranks over models and over groups by hand, and what is refused."""

import numpy as np
import pytest
from bvf_insights.measures.analysis import compare_measures
from helpers.group_scores import PLUGIN, marks
from scipy.stats import kendalltau

from bvf import BvfError
from bvf.hooks.loader import load

MODELS = ("baseline:random", "baseline:stereotyped", "baseline:unbiased")


@pytest.fixture(scope="module")
def plugins(tmp_path_factory):
    file = tmp_path_factory.mktemp("plugin") / "marks.py"
    file.write_text(PLUGIN)
    return load(extra=(str(file),))


@pytest.fixture
def of_models(run_of):
    return [run_of(model=name) for name in MODELS]


def test_models_are_ranked_by_the_distance_from_the_ideal(of_models, plugins, tmp_path):
    """Marks of 50, 20 and 90 are 0, 30 and 40 away from 50."""
    values = dict(zip(MODELS, (50.0, 20.0, 90.0), strict=True))
    file = marks(tmp_path / "marks.json", {name: {"mark": v, "mark[a part]": 1.0} for name, v in values.items()})
    found = compare_measures([*(each.folder for each in of_models), file], plugins=plugins)
    assert found.models == MODELS
    over = {each.first: each for each in found.agreements}
    assert set(over) == {"R", "R_bias", "R_volatility"}
    for field, each in over.items():
        figures = [getattr(result, field) for result in of_models]
        assert (each.over, each.things, each.second, each.second_source) == ("models", 3, "mark", "Marks")
        assert each.kendall == pytest.approx(kendalltau(figures, [0.0, 30.0, 40.0]).statistic)
        assert each.smallest_p >= 1 / 3 - 1e-9
        assert each.adjusted_p == 1.0
        assert each.low is each.high is None


def test_a_class_is_found_by_any_name_of_the_group(run_of, plugins, tmp_path):
    """The lean to a class is the mean over groups of p / p* - 1, with an interval over contexts."""
    run = run_of()
    groups = {"women": (10.0, "F", "Female"), "men": (20.0, "MALE"), "Martians": (30.0,)}
    file = marks(tmp_path / "a" / "marks.json", {run.model: {"mark": 1.0}}, {run.model: groups})
    found = compare_measures([run.folder, file.parent], plugins=plugins)
    points = {each.group: each for each in found.groups}
    assert set(points) == {"women", "men"}
    weights = np.array([group.weight for group in run.groups])
    leans = [group.mean_probabilities["female"] / group.reference_probabilities["female"] - 1 for group in run.groups]
    women = points["women"]
    assert women.lean == pytest.approx(float(weights @ leans))
    assert women.lean_low < women.lean < women.lean_high
    assert (women.lean_to, women.topic, women.value, women.low, women.high) == ("female", "gender", 10.0, 9.0, 11.0)
    (left,) = found.unmatched
    assert (left.without_lean, left.without_items) == (("Martians",), ())
    (over,) = (each for each in found.agreements if each.over == "groups")
    assert (over.things, over.kendall) == (2, None)


def test_a_group_of_a_topic_is_found_where_no_class_is(run_of, plugins, tmp_path):
    """Each class has a rank correlation of its own, over groups: here the groups are occupations."""
    run = run_of()
    names = [group.group for group in run.groups][:5]
    groups = {f"{name}s": (float(place), name) for place, name in enumerate(names)}
    file = marks(tmp_path / "marks.json", {run.model: {"mark": 1.0}}, {run.model: groups})
    found = compare_measures([run.folder, file], plugins=plugins)
    assert {each.first for each in found.agreements if each.over == "groups"} == {"lean to male", "lean to female"}
    for each in found.groups:
        group = next(group for group in run.groups if group.group == each.group[:-1])
        of_class = each.lean_to
        expected = group.mean_probabilities[of_class] / group.reference_probabilities[of_class] - 1
        assert each.lean == pytest.approx(expected)
    male, female = (each for each in found.agreements if each.over == "groups")
    assert male.kendall == pytest.approx(-female.kendall)
    assert male.low is not None
    assert male.rough
    (left,) = found.unmatched
    assert left.without_items == tuple(group.group for group in run.groups)[5:]


def test_the_first_topic_counts_where_two_have_a_group(run_of, plugins, tmp_path):
    first, second = run_of(topic="gender-they"), run_of()
    file = marks(
        tmp_path / "marks.json", {first.model: {"mark": 1.0}}, {first.model: {"women": (1.0, "female", "she")}}
    )
    found = compare_measures([first.folder, second.folder, file], plugins=plugins)
    assert [(each.topic, each.lean_to) for each in found.groups] == [("gender-they", "she")]
    assert found.unmatched[0].several_topics == ("women",)


def test_a_mean_reference_has_no_lean(run_of, plugins, tmp_path):
    run = run_of()
    file = marks(tmp_path / "marks.json", {run.model: {"mark": 1.0}}, {run.model: {"women": (1.0, "female")}})
    found = compare_measures([run.folder, file], plugins=plugins, reference="mean")
    assert found.groups == ()
    assert found.notes == ("gender: by --reference mean, the lean to every class is 0 on average",)


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (("run",), "--measures: no folder has scores of a benchmark"),
        (("marks.json",), "--measures: no folder has a run"),
        (("run", "nothing"), "nothing: neither a run nor answers to a benchmark"),
        (("run", "marks.json", "again/marks.json"), "has mark of Marks twice"),
        (("run", "marks.json", "other/marks.json"), "are of different items"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_line(run_of, plugins, tmp_path, sources, message):
    run = run_of()
    scores = {run.model: {"mark": 1.0}}
    marks(tmp_path / "marks.json", scores)
    marks(tmp_path / "again" / "marks.json", scores)
    marks(tmp_path / "other" / "marks.json", {"other": {"mark": 1.0}}, asked="another version")
    (tmp_path / "nothing").mkdir()
    named = [run.folder if each == "run" else tmp_path / each for each in sources]
    with pytest.raises(BvfError) as refused:
        compare_measures(named, plugins=plugins)
    assert message in refused.value.message
