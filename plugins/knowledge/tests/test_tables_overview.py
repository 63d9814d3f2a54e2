"""What is printed first of knowledge: figures that are those of the result, and the subjects at both ends."""

import io
from pathlib import Path

import pytest
from bvf_knowledge.analysis import KnowledgeAnalysis
from bvf_knowledge.result import sentence
from rich.cells import cell_len
from rich.console import Console

from bvf.interfaces.analysis import View
from bvf.results.sections import result_sections
from bvf.tables.terminal import Drawn

CONTINENTS = {"topic": "knowledge/continents", "contexts": "", "sample_contexts": 0}
FIELDS = {
    "mastery": "mastery",
    "expected": "expected_score",
    "gap": "confidence_gap",
    "accuracy": "accuracy",
    "consistency": "consistency",
}
CORRECTED = {"corrected": "corrected_mastery"}
"""Defined for ten subjects or more."""


@pytest.fixture(scope="module")
def whole(run_of):
    """All subjects, as a run without options has them."""
    return run_of(**CONTINENTS, limit_groups=0)


@pytest.fixture(scope="module")
def templates(run_of):
    """Wordings enough for intervals, and too few subjects."""
    return run_of(**CONTINENTS, unit="template")


@pytest.fixture(scope="module")
def few(run_of):
    """Too few wordings for intervals."""
    return run_of(**CONTINENTS, limit_contexts=5, limit_groups=0)


@pytest.fixture(scope="module")
def alone(run_of):
    return run_of(**CONTINENTS, limit_groups=1, limit_contexts=1)


def overview(*results, **view):
    return KnowledgeAnalysis().overview(results, View(**view))


def printed(*results, width=80, **view):
    out = io.StringIO()
    sections = result_sections(results, KnowledgeAnalysis(), View(**view))
    Console(file=out, width=width, highlight=False, emoji=False).print(Drawn(sections), crop=False)
    return out.getvalue().splitlines()


def column(section, name):
    """The cells of a column, by the first cell of their row."""
    place = list(section.columns).index(name)
    return {row[0]: row[place] for row in section.rows}


@pytest.mark.parametrize(("name", "fields"), [("whole", FIELDS | CORRECTED), ("templates", FIELDS)])
def test_every_figure_is_that_of_the_result_with_three_decimals(name, fields, request):
    result = request.getfixturevalue(name)
    shown = column(overview(result)[0], "figure")
    assert list(shown) == list(fields)
    assert [float(cell) for cell in shown.values()] == pytest.approx(
        [getattr(result, field) for field in fields.values()], abs=1.01e-3
    )
    assert all(len(cell) == len("0.123") for cell in shown.values())
    assert float(shown["mastery"]) == pytest.approx(float(shown["expected"]) + float(shown["gap"]), abs=1e-9)


def test_beside_a_figure_stands_its_interval_where_it_has_one(templates):
    intervals = templates.uncertainty.intervals
    assert set(intervals) == set(FIELDS.values())
    section = overview(templates)[0]
    shown = column(section, "other wordings")
    for called, field in FIELDS.items():
        each = intervals.get(field)
        assert shown[called] == (f"{each.low:.3f} to {each.high:.3f}" if each else "")
    of_what = "other wordings of the question, as if these wordings had been drawn"
    alone = "Intervals are for these 6 subjects alone: figures of all 60 subjects may lie outside."
    assert section.notes == [f"Mastery = expected + gap. Intervals of 95% hold for {of_what}. {alone}"]
    assert templates.uncertainty.estimand == "wordings"
    assert "without a word" not in section.columns


def test_without_intervals_there_is_no_column_of_them_and_why_is_said(few):
    section = overview(few)[0]
    assert list(section.columns) == ["", "", "figure", "chance", "other subjects"]
    why = few.uncertainty.undefined
    right = sum(group.corrected_says == group.truth for group in few.groups)
    corrected = f"Corrected: mastery without a preference for some answers; {right} of 60 subjects"
    assert section.notes == [
        f"Mastery = expected + gap. {corrected} would then have the true one on top."
        f" No interval for other texts: {why}."
    ]


