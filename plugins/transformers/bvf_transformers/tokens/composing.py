"""Composes the token ids of texts from the ids of their words. So every word is tokenised only once."""

from collections.abc import Callable, Sequence
from functools import cached_property

from transformers import PreTrainedTokenizerBase

from bvf_transformers.tokens.markers import SPACES
from bvf_transformers.tokens.word_tree import Ids

Encode = Callable[[Sequence[str]], list[Ids]]
ANCHOR = "a"
"""A word that is put before another one, so that the latter is tokenised as inside a text."""


class Composer:
    """Composes the ids of texts whose words are separated by single spaces.

    The ids of a word do not depend on its neighbours if no token spans parts of two words, that is, if no token of the
    vocabulary has a space after another character. If one has, nothing is composed.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, encode: Encode) -> None:
        self._encode = encode
        self._tokenizer = tokenizer
        self._first: dict[str, Ids] = {}
        self._later: dict[str, Ids] = {}

    @cached_property
    def is_allowed(self) -> bool:
        """Whether this tokenizer's ids can be composed. It becomes False once composed ids turn out to be wrong."""
        return not any(_reaches_over_a_space(token) for token in self._tokenizer.get_vocab())

    def ids(self, texts: Sequence[str]) -> list[Ids]:
        """Return the token ids of texts. Texts that cannot be composed are tokenised."""
        if not self.is_allowed:
            return self._encode(texts)
        words_of = [words if " " in text and " ".join(words := text.split()) == text else [] for text in texts]
        self._learn(words_of)
        first, later = self._first, self._later
        composed: list[Ids] = []
        for words in words_of:
            ids = list(first[words[0]]) if words else []
            for word in words[1:]:
                ids += later[word]
            composed.append(tuple(ids))
        whole = [index for index, words in enumerate(words_of) if not words]
        for index, encoded in zip(whole, self._encode([texts[index] for index in whole]) if whole else (), strict=True):
            composed[index] = encoded
        return composed

    def _learn(self, words_of: Sequence[Sequence[str]]) -> None:
        first = sorted({words[0] for words in words_of if words}.difference(self._first))
        if first:
            self._first.update(zip(first, self._encode(first), strict=True))
        later = sorted({word for words in words_of for word in words[1:]}.difference(self._later))
        if later:
            anchored = self._encode([ANCHOR, *(f"{ANCHOR} {word}" for word in later)])
            self._later.update((word, ids[len(anchored[0]) :]) for word, ids in zip(later, anchored[1:], strict=True))


def _reaches_over_a_space(token: str) -> bool:
    return any(space in token.lstrip(space) for space in SPACES)
