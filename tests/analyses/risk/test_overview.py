"""What is printed first of risk: figures that are those of the result, and what groups do, counted again here."""

import io
import re
from collections import Counter

import numpy as np
import pytest
from rich.console import Console
from scipy.stats import t as student

import bvf
from bvf.analyses.risk.analysis import RiskAnalysis
from bvf.interfaces.analysis import View
from bvf.results.sections import result_sections
from bvf.results.store import NOT_STORED
from bvf.tables.terminal import Drawn

FIELDS = {
    **{"R": "R", "R^b": "R_bias", "R^v": "R_volatility"},
    **{"shared R^b": "shared_bias", "particular R^b": "particular_bias"},
}
ALIKE = "With equal predictions for all groups"


@pytest.fixture(scope="module")
def one_context(run_of):
    both_sides = "accountant,administrator,advisor,ambassador,analyst,animator"
    return run_of(contexts="gender", sample_contexts=0, limit_contexts=1, limit_groups=0, groups=both_sides)


@pytest.fixture(scope="module")
def one_group(run_of):
    return run_of(limit_groups=1)


@pytest.fixture(scope="module")
def by_a_table(run_of):
    """Every group has a p* of its own."""
    return run_of(reference="percent-women", limit_groups=40)


@pytest.fixture(scope="module")
def with_controls(run_of):
    return run_of(controls=True)


@pytest.fixture(scope="module")
def whole(run_of):
    """As many groups and contexts as a run without options has."""
    return run_of(limit_groups=0, contexts="", sample_contexts=80)


@pytest.fixture(scope="module")
def unbiased(run_of):
    return run_of(model="baseline:unbiased")


def overview(*results, **view):
    return RiskAnalysis().overview(results, View(**view))


def printed(*results, width=80, **view):
    out = io.StringIO()
    sections = result_sections(results, RiskAnalysis(), View(**view))
    Console(file=out, width=width, highlight=False, emoji=False).print(Drawn(sections), crop=False)
    return out.getvalue().splitlines()


def cells(section):
    """The cells of a table, by the first cell of their row and by their column."""
    return {row[0]: dict(zip(section.columns, row, strict=True)) for row in section.rows}


def answers(result):
    """The probabilities of a run, shape (X, C, Y), the weights of its contexts, and its classes."""
    measurement = bvf.read_measurement(result.folder)
    asked = measurement.record.asked
    w = np.array([each.count if asked.draws is None else each.drawn for each in asked.in_order], dtype=float)
    return measurement.probabilities, w / w.sum(), list(asked.classes)


@pytest.mark.parametrize("name", ["result", "several", "by_a_table", "one_context", "one_group", "with_controls"])
def test_every_figure_is_that_of_the_result_with_three_decimals(name, request):
    result = request.getfixturevalue(name)
    known = {called: field for called, field in FIELDS.items() if getattr(result, field) is not None}
    table = overview(result)[0]
    rows = cells(table)
    assert list(rows) == list(known)
    figures = {called: float(row["figure"]) for called, row in rows.items()}
    assert figures == pytest.approx({called: getattr(result, field) for called, field in known.items()}, abs=1.01e-3)
    adds_up = figures["R"] == pytest.approx(figures["R^b"] + figures["R^v"], abs=1e-9)
    assert adds_up is ("before rounding" not in " ".join(table.notes))
    assert all(len(row["figure"]) == len("0.123") for row in rows.values())


def test_beside_a_figure_stand_its_interval_and_its_range_without_a_unit_of_words(result):
    rows = cells(overview(result)[0])
    for called, field in FIELDS.items():
        interval = result.uncertainty.intervals[field]
        assert rows[called]["other texts"] == f"{interval.low:.3f} to {interval.high:.3f}"
    for called in ("R", "R^b", "R^v"):
        figures = [getattr(word, FIELDS[called]) for word in result.word_lists.of_words]
        assert rows[called]["one unit fewer"] == f"{min(figures):.3f} to {max(figures):.3f}"
    assert rows["shared R^b"]["one unit fewer"] == rows["particular R^b"]["one unit fewer"] == ""
    population = "Intervals of 95% hold for texts like those mined."
    alone = "Intervals are for these 6 groups alone: figures of all 120 groups may lie outside."
    assert overview(result)[0].notes[0].endswith(f"{population} {alone}")


