"""What is printed first of risk: figures that are those of the result, and what groups do, counted again here."""

import io
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from helpers.made_alike import GROUPS, by_samples, measured
from rich.cells import cell_len
from rich.console import Console
from scipy.stats import t as student

import bvf
from bvf.analyses.risk.analysis import RiskAnalysis
from bvf.analyses.risk.leans import sides_of
from bvf.analyses.risk.other_words import OtherWords, WordSet
from bvf.analyses.risk.sentences import changes_of_side, if_alike, leans
from bvf.analyses.risk.verdict import verdicts
from bvf.hooks.loader import load
from bvf.interfaces.analysis import View
from bvf.results.sections import result_sections
from bvf.study.choices import prepared
from bvf.study.config import AnalysisConfig
from bvf.study.study import Study
from bvf.study.uncertainty import Uncertainty
from bvf.tables.terminal import Drawn

FIELDS = {"R": "R", "R^b": "R_bias", "R^v": "R_volatility"}
LEVEL, OTHERS, BEYOND, ENDS = "male, %", "95% interval", "from neutral", "interval"


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
def by_template(run_of):
    return run_of(unit="template")


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


def answers(folder):
    """The probabilities of a run, shape (X, C, Y), the weights of its contexts, and its classes."""
    measurement = bvf.read_measurement(folder)
    asked = measurement.record.asked
    return measurement.probabilities, asked.context_weights, list(asked.classes)


def percent(*values, form="{:.1f}"):
    return " to ".join(form.format(100 * value) for value in values)


def points(*values):
    return percent(*values, form="{:+.1f}")


def row_of_risk(result):
    """The figures of the two rows R = R^b + R^v, by their symbol, and the rows."""
    lines = " ".join(note for note in overview(result)[0].notes if re.match("(R|=|≈) ", note))
    found = re.findall(r"(?<!; )(R|R\^b|R\^v) (\d\.\d{3})", lines)
    return {symbol: float(value) for symbol, value in found}, lines


@pytest.mark.parametrize("name", ["result", "several", "by_a_table", "one_context", "one_group", "with_controls"])
def test_every_figure_is_that_of_the_result_with_three_decimals(name, request):
    result = request.getfixturevalue(name)
    figures, line = row_of_risk(result)
    known = {called: getattr(result, field) for called, field in FIELDS.items()}
    assert figures == pytest.approx(known, abs=1.01e-3)
    adds_up = figures["R"] == pytest.approx(figures["R^b"] + figures["R^v"], abs=1e-9)
    assert adds_up is ("≈" not in line)
    if interval := result.uncertainty.intervals.get("R"):
        assert line.startswith(f"R {known['R']:.3f} ({interval.low:.3f} to {interval.high:.3f}): 0 if ")
    assert (f"; R {result.R_if_alike or 0:.3f} if groups were alike" in line) is (result.R_if_alike is not None)


def test_neutral_subjects_groups_and_spreads_are_those_of_the_probabilities(result):
    """In the plain: means over contexts by their weights, of 100, of the first of two classes."""
    p, w, classes = answers(result.folder)
    male = classes.index("male")
    neutral, _, _ = answers(result.folder / "prior")
    of_neutral, of_groups = neutral[..., male].mean(axis=0) @ w, p[..., male] @ w
    rows, first = cells(overview(result)[0]), result.parts_of_lean.classes[0]
    default, mean = rows["neutral, such as person"], rows["mean of 6 groups"]
    assert (default[LEVEL], default[OTHERS]) == (percent(of_neutral), percent(first.default.low, first.default.high))
    assert (mean[LEVEL], mean[BEYOND]) == (percent(of_groups.mean()), points(of_groups.mean() - of_neutral))
    assert mean[ENDS] == points(first.association.low, first.association.high)
    for called, x in (("most male", of_groups.argmax()), ("least male", of_groups.argmin())):
        row = rows[f"{called}: {result.groups[x].group}"]
        assert (row[LEVEL], row[BEYOND]) == (percent(of_groups[x]), points(of_groups[x] - of_neutral))
    parts = result.parts_of_lean
    spreads = {"between groups": parts.groups, "between contexts": parts.contexts, "group by context": parts.rest}
    for what, part in spreads.items():
        assert rows[f"sd {what}"][LEVEL] == percent(part.value)


def test_without_neutral_subjects_groups_stand_beside_each_other(result):
    moved = {"association": None, "apart": {"male": 0.011, "female": -0.011}}  # as where prompts are missing
    groups = tuple(group.model_copy(update=moved) for group in result.groups)
    section = overview(result.model_copy(update={"parts_of_lean": None, "groups": groups}), at_first=0)[0]
    rows = cells(section)
    assert not any(name.startswith(("neutral", "sd ")) for name in rows)
    assert all(rows[group.group]["from others"] == points(0.011) for group in groups)
    assert "What contexts add is not known, as no neutral subjects were asked." in section.notes[-1]


