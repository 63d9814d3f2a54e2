"""The picture of a topic among other words has a dot for the topic and a stroke for each set of words."""

import numpy as np
import pytest
from bvf_report.pictures.controls import AmongWords, among_words
from helpers.made_pictures import marks

from bvf import BvfError

PICTURE = AmongWords("made", "gender", 0.1, np.array([0.02, 0.05, 0.0]), ("Groups are further apart.",))


def test_a_topic_is_a_dot_and_each_set_of_other_words_a_stroke():
    axes = PICTURE.draw()
    assert [place for places in marks(axes).values() for place in places] == [(0.1, 0.0)]
    assert [segment[0][0] for each in axes.collections for segment in each.get_segments()] == [0.02, 0.05, 0.0]
    assert PICTURE.caption().endswith("Groups are further apart.")


def test_a_run_without_other_words_has_no_such_picture(result):
    with pytest.raises(BvfError, match="other words were not asked"):
        among_words(result)
