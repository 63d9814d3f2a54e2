"""Intervals in the tables of results: both ends below a figure, and nothing said of an order that they do not tell."""

import pytest
from scipy.stats import t as student

from bvf.interfaces.section import Section
from bvf.results.columns import group_columns, interval_of, on_chosen
from bvf.results.footnotes import what_of
from bvf.results.result import GroupResult, ResultBase
from bvf.results.sections import highest, with_intervals
from bvf.study.uncertainty import Interval, Uncertainty
from bvf.tables.columns import table

CALLED = {"R": "R", "R_bias": "R^b"}


def result(model="m", level=0.9, documents=3, contexts="c.csv", **intervals):
    of_figures = {name: Interval(low=low, high=high) for name, (low, high) in intervals.items()}
    of_source = {"estimand": "source", "unit": "document", "occurrences": 5, "documents": documents}
    uncertainty = Uncertainty(level=level, intervals=of_figures, **of_source)
    asked = {"topic": "gender", "language": "en", "contexts": contexts, "number_of_contexts": 3}
    return ResultBase.model_construct(model=model, measurement="digest", **asked, uncertainty=uncertainty)


def groups(**ends):
    """Groups by name, each with the ends of its interval and the figure in their middle."""
    made = []
    for name, (low, high) in ends.items():
        without = {"weight": 1.0, "mean_probabilities": {}, "reference_probabilities": {}}
        group = GroupResult(group=name, **without, intervals={"r": Interval(low=low, high=high)})
        object.__setattr__(group, "r", (low + high) / 2)
        made.append(group)
    return made


def test_both_ends_stand_below_a_figure_in_its_column():
    section = Section("t", ("model", "contexts", "R", "spread", "R^b"), [("m", "c", "0.5", "0.1", "0.25")], names=2)
    rows = with_intervals(section, [result(R=(0.4, 0.6), R_bias=(0.2, 0.3))], CALLED).rows
    assert rows == [
        ("m", "c", "0.5", "0.1", "0.25"),
        ("90% from", "", "0.4000", "", "0.2000"),
        ("90% to", "", "0.6000", "", "0.3000"),
    ]


@pytest.mark.parametrize(
    ("section", "results"),
    [
        (Section("t", ("model", "R"), [("m", "0.5")]), [result()]),
        (Section("t", ("model", "other"), [("m", "0.5")]), [result(R=(0.4, 0.6))]),
        (Section("t", ("model", "R"), [("m", "0.5"), ("sum", "0.5")]), [result(R=(0.4, 0.6))]),
    ],
    ids=["no interval", "no such column", "rows that are no results"],
)
def test_a_table_stays_as_it_is_where_there_is_nothing_to_put_below(section, results):
    assert with_intervals(section, results, CALLED) == section


def test_a_group_has_its_interval_right_of_its_figure_and_no_column_where_there_is_none():
    names, *_ = group_columns()
    made = of_groups(groups(a=(0.1, 0.2), b=(0.3, 0.4)))
    section = table("t", [names, interval_of("r", made, 0)], made.groups)
    assert section.columns == ("group", "interval")
    assert section.rows == [("a", "0.100 to 0.200"), ("b", "0.300 to 0.400")]
    section = table("t", [names, interval_of("particular", made, 0)], groups(a=(0.1, 0.2)))
    assert (section.columns, section.rows) == (("group",), [("a",)])


def of_groups(made, **more):
    """A result with groups, at a level of 95 %."""
    return result(level=0.95).model_copy(update={"groups": made, **more})