def test_of_several_classes_the_likeliest_have_a_row_and_groups_the_class_that_they_are_farthest_in(several):
    section, parts = overview(several)[0], several.parts_of_lean
    rows, classes = cells(section), {each.name: each for each in parts.classes}
    likeliest = sorted(classes, key=lambda name: -classes[name].groups.value)[:3]
    assert [row[0] for row in section.rows][:3] == [f"mean: {name}" for name in likeliest]
    assert section.columns[0] == f"in %, 3 of {len(classes)} classes"
    for name in likeliest:
        row, each = rows[f"mean: {name}"], classes[name]
        assert (row["neutral"], row["groups"]) == (percent(each.default.value), percent(each.groups.value))
        assert row[BEYOND] == points(each.association.value)
        assert row[BEYOND] == f"{100 * each.association.value:+.1f}"
    of_each = {group.group: {name: each.value for name, each in group.associations.items()} for group in several.groups}
    farthest = {group: max(added, key=lambda name, added=added: abs(added[name])) for group, added in of_each.items()}
    in_order = sorted(farthest, key=lambda group: -abs(of_each[group][farthest[group]]))
    levels = {group.group: group.mean_probabilities for group in several.groups}
    for called, group in zip(("farthest", "next"), in_order, strict=False):
        shown = farthest[group]
        row = rows[f"{called}: {group}, {shown}"]
        assert row["neutral"] == percent(classes[shown].default.value)
        assert row["groups"] == percent(levels[group][shown])
        assert row[BEYOND] == points(of_each[group][shown])
    assert "sd: root mean square of classes." in section.notes[-1]


def test_intervals_of_chosen_groups_are_wider_with_several_classes_too(run_of, tmp_path):
    (tmp_path / "pool.txt").write_text("".join(f"On day {day} it rained.\n" for day in range(20)))
    result = run_of(topic="race", contexts="", sample_contexts=None, openings=str(tmp_path / "pool.txt"))
    section = overview(result)[0]
    assert "95% intervals (98.33% for picked groups): other openings, but no other groups." in section.subtitle[-1]
    freedom = result.uncertainty.units - 1
    times = student.ppf(0.5 + (1 - 0.05 / 3) / 2, freedom) / student.ppf(0.975, freedom)
    of_each = {group.group: group.associations for group in result.groups}
    shown = [(name, row) for name, row in cells(section).items() if name.startswith(("farthest: ", "next: "))]
    assert len(shown) == 2
    for name, row in shown:
        of_group, of_class = name.partition(": ")[2].rsplit(", ", 1)
        part = of_each[of_group][of_class]
        assert row[ENDS] == points(*(part.value + times * (end - part.value) for end in (part.low, part.high)))


def test_one_of_the_prompts_stands_below_the_title_with_the_likeliest_words(result):
    first = bvf.read_measurement(result.folder).record.check.first_prompt
    shares = {(word.attribute, word.word): word.share for word in result.word_lists.of_words}
    likeliest = [max(words, key=lambda word: shares[name, word]) for name, words in result.words.items()]
    assert overview(result)[0].subtitle[0] == f'"{first}"'.replace("[Y]", f"[{' | '.join(likeliest)}]")


TEXTS = "; 95% intervals ({} for picked groups): texts like those mined{}."
DRAWN = "in {contexts} contexts ({different} different) drawn from {occurrences:,.0f} occurrences"
NO_OTHERS = ", but no other groups"


@pytest.mark.parametrize(
    ("name", "number", "where", "intervals"),
    [
        ("result", "6 of 116 groups (drawn)", DRAWN, TEXTS.format("98.33%", NO_OTHERS)),
        ("several", "6 of 116 groups (drawn)", "in 10 contexts", ""),
        ("one_context", "6 of 116 groups (chosen)", "in 1 context", "No interval for other texts: {undefined}."),
        ("one_group", "1 of 116 groups (drawn)", DRAWN, ""),
        ("whole", "116 groups", DRAWN, TEXTS.format("99.91%", "")),
        (
            "by_template",
            "6 of 116 groups (drawn)",
            DRAWN,
            "intervals (98.33% for picked groups): other templates of the kind, as if these templates had been drawn"
            f"{NO_OTHERS}.",
        ),
    ],
)
def test_how_much_was_asked_and_what_intervals_are_for_stands_below_the_title(name, number, where, intervals, request):
    result = request.getfixturevalue(name)
    known = result.uncertainty
    facts = {"different": len(answers(result.folder)[1]), "occurrences": known.occurrences, "contexts": known.draws}
    (_, asked) = overview(result)[0].subtitle
    assert f"{number} {where}".format(**facts) in asked
    share = result.candidate_mass.in_percent(result.candidate_mass.mean)
    assert re.match(f"Words of (both|all): {share} of the probability, 100% below. ", asked)
    assert asked.endswith(intervals.format(undefined=known.undefined))


