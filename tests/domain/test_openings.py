"""Contexts are templates after openings: which are drawn, what they weigh, and which pools are refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf import BvfError
from bvf.domain.asked import Asked, AskedOpenings, AskedTemplate, Draws
from bvf.domain.openings import Openings

SAID, KNEW = "The [X] said that [Y]", "The [X] knew that [Y]"
COLD, LATE = "It was a cold day.", "The train was late again."


def asked(draws, counts=(3.0, 1.0), weights=(1.0, 1.0, 2.0)):
    """Two templates, and a pool of two sentences and nothing."""
    templates = tuple(AskedTemplate(template=t, count=c) for t, c in zip((SAID, KNEW), counts, strict=True))
    pool = AskedOpenings(name="pool", source="", between=" ", texts=(COLD, LATE, "none"), counts=weights)
    questions = Asked.model_construct(templates=templates, openings=pool, draws=None)
    return questions.with_draws(draws)


def test_a_context_is_an_opening_and_a_template():
    contexts = asked(Draws(seed=0, rounds=(60,))).in_order
    begins = {COLD: f"{COLD} ", LATE: f"{LATE} ", "none": ""}
    assert {each.template for each in contexts} == {f"{before}{t}" for before in begins.values() for t in (SAID, KNEW)}
    for each in contexts:
        assert each.template == begins[each.columns["opening"]] + each.columns["template"]


def test_templates_and_openings_are_drawn_by_their_own_weights():
    whole = asked(Draws(seed=1, rounds=(20_000,)))
    of_template, of_opening = {SAID: 0.75, KNEW: 0.25}, {COLD: 0.25, LATE: 0.25, "none": 0.5}
    found = {(each.columns["template"], each.columns["opening"]) for each in whole.in_order}
    assert found == {(template, opening) for template in of_template for opening in of_opening}
    for each, weight in zip(whole.in_order, whole.context_weights, strict=True):
        expected = of_template[each.columns["template"]] * of_opening[each.columns["opening"]]
        assert weight == pytest.approx(expected, abs=0.01)


def test_templates_in_turn_share_their_counts_by_draws():
    turns = asked(Draws(seed=0, rounds=(5,), in_turn=True))
    assert [each.drawn for each in turns.templates] == [3, 2]
    by_template = np.bincount(turns.places, turns.context_weights)
    assert by_template.tolist() == pytest.approx([0.75, 0.25])
    of_draw = {SAID: 0.75 / 3, KNEW: 0.25 / 2}
    for context, weight in zip(turns.in_order, turns.context_weights, strict=True):
        assert weight == pytest.approx(of_draw[context.columns["template"]] * context.drawn)


@given(st.integers(1, 60), st.integers(0, 60), st.integers(0, 5), st.booleans())
def test_more_draws_go_on_where_fewer_ended(number, more, seed, in_turn):
    few = asked(Draws(seed=seed, rounds=(number,), in_turn=in_turn))
    many = few.with_draws(few.draws.up_to(number + more))
    assert [each.template for each in many.in_order][: len(few.in_order)] == [each.template for each in few.in_order]
    assert sum(each.drawn for each in many.in_order) == number + more
    assert many.places.tolist()[: len(few.places)] == few.places.tolist()


@pytest.mark.parametrize(
    ("texts", "counts", "message"),
    [
        ((COLD, "The [X] slept."), (1, 1), 'the opening "The [X] slept." has a slot'),
        ((COLD, "On the coast"), (1, 1), 'the opening "On the coast" does not end'),
        ((COLD, "none"), (1, 1), "1 openings, and a draw from them says nothing about others"),
        ((COLD, COLD), (1, 1), f'the opening "{COLD}" occurs 2 times'),
        ((COLD, LATE), (1, 0), f'the count of "{LATE}" is 0'),
    ],
)
def test_a_pool_that_says_nothing_is_refused(texts, counts, message):
    with pytest.raises(BvfError, match="mine") as refused:
        Openings("mine", texts, tuple(map(float, counts)))
    assert refused.value.message.startswith("mine: ")
    assert message in refused.value.message


@pytest.mark.parametrize("text", ['He said: "It is late."', "天气很冷。", "Why?", "「晚了。」"])
def test_an_opening_may_end_in_any_mark_of_an_end(text):
    assert Openings("pool", (text, COLD), (1.0, 2.0)).share_of_none == 0.0
