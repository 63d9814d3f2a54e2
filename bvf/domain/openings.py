"""Openings: what a model has read before a template: sentences, or a conversation. A context is both together."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from bvf.domain.chat import messages_in
from bvf.domain.context import Card, places_drawn
from bvf.domain.spelling import written
from bvf.errors import BvfError

NONE = "none"
"""Nothing stands before the template; as ``--openings none`` no context has an opening."""
OPENING = "opening"
"""The column of a context that has its opening."""
TURNS_BEFORE = "turns"
"""The column of a context after a conversation, or nothing, with the number of its messages but the system's."""
BARE = "template"
"""The column of a context with an opening that has its template alone."""
END = re.compile(r"[.!?\u3002\uff01\uff1f\u2026][\"'\u201d\u2019\u300d\u300f)\uff09]*$")
ANOTHER = 2
"""Added to the seed of the templates for that of the openings."""


@dataclass(frozen=True)
class Openings:
    """A pool of openings with weights: texts of whole sentences, conversations as JSON, `NONE` for a bare template.

    Args:
        name: Name of the pool, or its file.
        texts: Distinct texts without slots, each with the end of a sentence or as `messages_in` reads it; length O.
        counts: How often each is drawn, as any positive weights; length O.
        source: Where the sentences come from.
        details: Further columns of each opening (source, document, ...); length O, or empty.
        card: Licence, citation, language.

    Raises:
        BvfError: There are fewer than two openings, one is repeated, has a slot or no end, a conversation is none, or
            a count is not a number above 0.
    """

    name: str
    texts: tuple[str, ...]
    counts: tuple[float, ...]
    source: str = ""
    details: tuple[Mapping[str, str], ...] = ()
    card: Card = field(default_factory=Card)

    def __post_init__(self) -> None:
        object.__setattr__(self, "texts", tuple(written(text, self.name).strip() for text in self.texts))
        if self.sentences < 2:
            message = f"{self.name}: {self.sentences} openings, and a draw from them says nothing about others"
            raise BvfError(message, "give two or more, better a hundred")
        text, times = Counter(self.texts).most_common(1)[0]
        if times > 1:
            raise BvfError(f'{self.name}: the opening "{text}" occurs {times} times', "add its counts up")
        for number, (text, count) in enumerate(zip(self.texts, self.counts, strict=True), start=1):
            try:
                is_conversation = bool(messages_in(text))
            except BvfError as error:
                raise BvfError(f"{self.name}: conversation {number}: {error.message}", error.hint) from error
            said = f"conversation {number}" if is_conversation else f'the opening "{text}"'
            if "[X]" in text or "[Y]" in text:
                raise BvfError(f"{self.name}: {said} has a slot", "[X] and [Y] belong into templates: --contexts")
            if not (text == NONE or is_conversation or END.search(text)):
                raise BvfError(f"{self.name}: {said} does not end", "write whole sentences: It was cold.")
            if not (isfinite(count) and count > 0.0):
                raise BvfError(f'{self.name}: the count of "{text}" is {count}', "counts are numbers above 0")

    @property
    def sentences(self) -> int:
        """The number of openings that say something: all but `NONE`."""
        return len(self.texts) - (NONE in self.texts)

    @property
    def conversations(self) -> tuple[str, ...]:
        """The openings that are conversations."""
        return tuple(filter(messages_in, self.texts))

    @property
    def share_of_none(self) -> float:
        """The probability that a template stands bare."""
        weights = dict(zip(self.texts, self.counts, strict=True))
        return weights.get(NONE, 0.0) / sum(self.counts)

    def drawn(self, number: int, seed: int) -> NDArray[np.intp]:
        """Draw indices of ``number`` openings by weight, with replacement. A larger ``number`` extends the draw."""
        return places_drawn(self.counts, number, seed + ANOTHER)


def after(opening: str, template: str, between: str) -> str:
    """Return a template after an opening. ``between`` separates two sentences: a space, or nothing in Chinese."""
    return template if opening == NONE else f"{opening}{between}{template}"
