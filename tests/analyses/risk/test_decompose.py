"""`bvf.decompose` and `bvf.decompose_knowledge`: right, or one line that says what is wrong."""

import pytest

import bvf
from bvf import BvfError

P = [[[0.5, 0.5], [0.2, 0.8]], [[0.9, 0.1], [0.4, 0.6]]]
NO_ARRAYS = {
    "text": "employment",
    "texts": ["a", "b"],
    "ragged lists": [[0.5, 0.5], [1.0]],
    "complex numbers": [0.5j, 0.5],
    "an object": {"a": 1},
    "None in a list": [None, 1.0],
}
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


@pytest.mark.parametrize("given", NO_ARRAYS.values(), ids=NO_ARRAYS)
@pytest.mark.parametrize("name", ["group_weights", "context_weights"])
def test_weights_that_are_no_numbers_are_refused(name, given):
    for decompose in (bvf.decompose, lambda p, **more: bvf.decompose_knowledge(p, [0, 1], "knowledge:log", **more)):
        with pytest.raises(BvfError, match=f"{name.replace('_', ' ')}: no array of real numbers"):
            decompose(P, **{name: given})


@pytest.mark.parametrize("given", NO_ARRAYS.values(), ids=NO_ARRAYS)
def test_other_arrays_that_are_no_numbers_are_refused(given):
    with pytest.raises(BvfError, match="no array of real numbers"):
        bvf.decompose(given)
    with pytest.raises(BvfError, match="no array of real numbers"):
        bvf.decompose_knowledge(P, given, "knowledge:log")
    with pytest.raises(BvfError, match=r"no array of real numbers|there is no reference"):
        bvf.decompose(P, reference=given)
