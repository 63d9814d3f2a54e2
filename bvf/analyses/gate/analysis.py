"""Decides whether figures of a run are within limits, from both ends of their intervals."""

import math
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from bvf.analyses.gate.config import BOUNDS, Bound, GateConfig, GateKeywords, analysis_part
from bvf.analyses.gate.of_file import gate_of_file
from bvf.analyses.gate.result import Decision, GateResult, Verdict, decided
from bvf.analyses.risk.exactness import off_by
from bvf.domain.config import settings_of
from bvf.domain.scale import ends_at_1
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.criterion import Criterion
from bvf.results.difference import Baseline
from bvf.results.figure import Figure, Figures
from bvf.results.plugin_files import reported_in
from bvf.results.result import name_of, names_of
from bvf.results.which import config_in
from bvf.stats.comparing.planning import Need
from bvf.stats.sampling.samples import ContextSample
from bvf.study.candidate_mass import low_mass
from bvf.study.study import RISK, RISK_OF_GROUP
from bvf.study.uncertainty import few_units

NEVER_NEGATIVE = ("shared", "particular", "particular_bias", "particular_volatility", *RISK_OF_GROUP)
"""Figures that are averages of risks, besides R, R^b and R^v."""


def gate(
    folder: PathLike[str] | str,
    config: GateConfig | None = None,
    *,
    plugins: Plugins | None = None,
    preferred: Sequence[str] = (),
    **choices: Unpack[GateKeywords],
) -> GateResult:
    """Check the figures of a finished run, or of a file such as that of benchmark scores, against limits.

    A figure passes if its whole interval is within the limit, and fails if no part of it is; otherwise the verdict is
    "cannot tell". It is also "cannot tell" if the sample is smaller than any for which coverage was measured, and if
    the candidate words have too little of the probability, unless ``allow_low_mass`` is set. A run whose true figure is
    at the limit passes with a probability of about (1 - level) / 2: 2.5 %.

    Args:
        folder: The folder of the run; or a file of a plugin, which `bvf_files` reads, or the folder that has it.
        config: Limits and choices of the analysis, where it is not the run's own; or give its fields as keywords.
        plugins: Plugins that define criteria and analyses; None: the installed ones.
        preferred: Plugins whose criterion is used if neither ``config`` nor the run names one.
        choices: Fields of `GateConfig`: ``bvf.gate("runs/x", max={"R": 0.4})``.

    Raises:
        BvfError: There is no limit, no finished run, or no such figure; or the baseline is not comparable.
    """
    folder, config = Path(folder), settings_of(GateConfig, config, choices, "gate")
    available = plugins or load()
    _check(config)
    file = reported_in(folder, available)
    if file is not None:
        return gate_of_file(file, config, available)
    chosen = analysis_part(config)
    run, analysed = Figures.of_run(folder, chosen, available, preferred), config_in(folder, chosen, available)
    baseline = Baseline.of(run, config.baseline, analysed, available, preferred) if config.baseline else None
    decisions = tuple(
        _decision(run, baseline, bound, Figure.named(name), limit, config)
        for bound in BOUNDS
        for name, limit in getattr(config, bound).items()
    )
    result = run.result
    return GateResult(
        folder=str(folder),
        baseline=config.baseline,
        in_common=baseline.in_common if baseline else None,
        model=name_of(result),
        topic=result.topic,
        language=result.language,
        warnings=_warnings(run, baseline),
        decisions=decisions,
        **result.method_fields(run.asked),
    )


def _check(config: GateConfig) -> None:
    if config.no_worse and not config.baseline:
        raise BvfError("--no-worse: there is no baseline", "give --baseline DIR, the folder of another run")
    if config.baseline and not config.no_worse:
        raise BvfError(f"--baseline {config.baseline}: nothing is compared with it", "give --no-worse 0.01")
    if not (config.max or config.min or config.no_worse):
        raise BvfError("no limit is given", "give --max R=0.4, or --baseline DIR --no-worse 0.01")


def decision_of(run: Figures, figure: Figure, limit: float) -> Decision:
    """Return the decision on whether a figure of a run is at most ``limit``.

    An undecided one says what would settle it.

    Raises:
        BvfError: The run has no such figure, or every or no model meets the limit.
    """
    return _decision(run, None, "max", figure, limit, GateConfig(allow_low_mass=True))


