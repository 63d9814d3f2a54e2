"""The result of the analysis of cues: contrasts, their differences, and tables of them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from bvf import Interval, ResultBase, Section
from bvf.domain import Amount, Count, Finite, Record, Share
from bvf.interfaces import Quantity
from bvf.results import model_in_title
from bvf.results import models_section as section_of_models
from bvf.tables import Column, between, counted, decimals, figure, p_value, table

if TYPE_CHECKING:
    import pandas as pd

CONTRAST = Quantity("contrast", "contrast", "", "p(class) of the first level less that of others, mean of all cues")
DIFFERENCE = Quantity("cue_difference", "cue difference", "", "Largest difference of contrasts between two cues", True)


class Contrast(Record):
    """By how much p(class) of one level exceeds that of another by one cue; or by one cue more than by another."""

    cue: str
    than: str = Field(description="The cue whose contrast is subtracted; empty: none")
    first: str
    second: str
    value: Finite
    low: Finite | None = Field(description="Lower end of its interval; null: not known")
    high: Finite | None
    p_value: Share | None
    adjusted_p: Share | None = Field(description="By Holm, for all contrasts, or for all differences of two cues")
    p_first: dict[str, Finite] = Field({}, description="Mean p by class; empty: of a difference of two cues")
    p_second: dict[str, Finite] = Field({})
    R: Amount | None = Field(None, description="Mean risk of the groups with this cue, by linf")

    @property
    def interval(self) -> Interval | None:
        """The interval of the value; None: it is not known."""
        return None if self.low is None or self.high is None else Interval(low=self.low, high=self.high)


class CueResult(ResultBase):
    """How much the levels of a factor differ in p of a class by each cue, and how much cues differ in that."""

    schema_: Literal["bvf.cues/1"] = Field("bvf.cues/1", alias="schema")
    favourable: str = Field(description="The class whose probability is compared")
    cue: str = Field(description="The factor that says by which cue a group is known")
    by: str = Field(description="The factor whose levels are compared: the first one with each other one")
    levels: tuple[str, ...]
    paired_contexts: Count = Field(description="Contexts in which every group has an answer")
    unknown: Count = Field(description="Groups that lack a cue or a level")
    contrast: Finite = Field(description="Mean of all contrasts")
    cue_difference: Amount = Field(description="The largest of all differences, without its sign")
    contrasts: tuple[Contrast, ...]
    differences: tuple[Contrast, ...] = Field(description="Of the contrasts of two cues")
    in_short: ClassVar[tuple[str, ...]] = ("contrast", "cue_difference")
    exported: ClassVar[tuple[Quantity, ...]] = (CONTRAST, DIFFERENCE)
    metric_kind: ClassVar[str] = "cues"

    @property
    def of_classes(self) -> Mapping[str, tuple[float, Interval | None]]:
        """Contrasts and differences with intervals, by names such as ``contrast[name]``."""
        both = {"contrast": self.contrasts, "cue_difference": self.differences}
        return {f"{name}[{self.named(each)}]": (each.value, each.interval) for name in both for each in both[name]}

    @property
    def asked(self) -> str:
        """How many groups and contexts there are: ``28 groups in 16 contexts``."""
        return f"{counted(len(self.groups) - self.unknown, 'group')} in {counted(self.paired_contexts, 'context')}"

    @property
    def intervals_are_for(self) -> str:
        """What the intervals are for; empty: there are none."""
        if self.uncertainty.estimand == "names":
            return "other groups with the same cue and level in these contexts"
        return self.uncertainty.population if self.contrasts[0].interval else ""

    def named(self, contrast: Contrast) -> str:
        """Return the cues of a contrast and, if there are more than two levels, its levels."""
        levels = f": {contrast.first} - {contrast.second}" if len(self.levels) > 2 else ""
        return f"{contrast.cue} - {contrast.than}{levels}" if contrast.than else f"{contrast.cue}{levels}"

    def contrasts_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per contrast of a cue, and per difference of two cues."""
        import pandas as pd

        of_classes = {"p_first", "p_second"}
        return pd.DataFrame([each.model_dump(exclude=of_classes) for each in (*self.contrasts, *self.differences)])


def models_section(results: Sequence[CueResult]) -> Section:
    """Return the table with a row per result."""
    return section_of_models(_title(results[0]), results, "contrast", [figure("contrast"), figure("cue_difference")])


def cues_section(result: CueResult) -> Section:
    """Return the table with a row per cue, or where there are more than two levels, per cue and further level."""
    first, *others = result.levels
    columns = [
        Column[Contrast]("cue", result.named),
        Column[Contrast](f"p, {first}", lambda each: decimals(each.p_first[result.favourable], places=3)[0]),
        Column[Contrast](
            others[0] if len(others) == 1 else "other",
            lambda each: decimals(each.p_second[result.favourable], places=3)[0],
        ),
        *_compared("contrast"),
        Column[Contrast]("R", lambda each: decimals(each.R, places=3)[0]),
    ]
    said = f"{result.asked}; p({result.favourable}) by {result.by}; R of the groups of a cue"
    return table(f"{_title(result)}, {model_in_title(result)}", columns, result.contrasts, subtitle=[said])


def differences_section(result: CueResult) -> Section:
    """Return the table with a row per difference of two cues."""
    holm = Column[Contrast]("p (Holm)", lambda each: p_value(each.adjusted_p), optional=True)
    columns = [Column[Contrast]("contrast of", result.named), *_compared("difference"), holm]
    bars = result.intervals_are_for
    notes = f"Intervals: {bars}." if bars else f"No intervals: {result.uncertainty.why_none}."
    if bars and not all(each.interval for each in result.contrasts):
        notes += " None for a cue with one group of some level."
    return table("Differences between cues, in the same contexts", columns, result.differences, notes=[notes])


def _compared(title: str) -> list[Column[Contrast]]:
    ends = Column[Contrast]("interval", lambda each: between(each.low, each.high, 3), optional=True)
    return [Column(title, lambda each: f"{each.value:+.3f}"), ends]


def _title(result: CueResult) -> str:
    return f"{result.topic} ({result.language}), {result.favourable} by {result.cue}"
