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
from bvf.analyses.risk.sentences import changes_of_side, if_alike, leans
from bvf.interfaces.analysis import View
from bvf.results.sections import result_sections
from bvf.results.store import NOT_STORED
from bvf.tables.terminal import Drawn

FIELDS = {"R": "R", "R^b": "R_bias", "R^v": "R_volatility"}
LEVEL, OTHERS, BEYOND, ENDS = "", "other texts", "from neutral", "interval"


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
    return stored_in(result.folder)


def stored_in(folder):
    measurement = bvf.read_measurement(folder)
    asked = measurement.record.asked
    w = np.array([each.count if asked.draws is None else each.drawn for each in asked.in_order], dtype=float)
    return measurement.probabilities, w / w.sum(), list(asked.classes)


def row_of_risk(result):
    """The figures of the sentence R = R^b + R^v, by their symbol, and the sentence."""
    (line,) = (note for note in overview(result)[0].notes if note.startswith("R "))
    return {symbol: float(value) for symbol, value in re.findall(r"(R|R\^b|R\^v) (\d\.\d{3})", line)}, line


@pytest.mark.parametrize("name", ["result", "several", "by_a_table", "one_context", "one_group", "with_controls"])
def test_every_figure_is_that_of_the_result_with_three_decimals(name, request):
    result = request.getfixturevalue(name)
    figures, line = row_of_risk(result)
    known = {called: getattr(result, field) for called, field in FIELDS.items()}
    assert figures == pytest.approx(known, abs=1.01e-3)
    adds_up = figures["R"] == pytest.approx(figures["R^b"] + figures["R^v"], abs=1e-9)
    assert adds_up is ("before rounding" not in line)
    for called, field in FIELDS.items():
        if interval := result.uncertainty.intervals.get(field):
            assert f"{called} {known[called]:.3f} ({interval.low:.3f} to {interval.high:.3f})" in line


def test_neutral_subjects_groups_and_spreads_are_those_of_the_probabilities(result):
    """In the plain: means over contexts by their weights, of 100, of the first of two classes."""
    p, w, classes = answers(result)
    male = classes.index("male")
    neutral, _, _ = stored_in(result.folder / "prior")
    of_neutral, of_groups = neutral[..., male].mean(axis=0) @ w, p[..., male] @ w
    rows, first = cells(overview(result)[0]), result.parts_of_lean.classes[0]
    (default,) = (row for name, row in rows.items() if name.startswith("neutral: person"))
    assert default[LEVEL] == f"{100 * of_neutral:.1f}"
    assert default[OTHERS] == f"{100 * first.default.low:.1f} to {100 * first.default.high:.1f}"
    mean = rows["mean of 6 groups"]
    assert (mean[LEVEL], mean[BEYOND]) == (
        f"{100 * of_groups.mean():.1f}",
        f"{100 * (of_groups.mean() - of_neutral):+.1f}",
    )
    assert mean[ENDS] == f"{100 * first.association.low:+.1f} to {100 * first.association.high:+.1f}"
    names = [group.group for group in result.groups]
    for x, name in enumerate(names):
        assert rows[name][LEVEL] == f"{100 * of_groups[x]:.1f}"
        assert rows[name][BEYOND] == f"{100 * (of_groups[x] - of_neutral):+.1f}"
    parts = result.parts_of_lean
    for what, part in (
        ("between groups", parts.groups),
        ("between contexts", parts.contexts),
        ("of both together", parts.rest),
    ):
        assert rows[f"sd {what}"][LEVEL] == f"{100 * part.value:.1f}"
    notes = " ".join(overview(result)[0].notes)
    population = "Intervals of 95% hold for texts like those mined."
    alone = "Intervals are for these 6 groups alone: figures of all 116 groups may lie outside."
    assert f"{population} {alone}" in notes


def test_without_neutral_subjects_groups_stand_beside_each_other(result):
    bare = [group.model_copy(update={"association": None}) for group in result.groups]
    section = overview(result.model_copy(update={"parts_of_lean": None, "groups": bare}))[0]
    rows = cells(section)
    assert "from others" in section.columns
    assert not any(name.startswith(("neutral", "sd ")) for name in rows)
    for group in result.groups:
        assert rows[group.group]["from others"] == f"{100 * group.apart['male']:+.1f}"
        assert rows[group.group]["particular R^b"] == f"{group.particular_bias:.3f}"


