"""Limits that figures are held to: decided on the ends of intervals, never on a figure whose error is not known."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bvf.analysing.baselines import Baseline, baseline_of
from bvf.analysing.config import AnalysisConfig
from bvf.analysing.pilot import Figure, Pilot, pilot
from bvf.errors import BvfError
from bvf.files.parsing import parse_toml, read_text
from bvf.hooks.loader import Plugins, load
from bvf.measuring.config import setting_refused
from bvf.stats.planning import Need

Bound = Literal["max", "min", "no_worse"]
BOUNDS: tuple[Bound, ...] = get_args(Bound)
Verdict = Literal["pass", "fail", "cannot tell"]
EXIT_CODES: Mapping[Verdict, int] = {"pass": 0, "fail": 1, "cannot tell": 3}
WORST_FIRST: tuple[Verdict, ...] = ("fail", "cannot tell", "pass")
Limits = dict[str, Annotated[float, Field(strict=True, allow_inf_nan=False)]]


class GateConfig(AnalysisConfig):
    """Limits, and how answers are analysed for them; what is not said is as in the newest result of the run."""

    max: Limits = Field(default={}, description="Figures that are at most so large: R = 0.4")
    min: Limits = Field(default={}, description="Figures that are at least so large")
    baseline: str = Field(default="", description="The folder of a run that this one is compared with")
    no_worse: Limits = Field(default={}, description="Figures that are at most so much above those of the baseline")
    as_is: bool = Field(default=False, description="Decide on the figure itself where there is no interval")


class Decision(BaseModel):
    """A limit, and whether a figure keeps to it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    figure: str
    bound: Bound = Field(description="max, min; no_worse: of the difference to the baseline, at most")
    limit: float
    value: float = Field(description="The figure, or by how much it is above that of the baseline")
    low: float | None = Field(description="Lower end of its interval; null: there is none")
    high: float | None
    verdict: Verdict
    no_interval: str = Field("", description="Why there is no interval; empty: there is one")
    contexts: int | None = Field(
        None, description="Drawn in all, so many would decide it, if the figure stays; or null"
    )
    units: int | None = Field(
        None, description="So many occurrences (documents, templates) in the set, all asked, would decide it; or null"
    )
    draws: int | None = Field(None, description="Contexts that were drawn; null: all of the set were asked")
    set_contexts: int = Field(description="Contexts that the set has")
    set_unit: str = Field("occurrence", description="What the set is a sample of: occurrence, document, template")


class GateResult(BaseModel):
    """What a gate decided."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    folder: str
    baseline: str = ""
    model: str
    topic: str
    language: str
    criterion: str
    scale: str = ""
    level: float
    decisions: tuple[Decision, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of all: one that failed, else one that nobody can tell."""
        found = {decision.verdict for decision in self.decisions}
        return next(verdict for verdict in WORST_FIRST if verdict in found)

    @property
    def exit_code(self) -> int:
        """0: all passed; 1: one failed; 3: none failed, and of one nobody can tell."""
        return EXIT_CODES[self.verdict]


@dataclass(frozen=True)
class _Found:
    """A figure with its interval; None and why where there is none."""

    value: float
    ends: tuple[float, float] | None
    why: str


def gate(
    folder: Path | str, config: GateConfig | None = None, *, plugins: Plugins | None = None, **choices: Any
) -> GateResult:
    """Hold the figures of a finished run to limits.

    A figure passes if its whole interval keeps to the limit, fails if none of it does, and else nobody can tell. At the
    limit itself, a run passes with half of 1 - level at most: 2.5 %.

    Args:
        folder: Of the run.
        config: The limits; or say them with keywords.
        plugins: Where criteria and analyses are looked up; what is installed if None.
        choices: Fields of `GateConfig`: ``bvf.gate("runs/x", max={"R": 0.4})``.

    Raises:
        BvfError: There is no limit, no finished run, or no such figure; or the baseline is not comparable.
    """
    values = config.model_dump(exclude_unset=True) if config else {}
    config = checked_gate({**values, **choices}, "gate")
    available = plugins or load()
    _refuse_half_a_baseline(config)
    if not (config.max or config.min or config.no_worse):
        raise BvfError("no limit is given", "say --max R=0.4, or --baseline DIR --no-worse 0.01")
    run = pilot(folder, analysis_part(config), available)
    baseline = baseline_of(run, config.baseline, available) if config.baseline else None
    decisions = tuple(
        _decision(run, baseline, bound, Figure.named(name), limit, config.as_is)
        for bound in BOUNDS
        for name, limit in getattr(config, bound).items()
    )
    result = run.result
    return GateResult(
        folder=str(folder),
        baseline=config.baseline,
        model=result.model,
        topic=result.topic,
        language=result.language,
        criterion=result.criterion,
        scale=getattr(result, "scale", ""),
        level=run.choices.level,
        decisions=decisions,
    )