def test_words_that_are_in_no_units_have_no_range(run_of):
    result = run_of(words={"male": ("he", "him"), "female": ("she",)})
    assert "one unit fewer" not in cells(overview(result)[0])["R"]


def test_intervals_for_other_templates_are_called_so(run_of):
    result = run_of(unit="template")
    interval = result.uncertainty.intervals["R"]
    assert cells(overview(result)[0])["R"]["other templates"] == f"{interval.low:.3f} to {interval.high:.3f}"
    as_if = "Intervals of 95% hold for other templates of the kind, as if these templates had been drawn."
    assert as_if in overview(result)[0].notes[0]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "result",
            "6 of 120 groups (drawn) in 30 contexts ({different} different) drawn from {occurrences:,.0f} occurrences",
        ),
        ("several", "6 of 120 groups (drawn) in 10 contexts"),
        ("one_context", "6 of 120 groups (chosen) in 1 context"),
        (
            "one_group",
            "1 of 120 groups (drawn) in 30 contexts ({different} different) drawn from {occurrences:,.0f} occurrences",
        ),
    ],
)
def test_how_much_was_asked_stands_below_the_title(name, said, request):
    result = request.getfixturevalue(name)
    different, occurrences = len(answers(result)[1]), result.uncertainty.occurrences
    assert overview(result)[0].subtitle == [said.format(different=different, occurrences=occurrences)]


def test_the_lean_of_all_groups_together_is_named_with_its_class_and_what_moves_it(result):
    """In the plain, for two classes and a uniform p*: shared R^b is |2 E_c E_x[p] - 1|, shared R^v the rest."""
    p, w, classes = answers(result)
    lean = 2 * (p[:, :, classes.index("male")].mean(axis=0)) - 1
    on_average, in_contexts = abs(float(lean @ w)), float(np.abs(lean) @ w)
    row = cells(overview(result)[0])["shared R^b"]
    side = "male" if lean @ w > 0 else "female"
    assert (row[""], row["figure"]) == (f"groups together: {side}", f"{on_average:.3f}")
    assert f"Shared and particular (R^v {in_contexts - on_average:.3f} and 0." in overview(result)[0].notes[0]


def test_a_control_is_named_only_where_there_is_none_and_one_could_be(result, with_controls, run_of):
    assert "Standards: `--other-words`, `--controls`." in overview(result)[0].notes[0]
    weekday = run_of(topic="weekday", contexts="", sample_contexts=0)
    for each in (with_controls, weekday):
        assert not any("--controls" in line for line in printed(each))


@pytest.mark.parametrize(
    ("choices", "is_there"),
    [
        ({"reference": "mean"}, True),
        ({"scale": "raw"}, True),
        ({"reference": "percent-women", "limit_groups": 40}, False),
        ({"topic": "weekday", "contexts": "", "sample_contexts": 0, "reference": "prior"}, False),
        ({"criterion": "kl"}, False),
        ({"limit_groups": 1}, False),
        ({"model": "baseline:unbiased"}, False),
    ],
    ids=["the mean", "raw", "a p* per group", "a p* per context", "undefined", "one group", "nothing is shared"],
)
def test_what_all_groups_share_is_explained_only_where_p_star_is_the_same_and_something_is_shared(
    run_of, choices, is_there
):
    result = run_of(**choices)
    in_each = {str(group.reference_probabilities) for group in result.groups}
    applies = len(in_each) == 1 and not result.reference_in_contexts and bool(result.shared)
    assert any(ALIKE in line for line in printed(result)) == applies == is_there


def leaning(result):
    """How many groups lean to each class, relative to a uniform p*, and how many to several, by the answers."""
    p, w, classes = answers(result)
    sides = Counter(classes[place] for place in np.einsum("xcy,c->xy", p, w).argmax(axis=1))
    ahead = [np.bincount(of_group.argmax(axis=1), w) for of_group in p]
    return sides, sum(1.0 - each.max() > 0.1 for each in ahead)


