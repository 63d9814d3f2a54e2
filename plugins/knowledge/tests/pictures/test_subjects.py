"""The picture of subjects has the mastery and the interval of each, and the wrong answers."""

from dataclasses import replace

import numpy as np
import pytest
from bvf_knowledge.pictures.subjects import NAMED, subjects
from helpers.made_alike import asked_in_wordings
from helpers.made_pictures import keys, laid_out, named

import bvf
from bvf import BvfError
from bvf.drawing.marks import Dots

STEADY = np.array([0.9, 0.5, 0.2, 0.7])
"""Mean p of the true answer of nurse, pilot, poet and judge."""
SWAY = np.array([0.01, 0.4, 0.02, 0.1])
"""How far wordings are from it, up and down."""


def known(wordings=12):
    p = STEADY[:, np.newaxis] + SWAY[:, np.newaxis] * np.linspace(-1.0, 1.0, wordings)
    return bvf.analyse(replace(asked_in_wordings("a", p), folder=None), criterion="knowledge:sqrt")


@pytest.fixture(scope="module")
def view():
    return subjects(known())


def test_subjects_stand_by_their_mastery_with_their_intervals_and_a_wrong_answer_beside_its_hollow_dot(view):
    assert [each.group for each in view.subjects] == ["nurse", "judge", "pilot", "poet"]
    assert [each.mastery for each in view.subjects] == pytest.approx(np.sqrt([0.9, 0.7, 0.5, 0.2]))
    marks = view.marks().marks
    right, wrong = (mark for mark in marks if isinstance(mark, Dots))
    interval = view.subjects[-1].intervals["mastery"]
    assert (wrong.x[-1].low, wrong.x[-1].high) == (interval.low, interval.high)
    assert marks[0].x == pytest.approx(0.5**0.5), "a guesser"
    assert [each.value for each in (*right.x, *wrong.x)] == pytest.approx(np.sqrt([0.9, 0.7, 0.5, 0.2]))
    assert (right.hollow, wrong.hollow) == ([False, False], [True, True])
    assert (right.y, wrong.y) == ([0, 1], [2, 3])
    assert wrong.texts == ["male; says a tie", "male; says female"]
    axes = view.draw()
    assert named(axes) == ["nurse", "judge", "pilot", "poet"]
    beside = {text.get_position()[1]: text.get_text() for text in axes.texts}
    assert beside == {2: "a tie", 3: "female"}
    assert keys(axes) == ["right on average", "another answer", "a guesser"]
    laid_out(axes)


def test_the_caption_names_the_ends_and_what_is_known_of_right_answers(view):
    said = view.caption()
    assert "4 subjects, 12 wordings. From nurse (0.95) to poet (0.45)." in said
    assert "The true answer is on top for 2 of 4 subjects." in said
    assert "Dashed: a guesser, 0.71. Bars: intervals of 95% for other contexts of the kind." in said
    assert "Widest" not in said


def test_the_caption_names_the_widest_intervals_and_the_narrowest(view):
    four = view.subjects
    copies = tuple(each.model_copy(update={"group": f"{each.group} {n}"}) for n in (1, 2, 3) for each in four)
    said = subjects(view.result.model_copy(update={"groups": copies})).caption()
    intervals = {each.group: each.intervals["mastery"] for each in four}
    widths = {name: each.high - each.low for name, each in intervals.items()}
    widest, narrowest = max(widths, key=widths.get), min(widths, key=widths.get)
    assert (widest, narrowest) == ("pilot", "nurse")
    pilot, nurse = intervals["pilot"], intervals["nurse"]
    of_pilot = f"({pilot.low:.2f} to {pilot.high:.2f})"
    assert f"Widest: pilot 1 {of_pilot}, pilot 2 {of_pilot}, pilot 3 {of_pilot}." in said
    certain = said.split("Most certain: ")[1]
    assert certain.count(f"({nurse.low:.2f} to {nurse.high:.2f})") == NAMED


def test_subjects_from_both_ends_of_their_order(view):
    ends = view.with_ends(2)
    assert [each.group for each in ends.rows] == ["nurse", "poet"]
    assert named(ends.draw()) == ["nurse", "poet"]
    assert "2 of 4 subjects, from both ends of their order" in ends.caption()
    assert "for 2 of 4 subjects" in ends.caption()


def test_few_wordings_have_no_bars_and_a_result_of_risk_has_no_subjects(result):
    view = subjects(known(wordings=5))
    assert all(value.low is None for mark in view.marks().marks if isinstance(mark, Dots) for value in mark.x)
    assert "No intervals: there are only 5.0 effective wordings" in view.caption()
    with pytest.raises(BvfError, match="has no figures of knowledge"):
        subjects(result)


@pytest.mark.parametrize("name", ["one\ntwo", "bell\x07\x1b[31m", "\u202eleft", "half \ud800", "x" * 300])
def test_names_of_strangers_stay_on_one_line(view, name):
    result = view.result
    groups = (result.groups[0].model_copy(update={"group": name}),) * 9
    said = subjects(result.model_copy(update={"model": name, "topic": name, "groups": groups})).caption()
    assert said.isprintable()
    assert len(said.encode()) < 1200