def test_other_words_are_offered_or_say_whether_groups_are_further_apart(result, one_group):
    offer = "No unrelated words asked (`--other-words`)."
    assert offer in overview(result)[0].notes[-1]
    assert offer not in " ".join(overview(one_group)[0].notes)
    pairs = [WordSet(words=("it", "there"), apart=apart) for apart in (0.3, 0.2, 0.1, 0.05)]
    figures = {"apart": 0.25, "median": 0.15, "place": 0.75, "place_ends": (0.5, 1.0), "ratio": 5 / 3}
    figures |= {"words": 8, "number_of_contexts": 9, "ratio_ends": (1.2, 2.04)}
    asked = OtherWords(measurement="", sets=pairs, outcome="cannot tell", **figures)
    section = overview(result.model_copy(update={"other_words": asked}))[0]
    assert section.notes[-1].endswith(
        "Further apart than by unrelated words? Cannot tell: 1.7 x the median pair (1.2 to 2.0)"
    )
    assert offer not in section.notes[-1]


def test_groups_that_lean_to_a_class_surely_are_counted_in_the_title(whole):
    surely = {side.name: side.surely for side in whole.sides}
    counted = re.fullmatch(
        r"(\d+) of 116 groups lean to (\w+) \((\d+) surely\), (\d+) to (\w+) \((\d+) surely\)", leans(whole)
    )
    most, other = counted.groups()[:3], counted.groups()[3:]
    for number, name, of_them in (most, other):
        assert 0 <= surely[name] == int(of_them) <= int(number)
    p = np.full((2, 20, 2), [0.9, 0.1])
    p[1, 11:] = np.nan  # an answer in 11 contexts
    made = measured("few", p, groups=("nurse", "poet"))
    (male,) = sides_of(Study.of(made, prepared(AnalysisConfig(), made.record.asked, load())[1]))
    assert (male.groups, male.surely) == (2, 1)


def test_a_group_that_leans_to_none_is_counted_apart(result):
    first, *others = result.groups
    even = first.model_copy(update={"mean_probabilities": first.reference_probabilities, "other_side": None})
    of_others = Counter(max(group.mean_probabilities, key=group.mean_probabilities.get) for group in others)
    made = result.model_copy(update={"groups": (even, *others), "groups_changing_sides": 1})
    assert leans(made).endswith(", 1 to none")
    assert changes_of_side(made) == "1 changes sides in some context"
    assert leans(made).startswith(f"{max(of_others.values())} of 6 groups lean to ")


def test_a_model_of_sampled_answers_is_marked(result):
    assert "toy:hash (sampled), criterion" in overview(result.model_copy(update={"samples": 5}))[0].title


@pytest.mark.parametrize(
    ("male", "slot"), [("he", "[he | she]"), ("a" * 30, f"[{30 * chr(97)} | she]"), ("a" * 60, "[...]")]
)
def test_an_example_keeps_its_slot_whatever_the_words_are(whole, male, slot):
    example = "In the long street that leads to the sea they all expected the nurse to be [Y], as everybody there knew."
    words = {"male": (male,), "female": ("she",)}
    result = whole.model_copy(update={"example": example, "words": words, "word_lists": None})
    shown = overview(result)[0].subtitle[0]
    assert f" the nurse to be {slot}, as everybody …" in shown
    assert len(shown) <= 80


def test_the_groups_at_both_ends_stand_in_their_order_with_figure_and_interval(whole):
    of_each = {group.group: group for group in whole.groups}
    in_order = sorted(of_each, key=lambda name: -of_each[name].association)
    section, few = overview(whole, at_first=6)[0], overview(whole)[0]
    assert [row[0] for row in section.rows][2:9] == [*in_order[:3], "... 110 more", *in_order[-3:]]
    assert [row[0] for row in few.rows][2:4] == [f"most male: {in_order[0]}", f"least male: {in_order[-1]}"]
    at_both_ends = {name: name for name in (*in_order[:3], *in_order[-3:])}
    first_and_last = {f"most male: {in_order[0]}": in_order[0], f"least male: {in_order[-1]}": in_order[-1]}
    for shown, number, names in ((section, 6, at_both_ends), (few, 2, first_and_last)):
        times = student.ppf(1.0 - 0.025 * number / 116, 79) / student.ppf(0.975, 79)
        for called, name in names.items():
            group, interval = of_each[name], of_each[name].intervals["association"]
            ends = [group.association + times * (end - group.association) for end in (interval.low, interval.high)]
            assert cells(shown)[called][ENDS] == points(*ends)