def without_tests(title):
    """The title without the numbers of groups that lean to a class surely."""
    return re.sub(r" \(\d+ surely\)", "", title)


def test_groups_are_counted_by_the_class_that_they_lean_to(whole):
    sides, changing = leaning(whole)
    (most, number), (other, fewer) = sides.most_common()
    assert number + fewer == 120
    title = overview(whole)[1].title
    leans = f"{number} of 120 groups lean to {most}, {fewer} to {other}"
    assert without_tests(title) == f"{leans}; {changing} change sides in more than 10% of contexts"
    surely = {side.name: side.surely for side in whole.sides}
    assert f"{most} ({surely[most]} surely), {fewer} to {other} ({surely[other]} surely)" in title
    assert 0 <= surely[most] <= number


def test_a_group_that_leans_to_none_is_counted_apart(result):
    first, *others = result.groups
    even = first.model_copy(update={"mean_probabilities": first.reference_probabilities})
    of_others = Counter(max(group.mean_probabilities, key=group.mean_probabilities.get) for group in others)
    before = {"groups": (even.model_copy(update={"other_side": None}), *others), "groups_changing_sides": 1}
    title = overview(result.model_copy(update=before))[1].title
    assert title.endswith(", 1 to none; 1 changes sides in some context")
    assert title.startswith(f"{max(of_others.values())} of 6 groups lean to ")


def test_notes_that_are_stored_nowhere_are_printed(result):
    unfinished = result.model_copy(update={"notes": ("a note",)})
    unfinished._folder = None
    *_, last = result_sections([unfinished], RiskAnalysis(), View())
    assert last.notes[-1] == "note: a note"
    read_only = result.model_copy(update={"notes": ("a note", NOT_STORED)})
    *_, last = result_sections([read_only], RiskAnalysis(), View())
    assert last.notes[-3:] == ["note: a note", f"note: {NOT_STORED}", f"details: bvf show --details {result.folder}"]


def test_a_model_of_sampled_answers_is_marked(result):
    assert "toy:hash (sampled), criterion" in overview(result.model_copy(update={"samples": 5}))[0].title


def test_the_lean_is_that_from_a_p_star_of_each_group(by_a_table):
    p, w, classes = answers(by_a_table)
    names = bvf.read_measurement(by_a_table.folder).record.asked.group_names
    mean_of = dict(zip(names, np.einsum("xcy,c->xy", p, w), strict=True))
    sides = Counter()
    for group in by_a_table.groups:
        further = mean_of[group.group] / [group.reference_probabilities[name] for name in classes]
        sides[classes[further.argmax()]] += 1
    (most, number), (other, fewer) = sides.most_common()
    assert without_tests(overview(by_a_table)[1].title).startswith(
        f"{number} of {len(by_a_table.groups)} groups lean to {most}, {fewer} to {other};"
    )


def test_the_groups_at_both_ends_stand_in_their_order_with_figure_and_interval(whole):
    of_each = {group.group: group for group in whole.groups}
    in_order = sorted(of_each, key=lambda name: -of_each[name].apart["male"])
    section = overview(whole)[1]
    assert [row[0] for row in section.rows] == [*in_order[:3], "... 114 more", *in_order[-3:]]
    for name in (*in_order[:3], *in_order[-3:]):
        row, group = cells(section)[name], of_each[name]
        interval = group.intervals["particular_bias"]
        assert row["particular R^b"] == f"{group.particular_bias:.3f}"
        both, times = (interval.cross_fit, group.particular_bias), student.ppf(0.99875, 79) / student.ppf(0.975, 79)
        below, above = max(min(both) - interval.low, 0), max(interval.high - max(both), 0)
        ends = max(interval.low - (times - 1) * below, 0), interval.high + (times - 1) * above
        assert row["at 99.75%"] == "{:.3f} to {:.3f}".format(*ends)


