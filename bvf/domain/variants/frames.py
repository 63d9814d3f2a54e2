"""Frames: words around a template, or a picture beside it. Contexts that differ in a frame alone can be compared."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import ClassVar

from pydantic import Field, field_validator

from bvf.domain.config import Config
from bvf.domain.context import WRITTEN, ContextSet, Template, properties_in
from bvf.domain.media import Media
from bvf.domain.variants.formats import FORMAT, TEMPLATE, Formats, NamedLevels
from bvf.domain.variants.options import OPTIONS
from bvf.domain.variants.placebo import ORIGIN, PLACEBO
from bvf.errors import BvfError, nearest

PICTURE = "picture"
"""The frame whose levels are pictures."""
LEVEL = "[level]"
SENTENCE_ENDS = re.compile(r"[.!?。\uff01\uff1f]['\")\u201d\u2019»」』\uff09]*\s*$")


class Frame(Config):
    """Words around a template, and the levels that they are filled with. At the level ``none`` there are no words."""

    NONE: ClassVar[str] = "none"
    pattern: str = Field(description='Where both stand, as in "In [level], [template]"')
    levels: tuple[str, ...] = Field(
        description="Two or more different texts that are put in the place of [level]; none: the template alone"
    )

    @field_validator("levels")
    @classmethod
    def _several(cls, levels: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(levels)) < max(2, len(levels)) or not all(level.strip() for level in levels):
            raise ValueError("two or more different texts are compared")
        return levels

    @field_validator("pattern")
    @classmethod
    def _both_slots_once(cls, pattern: str) -> str:
        if any(pattern.count(slot) != 1 for slot in (LEVEL, TEMPLATE)):
            raise ValueError(f"it needs {LEVEL} once and {TEMPLATE} once")
        return pattern

    def around(self, template: Template, level: str, inside: Callable[[str], str]) -> Template:
        """Return a template in this frame, or as it is if the level is ``none``.

        ``inside`` words a text that no longer begins a sentence. After words that end a sentence it still does.
        """
        if level == self.NONE:
            return template
        before, after = (part.replace(LEVEL, level) for part in self.pattern.split(TEMPLATE))
        begins = not before or SENTENCE_ENDS.search(before)
        return replace(template, text=before + (template.text if begins else inside(template.text)) + after)

    def with_levels(self, levels: Sequence[str], where: str) -> "Frame":
        """Return the frame with other levels.

        Raises:
            BvfError: There are fewer than two different levels. ``where`` begins the message.
        """
        return Frame.checked({"pattern": self.pattern, "levels": levels}, where)


class Pictures(NamedLevels[Media]):
    """Some pictures by name."""

    what = PICTURE

    def around(self, template: Template, level: str, inside: Callable[[str], str]) -> Template:
        """Return a template with the picture of this name.

        Raises:
            BvfError: The template has a picture already.
        """
        if template.media:
            raise BvfError(f'"{template.key}" has a picture already', "frame the set that it was made from")
        return replace(template, media=(self.named[level],))


AnyFrame = Frame | Formats | Pictures


def chosen_frames(texts: Sequence[str], known: Mapping[str, AnyFrame]) -> dict[str, AnyFrame]:
    """Return the frames that texts such as ``year`` or ``place=Texas,Sweden`` name, with the levels that they give.

    Formats stand around all other frames, so they are the first.

    Raises:
        BvfError: There is no such frame, it is named twice, or it has fewer than two different levels.
    """
    chosen = dict[str, AnyFrame]()
    for text in texts:
        name, has_levels, levels = text.partition("=")
        if name not in known:
            raise BvfError(f'--by {text}: there is no frame "{name}"', nearest(name, list(known)))
        if name in chosen:
            raise BvfError(f"--by {name}: named twice", "give each frame once, with all of its levels")
        chosen[name] = known[name]
        if has_levels:
            given = [level.strip() for level in levels.split(",")]
            chosen[name] = known[name].with_levels(given, f"--by {text}")
    return dict(sorted(chosen.items(), key=lambda each: each[0] != FORMAT))


def framed_set(contexts: ContextSet, frames: Mapping[str, AnyFrame], inside: Callable[[str], str]) -> ContextSet:
    """Return each template of a set in each combination of levels of some frames, the first frame outermost.

    Column ``origin`` names the template, and a column with the name of each frame its level. The templates share their
    counts evenly. Lettered options are a frame too: their orders keep the ``origin`` that they have.

    Raises:
        BvfError: The set has a column of one of these names already, or two texts become equal.
    """
    taken = {name for row in contexts.details for name in row if name != ORIGIN or OPTIONS not in row}
    taken &= {ORIGIN, PLACEBO, *frames}
    if taken:
        message = f"{contexts.name}: has a column {min(taken)} already"
        raise BvfError(message, "name the set that it was made from, or another frame")
    combinations = list(product(*(frame.levels for frame in frames.values())))
    templates, columns = [], []
    for template, _, known in contexts.rows:
        kept = properties_in(known)
        for levels in combinations:
            framed = template
            for frame, level in reversed(list(zip(frames.values(), levels, strict=True))):
                framed = frame.around(framed, level, inside)
            templates.append(framed)
            columns.append({ORIGIN: template.key, **dict(zip(frames, levels, strict=True)), **kept})
    counts = [count / len(combinations) for count in contexts.counts for _ in combinations]
    source = f"{contexts.source}, framed by {', '.join(frames)}"
    return ContextSet(contexts.name, tuple(templates), tuple(counts), source, tuple(columns), WRITTEN, contexts.card)