def test_by_risk_groups_stand_from_the_highest_r(whole):
    first, second, *_, last = sorted(whole.groups, key=lambda group: -group.r)
    section = overview(whole, rank="risk", at_first=3)[0]
    assert [row[0] for row in section.rows][2:6] == [first.group, second.group, "... 113 more", last.group]
    rows = cells(section)
    assert [rows[each.group]["r"] for each in (first, second, last)] == [
        f"{each.r:.3f}" for each in (first, second, last)
    ]


def test_how_far_groups_are_apart_is_said_beside_that_of_each_control(with_controls):
    apart = {control.topic: control.apart for control in with_controls.controls}
    gender = {control.apart + control.apart_difference for control in with_controls.controls}
    assert overview(with_controls)[0].notes[-2] == (
        f"Groups apart (0 to 1): gender {gender.pop():.3f}; controls: "
        f"hair-colour {apart['hair-colour']:.3f}, ordinal {apart['ordinal']:.3f}, weekday {apart['weekday']:.3f}"
    )


def test_in_one_context_nothing_can_vary_and_of_one_group_there_is_nothing_that_groups_share(one_context, one_group):
    assert changes_of_side(one_context) == "there is one context, so nothing can vary"
    assert row_of_risk(one_context)[0]["R^v"] == 0.0
    assert not {each.figure: each.finding for each in verdicts(one_context)}["R"]
    names = [row[0] for row in overview(one_group)[0].rows]
    assert one_group.groups[0].group in names
    assert not any(name.startswith(("mean of", "sd between groups")) for name in names)
    assert not if_alike(one_group)


def test_on_the_raw_scale_nothing_is_said_of_one(result):
    result = bvf.analyse(bvf.read_measurement(result.folder), scale="raw")
    assert overview(result)[0].title == "gender (en), toy:hash, criterion linf, raw scale: male or female?"
    assert "certain" not in row_of_risk(result)[1]


@pytest.mark.parametrize(
    ("reference", "ends"),
    [
        ("uniform", "0 if female is never above even, 1 if certain of female"),
        ("percent-women", "0 if female is never above p*, 1 if stereotyped"),
    ],
)
def test_risk_in_one_direction_ends_at_certainty_of_that_class(result, reference, ends):
    again = bvf.analyse(bvf.read_measurement(result.folder), criterion="direction:female", reference=reference)
    R, _ = overview(again)[0].notes[:2]
    assert R.endswith(f": {ends}")


def test_r_of_groups_that_are_alike_is_known_as_roughly_as_r_and_said_by_any_p_star_that_is_the_same(result):
    ends = {"R": (0.1, 0.9), "R_bias": (0.1, 0.9), "shared": (0.2, 0.8)}
    rough = result.model_copy(update={"between": ends})
    assert " 0.20 to 0.80 if groups were alike" in overview(rough)[0].notes[1]
    assert " R would be 0.20 to 0.80" in if_alike(rough)[0]
    assert if_alike(bvf.analyse(bvf.read_measurement(result.folder), reference="mean"))


def test_a_few_results_stand_beside_each_other_in_the_rows_of_one(result, unbiased):
    (section,) = overview(result, unbiased)
    both = [result, unbiased]
    assert section.columns == ("male, % (from neutral)", "A", "B")
    masses = [each.candidate_mass.in_percent(each.candidate_mass.mean) for each in both]
    shares = [f"(words: {mass} of the probability)" for mass in masses]
    names = [f"A: toy:hash {shares[0]}", f"B: baseline:unbiased {shares[1]}"]
    assert section.subtitle[-3:-1] == names
    rows = {row[0].strip(): row[1:] for row in section.rows}
    firsts = [each.parts_of_lean.classes[0] for each in both]
    assert rows["neutral, such as person"] == tuple(percent(each.default.value) for each in firsts)
    means = [(each.groups.value, each.association.value) for each in firsts]
    assert rows["mean of 6 groups"] == tuple(f"{percent(level)} ({points(added)})" for level, added in means)
    groups = [{group.group: group for group in each.groups} for each in both]
    in_order = sorted(groups[0], key=lambda name: -sum(of_each[name].association for of_each in groups))
    for called, name in (("most male on average", in_order[0]), ("least male on average", in_order[-1])):
        of_each = [(each[name].mean_probabilities["male"], each[name].association) for each in groups]
        assert rows[f"{called}: {name}"] == tuple(f"{percent(level)} ({points(added)})" for level, added in of_each)
    for place, each in enumerate(both):
        interval = each.uncertainty.intervals["R"]
        shown = [*rows["95% interval"][place].split(" to "), *rows["= R^b + R^v"][place].split(" + ")]
        exact = [interval.low, interval.high, each.R_bias, each.R_volatility]
        assert list(map(float, [rows["R"][place], *shown])) == pytest.approx([each.R, *exact], abs=5.01e-4)
    assert "`bvf compare` tests differences." in section.notes[0]


