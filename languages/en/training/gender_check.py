"""Has a model learned gender? The log-odds of he to she after "The W said that", for the word pairs of the topic.

A pair (uncle, aunt) counts if both of its words are in the corpus at least 50 times, and is right if the log-odds are
higher for the male word.
"""

import math
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import bvf
from bvf.backend import Backend

LEAST_COUNT = 50
TOPIC = Path(__file__).parents[1] / "bvf_en" / "topics" / "gender.toml"


@dataclass(frozen=True)
class Pair:
    """The log-odds (nats) after a male and a female word."""

    male: str
    female: str
    male_log_odds: float
    female_log_odds: float

    @property
    def right(self) -> bool:
        return self.male_log_odds > self.female_log_odds


def common_pairs(counts: Counter[str]) -> list[tuple[str, str]]:
    """Return the noun pairs of the topic of which both are common."""
    male, female = (attribute["words"] for attribute in tomllib.loads(TOPIC.read_text())["attributes"])
    pronouns = {"he", "him", "his", "himself"}
    return [
        (m, f)
        for m, f in zip(male, female, strict=True)
        if m != f and m not in pronouns and min(counts[m], counts[f]) >= LEAST_COUNT
    ]


def check(backend: Backend, pairs: Iterable[tuple[str, str]]) -> list[Pair]:
    """Return the pairs with their log-odds."""
    checked = []
    for male, female in pairs:
        prompts = [bvf.Prompt(f"The {word} said that", "", word, "The [X] said that [Y]") for word in (male, female)]
        logp = backend.word_logprobs(prompts, ["he", "she"])
        odds = [float(row[0] - row[1]) for row in logp]
        checked.append(Pair(male, female, *odds))
    return checked


def share_right(pairs: list[Pair]) -> float:
    """Return the share of pairs that are right."""
    return math.fsum(pair.right for pair in pairs) / len(pairs)