def test_of_several_classes_each_has_a_row_and_groups_their_own_class(several):
    section, parts = overview(several)[0], several.parts_of_lean
    rows = cells(section)
    for each in parts.classes:
        row = rows[f"mean of {len(several.groups)} groups: {each.name}"]
        assert row[""] == f"{100 * each.groups.value:.1f}"
        assert row[BEYOND] == f"{100 * each.association.value:+.1f}"
    for group in several.groups:
        name, level = rows[group.group][""].rsplit(" ", 1)
        assert level == f"{100 * group.mean_probabilities[name]:.1f}"
        assert rows[group.group][BEYOND] == f"{100 * group.associations[name].value:+.1f}"


def test_intervals_of_chosen_groups_are_wider_with_several_classes_too(run_of, tmp_path):
    (tmp_path / "pool.txt").write_text("".join(f"On day {day} it rained.\n" for day in range(20)))
    result = run_of(topic="race", contexts="", sample_contexts=None, openings=str(tmp_path / "pool.txt"))
    section = overview(result, show=2)[0]
    assert "Those of single groups are at 98.33%, as these were chosen as extremes." in section.notes[-1]
    freedom = result.uncertainty.units - 1
    times = student.ppf(0.5 + (1 - 0.05 / 3) / 2, freedom) / student.ppf(0.975, freedom)
    shown = [group for group in result.groups if group.group in cells(section)]
    assert len(shown) == 2
    for group in shown:
        row = cells(section)[group.group]
        part = group.associations[row[LEVEL].rsplit(" ", 1)[0]]
        ends = [100 * (part.value + times * (end - part.value)) for end in (part.low, part.high)]
        assert row[ENDS] == "{:+.1f} to {:+.1f}".format(*ends)


def test_one_of_the_prompts_stands_below_the_title_with_the_likeliest_words(result):
    first = bvf.read_measurement(result.folder).record.check.first_prompt
    shares = {(word.attribute, word.word): word.share for word in result.word_lists.of_words}
    likeliest = [max(words, key=lambda word: shares[name, word]) for name, words in result.words.items()]
    assert overview(result)[0].subtitle[0] == f'"{first}"'.replace("[Y]", f"[{' | '.join(likeliest)}]")


def test_intervals_for_other_templates_are_called_so(run_of):
    section = overview(run_of(unit="template"))[0]
    assert "other templates" in section.columns
    as_if = "Intervals of 95% hold for other templates of the kind, as if these templates had been drawn."
    assert as_if in " ".join(section.notes)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "result",
            "6 of 116 groups (drawn) in 30 contexts ({different} different) drawn from {occurrences:,.0f} occurrences",
        ),
        ("several", "6 of 116 groups (drawn) in 10 contexts"),
        ("one_context", "6 of 116 groups (chosen) in 1 context"),
        (
            "one_group",
            "1 of 116 groups (drawn) in 30 contexts ({different} different) drawn from {occurrences:,.0f} occurrences",
        ),
    ],
)
def test_how_much_was_asked_stands_below_the_title(name, said, request):
    result = request.getfixturevalue(name)
    different, occurrences = len(answers(result)[1]), result.uncertainty.occurrences
    assert overview(result)[0].subtitle[1:] == [said.format(different=different, occurrences=occurrences)]


def test_a_control_is_named_only_where_there_is_none_and_one_could_be(result, with_controls, run_of):
    assert "See also `--other-words`, `--controls` and `--openings`." in overview(result)[0].notes[-1]
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
    assert bool(if_alike(result)) == applies == is_there


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
    assert number + fewer == 116
    title = leans(whole)
    assert without_tests(title) == f"{number} of 116 groups lean to {most}, {fewer} to {other}"
    assert changes_of_side(whole) == f"{changing} change sides in more than 10% of contexts"
    surely = {side.name: side.surely for side in whole.sides}
    assert f"{most} ({surely[most]} surely), {fewer} to {other} ({surely[other]} surely)" in title
    assert 0 <= surely[most] <= number


