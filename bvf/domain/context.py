"""Contexts C: weighted templates with the slots ``[X]`` and ``[Y]``."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bvf.domain.media import Media
from bvf.errors import BvfError


@dataclass(frozen=True)
class Template:
    """A context: text with ``[X]`` once (the group) and ``[Y]`` once (the attribute word).

    Args:
        text: With both slots.
        media: What is shown with the text.

    Raises:
        BvfError: A slot is missing or there twice.
    """

    text: str
    media: tuple[Media, ...] = ()

    def __post_init__(self) -> None:
        if self.text.count("[X]") != 1 or self.text.count("[Y]") != 1:
            raise BvfError(
                f'a template needs [X] once and [Y] once, found "{self.text}"',
                'write [X] where the group goes and [Y] where the word goes, e.g. "The [X] said that [Y]"',
            )

    @property
    def key(self) -> str:
        """What tells this context from others: its text, and the digests of its media where it has any.

        >>> Template("The [X] is [Y]", (Media("image", "street.png", "0123456789abcdef"),)).key
        'The [X] is [Y] [image 0123456789abcdef]'
        """
        return " ".join((self.text, *(f"[{each.kind} {each.digest}]" for each in self.media)))

    @property
    def group_right_of_slot(self) -> bool:
        """Whether ``[X]`` stands right of ``[Y]``, where a causal model does not see it."""
        return self.text.index("[X]") > self.text.index("[Y]")


@dataclass(frozen=True)
class ContextSet:
    """Templates and their weights.

    Args:
        name: The name or file it was asked for by.
        templates: Templates with distinct keys, length C.
        counts: How often each was seen, or any positive weights; length C.
        source: Where the counts come from.
        details: What else is known of each template (verb, family, tense, ...); length C, or none.

    Raises:
        BvfError: No template, one that is there twice, not as many counts, a count that is negative or not a
            number, all counts zero, or counts whose sum is too large for a number.
    """

    name: str
    templates: tuple[Template, ...]
    counts: tuple[float, ...]
    source: str = ""
    details: tuple[Mapping[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not self.templates:
            raise BvfError(f"{self.name}: no templates", "give at least one line with a template and a count")
        if len(self.counts) != len(self.templates):
            raise BvfError(
                f"{self.name}: {len(self.templates)} templates and {len(self.counts)} counts", "each template has one"
            )
        key, times = Counter(template.key for template in self.templates).most_common(1)[0]
        if times > 1:
            raise BvfError(f'{self.name}: the template "{key}" is there {times} times', "add its counts up")
        for template, count in zip(self.templates, self.counts, strict=True):
            if not (np.isfinite(count) and count >= 0):
                raise BvfError(
                    f'{self.name}: the count of "{template.text}" is {count}', "counts are numbers of 0 or more"
                )
        total = sum(self.counts)
        if total == 0:
            raise BvfError(f"{self.name}: all counts are zero", "at least one template needs a count above 0")
        if not np.isfinite(total):
            raise BvfError(f"{self.name}: the counts are too large to be added up", "divide them all by one number")

    def weights(self) -> NDArray[np.float64]:
        """Return P(C): counts divided by their sum, shape (C,)."""
        counts = np.asarray(self.counts, dtype=np.float64)
        normalised: NDArray[np.float64] = counts / counts.sum()
        return normalised

    def heaviest(self, limit: int) -> "ContextSet":
        """Return the ``limit`` heaviest templates, in the order of the set."""
        order = np.argsort(-np.asarray(self.counts), kind="stable")[:limit]
        keep = sorted(int(index) for index in order)
        return self.only(keep)

    def only(self, indices: Sequence[int]) -> "ContextSet":
        """Return the templates at some places, in that order."""
        return replace(
            self,
            templates=tuple(self.templates[i] for i in indices),
            counts=tuple(self.counts[i] for i in indices),
            details=tuple(self.details[i] for i in indices) if self.details else (),
        )
