"""Word lists: what a risk is without a word or with half of them, against plain computations."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf.builtin.criteria import Linf, Lk
from bvf.stats.figures import word_lists
from bvf.stats.figures.probabilities import class_probabilities
from bvf.stats.figures.risk import decompose_risk, total_risk
from bvf.stats.figures.word_lists import (
    WordProbabilities,
    halved_at_random,
    leaving_each_unit_out,
    middle,
    unit_of_each,
)

CLASSES = np.array([0, 0, 1, 1])
"""he, him, she, her"""


def words_of(logp, class_of_word, bounds=None):
    bounds = np.zeros(logp.shape[:2]) if bounds is None else bounds
    return WordProbabilities(logp, class_of_word, class_of_word.max() + 1, bounds)


def test_two_prompts_by_hand():
    p = np.array([[[0.4, 0.2, 0.3, 0.1], [0.05, 0.05, 0.3, 0.6]]])
    words = words_of(np.log(p * [[[0.5], [0.01]]]), CLASSES)  # a constant per prompt cancels
    he, him, she, her = words.shares(np.array([3.0, 1.0]), np.ones(1))
    assert [he, him] == pytest.approx([0.3125 / 0.475, 0.1625 / 0.475])
    assert [she, her] == pytest.approx([0.3 / 0.525, 0.225 / 0.525])
    ((without_he, *_),) = words.by_lists(np.array([[False, True, True, True]]))
    assert without_he[0, :, 0] == pytest.approx([0.2 / 0.6, 0.05 / 0.95])


@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.sampled_from([Linf(), Lk("2")]), st.sampled_from([1, 80]))
def test_every_list_gives_what_its_words_alone_give(seed, classes, criterion, at_once):
    rng = np.random.default_rng(seed)
    class_of_word = rng.permutation(np.repeat(np.arange(classes), rng.integers(1, 4)))
    logp = rng.normal(0.0, 2.0, (3, 4, len(class_of_word)))
    logp[1, 2] = -np.inf  # a missing prompt
    unit = unit_of_each(class_of_word, [])
    lists = np.concatenate([leaving_each_unit_out(unit), halved_at_random(unit, 3, seed)])
    weights = rng.integers(1, 5, 4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_lists, "AT_ONCE", at_once)
        words = words_of(logp, class_of_word)
        found = words.figures(lists, lambda p, _: np.array(total_risk(p, criterion, context_weights=weights)))
    for counts, figures in zip(lists, found, strict=True):
        kept = logp[..., counts]
        p = class_probabilities(kept.reshape(-1, kept.shape[-1]), class_of_word[counts], classes).reshape(3, 4, classes)
        risk = decompose_risk(p, criterion, context_weights=weights)
        assert figures == pytest.approx([risk.R, risk.R_bias, risk.R_volatility], abs=1e-12)


@pytest.mark.parametrize(
    ("classes", "named", "units"),
    [
        ([0, 0, 0, 1, 1, 1], [], [0, 1, 2, 0, 1, 2]),
        ([0, 0, 0, 1, 1, 1], [[1, 5]], [1, 0, 2, 1, 2, 0]),
        ([0, 0, 1, 1, 1], [[0, 2, 3]], [0, 1, 0, 0, 1]),
        ([0, 0, 1], [], None),
        ([0, 0, 1, 1, 1], [[0, 2]], None),  # unequal but for what is named
        ([0, 0, 1, 1], [[0, 1]], None),  # a unit without a class
        ([0, 1, 2, 0, 1], [[0, 1, 2], [3, 4]], None),  # a class without a second word
    ],
)
def test_words_pair_by_their_position_unless_their_unit_is_named_and_if_they_do_not_are_in_none(classes, named, units):
    found = unit_of_each(np.array(classes), named)
    assert (found if units is None else found.tolist()) == units


def test_a_unit_is_left_out_whole_and_the_only_one_never():
    first, second = [False, True, True, False], [True, False, False, True]
    assert leaving_each_unit_out(np.array([0, 1, 1, 0])).tolist() == [first, second]
    assert leaving_each_unit_out(np.array([0, 0])).shape == (0, 2)


def test_halves_have_half_of_the_units_and_every_unit_is_in_half_of_them():
    unit = np.array([0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 4])
    lists = halved_at_random(unit, 2000, seed=3)
    assert {len(set(unit[kept])) for kept in lists} == {3}
    assert all((kept == np.isin(unit, unit[kept])).all() for kept in lists)
    assert lists.mean(axis=0) == pytest.approx([0.6] * 11, abs=0.05)
    assert (lists == halved_at_random(unit, 2000, seed=3)).all()


def test_a_prompt_whose_other_words_are_all_impossible_is_missing_and_a_class_without_any_has_no_shares():
    with np.errstate(divide="ignore"):
        first, second = np.log(np.array([[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]]))
    prompts = np.stack([first, np.log(np.full(4, 0.25))])[np.newaxis]
    ((p, *_),) = words_of(prompts, CLASSES).by_lists(np.array([[False, True, True, True]]))
    assert np.isnan(p[0, 0]).all()
    assert p[0, 1] == pytest.approx([1 / 3, 2 / 3])
    shares = words_of(second[np.newaxis, np.newaxis], CLASSES).shares(np.ones(1), np.ones(1))
    assert shares[:2].tolist() == [0.5, 0.5]
    assert np.isnan(shares[2:]).all()


def test_nine_in_ten_lie_between_the_ends_and_figures_that_are_undefined_count_for_nothing():
    figures = np.concatenate([np.arange(101.0), [np.nan, np.nan]])[:, np.newaxis]
    exact = np.stack([figures, np.zeros_like(figures)], axis=1)
    assert [float(end[0]) for end in middle(exact)] == pytest.approx([5.0, 95.0])
    assert [float(end[0]) for end in middle(np.add(exact, [[0.0], [7.0]]))] == pytest.approx([0.0, 102.0])


def not_asked(rng, classes):
    """Words of which some beginnings were not asked: what is known, what these may add, and the words after each."""
    class_of_word = np.arange(classes * rng.integers(2, 4)) % classes
    known = np.exp(rng.normal(0.0, rng.choice([1, 3, 6]), len(class_of_word)))
    after = [rng.choice(len(known), rng.integers(1, 3), replace=False) for _ in range(rng.integers(1, 5))]
    return class_of_word, known, np.exp(rng.normal(-4.0, 3.0, len(after))), after


@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 2, 3, 5]))
def test_no_probability_without_some_words_is_further_off_than_its_bound(seed, classes):
    rng = np.random.default_rng(seed)
    class_of_word, known, most, after = not_asked(rng, classes)
    of_class = np.eye(classes)[class_of_word]
    may_be_in = np.array([of_class[words].max(axis=0) for words in after])
    may_be_in_others = np.where(may_be_in.sum(axis=1, keepdims=True) == 1, 1.0 - may_be_in, 1.0)
    estimate = known.copy()
    for words, share in zip(after, most, strict=True):  # half of it for each class, divided among its words
        estimate[words] += share / 2 / (of_class[words] @ of_class[words].sum(axis=0))
    least, p = known @ of_class, estimate @ of_class / estimate.sum()
    low = least / (least.sum() + most @ may_be_in_others)
    high = (least + most @ may_be_in) / (least.sum() + most @ may_be_in)
    bound = np.maximum(high - p, p - low).max()
    words = words_of(np.log(estimate)[np.newaxis, np.newaxis], class_of_word, np.array([[bound]]))
    kept = rng.random(len(known)) < 0.7
    kept[:classes] = True
    ((((printed,),), ((reach,),), _),) = words.by_lists(kept[np.newaxis])
    for _ in range(20):
        true = known.copy()
        for members, share in zip(after, most, strict=True):
            true[members] += share * rng.choice([0.0, 1.0, rng.random()]) * rng.dirichlet(np.full(len(members), 0.2))
        exact = (true * kept) @ of_class
        assert np.abs(exact / exact.sum() - printed).max() <= reach + 1e-12
    ((_, of_all, _),) = words.by_lists(np.ones((1, len(known)), dtype=bool))
    assert of_all == bound


def test_lists_of_words_take_less_memory_than_the_words_of_all_prompts(monkeypatch):
    monkeypatch.setattr(word_lists, "PROMPTS", 100)
    logp = np.random.default_rng(0).normal(size=(20, 500, 60)).astype(np.float32)
    words = words_of(logp, np.arange(60) % 2)
    monkeypatch.setattr(word_lists, "AT_ONCE", 1)
    lists = halved_at_random(np.arange(60) // 2, 40, 0)
    tracemalloc.start()
    words.figures(lists, lambda p, _: p.mean(axis=(0, 1)))
    words.shares(np.ones(500), np.ones(20))
    assert tracemalloc.get_traced_memory()[1] < logp.nbytes
    tracemalloc.stop()
