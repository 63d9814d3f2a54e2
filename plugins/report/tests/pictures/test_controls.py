"""Pictures of controls and of a topic among other words have the figures of a study, drawn and in a browser."""

import numpy as np
import pytest
from bvf_report.pictures.controls import AmongWords, Beside, Controls, among_words, controls
from helpers.made_pictures import marks

from bvf import BvfError, Result
from bvf.drawing.marks import Value
from bvf.results import ControlResult
from bvf.study.uncertainty import Uncertainty

CONTROL = ControlResult.model_construct(topic="weekday", difference=0.1, undefined="the contexts were written")
LEVEL = Uncertainty.model_construct(level=0.95)
STUDY = Result.model_construct(
    model="made", topic="gender", groups=(None, None), criterion="linf", scale="unit", uncertainty=LEVEL,
    controls=(CONTROL,),
)  # fmt: skip
OF_TOPIC = {"R": np.array([0.2, 0.8]), "apart": np.array([0.05, 0.15])}
BESIDE = (
    Beside("gender", {"R": Value(0.5, 0.4, 0.6), "apart": Value(0.1)}, OF_TOPIC),
    Beside("weekday", {"R": Value(0.4)}, {"R": np.array([0.3, 0.5])}),
)


def test_a_topic_and_its_controls_have_a_dot_for_each_figure_and_a_stroke_per_group():
    picture = Controls(STUDY, BESIDE)
    axes = picture.draw()
    by_sign = marks(axes)
    assert by_sign["o"] == [(0.5, -0.2), (0.4, 0.8)]
    assert by_sign["s"] == [(0.1, 0.22)]
    strokes = [segment[0][0] for each in axes.collections for segment in each.get_segments()]
    assert strokes == [0.2, 0.8, 0.3, 0.5, 0.05, 0.15]
    bars = [line.get_xdata().tolist() for line in axes.lines if line.get_linewidth() == 1.4]
    assert [bar[:2] for bar in bars] == [[0.4, 0.6]]
    said = picture.caption()
    assert "of gender beside 1 control, for made. A dot is the figure, a stroke one of 2 groups." in said
    assert said.endswith("Bars: intervals of 95%. No interval for weekday: the contexts were written.")


def test_a_run_without_controls_or_other_words_has_no_such_pictures(result):
    with pytest.raises(BvfError, match="this run has no controls"):
        controls(result)
    with pytest.raises(BvfError, match="other words were not asked"):
        among_words(result)


def test_a_topic_is_a_dot_and_each_set_of_other_words_a_stroke():
    others = np.array([0.02, 0.05, 0.0])
    picture = AmongWords("made", "gender", 0.1, others, ("Groups are further apart.",))
    axes = picture.draw()
    assert [place for places in marks(axes).values() for place in places] == [(0.1, 0.0)]
    assert [segment[0][0] for each in axes.collections for segment in each.get_segments()] == [*others]
    assert picture.caption().endswith("Groups are further apart.")
