"""The picture of a topic among other words: how far groups are apart by each."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf import BvfError, ResultBase
from bvf.drawing import (
    GREY,
    Axis,
    MarkedPicture,
    Marks,
    RowNames,
    Strokes,
    Value,
    caption_of,
    figure_dots,
    shown_name,
    whole_name,
)
from bvf.results import name_of, risk_only
from bvf.stats import FloatArray

PITCH, PLACES = 0.4, 3
STROKE = 0.3
"""Half the height of the stroke of a set of words, in rows."""


@dataclass(frozen=True)
class AmongWords(MarkedPicture):
    """The picture of how far groups are apart by a topic, and by each set of other words."""

    kind: ClassVar[str] = "words"
    title: ClassVar[str] = "A topic among other words"

    model: str
    topic: str
    apart: float
    of_sets: FloatArray  # where one set or more are, rounded: a figure of 250 strokes would be large
    said: tuple[str, ...]  # the place of the topic, in a sentence

    def caption(self) -> str:
        return caption_of(
            "How far groups are apart (total variation of their means from the mean over groups), for "
            f"{whole_name(self.model)}: by {shown_name(self.topic)}, a dot, and by sets of other words in the same "
            "prompts, a stroke for those of one distance.",
            *map(whole_name, self.said),
        )

    def marks(self) -> Marks:
        """A dot for the topic, and below it a stroke for each set of other words."""
        strokes = Strokes(self.of_sets, 1.0 - STROKE, 1.0 + STROKE, GREY, alpha=0.4)
        topic = figure_dots("particular_bias", [Value(self.apart)], [0], name="", size=5.0)
        rows = RowNames([self.topic, "other words"], pitch=PITCH, pixels=40)
        return Marks([strokes, topic], Axis("total variation", from_zero=True), rows)


def among_words(result: ResultBase) -> AmongWords:
    """Return the picture of a risk result with other words."""
    study = risk_only(result)
    if study.other_words is None:
        raise BvfError(f"{study.folder or study.model}: other words were not asked", "bvf run --other-words asks them")
    return AmongWords(
        model=name_of(study),
        topic=study.topic,
        apart=study.other_words.apart,
        of_sets=np.unique([round(each.apart, PLACES) for each in study.other_words.sets]),
        said=tuple(study.among_words),
    )