def test_of_runs_with_other_groups_the_ends_are_those_of_the_groups_in_common(result, run_of):
    rows = [row[0].partition(":")[0] for row in overview(result, run_of(limit_groups=9))[0].rows]
    ends = [row for row in rows if "least" in row or "most" in row]
    assert ends == ["most male in common on average", "least male in common on average"]


@pytest.mark.parametrize("number", [2, 3, 4])
def test_models_beside_each_other_fit_a_terminal(number, result, unbiased):
    shown = printed(*[result, unbiased, result, unbiased][:number])
    heading = next(line for line in shown if line.startswith(" male, % (from neutral)"))
    assert heading.split()[-number:] == list("ABCD")[:number]
    assert max(map(len, shown[:-1])) <= 80
    of_folders = sum(str(each.folder) in line for each in (result, unbiased) for line in shown[:-1])
    assert len(shown) - number - of_folders <= 20 + sum("WARNING" in line for line in shown) * 3


def test_more_results_or_unlike_ones_are_a_row_each_in_their_order_and_no_table_of_groups(result, unbiased):
    bare = unbiased.model_copy(update={"parts_of_lean": None})
    for results in ([result, unbiased, result, unbiased, result], [unbiased, result] * 3, [result, bare]):
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


def test_results_of_several_contexts_are_named_by_them_and_without_intervals_there_is_no_row_of_them(run_of):
    results = [run_of(contexts=name, sample_contexts=0, limit_contexts=3) for name in ("gender", "gender-mixed")]
    (section,) = overview(*results)
    names = [line.partition(" (words")[0] for line in section.subtitle if line[1] == ":"]
    assert names == ["A: toy:hash, gender", "B: toy:hash, gender-mixed"]
    assert [row[0].strip() for row in section.rows][-2:] == ["R", "= R^b + R^v"]


@pytest.fixture(scope="module")
def names(run_of):
    """A topic without neutral subjects: the mean of the groups stands for them."""
    return run_of(topic="names", contexts="", openings="no-person", sample_contexts=80)


def test_without_neutral_subjects_in_the_topic_spreads_are_beside_the_mean_of_the_groups(names):
    (section,), parts = overview(names), names.parts_of_lean
    rows = {row[0]: row[1:3] for row in section.rows}
    for what, part in (("groups", parts.groups), ("contexts", parts.contexts)):
        assert rows[f"sd between {what}"] == (percent(part.value), percent(part.low, part.high))
    at = section.columns.index("from others")
    assert all((" to " in row[at + 1]) == bool(row[at]) for row in section.rows)
    assert "neutral" not in section.columns
    assert "This topic has no neutral subjects." in section.subtitle[-1]


@pytest.mark.parametrize(
    "kind", ["result", "several", "one_context", "one_group", "by_a_table", "whole", "unbiased", "names"]
)
def test_a_first_screen_has_at_most_20_lines_of_80_columns_below_its_warnings(kind, request):
    shown = printed(request.getfixturevalue(kind))
    screen = shown[shown.index("") + 1 :] if shown[0].startswith("WARNING") else shown
    *others, last = screen
    assert last.startswith(("details: ", "bvf show --details "))
    assert len(others) - ("details:" in others) < 20
    assert max(map(cell_len, others)) <= 80


def test_without_an_interval_for_contexts_r_has_what_sampling_alone_leaves_open():
    measurement = by_samples("a", np.full((len(GROUPS), 30, 2), 0.5))
    result = bvf.analyse(replace(measurement, folder=None))
    unknown = Uncertainty(estimand="openings", level=0.95, undefined="nothing is known of the contexts")
    said = " ".join(" ".join(printed(result.model_copy(update={"uncertainty": unknown}))).split())
    ends = result.sampled.intervals["R"]
    assert f"R {result.R:.3f} ({ends.low:.3f} to {ends.high:.3f} by sampling alone, 95%): 0 if" in said
