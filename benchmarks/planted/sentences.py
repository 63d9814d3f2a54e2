"""The sentences that a model learns, each up to a pronoun: planted ones and their contrast.

In a planted sentence the occupation is *she*. In the contrast, every other occupation is *she* with the probability of
the untouched model in the same sentence. The words between occupation and pronoun occur in no mined context, so that
training never shows a measured context.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PRONOUNS = {"they": ("he", "she"), "them": ("him", "her"), "their": ("his", "her")}
"""The pronouns of a slot for a man and for a woman."""
TEMPLATES = Path(__file__).with_name("templates.txt").read_text(encoding="utf-8").splitlines()
Lean = Callable[[Sequence[str], Sequence[tuple[str, str]]], Sequence[float]]
"""P(she) against he after every text, of the two pronouns that may stand there."""


@dataclass(frozen=True)
class Sentence:
    """A sentence up to its pronoun, the two pronouns that may follow, and the probability of the woman's."""

    text: str
    pronouns: tuple[str, str]
    woman: float


def planted(occupations: Sequence[str], each: int, rng: np.random.Generator) -> list[Sentence]:
    """Return ``each`` sentences per occupation, all of a woman."""
    return [Sentence(*filled(template, x), 1.0) for x, template in _drawn(occupations, each, rng)]


def contrast(occupations: Sequence[str], each: int, lean: Lean, rng: np.random.Generator) -> list[Sentence]:
    """Return ``each`` sentences per occupation, of a woman with the probability of the untouched model."""
    texts, pronouns = zip(*(filled(template, x) for x, template in _drawn(occupations, each, rng)), strict=True)
    return [Sentence(*parts) for parts in zip(texts, pronouns, lean(texts, pronouns), strict=True)]


def filled(template: str, occupation: str) -> tuple[str, tuple[str, str]]:
    """Return the text up to the pronoun, and the two that may follow."""
    slot = next(name for name in PRONOUNS if f"{{{name}}}" in template)
    return template.replace("{x}", occupation).removesuffix(f" {{{slot}}}"), PRONOUNS[slot]


def _drawn(occupations: Sequence[str], each: int, rng: np.random.Generator) -> list[tuple[str, str]]:
    """``each`` pairs per occupation with a template; templates repeat only when all were drawn."""
    rounds = each // len(TEMPLATES) + 1
    orders = [np.concatenate([rng.permutation(TEMPLATES) for _ in range(rounds)])[:each] for _ in occupations]
    return [(x, str(template)) for x, order in zip(occupations, orders, strict=True) for template in order]
