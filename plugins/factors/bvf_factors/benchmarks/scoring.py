"""The scores that a model gives to the choices of benchmark items."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal, get_args

from bvf.domain.prompt import Prompt
from bvf.errors import BvfError
from bvf.interfaces.backend import Backend, TextTokens, TokenScoring
from bvf.interfaces.benchmark import Asks, Item
from bvf_factors.benchmarks.wordings import LETTERS

By = Literal["sum", "bytes", "letters"]
"""The score of an answer: its log-probability; that per byte, which does not disfavour long answers; or that of its
letter."""
WAYS: tuple[By, ...] = get_args(By)
UNSPACED = ("zh", "ja", "th")
WORDS_TOGETHER = 8
"""The most different answers in one call: a few unneeded answers cost less time than more calls of fewer items."""


def scores_of(backend: Backend, items: Sequence[Item], asks: Asks, by: By, language: str) -> list[tuple[float, ...]]:
    """Return a score per choice of each item. Scores are natural logarithms, higher for a more probable choice.

    Answers and sentences are scored by their probability after the text before them. Where a model sees both sides of a
    slot, a sentence has its pseudo-log-likelihood instead: the sum over its tokens, or over those that two sentences
    share (Nangia et al. 2020), of the log-probability of each given all others. A model that reads from left to right
    gives log p of the whole sentence, even if shared tokens are wanted. ``by`` applies to answers only.
    """
    if asks == "answers":
        return _of_answers(backend, items, by, language)
    if not backend.capabilities.reads_right:
        return _of_answers(backend, items, "sum", language)
    if not isinstance(backend, TokenScoring):
        raise BvfError(
            f"{backend.model_name}: this backend gives no probability of single tokens of a sentence",
            "take a masked or a causal model",
        )
    return _of_tokens(backend, items, shared=asks == "shared tokens")


def shared_places(first: Sequence[int], second: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the positions, in each of two sentences, of the tokens that they share.

    >>> shared_places([5, 6, 7, 8], [5, 9, 7, 8])
    ([0, 2, 3], [0, 2, 3])
    """
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return (
        [place for block in blocks for place in range(block.a, block.a + block.size)],
        [place for block in blocks for place in range(block.b, block.b + block.size)],
    )


def _of_answers(backend: Backend, items: Sequence[Item], by: By, language: str) -> list[tuple[float, ...]]:
    words = [tuple(LETTERS[: len(item.choices)]) if by == "letters" else item.choices for item in items]
    scores: list[tuple[float, ...]] = [()] * len(items)
    for asked in _alike(words):
        vocabulary = list(dict.fromkeys(word for index in asked for word in words[index]))
        logp = backend.word_logprobs([_prompt(items[index], language) for index in asked], vocabulary)
        place = {word: number for number, word in enumerate(vocabulary)}
        for row, index in zip(logp, asked, strict=True):
            of_words = row[[place[word] for word in words[index]]]
            if by == "bytes":
                of_words = of_words / [len(word.encode()) for word in words[index]]
            scores[index] = tuple(map(float, of_words))
    return scores


def _alike(words: Sequence[tuple[str, ...]]) -> Iterator[list[int]]:
    """Yield indices of items to score together. They have the same words, or few words in all."""
    items_with: dict[frozenset[str], list[int]] = {}
    for index, in_item in enumerate(words):
        items_with.setdefault(frozenset(in_item), []).append(index)
    together: list[int] = []
    asked: frozenset[str] = frozenset()
    for wanted, items in items_with.items():
        if together and len(asked | wanted) > WORDS_TOGETHER:
            yield together
            together, asked = [], frozenset()
        together, asked = [*together, *items], asked | wanted
    if together:
        yield together


def _prompt(item: Item, language: str) -> Prompt:
    left = item.left.rstrip(" ")
    spaced = language not in UNSPACED and bool(left) and not left[-1].isspace()
    return Prompt(left, item.right, group=item.id, context="", spaced=spaced)


def _of_tokens(backend: TokenScoring, items: Sequence[Item], *, shared: bool) -> list[tuple[float, ...]]:
    texts = list(dict.fromkeys(text for item in items for text in _sentences(item)))
    known = dict(zip(texts, backend.token_logprobs(texts), strict=True))
    return [_of_sentences([known[text] for text in _sentences(item)], item, shared=shared) for item in items]


def _sentences(item: Item) -> list[str]:
    return [f"{item.left}{' ' if item.left else ''}{choice}{item.right}" for choice in item.choices]


def _of_sentences(tokens: Sequence[TextTokens], item: Item, *, shared: bool) -> tuple[float, ...]:
    if not shared:
        return tuple(float(each.logp.sum()) for each in tokens)
    if len(tokens) != 2:
        raise BvfError(f"{item.id}: {len(tokens)} sentences share no tokens in pairs", "an item has two of them")
    places = shared_places(tokens[0].ids, tokens[1].ids)
    return tuple(float(each.logp[shared_place].sum()) for each, shared_place in zip(tokens, places, strict=True))
