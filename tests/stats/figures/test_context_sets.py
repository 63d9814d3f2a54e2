"""Context sets put together and compared: worked numbers, and what must hold for any."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf.domain.context import ContextSet, Sampling, Template
from bvf.stats.figures.context_sets import compared, merged, narrowed


def context_set(**counts):
    templates = tuple(Template(f"The [X] {verb} [Y]") for verb in counts)
    return ContextSet("set", templates, tuple(map(float, counts.values())), f"of {len(counts)}")


SETS = st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 50), min_size=1).map(lambda d: context_set(**d))


def test_merged_counts_add_up_and_the_heaviest_is_first():
    union = merged([context_set(said=3, knew=1), context_set(knew=4, left=2)], "all")
    counts = [(template.text.split()[2], count) for template, count in zip(union.templates, union.counts, strict=True)]
    assert counts == [("knew", 5.0), ("said", 3.0), ("left", 2.0)]
    assert (union.name, union.source) == ("all", "of 2; of 2")


@given(st.lists(SETS, min_size=1, max_size=4))
def test_merging_keeps_the_weight(sets):
    assert sum(merged(sets, "all").counts) == sum(sum(one.counts) for one in sets)


def test_a_comparison_by_hand():
    # p = (3/4, 1/4, 0), q = (1/2, 0, 1/2); Jensen-Shannon with base 2
    p, q = (0.75, 0.25, 0.0), (0.5, 0.0, 0.5)
    m = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    kl = [sum(a * math.log2(a / c) for a, c in zip(each, m, strict=True) if a) for each in (p, q)]
    comparison = compared(context_set(said=3, knew=1), context_set(said=2, left=2))
    assert (comparison.templates, comparison.shared, comparison.shared_weight) == ((2, 2), 1, (0.75, 0.5))
    assert comparison.rank_correlation is None
    assert comparison.jensen_shannon == pytest.approx(math.sqrt(sum(kl) / 2))
    assert comparison.total_variation == pytest.approx(0.5)


def test_the_heaviest_templates_of_one_set_alone_are_named():
    one, other = context_set(said=1, a=5, b=7, c=7, d=9, e=2, f=1), context_set(said=9, left=2)
    first, second = compared(one, other).alone
    keys = {template.key: count for template, count in zip(one.templates, one.counts, strict=True)}
    assert [keys[text] for text in first] == [9, 7, 7, 5, 2]
    assert len(second) == 1
    assert set(second) == {template.key for template in other.templates} - set(keys)


def test_ranks_are_compared_and_not_counts():
    one, other = context_set(a=1000, b=10, c=9), context_set(a=3, b=2, c=1)
    assert compared(one, other).rank_correlation == pytest.approx(1.0)
    assert compared(one, context_set(a=1, b=2, c=3)).rank_correlation == pytest.approx(-1.0)


@given(SETS, SETS)
def test_what_holds_for_any_two(one, other):
    there, back = compared(one, other), compared(other, one)
    assert there.jensen_shannon == pytest.approx(back.jensen_shannon, abs=1e-12)
    assert -1e-12 <= there.jensen_shannon <= 1 + 1e-12
    assert (there.jensen_shannon > 1 - 1e-9) == (there.shared == 0)
    assert compared(one, one).jensen_shannon == pytest.approx(0, abs=1e-7)
    assert there.total_variation == pytest.approx(back.total_variation)
    assert (there.total_variation > 1 - 1e-9) == (there.shared == 0)
    assert compared(one, one).total_variation == 0


A, B = (ContextSet("s", tuple(Template(f"The [X] {v} [Y]") for v in verbs), (3.0, 1.0)) for verbs in ("ab", "bc"))


def sampled(contexts, **told):
    return replace(contexts, sampling=Sampling(**told))


def redrawn(*rows):
    return np.array(rows, dtype=np.uint16)


WHOLE = sampled(A, occurrences=8, documents=5, replicates=redrawn([2, 6], [1, 0]))


def test_merged_occurrences_documents_and_replicates_add_up():
    first = sampled(A, occurrences=8, documents=5, replicates=redrawn([2, 60_000], [1, 0]))
    second = sampled(B, documents=2, replicates=redrawn([4, 4], [0, 60_000]))
    union = merged([first, second], "all")
    assert [t.text[8] for t in union.templates] == ["b", "a", "c"]
    assert (union.occurrences, union.share, union.sampling.documents) == (12, pytest.approx(8 / 12), 7)
    assert union.sampling.replicates.tolist() == [[5, 4], [2, 60_000], [0, 60_000]]
    assert union.sampling.replicates.dtype == np.uint16
    assert merged([first] * 2, "all").sampling.replicates.tolist() == [[4, 120_000], [2, 0]]


CAPPED = sampled(A, capped_at=3.0)


@pytest.mark.parametrize(
    ("sets", "sampling"),
    [
        ([WHOLE, sampled(B)], Sampling(occurrences=12)),
        ([WHOLE, sampled(B, documents=1, replicates=redrawn([2], [6]))], Sampling(occurrences=12, documents=6)),
        ([WHOLE, sampled(B, written=True)], Sampling(written=True)),
        ([WHOLE, sampled(B, cut=True)], Sampling(cut=True)),
        ([sampled(A), sampled(B)], Sampling()),
        ([sampled(A), B], Sampling(written=True)),
        ([CAPPED], CAPPED.sampling),
        ([CAPPED, sampled(B)], Sampling(written=True)),
    ],
)
def test_what_one_set_lacks_the_merged_one_lacks_and_no_sample_is_made_of_what_is_none(sets, sampling):
    found = merged(sets, "all").sampling
    assert found == sampling
    assert found.replicates is None


@given(st.lists(st.integers(1, 5), min_size=1))
def test_unseen_mass_is_the_share_of_those_seen_once(counts):
    templates = tuple(Template(f"The [X] {i} [Y]") for i in range(len(counts)))
    contexts = ContextSet("counted", templates, tuple(map(float, counts)), sampling=Sampling())
    assert contexts.sample_facts["unseen"] == counts.count(1) / sum(counts)


@pytest.mark.parametrize(
    ("largest", "kind"), [(0, "uint16"), (65_535, "uint16"), (65_536, "uint32"), (2**32, "uint64")]
)
def test_counts_get_the_bits_they_need(largest, kind):
    assert narrowed(np.array([[0, largest]])).dtype == kind
    assert narrowed(np.array([[0, largest]])).tolist() == [[0, largest]]
