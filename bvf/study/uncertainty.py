"""The uncertainty of figures: their intervals, and the population that these hold for."""

from typing import Literal

from pydantic import Field

from bvf.domain.measurement import Measurement
from bvf.domain.numbers import Amount, Count, Finite, Level, Record, Share
from bvf.interfaces.analysis import Choices
from bvf.stats.sampling.samples import ContextSample
from bvf.study.sample import (
    NOT_SAMPLED,
    are_wordings,
    as_if_counted,
    how_to_get_intervals,
    refuse_unknown_unit,
    sample_of,
    share_of_source,
    why_no_sample,
)
from bvf.tables.words import counted

OF_WHAT = {
    "set": "these contexts alone",
    "source": "texts like those mined",
    "templates": "other templates of the kind",
    "wordings": "other wordings of the question",
    "counts": "other texts of the kind",
    "openings": "other openings",
    "names": "other names of the same kind in these contexts",
}
"""What figures are for, by estimand."""
AS_IF = {
    "templates": "as if these templates had been drawn",
    "wordings": "as if these wordings had been drawn",
    "counts": "as if these counts had been counted",
}


class Interval(Record):
    """The confidence interval of a figure."""

    low: Finite
    high: Finite
    cross_fit: Finite | None = Field(
        None, description="The estimate that errs to the other side than the figure; null for a mean, which is unbiased"
    )

    def further(self, by: float) -> "Interval":
        """Return the interval that reaches further on both sides by an error bound."""
        return self.model_copy(update={"low": self.low - by, "high": self.high + by})

    def stretched(self, value: float, times: float) -> "Interval":
        """Return the interval of a figure that is not negative, with margins so many times as wide.

        They begin at the figure's value, or at the cross-fit estimate where that is beyond it.
        """
        both = (value, value if self.cross_fit is None else self.cross_fit)
        below, above = max(min(both) - self.low, 0.0), max(self.high - max(both), 0.0)
        further = {"low": max(self.low - (times - 1.0) * below, 0.0), "high": self.high + (times - 1.0) * above}
        return self.model_copy(update=further)

    def within(self, most: float) -> "Interval":
        """Return the interval clipped to the range from 0 to ``most``."""
        return self.model_copy(update={"low": max(self.low, 0.0), "high": max(min(self.high, most), 0.0)})


