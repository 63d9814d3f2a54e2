"""Wordings of a benchmark's items, and the scores that a model gives to the choices in them."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import chain, permutations
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from bvf_texts.around import REFUSED, answers_in
from bvf_texts.asking import written_texts

from bvf import Backend, BvfError, Prompt
from bvf.domain import Generation, written
from bvf.errors import nearest, shortened
from bvf.files import read_text
from bvf.interfaces import Answer, Asks, Item, Text, TextTokens, TokenCounting, TokenScoring
from bvf.stats import FloatArray

PLACE = re.compile(r"\{([a-z_]*)\}")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
AS_WRITTEN = "as written"
ORDERS = ("", "all", "random")
"""The orders of choices: that of the data; every order; or one drawn for each item."""
MOST_IN_EVERY_ORDER = 4
"""The most choices for which every order is asked: 4 of them have 24."""
By = Literal["sum", "tokens", "bytes", "letters", "pmi"]
"""The score of a choice: its log-probability; that per token, for whole sentences; that per byte, which does not
disfavour long answers; that of its letter; or what the question adds to it (pointwise mutual information)."""
WAYS: tuple[By, ...] = get_args(By)
UNSPACED = ("zh", "ja", "th")
OF_SENTENCES: tuple[By, ...] = ("sum", "tokens", "bytes")
WORDS_TOGETHER = 8
"""The most different answers in one call, unless all items have the same text: a few unneeded answers cost less time
than more calls of fewer items."""


@dataclass(frozen=True)
class Wording:
    """A named wording of prompts: the text before an answer, with slots for the fields of an item."""

    name: str
    # contains ``{left}``, the text of the benchmark itself; or its parts, such as ``{context}`` and
    # ``{question}``, and ``{choices}``, a line per choice with a letter
    text: str
    # the order of the choices: indices, or a seed that draws an order for each item; None: as in the data
    order: tuple[int, ...] | int | None = None

    @property
    def ending(self) -> str:
        """The text after the last slot, such as ``Answer:``."""
        return PLACE.split(self.text)[-1].strip()

    def order_of(self, item: Item) -> tuple[int, ...]:
        """Return the indices of an item's choices in the order of this wording."""
        if isinstance(self.order, int):
            digest = hashlib.sha256(f"{self.order} {item.id}".encode()).digest()
            drawn = np.random.default_rng(int.from_bytes(digest)).permutation(len(item.choices))
            return tuple(map(int, drawn))
        return tuple(range(len(item.choices))) if self.order is None else self.order

    def of(self, item: Item) -> Item:
        """Return an item in this wording. Refuses a wording with a slot for a field that the item lacks."""
        parts = {**item.texts, "left": item.left, "choices": lettered(item.choices)}
        unknown = next((name for name in PLACE.findall(self.text) if name not in parts), None)
        if unknown is not None:
            raise BvfError(
                f"wording {self.name}: items have no part {{{unknown}}}",
                nearest(unknown, [f"{{{each}}}" for each in parts]),
            )
        return replace(item, left=PLACE.sub(lambda match: parts[match[1]], self.text))


def in_orders(wordings: Sequence[Wording], orders: str, seed: int, items: Sequence[Item]) -> tuple[Wording, ...]:
    """Return each wording in the orders of choices that are asked for."""
    if orders not in ORDERS:
        raise BvfError(f"--orders {orders}: no orders of choices", "choose all or random")
    if not orders:
        return tuple(wordings)
    if orders == "random":
        return tuple(replace(wording, order=seed) for wording in wordings)
    numbers = sorted({len(item.choices) for item in items})
    if len(numbers) > 1 or numbers[0] > MOST_IN_EVERY_ORDER:
        raise BvfError(f"--orders all: items have up to {numbers[-1]} choices", "--orders random draws one per item")
    return tuple(
        Wording(f"{wording.name}, order {order_text(order)}", wording.text, order)
        for wording in wordings
        for order in permutations(range(numbers[0]))
    )


def order_text(order: Sequence[int]) -> str:
    """Return an order of choices as text, counted from 1.

    >>> order_text((2, 0, 1))
    '3 1 2'
    """
    return " ".join(str(index + 1) for index in order)


def lettered(choices: Sequence[str]) -> str:
    r"""Return a line per choice, each with a letter.

    >>> lettered(["the man", "nobody"])
    'A. the man\nB. nobody'
    """
    return "\n".join(f"{letter}. {choice}" for letter, choice in zip(LETTERS, choices, strict=False))


