"""Dependency trees: children, subtrees, ancestors, and heads that do not form a tree."""

import pytest
from bvf_stanza import Sentence, Word
from hypothesis import given
from hypothesis import strategies as st

from bvf.interfaces.miner import Span

# The nurse said that she left
HEADS = [1, 2, -1, 5, 5, 2]
RELATIONS = ["det", "nsubj", "root", "mark", "nsubj:outer", "ccomp"]


def sentence(heads, relations=None):
    relations = relations or ["dep"] * len(heads)
    return Sentence(
        tuple(
            Word(f"W{n}", f"w{n}", "X", frozenset(), head, relation, Span(n, n + 1))
            for n, (head, relation) in enumerate(zip(heads, relations, strict=True))
        )
    )


def test_a_sentence_by_hand():
    made = sentence(HEADS, RELATIONS)
    assert made.roots() == (2,)
    assert made.children(2) == (1, 5)
    assert made.children(2, "nsubj") == (1,)
    assert made.children(5, "nsubj", "mark") == (3, 4)
    assert made.texts(5, "nsubj", "mark") == ["w3", "w4"]
    assert made.subtree(5) == (3, 4, 5)
    assert list(made.ancestors(3)) == [5, 2]


@pytest.mark.parametrize("heads", [[0], [1, 0], [1, 2, 0, -1]])
def test_a_ring_is_refused(heads):
    with pytest.raises(ValueError, match="form a ring"):
        sentence(heads)


@given(st.data(), st.integers(1, 30))
def test_every_word_is_below_its_ancestors_and_nobody_else(data, size):
    order = data.draw(st.permutations(range(size)))
    heads = [-1] * size
    for place, word in enumerate(order[1:], start=1):
        heads[word] = order[data.draw(st.integers(0, place - 1))]
    made = sentence(heads)
    assert made.subtree(made.roots()[0]) == tuple(range(size))
    for word in range(size):
        above = set(made.ancestors(word))
        assert {other for other in range(size) if word in made.subtree(other)} == above | {word}