class Uncertainty(Record):
    """The uncertainty of a result's figures: the population that they are for, and their intervals.

    The figures are those of these contexts. Intervals are of their source: what other texts of its kind would give.
    """

    estimand: Literal["set", "source", "templates", "wordings", "counts", "openings", "names"] = Field(
        description="What intervals are of: set: nothing but these contexts; source: the texts that they were drawn "
        "from; templates: other templates of the kind; wordings: other wordings of the same question; counts: texts in "
        "which the counts of the set could have been counted. These three are as if they had been sampled. openings: "
        "the same templates after other openings; names: other names of groups in the same contexts"
    )
    opened: str = Field("", description="The pool of openings that stand before templates; empty: they stand bare")
    undefined: str = Field("", description="Why there is no interval; empty: there is")
    instead: str = Field(
        "", description="Options that take contexts that were written for a sample; empty: none, or it is a sample"
    )
    unit: Literal["", "document", "occurrence", "template", "opening"] = Field(
        "", description="What was drawn independently"
    )
    units: Amount | None = Field(None, description="How many of them; Kish's effective number for templates")
    level: Level
    draws: Count | None = Field(None, description="Contexts that were drawn from the set; null: all were asked")
    occurrences: Amount | None = Field(None, description="Matches in the whole source; null: not known")
    documents: Count | None = Field(None, description="Documents of the source with a match; null: not known")
    capped_at: Amount | None = Field(
        None, description="The most that a template of the set counts; null: as often as it was seen"
    )
    share: Share | None = Field(None, description="Share of the matches that the set covers; null: not known")
    unseen_mass: Share | None = Field(
        None, description="Good-Turing: share of such texts whose template is not in the set; null: not known"
    )
    intervals: dict[str, Interval] = Field({}, description="By the name of the field")
    highest: dict[str, tuple[str, ...]] = Field(
        {},
        description="By field of groups: the group with the highest value, and those that may have a higher one. Each "
        "other group is lower, by a paired test of the level that allows for all pairs of groups and takes "
        "probabilities as exact",
    )
    leaving_one_out: dict[str, tuple[Finite, Finite]] = Field(
        {}, description="Smallest and largest figure when each template is left out"
    )
    as_templates: dict[str, Interval] = Field(
        {}, description="Intervals if the templates themselves were the sample: how much depends on their choice"
    )

    @property
    def why_none(self) -> str:
        """Why there is no interval, and the options that give one as if the contexts had been sampled."""
        return f"{self.undefined} ({self.instead})" if self.instead else self.undefined

    @property
    def as_if(self) -> str:
        """What the user has the contexts taken for, though it is not known that they are: ``as if ...``; empty: not."""
        return AS_IF.get(self.estimand, "")

    @property
    def counted(self) -> str:
        """The occurrences of the set, and the most that count of one template: ``487 occurrences (≤ 20 each)``."""
        most = "" if self.capped_at is None else f" (≤ {self.capped_at:g} each)"
        return f"{self.occurrences or 0.0:,.0f} occurrences{most}"

    @property
    def drawn_from(self) -> str:
        """The size of a sample of mined contexts: ``80 contexts drawn from 707 occurrences in 539 documents``.

        The documents of a set with capped counts are left out, as some have only occurrences that do not count.
        """
        documents = "" if self.documents is None or self.capped_at is not None else f" in {self.documents:,} documents"
        drawn = "" if self.draws is None else f"{counted(self.draws, 'context')} drawn"
        if self.occurrences is None and drawn:
            return drawn
        return f"{drawn} from {self.counted}{documents}".removeprefix(" from ")

    @property
    def population(self) -> str:
        """What the intervals are for, with `as_if`: ``texts like those mined``."""
        if self.estimand == "source" and self.capped_at is not None:
            return f"{self.in_short}, where no template counts more than {self.capped_at:g} times"
        return self.in_short

    @property
    def level_of_intervals(self) -> float | None:
        """The level, if there are intervals."""
        return self.level if self.intervals else None

    @property
    def in_short(self) -> str:
        """The population in a few words, beside the most that a template counts."""
        capped = self.estimand == "source" and self.capped_at is not None
        what = "sets cut like this one" if capped else OF_WHAT[self.estimand]
        if self.opened and self.estimand != "set":
            what += f" of {self.opened}" if self.estimand == "openings" else f", after openings of {self.opened}"
        return ", ".join(filter(None, (what, self.as_if)))


def uncertainty_of(measurement: Measurement, choices: Choices) -> Uncertainty:
    """Return population, sampling unit and sample size of the contexts as an `Uncertainty`. It has no intervals yet.

    Raises:
        BvfError: Documents are to be the sampling unit, and those of the contexts are not known.
    """
    refuse_unknown_unit(measurement, choices)
    asked, share = measurement.record.asked, share_of_source(measurement.record.asked)
    whole = asked.whole
    capped = asked.sampling.capped_at is not None
    known = {
        "level": choices.level,
        "draws": None if asked.draws is None else asked.draws.number,
        "occurrences": asked.sampling.occurrences,
        "documents": asked.sampling.documents,
        "capped_at": asked.sampling.capped_at,
        "share": share,
        "opened": "" if asked.openings is None else asked.openings.name,
        "unseen_mass": whole.once / whole.total if share == 1.0 and whole.are_whole and not capped else None,
    }
    sample = sample_of(measurement, choices)
    if sample is None:
        why, instead = why_no_sample(measurement, choices), how_to_get_intervals(asked)
        return Uncertainty(estimand="set", undefined=why, instead=instead if why == NOT_SAMPLED else "", **known)
    estimand: Literal["source", "templates", "wordings", "counts", "openings"] = "source"
    if sample.unit == "opening":
        estimand = "openings"
    if as_if_counted(asked, choices):
        estimand = "counts"
    if sample.unit == "template":
        estimand = "wordings" if are_wordings(asked, choices) else "templates"
    return Uncertainty(estimand=estimand, unit=sample.unit, units=sample.size, **known)


def few_units(uncertainty: Uncertainty) -> str:
    """Return a phrase on intervals from fewer sampling units than coverage was tested for; empty if enough.

    Wordings are enough if they have intervals at all.
    """
    fewest = ContextSample.MEASURED_FROM
    if uncertainty.units is None or uncertainty.units >= fewest or uncertainty.estimand == "wordings":
        return ""
    units = "drawn contexts" if uncertainty.draws is not None else f"{uncertainty.unit}s"
    return f"intervals rest on {uncertainty.units:.4g} {units}: they were tested for {fewest} and more"
