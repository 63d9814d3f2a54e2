"""Decides whether figures in a file of a plugin, such as the scores of a benchmark, are within limits."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bvf.analyses.gate.config import BOUNDS, Bound, GateConfig, analysis_part
from bvf.analyses.gate.result import Decision, GateResult, decided
from bvf.errors import BvfError, nearest
from bvf.hooks.loader import Plugins
from bvf.interfaces.reported_file import ReportedFigure, ReportedFile
from bvf.results.plugin_files import read_reported, reported_in


def gate_of_file(file: Path, config: GateConfig, plugins: Plugins) -> GateResult:
    """Check figures of a file against limits, which hold for each of its models.

    Raises:
        BvfError: The file has no figures, or not such a one; it cannot be compared with the baseline; or the
            configuration has choices of the analysis of a run.
    """
    choices = list(analysis_part(config).given())
    if choices:
        raise BvfError(
            f"--{choices[0].replace('_', '-')}: is for folders of runs, and {file} is a file",
            "leave it out: the figures of a file are as they are",
        )
    reported = read_reported(file, plugins)
    figures = reported.figures()
    if not figures:
        raise BvfError(f"{file}: {reported.what}: such files have no figures for limits", "name the folder of a run")
    differences = _differences(file, reported, config.baseline, plugins) if config.baseline else ()
    models = list(dict.fromkeys(each.model for each in figures))
    decisions = [
        _decision(figure, bound, limit, config, several=len(models) > 1)
        for bound in BOUNDS
        for name, limit in getattr(config, bound).items()
        for figure in _named(name, differences if bound == "no_worse" else figures, file)
    ]
    return GateResult(
        folder=str(file),
        baseline=config.baseline,
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


def _differences(file: Path, reported: ReportedFile, named: str, plugins: Plugins) -> Sequence[ReportedFigure]:
    """By how much the figures of a file are above those of a baseline that is about the same questions."""
    other = reported_in(Path(named), plugins)
    if other is None:
        raise BvfError(
            f"--baseline {named}: is not a file such as {file}, and not a folder with one", "name one of the two"
        )
    if other.resolve() == file.resolve():
        raise BvfError(f"--baseline {named}: {file} is compared with itself", "name the file of another model")
    baseline = read_reported(other, plugins)
    if type(baseline) is not type(reported) or baseline.title != reported.title:
        raise BvfError(
            f"{file} is of {reported.title} ({reported.what}), and the baseline {other} of {baseline.title} "
            f"({baseline.what})",
            "take a baseline of the same",
        )
    if baseline.asked != reported.asked:
        raise BvfError(
            f"{file} and the baseline {other} are of different questions: two versions of a file, a part, or other "
            "wordings",
            "take a baseline that was asked the same",
        )
    found = reported.differences(file, baseline, other, plugins)
    if not found:
        raise BvfError(
            f"{file} and the baseline {other} have no figure in common that can be compared", "--max or --min"
        )
    return found


def _named(name: str, figures: Sequence[ReportedFigure], file: Path) -> Iterator[ReportedFigure]:
    named = [each for each in figures if each.name == name]
    if not named:
        raise BvfError(f'{file}: there is no figure "{name}"', nearest(name, [each.name for each in figures]))
    yield from named


def _decision(figure: ReportedFigure, bound: Bound, limit: float, config: GateConfig, *, several: bool) -> Decision:
    _refuse_pointless(figure, bound, limit)
    compared = "nothing varies, or it has a kink" if bound == "no_worse" else "undefined without one"
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
        no_interval="" if ends else f"it is of fewer than two values of {figure.unit}, or {compared}",
        set_contexts=0,
        set_unit=figure.unit,
    )


def _refuse_pointless(figure: ReportedFigure, bound: Bound, limit: float) -> None:
    """Raise a `BvfError` for a limit that every possible value meets, or that none does."""
    lowest, highest = figure.lowest, figure.highest
    if lowest is None or highest is None:
        return
    always = limit <= lowest if bound == "min" else limit >= highest
    never = limit > highest if bound == "min" else limit < lowest
    if always or never:
        what = f"a difference in {figure.name}" if bound == "no_worse" else figure.name
        raise BvfError(
            f"--{bound.replace('_', '-')} {figure.name}={limit:g}: {what} is between {lowest:g} and {highest:g}, "
            f"so that this limit cannot be {'broken' if always else 'kept'}",
            "take a limit between them",
        )
