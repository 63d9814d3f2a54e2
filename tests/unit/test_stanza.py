"""The adaptor of Stanza: the shortcut finds what Stanza's search finds, and folders without models are one line."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf.errors import BvfError
from bvf.mining.stanza import StanzaParser, greedy_heads

pytest.importorskip("stanza")


def is_tree(heads):
    """Whether every word reaches the root, and one hangs on it."""
    for word in range(1, len(heads)):
        seen, above = set(), word
        while above:
            if above in seen:
                return False
            seen.add(above)
            above = heads[above]
    return sum(head == 0 for head in heads[1:]) == 1


def best_tree(scores):
    """The tree of the highest sum, by trying all."""
    n = len(scores)
    trees = (
        (0, *heads)
        for heads in itertools.product(range(n), repeat=n - 1)
        if all(head != word for word, head in enumerate(heads, start=1)) and is_tree((0, *heads))
    )
    return max(trees, key=lambda heads: sum(scores[word, heads[word]] for word in range(1, n)))


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_the_shortcut_is_the_best_tree_or_nothing(seed, size):
    scores = np.random.default_rng(seed).normal(size=(size, size))
    heads = greedy_heads(scores.copy())
    if heads is not None:
        assert is_tree(heads)
        assert tuple(heads) == best_tree(scores)


@given(st.integers(0, 10_000), st.integers(2, 12))
def test_the_shortcut_agrees_with_the_search_of_stanza(seed, size):
    from stanza.models.common.chuliu_edmonds import chuliu_edmonds_one_root

    scores = np.random.default_rng(seed).normal(size=(size, size)) + 3 * np.eye(size, k=-1)
    heads = greedy_heads(scores.copy())
    if heads is not None:
        assert list(heads) == list(chuliu_edmonds_one_root(scores.copy()))


def test_the_shortcut_is_taken_often_enough_to_be_tested():
    rng = np.random.default_rng(0)
    taken = [greedy_heads(rng.normal(size=(5, 5)) + 3 * np.eye(5, k=-1)) is not None for _ in range(200)]
    assert 20 < sum(taken) < 200


def test_a_folder_without_models_is_one_line_with_the_command_that_mends_it(tmp_path):
    with pytest.raises(BvfError, match=r"no resources\.json there") as caught:
        StanzaParser("en", tmp_path, ("tokenize",))
    assert "stanza.download('en'" in caught.value.hint


def test_models_of_another_language_are_one_line(tmp_path):
    (tmp_path / "resources.json").write_text('{"xx": {"packages": {}}}')
    with pytest.raises(BvfError, match="the en models cannot be loaded"):
        StanzaParser("en", tmp_path, ("tokenize",))
