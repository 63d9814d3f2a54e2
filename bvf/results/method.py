"""The choices of an analysis, as stored with the decisions of gates and with plans."""

from typing import Any

from pydantic import Field

from bvf.domain.measurement import Asked
from bvf.domain.numbers import Count, Level
from bvf.domain.record import Record
from bvf.domain.scale import USUAL
from bvf.results.result import ResultBase
from bvf.study.reference import UNIFORM, first_of
from bvf.tables.words import percent


class Method(Record):
    """The choices of an analysis."""

    analysis: str = Field("", description="What --analysis said, if it has a parameter after a colon; else empty")
    criterion: str
    scale: str = Field("", description="unit or raw; empty: the figures are none of risk")
    reference: str
    group_weights: str
    groups: tuple[str, ...] = Field((), description="The groups that --groups named; empty: all that were asked")
    margin: str = Field("", description="The factor of crossed classes; empty: all classes")
    words: dict[str, tuple[str, ...]] = Field({}, description="The words that count; empty: all that were asked")
    reader: str = Field("", description="What read the texts; empty: there are none")
    distractors: Count = Field(0, description="Wrong answers that a subject chooses among; 0: all")
    seed: Count = Field(0, description="Of the draw of distractors")
    unit: str = Field("", description="What was drawn: document, occurrence, template; empty: there is no interval")
    level: Level = Field(description="Of the intervals")

    @property
    def described(self) -> str:
        """All choices of the analysis as one line of text."""
        parts = [f"analysis {self.analysis}"] if self.analysis else []
        parts += [f"criterion {self.criterion}"] if self.criterion else []
        parts += [f"scale {self.scale}"] if self.scale else []
        parts += [f"reference {self.reference}", f"group weights {self.group_weights}"] if self.criterion else []
        parts += [f"groups {first_of(self.groups)}"] if self.groups else []
        parts += [f"margin {self.margin}"] if self.margin else []
        parts += [f"words {first_of([word for words in self.words.values() for word in words])}"] if self.words else []
        parts += [f"reader {self.reader}"] if self.reader else []
        parts += [f"{self.distractors} distractors of seed {self.seed}"] if self.distractors else []
        return ", ".join(
            [*parts, f"{percent(self.level)} by {self.unit}" if self.unit else "no intervals for other texts"]
        )


def method_of(result: ResultBase, asked: Asked) -> dict[str, Any]:
    """Return the fields of `Method` for a result. ``asked`` are the questions of its measurement, with all words."""
    words = {attribute.name: set(attribute.words) for attribute in asked.attributes}
    all_count = {name: set(listed) for name, listed in result.words.items()} == words
    return {
        **{name: getattr(result, name) for name in Method.model_fields if hasattr(result, name)},
        "groups": _named_groups_of(result, asked),
        "words": {} if all_count else result.words,
        "unit": result.uncertainty.unit,
        "level": result.uncertainty.level,
    }


def _named_groups_of(result: ResultBase, asked: Asked) -> tuple[str, ...]:
    """Return the groups named in the choices of an analysis; empty if all measured groups are included."""
    return () if result.selection == asked.selection else tuple(group.group for group in result.groups)


def in_title(of: Any, *, with_scale: bool = False) -> str:
    """Return criterion, scale and p* of a result or comparison for a title, and an analysis that has a parameter.

    A default scale or p* is left out.

    Args:
        of: Something with ``criterion``, ``scale`` and ``reference``; the latter two are empty if not known.
        with_scale: Name the scale anyway.
    """
    analysis = f"analysis {of.analysis}, " if getattr(of, "analysis", "") else ""
    scale = f", {of.scale} scale" if of.scale and (with_scale or of.scale != USUAL) else ""
    p_star = "" if of.reference in ("", UNIFORM) else f", p* {of.reference}"
    return f"{analysis}criterion {of.criterion}{scale}{p_star}"
