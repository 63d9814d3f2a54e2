"""Decides whether figures in a file of a plugin, such as the scores of a benchmark, are within limits."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bvf.analyses.gate.config import Bound, GateConfig, analysis_part
from bvf.analyses.gate.deciding import decided
from bvf.analyses.gate.result import Decision, GateResult
from bvf.errors import BvfError, nearest
from bvf.hooks.loader import Plugins
from bvf.interfaces.reported_file import ReportedFigure
from bvf.results.reported import read_reported

BOUNDS: tuple[Bound, ...] = ("max", "min")


def gate_of_file(file: Path, config: GateConfig, plugins: Plugins) -> GateResult:
    """Check figures of a file against limits, which hold for each of its models.

    Raises:
        BvfError: The file has no figures, or not such a one; or the configuration has choices of the analysis of a run.
    """
    choices = [*analysis_part(config).given(), *(name for name in ("baseline", "no_worse") if getattr(config, name))]
    if choices:
        raise BvfError(
            f"--{choices[0].replace('_', '-')}: is for folders of runs, and {file} is a file",
            "say --max or --min: the figures of a file are as they are",
        )
    reported = read_reported(file, plugins)
    figures = reported.figures()
    if not figures:
        raise BvfError(f"{file}: {reported.what}: such files have no figures for limits", "name the folder of a run")
    models = list(dict.fromkeys(each.model for each in figures))
    decisions = [
        _decision(figure, bound, limit, config, several=len(models) > 1)
        for bound in BOUNDS
        for name, limit in getattr(config, bound).items()
        for figure in _named(name, figures, file)
    ]
    return GateResult(
        folder=str(file),
        model=", ".join(models),
        topic=reported.title,
        language="",
        decisions=tuple(decisions),
        criterion="",
        reference="",
        group_weights="",
        unit=figures[0].unit,
        level=figures[0].level,
    )


def _named(name: str, figures: Sequence[ReportedFigure], file: Path) -> Iterator[ReportedFigure]:
    named = [each for each in figures if each.name == name]
    if not named:
        raise BvfError(f'{file}: there is no figure "{name}"', nearest(name, [each.name for each in figures]))
    yield from named


def _decision(figure: ReportedFigure, bound: Bound, limit: float, config: GateConfig, *, several: bool) -> Decision:
    _refuse_pointless(figure, bound, limit)
    ends = None if figure.low is None or figure.high is None else (figure.low, figure.high)
    deciding = (figure.value, figure.value) if ends is None and config.as_is else ends
    rough = figure.rough if ends else ""
    return Decision(
        figure=f"{figure.name} of {figure.model}" if several else figure.name,
        bound=bound,
        limit=limit,
        value=figure.value,
        low=figure.low,
        high=figure.high,
        verdict="cannot tell" if rough or deciding is None else decided(*deciding, limit, bound),
        few=rough,
        no_interval="" if ends else f"it is of fewer than two values of {figure.unit}, or undefined without one",
        set_contexts=0,
        set_unit=figure.unit,
    )


def _refuse_pointless(figure: ReportedFigure, bound: Bound, limit: float) -> None:
    """Raise a `BvfError` for a limit that every possible value meets, or that none does."""
    lowest, highest = figure.lowest, figure.highest
    if lowest is None or highest is None:
        return
    always = limit >= highest if bound == "max" else limit <= lowest
    never = limit < lowest if bound == "max" else limit > highest
    if always or never:
        raise BvfError(
            f"--{bound} {figure.name}={limit:g}: {figure.name} is between {lowest:g} and {highest:g}, so that this "
            f"limit cannot be {'broken' if always else 'kept'}",
            "take a limit between them",
        )