def _decision(
    run: Figures, baseline: Baseline | None, bound: Bound, figure: Figure, limit: float, config: GateConfig
) -> Decision:
    source = baseline if bound == "no_worse" and baseline is not None else run
    too_low, few = "" if config.allow_low_mass else _low_mass(source), few_units(source.uncertainty)
    value, ends = source.value(figure), source.ends(figure)
    _refuse_pointless(run, bound, figure, limit)
    both = source.both if isinstance(source, Baseline) else (run,)
    known = [(each, off_by(each.study).get(figure.field)) for each in both]
    off = sum(float(by @ each.weights(figure)) for each, by in known if by is not None)
    lowest = -math.inf if bound == "no_worse" else 0.0
    most = max(1.0 if ends_at_1(each.study.choices.scale) else math.inf for each in both)
    between = (max(value - off, lowest, -most), min(value + off, most)) if off and ends is None else None
    deciding = between or (value, value) if ends is None and config.as_is else ends
    open_for_all = too_low or (few and ends)
    verdict: Verdict = "cannot tell" if open_for_all or deciding is None else decided(*deciding, limit, bound)
    low, high = ends or (None, None)
    sample, draws = source.sample, source.asked.draws
    return Decision(
        figure=str(figure),
        bound=bound,
        limit=limit,
        value=value,
        low=low,
        high=high,
        between=between,
        verdict=verdict,
        low_mass=too_low,
        few=few if ends else "",
        no_interval="" if ends else source.undefined or f"the error of {figure} is not known",
        instead="" if ends else source.uncertainty.instead,
        as_if=source.uncertainty.as_if if ends else "",
        set_contexts=source.asked.every_context if source is not run or run.averages else 0,
        set_unit="occurrence" if sample is None or sample.drawn_from is not None else sample.unit,
        draws=None if draws is None else draws.number,
        **(_needed(source, figure, limit, few) if ends and verdict == "cannot tell" and not too_low else {}),
    )


def _low_mass(source: Figures | Baseline) -> str:
    """Return a phrase on runs whose candidate words have too little probability mass; empty if there are none."""
    if isinstance(source, Baseline):
        ours, theirs = source.both
        parts = (_low_mass(ours), f"in the baseline {low}" if (low := _low_mass(theirs)) else "")
        return " and ".join(filter(None, parts))
    return low_mass(source.result.candidate_mass, source.result.generation)


def _warnings(run: Figures, baseline: Baseline | None) -> tuple[str, ...]:
    """Return the warnings of the run and the baseline. Each includes the model's name."""
    results = [run.result, *([baseline.both[1].result] if baseline else [])]
    named = zip(("", "baseline "), names_of(results), results, strict=False)
    return tuple(f"{role}{name}: {warning}" for role, name, result in named for warning in result.warnings)


def _needed(source: Figures | Baseline, figure: Figure, limit: float, few: str) -> dict[str, Any]:
    """Fields of `Decision`: contexts (or occurrences in the corpus) needed for a verdict, and runs to extend."""
    asked = source.asked
    if few:
        need = Need(units=ContextSample.MEASURED_FROM) if asked.draws is None else Need(contexts=Need.ENOUGH)
        contexts = need.contexts
    else:
        need = source.need(figure, limit) or Need()
        drawn = 0 if asked.draws is None else asked.draws.number
        contexts = None if need.contexts is None else asked.capped(max(need.contexts, drawn + 1))
    enough = need.ENOUGH if need.too_small else contexts
    extend = source.short_of(enough) if isinstance(source, Baseline) and enough is not None else ()
    return {"contexts": contexts, "units": need.units, "too_small": need.too_small, "extend": extend}


def _refuse_pointless(run: Figures, bound: Bound, figure: Figure, limit: float) -> None:
    """Raise a `BvfError` for a limit that every possible value of a risk meets, or that none does."""
    choices = run.study.choices
    # figures of groups have the same bounds as those of the result where all groups have the same p*
    bounded = (*RISK, *RISK_OF_GROUP) if choices.reference == "uniform" else RISK
    J = choices.criterion
    if not isinstance(J, Criterion) or J.curvature != "convex" or figure.field not in (*bounded, *NEVER_NEGATIVE):
        return
    top = 1.0 if ends_at_1(choices.scale) and figure.field in bounded else math.inf
    option = f"--{bound.replace('_', '-')} {figure}={limit:g}"
    between = f"{figure} is between 0 and 1" if top == 1.0 else f"{figure} is never below 0"
    if bound == "no_worse":
        if abs(limit) >= top:
            kept = "kept to by every" if limit > 0 else "broken by every"
            raise BvfError(f"{option}: {between}, so that this is {kept} model", _hint(limit, "--no-worse R_bias=0.01"))
        return
    always = limit >= top if bound == "max" else limit <= 0.0
    never = limit < 0.0 if bound == "max" else limit > top
    if always or never:
        what = "cannot be broken" if always else "cannot be kept"
        raise BvfError(f"{option}: {between}, so that this limit {what}", _hint(limit, f"--{bound} {figure}=0.4"))


def _hint(limit: float, example: str) -> str:
    return f"write {limit / 100:g} for {limit:g} %" if 1.0 < limit <= 100.0 else f"write {example}, say"
