"""Has a model learned gender? Log-odds of he to she (他 to 她) after words of the gender topic.

A pair (uncle, aunt) is tested if both words occur in the corpus at least 50 times, and is right if the log-odds are
higher after the male word.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from corpus import Material

import bvf
from bvf import Backend

LEAST_COUNT = 50


@dataclass(frozen=True)
class Pair:
    """A pair of words and the log-odds of he to she (in nats) after each."""

    male: str
    female: str
    male_log_odds: float
    female_log_odds: float

    @property
    def right(self) -> bool:
        return self.male_log_odds > self.female_log_odds


def common_pairs(material: Material, counts: Counter[str]) -> list[tuple[str, str]]:
    """Return the noun pairs of the topic in which both nouns occur at least `LEAST_COUNT` times."""
    male, female = material.gendered_words()
    return [
        (m, f)
        for m, f in zip(male, female, strict=True)
        if m != f and not material.is_pronoun(m) and min(counts[m], counts[f]) >= LEAST_COUNT
    ]


def check(material: Material, backend: Backend, pairs: Iterable[tuple[str, str]]) -> list[Pair]:
    """Compute the log-odds of each pair of nouns."""
    spaced = bool(material.space)
    checked = []
    for pair in pairs:
        prompts = [bvf.Prompt(material.context.format(word), "", word, "", spaced) for word in pair]
        logp = backend.word_logprobs(prompts, material.pronouns)
        checked.append(Pair(*pair, *(float(row[0] - row[1]) for row in logp)))
    return checked


def share_right(pairs: list[Pair]) -> float:
    """Return the fraction of pairs whose log-odds are higher after the male word."""
    return math.fsum(pair.right for pair in pairs) / len(pairs)