def test_groups_that_were_chosen_have_intervals_of_a_level_that_stands_above_them():
    """6 of 120 groups: 1 - .05 x 6 / 120 = 99.75 %; of 80 contexts t is 3.123 for 1.990: margins are 1.569 as wide."""
    names, *_ = group_columns()
    made = of_groups(groups(a=(0.1, 0.2), b=(0.01, 0.07), c=(0.94, 1.0), **{f"g{n}": (0.5, 0.6) for n in range(117)}))
    made.groups[1].intervals["r"] = Interval(low=0.01, high=0.07, cross_fit=0.02)
    made = made.model_copy(update={"uncertainty": made.uncertainty.model_copy(update={"units": 80.0})})
    section = table("t", [names, interval_of("r", made, 6)], made.groups[:3])
    assert section.columns == ("group", "at 99.75%")
    times = student.ppf(0.99875, 79) / student.ppf(0.975, 79)
    assert times == pytest.approx(1.569, abs=1e-3)
    expected = [(0.15 - 0.05 * times, 0.15 + 0.05 * times), (0.02 - 0.01 * times, 0.04 + 0.03 * times)]
    expected += [(0.97 - 0.03 * times, 1.0)]
    assert [row[1] for row in section.rows] == [f"{low:.3f} to {high:.3f}" for low, high in expected]
    chosen = "Intervals at {}: these {} groups were chosen as extremes, and 95% of intervals so chosen hold"
    assert on_chosen(made, 6) == [chosen.format("99.75%", "6 of 120")]
    for every in (0, 120, 200):
        assert table("t", [names, interval_of("r", made, every)], made.groups[:3]).columns == ("group", "interval")
        assert on_chosen(made, every) == []
    assert on_chosen(of_groups(groups(a=(0.1, 0.2)) * 9), 8) == [chosen.format("95.55%", "8 of 9")]


def ranked(may_be_highest, ends, **more):
    """A result whose groups have these ends of intervals of r, and some of which may be highest."""
    uncertainty = Uncertainty(estimand="source", level=0.95, highest={"r": may_be_highest} if may_be_highest else {})
    exact = {"samples": 0, "deviation_bound": 0.0}
    return ResultBase.model_construct(uncertainty=uncertainty, groups=tuple(groups(**ends)), **exact | more)


@pytest.mark.parametrize(
    ("may_be", "ends", "said"),
    [
        (("b",), {"a": (0.1, 0.45), "b": (0.4, 0.6)}, ["b; all others are significantly lower"]),
        (("b", "a"), {"a": (0.1, 0.3), "b": (0.4, 0.6)}, ["b; no other is significantly lower"]),
        (
            ("b", "d", "a"),
            {"a": (0.1, 0.45), "b": (0.4, 0.6), "c": (0.0, 0.1), "d": (0.2, 0.5)},
            ["b; not significantly lower: d, a"],
        ),
        (
            ("b", *(f"g{number}" for number in range(4, -1, -1))),
            {"b": (0.5, 0.8), "c": (0.0, 0.1), **{f"g{number}": (0.1, 0.5 + number / 100) for number in range(5)}},
            ["b; not significantly lower: g4, g3, g2 and 2 others"],
        ),
        ((), {"a": (0.1, 0.3), "b": (0.4, 0.6)}, []),
        (("a",), {"a": (0.1, 0.3)}, []),
        (("a",), {"a": (0.1, 0.3), "b": (0.4, 0.6)}, []),
    ],
)
def test_which_group_is_highest_is_said_as_far_as_tests_tell(may_be, ends, said):
    assert highest(ranked(may_be, ends), "r", "highest r") == [f"highest r: {each}" for each in said]


@pytest.mark.parametrize("inexact", [{"samples": 5}, {"deviation_bound": 0.01}])
def test_where_figures_are_not_exact_intervals_that_overlap_tell_nothing_apart(inexact):
    ends = {"a": (0.1, 0.45), "b": (0.4, 0.6), "c": (0.0, 0.1)}
    assert highest(ranked(("b",), ends, **inexact), "r", "highest r") == ["highest r: b; not significantly lower: a"]


def test_what_intervals_are_of_is_said_once_if_it_is_the_same():
    one, same, other = result("a", R=(0, 1)), result("b", R=(0, 1)), result("c", documents=4, R=(0, 1))
    of_source = "Intervals of 90% are for texts like those mined: 5 occurrences in 3 documents"
    assert what_of([one]) == [of_source]
    *said, compare = what_of([one, same])
    assert (said, "bvf compare" in compare) == ([of_source], True)
    assert what_of([one, other])[:-1] == [f"a: {of_source}", f"c: {of_source.replace('3', '4')}"]
    of_two_sets = what_of([one, result("a", contexts="d.csv", documents=4, R=(0, 1))])
    assert [sentence.split(":")[0] for sentence in of_two_sets[:-1]] == ["a, c", "a, d"]
    assert what_of([result(), result()]) == []