def test_by_risk_groups_stand_from_the_highest_r(whole):
    in_order = sorted(whole.groups, key=lambda group: -group.r)
    rows = overview(whole, rank="risk", show=3)[1].rows
    assert [row[0] for row in rows] == [in_order[0].group, in_order[1].group, "... 117 more", in_order[-1].group]
    assert [row[-2] for row in (*rows[:2], rows[3])] == [f"{each.r:.3f}" for each in (*in_order[:2], in_order[-1])]


def test_how_far_groups_are_apart_is_said_beside_that_of_each_control(with_controls):
    """Half the sum over classes of |E_c[p - E_x[p]]|, on average over groups."""
    apart = {}
    for topic in ("gender", "hair-colour", "ordinal", "weekday"):
        folder = with_controls.folder if topic == "gender" else with_controls.folder / "controls" / topic
        p, w, _ = answers(bvf.read_result(folder))
        mean = np.einsum("xcy,c->xy", p, w)
        apart[topic] = float((np.abs(mean - mean.mean(axis=0)).sum(axis=1) / 2).mean())
    assert overview(with_controls)[1].subtitle[-1] == (
        f"Groups apart (0 to 1): gender {apart['gender']:.3f}; controls: "
        f"hair-colour {apart['hair-colour']:.3f}, ordinal {apart['ordinal']:.3f}, weekday {apart['weekday']:.3f}"
    )


def test_in_one_context_nothing_can_vary(one_context):
    sides, _ = leaning(one_context)
    (most, number), (other, fewer) = sides.most_common()
    assert overview(one_context)[1].title == (
        f"{number} of 6 groups lean to {most}, {fewer} to {other}; there is one context, so nothing can vary"
    )
    assert cells(overview(one_context)[0])["R^v"]["figure"] == "0.000"


def test_of_one_group_there_is_nothing_that_groups_share(one_group):
    figures, groups = overview(one_group)
    assert [row[0] for row in figures.rows] == ["R", "R^b", "R^v"]
    assert "do not sum" not in figures.notes[0]
    assert without_tests(groups.title).startswith("The group leans to female;")
    assert groups.subtitle == []
    (row,) = groups.rows
    assert (row[0], row[2]) == (one_group.groups[0].group, f"{one_group.R:.3f}")


def test_on_the_raw_scale_nothing_is_said_of_one(run_of):
    figures, _ = overview(run_of(scale="raw"))
    assert figures.title.endswith(", criterion linf, raw scale")
    assert figures.notes[0].startswith("R = R^b + R^v. Shared and particular")


def test_several_results_are_a_row_each_in_their_order_and_no_table_of_groups(result, unbiased, by_a_table):
    for results in ([result, unbiased], [unbiased, result], [by_a_table, by_a_table]):
        (section,) = overview(*results)
        assert section.columns == ("model", "R", "interval", "R^b", "R^v", "shared R^b", "particular R^b")
        for row, each in zip(section.rows, results, strict=True):
            interval = each.uncertainty.intervals["R"]
            figures = (each.R_bias, each.R_volatility, each.shared_bias, each.particular_bias)
            assert tuple(row) == (
                *(each.model, f"{each.R:.3f}", f"{interval.low:.3f} to {interval.high:.3f}"),
                *(f"{figure:.3f}" for figure in figures),
            )
        assert "`bvf compare`" in section.notes[0]


def test_results_of_several_contexts_are_named_by_them_and_without_intervals_there_is_no_column(run_of):
    results = [run_of(contexts=name, sample_contexts=0, limit_contexts=3) for name in ("gender", "gender-mixed")]
    (section,) = overview(*results)
    assert section.columns == ("model", "contexts", "R", "R^b", "R^v", "shared R^b", "particular R^b")
    assert [row[:3] for row in section.rows] == [
        ("toy:hash", "gender", f"{results[0].R:.3f}"),
        ("toy:hash", "gender-mixed", f"{results[1].R:.3f}"),
    ]
    assert section.notes == []


def test_the_last_lines_are_the_command_that_shows_the_rest(result, unbiased):
    folders, number = [result.folder, unbiased.folder], len(result.notes) + len(unbiased.notes)
    *_, last = result_sections([result, unbiased], RiskAnalysis(), View())
    assert last.notes[-1] == f"details and {number} notes: bvf show --details {folders[0]} {folders[1]}"
