"""The result of comparing a study with a control: the same groups on a topic without a known stereotype."""

from collections.abc import Sequence

from pydantic import Field

from bvf.domain.numbers import Count, Finite, Record
from bvf.tables.quantities import symbol
from bvf.tables.words import NOTHING, between, decimals, percent

CALLED = {
    "": f"{symbol('R')} of {{topic}}",
    "bias_": f"{symbol('R_bias')} of {{topic}}",
    "apart_": "how far groups are apart by {topic}",
}
"""What sentences compare, by the prefix of the fields; another number of classes changes particular R^b."""


class ControlGroup(Record):
    """A group of the study, with its figures on the control topic."""

    group: str
    r: Finite
    r_bias: Finite
    r_volatility: Finite
    apart: Finite | None = Field(
        None,
        description="Total variation of its mean prediction from the mean over groups, as ``apart`` of the control",
    )
    apart_in_topic: Finite | None = Field(None, description="The same for the topic itself")


class ControlResult(Record):
    """A control topic of a study, analysed as the study is.

    Its R is not 0 on real models: some words are likelier than others, whatever the group is.
    """

    topic: str
    measurement: str = Field(description="Digest of the identity of its measurement")
    contexts: str = Field(description="The context set that it was asked in")
    number_of_contexts: Count
    same_contexts: bool = Field(
        description="Whether these are the contexts of the study, by the same draw: then differences are paired"
    )
    R: Finite
    R_bias: Finite
    R_volatility: Finite
    difference: Finite = Field(description="R of the study less R of the control")
    ratio: Finite | None = Field(description="R of the study over R of the control; null: the latter is 0")
    bias_difference: Finite | None = Field(None, description="R^b of the run less that of the control")
    bias_ratio: Finite | None = None
    particular_bias: Finite | None = Field(
        None, description="The bias risk of what sets groups apart, in the control; null for one group"
    )
    particular_bias_difference: Finite | None = Field(None, description="That of the study less that of the control")
    particular_bias_ratio: Finite | None = None
    apart: Finite | None = Field(
        None,
        description="Total variation of the mean predictions of groups from the mean over groups, on average over "
        "groups of the control: 0 to 1 for any number of classes and any criterion; null for one group. Cross-fit over "
        "halves of the contexts, also of sentences that were written, unless the contexts of the study are no sample; "
        "an estimate below 0 counts as 0",
    )
    apart_difference: Finite | None = Field(None, description="That of the study, estimated alike, less this")
    apart_ratio: Finite | None = None
    classes: Count | None = Field(None, description="How many the control has")
    intervals: dict[str, tuple[Finite, Finite]] = Field(
        {}, description="Ends by the name of the field, at the level of the study; apart_in_topic: of the study itself"
    )
    undefined: str = Field(
        "",
        description="Why its own figures have no interval; in ``apart`` and intervals of ratios and differences its "
        "templates then count as a sample of their kind",
    )
    groups: tuple[ControlGroup, ...] = Field((), description="In the order of the study")
    warnings: tuple[str, ...] = Field((), description="What makes its figures doubtful, one sentence each")
    as_templates: dict[str, tuple[Finite, Finite]] = Field(
        {}, description="Ends of ratio and difference if the templates of both themselves were samples"
    )

    def sentence(self, topic: str, level: float, prefixes: Sequence[str] = tuple(CALLED)) -> str:
        """Return the comparisons with the study of a topic as one sentence; undefined figures are left out."""
        defined = list(filter(self.knows, prefixes))
        whose = [f"that of the control {self.topic}", *["that of the control"] * (len(defined) - 1)]
        said = "; ".join(
            f"{CALLED[prefix].format(topic=topic)} is {self._stands(prefix, percent(level), name)}"
            for prefix, name in zip(defined, whose, strict=False)
        )
        if defined and f"{defined[0]}difference" not in self.intervals:
            said += " (in these contexts; what other texts would give is not known)"
        return said

    def knows(self, prefix: str) -> bool:
        """Whether the difference of a figure from that of the study is defined."""
        return getattr(self, f"{prefix}difference") is not None

    def _stands(self, prefix: str, level: str, whose: str) -> str:
        """A phrase on whether a figure of the run is above or below that of a control, or neither by its interval."""
        name = f"{prefix}difference"
        difference, ends = getattr(self, name), self.intervals.get(name)
        if ends is None and abs(difference) < NOTHING:
            return f"the same as {whose}"
        if ends is None:
            return f"{decimals(abs(difference))[0]} {'more' if difference > 0 else 'less'} than {whose}"
        low, high = ends
        where = "above" if low > NOTHING else "below" if high < -NOTHING else ""
        if where == "below":
            difference, low, high = -difference, -high, -low
        by = f"{decimals(difference)[0]} ({level}: {between(low, high)})"
        return (
            f"{where} {whose}, by {by}"
            if where
            else f"not significantly different from {whose}: the difference is {by}"
        )