def read_wordings(file: Path) -> tuple[Wording, ...]:
    r"""Return the prompt wordings of a file, one per line. ``\n`` is a line break, and ``NAME: TEXT`` names one."""
    wordings: list[Wording] = []
    for number, line in enumerate(read_text(file).split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        line = written(line, f"{file}:{number}")
        name, colon, text = line.partition(": ")
        named = bool(colon) and re.fullmatch(r"[\w-]+", name) is not None
        wording = Wording(
            name if named else str(len(wordings) + 1), (text if named else line).strip().replace("\\n", "\n")
        )
        if not PLACE.search(wording.text):
            raise BvfError(
                f'{file}:{number}: "{shortened(line)}" has no place for a part of an item',
                r"write, for example, {context}\n{question}\n",
            )
        if any(each.name == wording.name or each.text == wording.text for each in wordings):
            raise BvfError(f'{file}:{number}: wording "{wording.name}" occurs twice', "leave one of them")
        wordings.append(wording)
    if not wordings:
        raise BvfError(f"{file}: there is no wording", r"write one per line: {context}\n{question}\n")
    return tuple(wordings)


def checked_way(by: str | None, asks: Asks, items: Sequence[Item], name: str) -> By | None:
    """Return ``by``; refuse a way that the items of a benchmark cannot be scored in. None: no way was chosen."""
    if by is None:
        return None
    inside = any(item.inside for item in items)
    way = next((way for way in WAYS if way == by), None)
    if way is None:
        raise BvfError(f"--by {by}: no way to score answers", f"choose one of {', '.join(WAYS)}")
    if asks == "texts":
        raise BvfError(f"--by {by}: {name} has no answers to choose from, as the model writes texts", "leave it out")
    if way == "sum":
        return way
    if asks != "answers" and not (asks == "sentences" and way in OF_SENTENCES):
        raise BvfError(f"--by {by}: {name} compares sentences, which are as they are", "leave it out")
    if asks == "answers" and inside and way not in OF_SENTENCES:
        raise BvfError(f"--by {by}: the choices of {name} stand inside sentences", f"take {' or '.join(OF_SENTENCES)}")
    if asks == "answers" and not inside and by == "tokens":
        raise BvfError(f"--by tokens: {name} has no whole sentences to score", "--by bytes is the score per byte")
    return way


def way_for(by: By | None, items: Sequence[Item], *, reads_right: bool) -> By:
    """Return ``by``, or the authors' way: whole sentences per token (Nadeem 2021) if read from left to right."""
    inside = any(item.inside for item in items)
    if by == "tokens" and inside and reads_right:
        raise BvfError("--by tokens: this model reads both sides of a slot, and scores the word in it", "leave it out")
    return by or ("tokens" if inside and not reads_right else "sum")


def scores_of(
    backend: Backend, items: Sequence[Item], asks: Asks, by: By, language: str, before: str = ""
) -> list[tuple[float, ...]]:
    """Return a score per choice of each item. Scores are natural logarithms, higher for a more probable choice.

    Answers and sentences are scored by their probability after the text before them. Where a model sees both sides of a
    slot, a sentence has its pseudo-log-likelihood instead: the sum over its tokens, or over those that two sentences
    share (Nangia et al. 2020), of the log-probability of each given all others. A model that reads from left to right
    gives log p of the whole sentence, even if shared tokens are wanted, and if a slot is inside a sentence.

    ``before`` is the text after which ``pmi`` takes the log-probability that an answer has without the question.
    """
    if asks == "answers" and by == "pmi":
        unasked = [replace(item, left=before, right="") for item in items]
        both = (_of_answers(backend, each, "sum", language) for each in (items, unasked))
        return [tuple(a - b for a, b in zip(one, two, strict=True)) for one, two in zip(*both, strict=True)]
    if not backend.capabilities.reads_right:
        return _from_left_to_right(backend, items, by, language)
    if asks == "answers":
        return _of_answers(backend, items, by, language)
    if not isinstance(backend, TokenScoring):
        raise BvfError(
            f"{backend.model_name}: this backend gives no probability of single tokens of a sentence",
            "take a masked or a causal model",
        )
    texts = list(dict.fromkeys(text for item in items for text in _sentences(item)))
    known, shared = dict(zip(texts, backend.token_logprobs(texts), strict=True)), asks == "shared tokens"
    return [_of_sentences([known[text] for text in _sentences(item)], item, by, shared=shared) for item in items]


def written_answers(backend: Backend, items: Sequence[Item], generation: Generation, language: str) -> list[Answer]:
    """Return the texts that a model writes after each item, without thoughts and the like; those cut in one miss."""
    prompts = [_prompt(item, language) for item in items]
    written = written_texts(backend, prompts, generation)
    found = answers_in(chain.from_iterable(written))
    texts = {raw: Text(each.text, missing="" if each.why == REFUSED else each.why) for raw, each in found.items()}
    return [Answer(item, texts=tuple(map(texts.__getitem__, its))) for item, its in zip(items, written, strict=True)]


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


def _from_left_to_right(backend: Backend, items: Sequence[Item], by: By, language: str) -> list[tuple[float, ...]]:
    """Scores of answers and sentences. Sentences with a slot inside are whole; ``tokens`` is for whole sentences."""
    whole = [_whole(item, language) if item.inside else item for item in items]
    continued = [index for index, item in enumerate(whole) if item.left]
    alone = [index for index, item in enumerate(whole) if not item.left]
    scores: list[tuple[float, ...]] = [()] * len(items)
    for indices, way in ((continued, "sum" if by == "tokens" else by), (alone, by)):
        part = _of_answers(backend, [whole[index] for index in indices], way, language)
        for index, score in zip(indices, part, strict=True):
            scores[index] = score
    return scores


def _whole(item: Item, language: str) -> Item:
    prompt = _prompt(item, language)
    left = f"{prompt.left} " if prompt.spaced else prompt.left
    return replace(item, choices=tuple(f"{left}{choice}{item.right}" for choice in item.choices), left="", right="")


def _of_answers(backend: Backend, items: Sequence[Item], by: By, language: str) -> list[tuple[float, ...]]:
    words = [tuple(LETTERS[: len(item.choices)]) if by == "letters" else item.choices for item in items]
    scores: list[tuple[float, ...]] = [()] * len(items)
    prompts = [_prompt(item, language) for item in items]
    most = WORDS_TOGETHER if len({(prompt.left, prompt.right) for prompt in prompts}) > 1 else None
    for asked in _alike(words, most):
        vocabulary = list(dict.fromkeys(word for index in asked for word in words[index]))
        logp = backend.word_logprobs([prompts[index] for index in asked], vocabulary)
        lengths = _lengths(backend, prompts[asked[0]], vocabulary, by)
        place = {word: number for number, word in enumerate(vocabulary)}
        for row, index in zip(logp / lengths, asked, strict=True):
            scores[index] = tuple(float(row[place[word]]) for word in words[index])
    return scores


def _lengths(backend: Backend, prompt: Prompt, words: Sequence[str], by: By) -> FloatArray:
    """What the log-probability of each word is divided by, shape (W,)."""
    if by == "bytes":
        return np.array([float(len(word.encode())) for word in words])
    if by != "tokens":
        return np.ones(len(words))
    if not isinstance(backend, TokenCounting):
        raise BvfError(f"{backend.model_name}: this backend does not say how many tokens a sentence has", "--by bytes")
    return np.array(backend.token_counts(prompt, words), dtype=np.float64)


def _alike(words: Sequence[tuple[str, ...]], most: int | None) -> Iterator[list[int]]:
    """Yield indices of items to score together. They have the same words, or up to ``most`` words in all; None: any."""
    items_with: dict[frozenset[str], list[int]] = {}
    for index, in_item in enumerate(words):
        items_with.setdefault(frozenset(in_item), []).append(index)
    together: list[int] = []
    asked: frozenset[str] = frozenset()
    for wanted, items in items_with.items():
        if together and most is not None and len(asked | wanted) > most:
            yield together
            together, asked = [], frozenset()
        together, asked = [*together, *items], asked | wanted
    if together:
        yield together


def _prompt(item: Item, language: str) -> Prompt:
    left = item.left.rstrip(" ")
    spaced = language not in UNSPACED and bool(left) and not left[-1].isspace()
    return Prompt(left, item.right, group=item.id, context="", spaced=spaced)


def _sentences(item: Item) -> list[str]:
    return [f"{item.left}{' ' if item.left else ''}{choice}{item.right}" for choice in item.choices]


def _of_sentences(tokens: Sequence[TextTokens], item: Item, by: By, *, shared: bool) -> tuple[float, ...]:
    if not shared:
        lengths = [len(text.encode()) if by == "bytes" else 1 for text in _sentences(item)]
        lengths = [len(each.ids) for each in tokens] if by == "tokens" else lengths
        return tuple(float(each.logp.sum()) / length for each, length in zip(tokens, lengths, strict=True))
    if len(tokens) != 2:
        raise BvfError(f"{item.id}: {len(tokens)} sentences share no tokens in pairs", "an item has two of them")
    places = shared_places(tokens[0].ids, tokens[1].ids)
    return tuple(float(each.logp[shared_place].sum()) for each, shared_place in zip(tokens, places, strict=True))