def test_a_group_that_leans_to_none_is_counted_apart(result):
    first, *others = result.groups
    even = first.model_copy(update={"mean_probabilities": first.reference_probabilities})
    of_others = Counter(max(group.mean_probabilities, key=group.mean_probabilities.get) for group in others)
    before = {"groups": (even.model_copy(update={"other_side": None}), *others), "groups_changing_sides": 1}
    title = leans(result.model_copy(update=before))
    assert title.endswith(", 1 to none")
    assert changes_of_side(result.model_copy(update=before)) == "1 changes sides in some context"
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
    number_of_groups = len(by_a_table.groups)
    assert (
        without_tests(leans(by_a_table)) == f"{number} of {number_of_groups} groups lean to {most}, {fewer} to {other}"
    )


def test_the_groups_at_both_ends_stand_in_their_order_with_figure_and_interval(whole):
    of_each = {group.group: group for group in whole.groups}
    in_order = sorted(of_each, key=lambda name: -of_each[name].association)
    section = overview(whole)[0]
    assert [row[0] for row in section.rows][2:9] == [*in_order[:3], "... 110 more", *in_order[-3:]]
    assert "Those of single groups are at 99.74%, as these were chosen as extremes." in section.notes[-1]
    for name in (*in_order[:3], *in_order[-3:]):
        group, times = of_each[name], student.ppf(1.0 - 0.025 * 6 / 116, 79) / student.ppf(0.975, 79)
        interval = group.intervals["association"]
        ends = [group.association + times * (end - group.association) for end in (interval.low, interval.high)]
        assert cells(section)[name][ENDS] == "{:+.1f} to {:+.1f}".format(*(100 * end for end in ends))


def test_by_risk_groups_stand_from_the_highest_r(whole):
    in_order = sorted(whole.groups, key=lambda group: -group.r)
    section = overview(whole, rank="risk", show=3)[0]
    shown = [in_order[0].group, in_order[1].group, "... 113 more", in_order[-1].group]
    assert [row[0] for row in section.rows][2:6] == shown
    rows = cells(section)
    assert [rows[each.group]["r"] for each in (*in_order[:2], in_order[-1])] == [
        f"{each.r:.3f}" for each in (*in_order[:2], in_order[-1])
    ]


def test_how_far_groups_are_apart_is_said_beside_that_of_each_control(with_controls):
    """Half the sum over classes of |E_c[p - E_x[p]]|, on average over groups."""
    apart = {}
    for topic in ("gender", "hair-colour", "ordinal", "weekday"):
        folder = with_controls.folder if topic == "gender" else with_controls.folder / "controls" / topic
        p, w, _ = answers(bvf.read_result(folder))
        mean = np.einsum("xcy,c->xy", p, w)
        apart[topic] = float((np.abs(mean - mean.mean(axis=0)).sum(axis=1) / 2).mean())
    assert overview(with_controls)[0].notes[-2] == (
        f"Groups apart (0 to 1): gender {apart['gender']:.3f}; controls: "
        f"hair-colour {apart['hair-colour']:.3f}, ordinal {apart['ordinal']:.3f}, weekday {apart['weekday']:.3f}"
    )


def test_in_one_context_nothing_can_vary(one_context):
    assert changes_of_side(one_context) == "there is one context, so nothing can vary"
    assert row_of_risk(one_context)[0]["R^v"] == 0.0


def test_of_one_group_there_is_nothing_that_groups_share(one_group):
    (section,) = overview(one_group)
    names = [row[0] for row in section.rows]
    assert one_group.groups[0].group in names
    assert not any(name.startswith(("mean of", "sd between groups")) for name in names)
    p = one_group.groups[0].mean_probabilities
    assert without_tests(leans(one_group)) == f"The group leans to {max(p, key=p.__getitem__)}"


def test_on_the_raw_scale_nothing_is_said_of_one(run_of):
    result = run_of(scale="raw")
    assert overview(result)[0].title.endswith(", criterion linf, raw scale")
    assert "1 for certainty" not in row_of_risk(result)[1]


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
