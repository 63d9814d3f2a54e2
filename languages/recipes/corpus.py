"""Training sentences of a language, in an order fixed by a seed. Corpora have a JSON object (``text``) per line.

A sentence in which a gendered noun precedes a pronoun is repeated, more often the rarer its noun is: from these a
small model can learn which nouns go with *he* and which with *she*.
"""

import hashlib
import json
import math
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bvf_mining.corpora import lines_in
from transformers import PreTrainedTokenizerFast

LANGUAGES = Path(__file__).parents[1]
HELD_OUT_SHARE = 0.01


@dataclass(frozen=True)
class Corpus:
    """Training and held-out sentences. No sentence is in both."""

    train: list[str]
    held_out: list[str]


@dataclass(frozen=True)
class Material:
    """The text, words and tokenizers of a language.

    ``pronouns`` are the male and the female one; ``context`` is a text before a pronoun, with {} for the noun.
    ``words`` splits a sentence into units like the topic's words. Sentences with nouns that occur less often than
    ``often_enough`` are repeated; for the kinds of model in ``begin_at_noun`` every second copy begins at the noun,
    which is the shape of most contexts. ``tokens`` are training budgets that replace the recipes' own.
    """

    code: str
    pronouns: tuple[str, str]
    context: str
    space: str
    often_enough: int
    most_repeats: int
    begin_at_noun: frozenset[str]
    tokens: dict[str, int]
    sentences: Callable[[Path], Iterator[str]]
    words: Callable[[str], list[str]]
    is_pronoun: Callable[[str], bool]
    tokenizers: dict[str, Callable[[Iterable[str]], PreTrainedTokenizerFast]]

    def gendered_words(self) -> tuple[list[str], list[str]]:
        """Return the male and the female words of the gender topic. Words at the same index form a pair."""
        topic = LANGUAGES / self.code / f"bvf_{self.code}" / "topics" / "gender.toml"
        male, female = (attribute["words"] for attribute in tomllib.loads(topic.read_text("utf-8"))["attributes"])
        return male, female

    def gendered_nouns(self) -> frozenset[str]:
        male, female = self.gendered_words()
        return frozenset(word for word in [*male, *female] if not self.is_pronoun(word))

    def counts(self, sentences: Iterable[str]) -> Counter[str]:
        return Counter(word for sentence in sentences for word in self.words(sentence))


def read_corpus(material: Material, kind: str, folder: Path, seed: int = 0) -> Corpus:
    """Return the sentences for a kind of model. Those for training are repeated by their nouns, and shuffled."""
    every = dict.fromkeys(material.sentences(folder))
    held_out = [sentence for sentence in every if is_held_out(sentence)]
    read = [sentence for sentence in every if not is_held_out(sentence)]
    repeated = repeat_rare_nouns(material, read, begin_at_noun=kind in material.begin_at_noun)
    random.Random(seed).shuffle(repeated)
    return Corpus(repeated, held_out)


def repeat_rare_nouns(material: Material, sentences: list[str], *, begin_at_noun: bool) -> list[str]:
    """Repeat sentences with rare nouns before a pronoun.

    The factor is sqrt(often_enough / count of the rarest such noun).

    With ``begin_at_noun`` every second copy begins at the first such noun.
    """
    counts, nouns = material.counts(sentences), material.gendered_nouns()
    repeated = []
    for sentence in sentences:
        words = material.words(sentence)
        last = max((index for index, word in enumerate(words) if material.is_pronoun(word)), default=0)
        before = nouns & set(words[:last])
        rarest = min((counts[noun] for noun in before), default=material.often_enough)
        times = math.ceil(math.sqrt(material.often_enough / rarest)) if rarest else 1
        copies = [sentence] * min(max(times, 2 if before else 1), material.most_repeats)
        if before and begin_at_noun:
            copies[1::2] = [sentence[min(map(sentence.index, before)) :]] * len(copies[1::2])
        repeated.extend(copies)
    return repeated


def texts_in(file: Path) -> Iterator[dict[str, str]]:
    yield from map(json.loads, lines_in(file))


def is_held_out(sentence: str) -> bool:
    digest = hashlib.sha256(sentence.encode()).digest()
    return int.from_bytes(digest[:4], "big") < HELD_OUT_SHARE * 2**32