def test_title_and_number_of_subjects(whole, alone):
    title = "knowledge/continents (en), toy:hash, criterion knowledge:sqrt"
    first = overview(whole)[0]
    assert (first.title, first.subtitle) == (title, ["60 subjects in 11 contexts"])
    assert overview(alone)[0].subtitle == ["1 of 60 subjects (drawn) in 1 context"]


def test_in_one_context_nothing_can_agree(alone):
    shown = column(overview(alone)[0], "figure")
    assert (shown["consistency"], shown["gap"]) == ("-", "0.000")
    assert [row[0] for row in overview(alone)[1].rows] == [alone.groups[0].group]


@pytest.mark.parametrize(("show", "first", "last"), [(6, 3, 3), (3, 2, 1), (8, 4, 4)])
def test_the_subjects_at_both_ends_of_what_is_known(whole, show, first, last):
    in_order = [group.group for group in sorted(whole.groups, key=lambda group: group.mastery)]
    rows = overview(whole, show=show)[1].rows
    assert [row[0] for row in rows] == [*in_order[:first], f"... {60 - show} more", *in_order[-last:]]


def test_six_subjects_are_shown_where_no_number_is_asked_for(whole):
    section = overview(whole)[1]
    assert len(section.rows) == 7
    assert section.title == sentence(whole)


def test_several_results_are_a_row_each_in_their_order_and_no_table_of_subjects(templates, run_of):
    other = run_of(**CONTINENTS, model="baseline:random")
    for results in ([templates, other], [other, templates]):
        (section,) = overview(*results)
        assert [row[0] for row in section.above] == ["guesser"]
        assert "`bvf compare`" in section.notes[0]
        assert [row[0] for row in section.rows] == [each.model for each in results]
        assert [row[1] for row in section.rows] == [str(each.number_of_contexts) for each in results]
        intervals = [each.uncertainty.intervals.get("mastery") for each in results]
        assert [row[3] for row in section.rows] == [
            "" if each is None else f"{each.low:.3f} to {each.high:.3f}" for each in intervals
        ]
        for name in ("mastery", "expected", "gap"):
            shown = list(column(section, name).values())
            assert [float(cell) for cell in shown] == pytest.approx(
                [getattr(each, FIELDS[name]) for each in results], abs=1.01e-3
            )
        for name in ("accuracy", "consistency"):
            shown = list(column(section, name).values())
            assert shown == [f"{getattr(each, name):.3f}" for each in results]


def test_the_last_line_is_the_command_that_shows_the_rest(whole):
    last = result_sections([whole], KnowledgeAnalysis(), View())[-1].notes[-1]
    assert last == f"details: bvf show --details {whole.folder}"
    assert whole.notes[0] not in " ".join(printed(whole))
    assert f"note: {whole.notes[0]}" in " ".join(" ".join(printed(whole, details=True)).split())


def test_the_details_have_the_reference_models_and_what_figures_rest_on(whole):
    words = " ".join(" ".join(printed(whole, details=True)).split())
    for said in ("guesser", "knower", "candidate mass, the probability", f"results: {whole.folder}"):
        assert said in words
        assert said not in " ".join(printed(whole))


@pytest.mark.parametrize("folder", ["runs/knowledge-continents-en-toy-hash-01234567", "r" * 60])
def test_a_run_without_options_is_read_at_one_glance(whole, folder):
    short = whole.model_copy()
    short._folder = Path(folder)
    lines = printed(short)
    assert len(lines) <= 30
    assert max(map(cell_len, lines)) <= 80


@pytest.mark.parametrize("name", ["whole", "templates", "alone"])
def test_no_line_is_wider_than_a_narrow_terminal(name, request):
    result = request.getfixturevalue(name).model_copy()
    result._folder = Path("r" * 60)
    *lines, command = printed(result, width=50)
    assert max(map(cell_len, lines)) <= 50
    assert command == f"bvf show --details {result.folder}"


@pytest.mark.parametrize("more", [(), ("--details",)])
def test_subjects_have_one_order(command, whole, more):
    done = command("show", whole.folder, "--rank", "risk", *more)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: --rank risk: knowledge:sqrt scores knowledge")
