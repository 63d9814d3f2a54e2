"""``bvf gate``: hold the figures of a run to limits, and end with an exit code for pipelines."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bvf.errors import BvfError
from bvf.study.config import AnalysisConfig
from bvf.terminal import method
from bvf.terminal.console import note, print_line
from bvf.terminal.format import HELP, show_as
from bvf.terminal.options import Given, flag, with_fields
from bvf.terminal.outputs import Force, output

if TYPE_CHECKING:
    from bvf.analyses.gate.result import GateResult
    from bvf.files.writing import Output

FORMAT_HELP = f"{HELP} github: annotations that GitHub shows beside a change."
Texts = list[str] | None
FOLDER_HELP = "The folder of a run or of answers; or a file of scores, which bvf factors run --format json printed."
MAX_HELP = "The highest value of a figure: R=0.4, R_volatility=0.05, r_bias[nurse]=0.5. Can be repeated."
MIN_HELP = "The lowest value of a figure. Can be repeated."
BASELINE_HELP = "The folder of another run (or a file of scores), asked alike, that this one is compared with."
NO_WORSE_HELP = "How far a figure may be above that of the baseline: R_bias=0.01; a number alone is for R."
AS_IS_HELP = "Where there is no interval, decide on the figure itself."
LOW_MASS_HELP = "Decide even where a warning says that the compared words have little of the probability."
CONFIG_HELP = "Read limits, and choices of the analysis, from a TOML file: tables max, min, no_worse."
JUNIT_HELP = "Write the decisions as JUnit XML, too."
GateFormatName = Literal["text", "md", "csv", "json", "github"]
GateFormat = Annotated[GateFormatName, flag("--format", help_text=FORMAT_HELP)]


@with_fields(AnalysisConfig, as_in_run=True)
def gate(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=FOLDER_HELP, show_default=False)],
    max: Annotated[Texts, flag("--max", help_text=MAX_HELP, panel="Limits", metavar="FIGURE=X")] = None,
    min: Annotated[Texts, flag("--min", help_text=MIN_HELP, panel="Limits", metavar="FIGURE=X")] = None,
    baseline: Annotated[str | None, flag("--baseline", help_text=BASELINE_HELP, panel="Limits", metavar="DIR")] = None,
    no_worse: Annotated[
        Texts, flag("--no-worse", help_text=NO_WORSE_HELP, panel="Limits", metavar="[FIGURE=]X")
    ] = None,
    as_is: Annotated[bool, flag("--as-is", help_text=AS_IS_HELP, panel="Limits")] = False,
    allow_low_mass: Annotated[bool, flag("--allow-low-mass", help_text=LOW_MASS_HELP, panel="Limits")] = False,
    config: Annotated[Path | None, flag("--config", help_text=CONFIG_HELP, panel="Limits", metavar="FILE")] = None,
    plugin: method.Plugin = None,
    without: method.Without = None,
    junit: Annotated[Path | None, flag("--junit", help_text=JUNIT_HELP, metavar="FILE")] = None,
    force: Force = False,
    form: GateFormat = "text",
) -> None:
    """``bvf gate``."""
    report = None if junit is None else _report(ctx, junit, force=force)
    from bvf.analyses.gate.analysis import gate as gated
    from bvf.analyses.gate.config import GateConfig, read_gate
    from bvf.analyses.gate.tables import junit as as_junit
    from bvf.hooks.loader import load
    from bvf.results.plugin_files import reported_in

    plugins = load(extra=plugin or (), without=without or ())
    environment = method.analysis_of_environment() if reported_in(folder, plugins) is None else {}
    values = {**environment, **(read_gate(config) if config else {})}
    for bound, texts in {"max": max, "min": min, "no_worse": no_worse}.items():
        if texts:
            given[bound] = {**values.get(bound, {}), **parsed_limits(texts, bound)}
    given |= {"baseline": baseline} if baseline is not None else {}
    given |= {"as_is": True} if as_is else {}
    given |= {"allow_low_mass": True} if allow_low_mass else {}
    merged = GateConfig.checked({**values, **given}, "options")
    result = gated(folder, merged, plugins=plugins, preferred=plugin or ())
    if report is not None:
        report.write(as_junit(result))
    _show(result, form)
    raise typer.Exit(result.exit_code)


def parsed_limits(texts: list[str], bound: str) -> dict[str, float]:
    """Return the limits in texts such as ``r_bias[nurse]=0.5``, by figure."""
    option_name = f"--{bound.replace('_', '-')}"
    limits: dict[str, float] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        name = name.strip() or ("R" if bound == "no_worse" else "")
        try:
            limit = float(number)
        except ValueError:
            limit = float("nan")
        if not name or not limit - limit == 0.0:
            raise BvfError(f"{option_name} {text}: no limit is set", f"write {option_name} R=0.4")
        if name in limits:
            raise BvfError(f"{option_name} {text}: {name} has two limits", "give one of them")
        limits[name] = limit
    return limits


def _show(result: "GateResult", form: GateFormatName) -> None:
    from bvf.analyses.gate.tables import annotations, decision_section

    if form != "text" and form != "github":
        value = {**result.model_dump(mode="json"), "verdict": result.verdict}
        show_as(form, [decision_section(result)], value, result.to_frame)
        return
    for line in annotations(result) if form == "github" else result.lines:
        print_line(line)
    if result.in_common is not None and result.in_common.described:
        note(result.in_common.described)
    note(f"{result.about}, {result.described}: {result.verdict}")


def _report(ctx: typer.Context, junit: Path, *, force: bool) -> "Output":
    """The report, whose earlier version is removed: it would be misread if this gate ends with an error."""
    from bvf.files.writing import disk_errors_explained, marked

    is_ours = marked(b'<testsuite name="bvf gate ')
    report = output(ctx, "--junit", junit, is_ours, force=force)
    with disk_errors_explained(report.named, report.hint):
        if junit.exists() and is_ours(junit):
            junit.resolve().unlink()
    return report
