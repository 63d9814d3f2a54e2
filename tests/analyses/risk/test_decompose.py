"""`bvf.decompose` and `bvf.decompose_knowledge`: right, or one line that says what is wrong."""

import pytest
from helpers.no_numbers import NO_NUMBERS

import bvf
from bvf import BvfError

P = [[[0.5, 0.5], [0.2, 0.8]], [[0.9, 0.1], [0.4, 0.6]]]
NO_ARRAYS = {what: given for what, given in NO_NUMBERS.items() if what != "None"}
WRONG = {
    "an unknown scale": ({"scale": "x"}, "no scale 'x'"),
    "a scale that is a list": ({"scale": ["raw"]}, "no scale"),
    "a criterion that is a number": ({"criterion": 3}, "the criterion is 3, not a name"),
    "a criterion of knowledge": ({"criterion": "knowledge:log"}, "scores knowledge"),
}


@pytest.mark.parametrize(("given", "said"), WRONG.values(), ids=WRONG)
def test_wrong_choices_are_refused_in_one_line(given, said):
    with pytest.raises(BvfError, match=said):
        bvf.decompose(P, **given)


def knowledge(truth=(0, 1), **more):
    return bvf.decompose_knowledge(P, truth, "knowledge:log", **more)


@pytest.mark.parametrize("given", NO_ARRAYS.values(), ids=NO_ARRAYS)
def test_what_is_no_array_of_numbers_is_refused_wherever_it_is_given(given):
    for name in ("group_weights", "context_weights"):
        for call in (lambda **weights: bvf.decompose(P, **weights), knowledge):
            with pytest.raises(BvfError, match=f"{name.replace('_', ' ')}: no array of real numbers"):
                call(**{name: given})
    for call in (bvf.decompose, knowledge):
        with pytest.raises(BvfError, match="no array of real numbers"):
            call(given)
    with pytest.raises(BvfError, match=r"no array of real numbers|there is no reference"):
        bvf.decompose(P, reference=given)