def decided(low: float, high: float, limit: float, bound: Bound) -> Verdict:
    """Return whether an interval keeps to a limit.

    >>> decided(0.3, 0.4, 0.4, "max"), decided(0.3, 0.5, 0.4, "max"), decided(0.41, 0.5, 0.4, "max")
    ('pass', 'cannot tell', 'fail')
    """
    if bound == "min":
        return decided(-high, -low, -limit, "max")
    if high <= limit:
        return "pass"
    return "fail" if low > limit else "cannot tell"


def read_gate(file: Path) -> dict[str, Any]:
    """Read the keys of a ``gate.toml``: tables of limits, and choices of an analysis.

    Raises:
        BvfError: It is missing, not TOML, or says what there is not.
    """
    values = parse_toml(read_text(file), str(file))
    checked_gate(values, str(file))
    return values


def checked_gate(values: dict[str, Any], where: str) -> GateConfig:
    """Return the configuration, or raise `BvfError` with one line that says what is wrong with which field."""
    try:
        return GateConfig.model_validate(values)
    except ValidationError as error:
        raise setting_refused(error, where, GateConfig) from error


def analysis_part(config: AnalysisConfig) -> AnalysisConfig:
    """Return the choices of an analysis that were made, without what else there is."""
    given = config.model_dump(exclude_unset=True, include=set(AnalysisConfig.model_fields))
    return AnalysisConfig.model_validate(given)


def _refuse_half_a_baseline(config: GateConfig) -> None:
    if config.no_worse and not config.baseline:
        raise BvfError("--no-worse: there is no baseline", "say --baseline DIR, the folder of another run")
    if config.baseline and not config.no_worse:
        raise BvfError(f"--baseline {config.baseline}: nothing is compared with it", "say --no-worse 0.01")


def _decision(
    run: Pilot, baseline: Baseline | None, bound: Bound, figure: Figure, limit: float, as_is: bool
) -> Decision:
    if bound == "no_worse" and baseline is not None:
        found = _Found(baseline.value(figure), baseline.ends(figure), baseline.undefined)
    else:
        found = _found(run, figure)
    verdict: Verdict = "cannot tell"
    if found.ends is not None:
        verdict = decided(*found.ends, limit, bound)
    elif as_is:
        verdict = decided(found.value, found.value, limit, bound)
    need = None
    if verdict == "cannot tell" and found.ends is not None:
        need = baseline.need(figure, limit) if bound == "no_worse" and baseline else run.need(figure, limit)
    low, high = found.ends or (None, None)
    return Decision(
        figure=str(figure),
        bound=bound,
        limit=limit,
        value=found.value,
        low=low,
        high=high,
        verdict=verdict,
        no_interval=found.why if found.ends is None else "",
        draws=run.result.uncertainty.draws,
        set_contexts=len(run.measurement.record.asked.templates),
        set_unit=_set_unit(run),
        **_numbers(need),
    )


def _found(run: Pilot, figure: Figure) -> _Found:
    interval = run.interval(figure)
    if interval is not None:
        return _Found(run.value(figure), (interval.low, interval.high), "")
    return _Found(run.value(figure), None, run.result.uncertainty.undefined or f"nobody knows the error of {figure}")


def _set_unit(run: Pilot) -> str:
    return "occurrence" if run.sample is None or run.sample.drawn_from is not None else run.sample.unit


def _numbers(need: Need | None) -> dict[str, int | None]:
    return {"contexts": need.contexts, "units": need.units} if need else {}
