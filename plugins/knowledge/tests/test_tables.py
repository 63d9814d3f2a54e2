"""Tables of knowledge: what is printed first, models that give it a scale, and what each subject says."""

from pathlib import Path

import numpy as np
import pytest
from bvf_knowledge.analysis import KnowledgeAnalysis, knowledge_rows
from bvf_knowledge.result import models_section, sentence, subject_section
from helpers.rendered import body, lines, scores
from rich.cells import cell_len

from bvf.builtin.criteria import knowledge
from bvf.interfaces.analysis import View
from bvf.results.sections import result_sections

FIELDS = {"mastery": "mastery", "expected": "expected_score", "gap": "confidence_gap"}
FIELDS |= {"accuracy": "accuracy", "consistency": "consistency"}
CORRECTED = {"corrected": "corrected_mastery"}
"""Defined for ten subjects or more."""


@pytest.fixture(scope="module")
def templates(continents):
    """Wordings enough for intervals, and too few subjects."""
    return continents(unit="template")


def overview(*results, **view):
    return KnowledgeAnalysis().overview(results, View(**view))


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


def test_in_one_context_nothing_can_agree(continents):
    alone = continents(limit_groups=1, limit_contexts=1)
    shown = column(overview(alone)[0], "figure")
    assert (shown["consistency"], shown["gap"]) == ("-", "0.000")
    assert [row[0] for row in overview(alone)[1].rows] == [alone.groups[0].group]


@pytest.mark.parametrize(("show", "first", "last"), [(6, 3, 3), (3, 2, 1), (8, 4, 4)])
def test_the_subjects_at_both_ends_of_what_is_known(whole, show, first, last):
    in_order = [group.group for group in sorted(whole.groups, key=lambda group: group.mastery)]
    rows = overview(whole, show=show)[1].rows
    assert [row[0] for row in rows] == [*in_order[:first], f"... {60 - show} more", *in_order[-last:]]


def test_several_results_are_a_row_each_in_their_order_and_no_table_of_subjects(templates, continents):
    other = continents(model="baseline:random")
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
        for name, field in FIELDS.items():
            cells, figures = list(column(section, name).values()), [getattr(each, field) for each in results]
            if name in ("accuracy", "consistency"):
                assert cells == [f"{figure:.3f}" for figure in figures]
            else:
                assert [float(cell) for cell in cells] == pytest.approx(figures, abs=1.01e-3)


@pytest.mark.parametrize("folder", ["runs/knowledge-continents-en-toy-hash-01234567", "r" * 60])
def test_a_run_without_options_is_read_at_one_glance(whole, folder):
    short = whole.model_copy()
    short._folder = Path(folder)
    printed = lines(*result_sections([short], KnowledgeAnalysis(), View()), crop=False)
    assert len(printed) <= 30
    assert max(map(cell_len, printed)) <= 80


def test_subjects_have_one_order(command, whole):
    for more in ((), ("--details",)):
        done = command("show", whole.folder, "--rank", "risk", *more)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("error: --rank risk: knowledge:sqrt scores knowledge")


def test_the_models_that_give_knowledge_a_scale():
    of_each = (np.eye(3) > 0, np.ones((3, 3)) > 0, np.full(3, 1 / 3))
    rows = knowledge_rows(knowledge("sqrt"), *of_each)
    guesser, constant, knower = ((each.mastery, each.gap, each.accuracy, each.consistency) for each in rows)
    assert guesser[:3] == pytest.approx((3**-0.5, 3**-0.5 - 1 / 3, 1 / 3))
    assert constant == pytest.approx((1 / 3, 0, 1 / 3, 1))
    assert knower == (1, 0, 1, 1)
    rendered = lines(models_section([scores(references=tuple(rows))]))
    assert [line.split()[0] for line in body(rendered)[:4]] == ["guesser", "always", "knower", "m"]


def test_subjects_say_what_is_true_and_what_the_model_says():
    rendered = lines(subject_section(scores(), 0))
    assert next(line for line in rendered if "truth" in line).split()[:4] == ["subject", "meaning", "truth", "says"]
    assert [row.split()[2:4] for row in body(rendered)] == [["巴黎", "伦敦"], ["东京", "-"], ["伦敦", "伦敦"]]
    assert "33.3% would be right by chance; most frequent answer: 伦敦 (2 of 3 subjects)" in rendered
    differing = scores().model_copy(update={"subjects_with_it": 1})
    assert sentence(differing) == "33.3% would be right by chance; no answer is on top of two subjects"
