"""The result of a gate, the check of figures against limits."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from bvf.analyses.gate.config import Bound
from bvf.domain.measurement import CandidateMass
from bvf.domain.numbers import Count, Finite, Record
from bvf.errors import in_one_line
from bvf.results.difference import SharedChoices
from bvf.results.figure import is_within
from bvf.results.footnotes import UNITS
from bvf.results.result import Method
from bvf.stats.comparing.planning import POWER, Need
from bvf.tables.words import between, counted, decimals, percent, warned

if TYPE_CHECKING:
    import pandas as pd

Verdict = Literal["pass", "fail", "cannot tell"]

EXIT_CODES: Mapping[Verdict, int] = {"pass": 0, "fail": 1, "cannot tell": 3}

LIKELY = f"if the figure stays the same, with a chance of {POWER:.0%}, "

WORST_FIRST: tuple[Verdict, ...] = ("fail", "cannot tell", "pass")
KEPT: Mapping[Bound, str] = {"max": "at most", "min": "at least", "no_worse": "at most"}
BROKEN: Mapping[Bound, str] = {"max": "more than", "min": "less than", "no_worse": "more than"}


class Decision(Record):
    """A decision of a gate: a limit, and whether a figure is within it."""

    figure: str
    bound: Bound = Field(description="max, min; no_worse: of the difference to the baseline, at most")
    limit: Finite
    value: Finite = Field(description="The figure, or by how much it is above that of the baseline")
    low: Finite | None = Field(description="Lower end of its interval; null: there is none")
    high: Finite | None
    between: tuple[Finite, Finite] | None = Field(
        None, description="The ends between which the figure lies, as probabilities are not exact; null: these are"
    )
    verdict: Verdict
    no_interval: str = Field("", description="Why there is no interval; empty: there is one")
    instead: str = Field("", description="Options that give one as if the contexts had been sampled; empty: none")
    as_if: str = Field("", description="What the contexts are taken for, though it is not known; empty: nothing")
    low_mass: str = Field(
        "",
        description="Why nothing is decided: how little of the probability the compared words have, and in which run; "
        "empty: they have enough, or --allow-low-mass was given",
    )
    few: str = Field(
        "",
        description="Why nothing is decided: the sample is smaller than any for which coverage was measured; empty: it "
        "is large enough",
    )
    contexts: Count | None = Field(
        None,
        description="How many contexts, drawn in all, would decide it if the figure stays; as many as the set has: all "
        "of them asked; or null",
    )
    extend: tuple[str, ...] = Field((), description="no_worse: the folders of runs that were asked in fewer contexts")
    units: Count | None = Field(
        None, description="How many occurrences (documents, templates) in the set, all asked, would decide it; or null"
    )
    too_small: bool = Field(False, description="Too few contexts were drawn to tell how many would do")
    draws: Count | None = Field(
        None, description="Contexts that were drawn, in both runs for no_worse; null: all of the set were asked"
    )
    set_contexts: Count = Field(description="Contexts that the set has; 0: the interval is no matter of contexts")
    set_unit: str = Field("occurrence", description="What the set is a sample of: occurrence, document, template")

    @property
    def what_would_decide(self) -> str:
        """How many contexts (or occurrences in the corpus) would decide it, in words."""
        of_runs = f" for {' and '.join(self.extend)}" if self.extend else ""
        if self.few and self.contexts is not None:
            return f"--sample-contexts {self.contexts}{of_runs}"
        if self.few:
            return f"a set of {self.units} {UNITS.get(self.set_unit, 'occurrences')} and more would do"
        if self.too_small:
            few = f"{self.draws} contexts are too few to say how many are needed"
            return f"{few}: --sample-contexts {Need.ENOUGH}{of_runs}"
        if self.contexts is not None and self.contexts >= self.set_contexts:
            return f"{LIKELY}all {self.set_contexts:,} contexts of the set would do: --sample-contexts 0{of_runs}"
        if self.contexts is not None:
            more = self.contexts - (self.draws or 0)
            return f"{LIKELY}{counted(more, 'more context')} would do: --sample-contexts {self.contexts}{of_runs}"
        if self.units is not None:
            of = f"{self.units:,} {UNITS.get(self.set_unit, 'occurrences')}"
            return f"no number of contexts of this set would do; {LIKELY}a set of {of} would"
        return "no number of contexts would do: the figure equals the limit, or nearly so"

    def said(self, level: float) -> str:
        """Return the verdict and its reason as a line."""
        return f"{self.verdict}: {self.why(level)}"

    def why(self, level: float) -> str:
        """Return a sentence on why the limit is met, exceeded or undecided, and on what would decide it then."""
        lies = dict.fromkeys(decimals(*(self.between or [self.value])))
        value = " to ".join(lies)
        less = f"{self.figure} less that of the baseline is {value}"
        figure, which = (less, ", which ") if self.bound == "no_worse" else (f"{self.figure} {value}", " ")
        compared = f"{(KEPT if self.verdict == 'pass' else BROKEN)[self.bound]} {self.limit:g}"
        if self.low_mass:
            why = f"{self.low_mass}, where {CandidateMass.FLOOR:.0%} is needed; --allow-low-mass decides all the same"
            return in_one_line(f"{self._with_interval(figure, level)}: {why}")
        if self.low is None or self.high is None:
            if self.between and is_within(*self.between, self.limit) is None:
                return in_one_line(f"{figure}, as probabilities are not exact: {self.limit:g} is among these")
            if self.verdict == "cannot tell":
                options = "; ".join(filter(None, ("--as-is decides on the figure itself", self.instead)))
                return in_one_line(f"{figure} has no interval: {self.no_interval}; {options}")
            return in_one_line(f"{figure}{which}itself is {compared}; it has no interval: {self.no_interval}")
        figure = self._with_interval(figure, level)
        if self.verdict != "cannot tell":
            return in_one_line(f"{figure}{which}is {compared}")
        undecided = self.few or f"the interval includes the limit {self.limit:g}"
        settled = [self.what_would_decide] if self.set_contexts else []
        return in_one_line(f"{figure}: {'; '.join([undecided, *settled])}")

    def _with_interval(self, figure: str, level: float) -> str:
        if self.low is None or self.high is None:
            return figure
        as_if = f", {self.as_if}" if self.as_if else ""
        return f"{figure} ({percent(level)}{as_if}: {between(self.low, self.high)})"


class GateResult(Method):
    """The decisions of a gate, and the choices of the analysis."""

    folder: str
    baseline: str = ""
    in_common: SharedChoices | None = Field(None, description="What is compared with the baseline; null: there is none")
    model: str
    topic: str
    language: str
    warnings: tuple[str, ...] = Field(
        (), description="What makes the figures doubtful, one sentence each that begins with the model"
    )
    decisions: tuple[Decision, ...]

    @property
    def about(self) -> str:
        """What was asked of which model."""
        return f"{self.topic}{f' ({self.language})' if self.language else ''}, {self.model}"

    @property
    def verdict(self) -> Verdict:
        """The worst verdict over all limits."""
        return min((decision.verdict for decision in self.decisions), key=WORST_FIRST.index)

    @property
    def lines(self) -> list[str]:
        """A line per warning, and then a line per limit: verdict and reason."""
        return [*warned(self.warnings), *(each.said(self.level) for each in self.decisions)]

    @property
    def exit_code(self) -> int:
        """The exit code of the command.

        It is 0 if all limits are kept, 1 if one is broken, and 3 if none is broken but one is undecided.
        """
        return EXIT_CODES[self.verdict]

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with a row per limit, each with the warnings of the runs."""
        import pandas as pd

        warnings = "; ".join(self.warnings)
        rows = [
            {**decision.model_dump(), "extend": "; ".join(decision.extend), "warnings": warnings}
            for decision in self.decisions
        ]
        return pd.DataFrame(rows)


def decided(low: float, high: float, limit: float, bound: Bound) -> Verdict:
    """Return the verdict on whether an interval is within a limit.

    >>> decided(0.3, 0.4, 0.4, "max"), decided(0.3, 0.5, 0.4, "max"), decided(0.41, 0.5, 0.4, "max")
    ('pass', 'cannot tell', 'fail')
    """
    if bound == "min":
        return decided(-high, -low, -limit, "max")
    within = is_within(low, high, limit)
    return "cannot tell" if within is None else "pass" if within else "fail"
