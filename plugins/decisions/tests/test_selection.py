"""The rule says who is selected; those who are equal share the last places."""

import numpy as np
import pytest
from bvf_decisions.selection import Selection
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bvf import BvfError

SCORES = arrays(
    np.float64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.sampled_from([0.1, 0.2, 0.4, 0.9])
)


@given(p=SCORES, places=st.integers(1, 25))
def test_the_top_are_the_highest_and_as_many_as_there_are_places(p, places):
    rule = Selection(f"top={places}")
    if places > p.size:
        with pytest.raises(BvfError, match=f"{places} places for {p.size} candidates"):
            rule.selected(p)
        return
    selected = rule.selected(p)
    assert selected.sum() == pytest.approx(places)
    for score in np.unique(p):  # by hand: who is better is served first, and equals are served alike
        left = min(max(places - (p > score).sum(), 0), (p == score).sum())
        assert selected[p == score] == pytest.approx(left / (p == score).sum())


def test_above_is_not_at_the_number_or_the_median_and_a_share_is_of_all():
    p = np.array([0.5, 0.51, 0.2, 0.6])
    assert Selection("above=0.5").selected(p).tolist() == [0, 1, 0, 1]
    assert Selection().selected(p).tolist() == [0, 1, 0, 1]
    assert Selection("top=20%").selected(p) == pytest.approx([0, 0, 0, 0.8])


def test_the_favourable_class_is_the_first_or_the_one_that_is_named():
    classes = ("reject", "hire")
    assert Selection().for_classes(classes).index == 0
    named = Selection("top=10%,class=hire,by=sex+origin").for_classes(classes)
    assert (named.index, named.favourable, named.factors, named.top) == (1, "hire", ("sex", "origin"), "10%")
    with pytest.raises(BvfError, match='no class "hired"') as error:
        Selection("class=hired").for_classes(classes)
    assert "hire" in error.value.hint


@pytest.mark.parametrize("rule", ["above=1.5", "above=-1", "top=0", "top=2.5", "top=few", "half", "", "class=", "by="])
def test_what_is_no_rule_is_refused(rule):
    with pytest.raises(BvfError, match="is not one of its rules"):
        Selection(rule)
