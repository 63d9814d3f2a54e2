"""Limits for figures: decided by the ends of intervals, never by a figure whose error is not known."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

from bvf.analyses.gate.config import BOUNDS, Bound, GateConfig, GateKeywords, analysis_part
from bvf.analyses.gate.limits import refuse_what_cannot_be
from bvf.analyses.gate.result import Decision, GateResult, Verdict
from bvf.domain.config import settings_of
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.results.difference import Baseline, baseline_of
from bvf.results.figure import Figure, Figures, capped, figures_in
from bvf.results.method import method_of
from bvf.stats.planning import ENOUGH

ROUNDING = 1e-9
"""An end this close to a limit counts as on it."""


def gate(
    folder: Path | str,
    config: GateConfig | None = None,
    *,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
    **choices: Unpack[GateKeywords],
) -> GateResult:
    """Hold the figures of a finished run to limits.

    A figure passes if its whole interval keeps to the limit, fails if none of it does, and else nobody can tell. A
    run whose true figure is at the limit passes with a chance of about half of 1 - level: 2.5 %.

    Args:
        folder: Of the run.
        config: The limits; or say them with keywords.
        plugins: Where criteria and analyses are looked up; what is installed if None.
        preferred: Plugins whose criterion is used where the user names none.
        choices: Fields of `GateConfig`: ``bvf.gate("runs/x", max={"R": 0.4})``.

    Raises:
        BvfError: There is no limit, no finished run, or no such figure; or the baseline is not comparable.
    """
    config = settings_of(GateConfig, config, choices, "gate")
    available = plugins or load()
    _refuse_half_a_baseline(config)
    if not (config.max or config.min or config.no_worse):
        raise BvfError("no limit is given", "say --max R=0.4, or --baseline DIR --no-worse 0.01")
    analysed = analysis_part(config)
    run = figures_in(folder, analysed, available, preferred)
    baseline = baseline_of(run, config.baseline, analysed, available, preferred) if config.baseline else None
    decisions = tuple(
        _decision(run, baseline, bound, Figure.named(name), limit, config.as_is)
        for bound in BOUNDS
        for name, limit in getattr(config, bound).items()
    )
    result = run.result
    return GateResult(
        folder=str(folder),
        baseline=config.baseline,
        in_common=baseline.in_common if baseline else None,
        model=result.model,
        topic=result.topic,
        language=result.language,
        decisions=decisions,
        **method_of(result, run.asked),
    )


def decided(low: float, high: float, limit: float, bound: Bound) -> Verdict:
    """Return whether an interval keeps to a limit.

    >>> decided(0.3, 0.4, 0.4, "max"), decided(0.3, 0.5, 0.4, "max"), decided(0.41, 0.5, 0.4, "max")
    ('pass', 'cannot tell', 'fail')
    """
    if bound == "min":
        return decided(-high, -low, -limit, "max")
    if high <= limit + ROUNDING:
        return "pass"
    return "fail" if low > limit + ROUNDING else "cannot tell"


def _refuse_half_a_baseline(config: GateConfig) -> None:
    if config.no_worse and not config.baseline:
        raise BvfError("--no-worse: there is no baseline", "say --baseline DIR, the folder of another run")
    if config.baseline and not config.no_worse:
        raise BvfError(f"--baseline {config.baseline}: nothing is compared with it", "say --no-worse 0.01")


def _decision(
    run: Figures, baseline: Baseline | None, bound: Bound, figure: Figure, limit: float, as_is: bool
) -> Decision:
    source = baseline if bound == "no_worse" and baseline is not None else run
    value, ends = source.value(figure), source.ends(figure)
    refuse_what_cannot_be(run, bound, figure, limit)
    verdict: Verdict = "cannot tell"
    if ends is not None:
        verdict = decided(*ends, limit, bound)
    elif as_is:
        verdict = decided(value, value, limit, bound)
    undecided = verdict == "cannot tell" and ends is not None
    low, high = ends or (None, None)
    return Decision(
        figure=str(figure),
        bound=bound,
        limit=limit,
        value=value,
        low=low,
        high=high,
        verdict=verdict,
        no_interval="" if ends else source.undefined or f"the error of {figure} is not known",
        set_contexts=len(source.asked.templates),
        set_unit=_set_unit(source),
        draws=None if source.asked.draws is None else source.asked.draws.number,
        **(_needed(source, figure, limit) if undecided else {}),
    )


def _needed(source: Figures | Baseline, figure: Figure, limit: float) -> dict[str, Any]:
    need, asked = source.need(figure, limit), source.asked
    if need is None:
        return {}
    drawn = 0 if asked.draws is None else asked.draws.number
    contexts = None if need.contexts is None else capped(max(need.contexts, drawn + 1), asked)
    enough = ENOUGH if need.too_small else contexts
    extend = source.short_of(enough) if isinstance(source, Baseline) and enough is not None else ()
    return {"contexts": contexts, "units": need.units, "too_small": need.too_small, "extend": extend}


def _set_unit(source: Figures | Baseline) -> str:
    return "occurrence" if source.sample is None or source.sample.drawn_from is not None else source.sample.unit
