"""``bvf analyse``, ``show`` and ``verify``: commands on the folder of a run that load no model."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.cli import method
from bvf.cli.run import Measured, show_measured
from bvf.errors import BvfError
from bvf.running.config import environment
from bvf.study.config import AnalysisConfig
from bvf.terminal.console import print_line
from bvf.terminal.format import Format
from bvf.terminal.options import Given, flag, with_fields

if TYPE_CHECKING:
    from bvf.results.result import ResultBase

UNFINISHED_HELP = "Of a run that was cut off: analyse the contexts in which every group was asked; stores nothing."
ONE_OF_ALL = ("topic", "language", "criterion", "scale", "reference", "group_weights", "margin", "words", "distractors")
"""Fields in which all results of one table must agree."""


@with_fields(AnalysisConfig)
def analyse(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    folder: method.Folder,
    unfinished: Annotated[bool, flag("--unfinished", help_text=UNFINISHED_HELP, panel="Method")] = False,
    plugin: method.Plugin = None,
    without: method.Without = None,
    rank: method.Rank = None,
    show: method.Show = "6",
    details: method.Details = False,
    form: Format = "text",
    quiet: method.QuietAnyway = False,
) -> None:
    """Analyse answers that are stored: another criterion, scale, p* or weights. No model is loaded."""
    config = merged_analysis(given)
    from bvf.hooks.loader import load
    from bvf.results.kept import analysis_of
    from bvf.running.run import analyse as analysed
    from bvf.terminal.view import view_of

    view = view_of(rank, show, details)
    plugins = load(extra=plugin or (), without=without or ())
    result = analysed(folder, config, plugins=plugins, preferred=plugin or (), view=view, unfinished=unfinished)
    show_measured(Measured([result], analysis_of(result, plugins), view), form)


def merged_analysis(given: dict[str, Any]) -> AnalysisConfig:
    """Return the analysis settings in environment variables, overridden by settings of the command line."""
    return AnalysisConfig.checked({**analysis_of_environment(), **given}, "options")


def analysis_of_environment() -> dict[str, Any]:
    """Return the analysis settings in environment variables."""
    of_environment = environment(AnalysisConfig.model_fields)
    AnalysisConfig.checked(of_environment, "environment")
    return of_environment


def show(  # noqa: PLR0913 - one parameter per option, as typer wants it
    folders: method.Folders,
    rank: method.Rank = None,
    show: method.Show = "6",
    details: method.Details = False,
    plugin: method.Plugin = None,
    form: Format = "text",
    quiet: method.QuietAnyway = False,
) -> None:
    """Print again what a run found; several runs of one topic and criterion in one table."""
    from bvf.hooks.loader import load
    from bvf.results.kept import analysis_of, read_result
    from bvf.terminal.view import view_of

    view, plugins = view_of(rank, show, details), load(extra=plugin or ())
    results: list[ResultBase] = [read_result(folder, plugins) for folder in folders]
    refuse_mixtures(results)
    show_measured(Measured(results, analysis_of(results[0], plugins), view), form)


def verify(folder: method.Folder, plugin: method.Plugin = None) -> None:
    """Compute every digest and every figure of a run again; exit with 1 if one is not as it was written."""
    from bvf.errors import harmless
    from bvf.hooks.loader import load
    from bvf.running.verify import problems_in

    problems = [harmless(problem) for problem in problems_in(folder, load(extra=plugin or ()))]
    for problem in problems:
        print_line(problem)
    if problems:
        raise typer.Exit(1)
    print_line(f"{folder}: all is as it was written")


def refuse_mixtures(results: "list[ResultBase]") -> None:
    """Raise `BvfError` if results cannot share a table, as they differ in topic, criterion or other choices."""
    first = results[0]
    for result in results[1:]:
        for field in ONE_OF_ALL:
            one, other = getattr(first, field, "") or "none", getattr(result, field, "") or "none"
            if one != other:
                message = f"{first.folder} has the {field} {one} and {result.folder} {other}"
                raise BvfError(message, "show them one after another")
