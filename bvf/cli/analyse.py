"""``bvf analyse``, ``show`` and ``verify``: what can be done with a folder, without a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf.cli import method
from bvf.cli.console import stdout
from bvf.cli.format import Format
from bvf.cli.options import Given, flag, with_fields
from bvf.cli.run import DETAILS_HELP, RANK_HELP, SHOW_HELP, Measured, show_measured
from bvf.errors import BvfError
from bvf.running.config import environment
from bvf.study.config import AnalysisConfig

if TYPE_CHECKING:
    from bvf.results.result import ResultBase

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.", show_default=False)]
Folders = Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of runs.", show_default=False)]
Text = str | None
UNFINISHED_HELP = "Of a run that was cut off: analyse the contexts in which every group was asked; stores nothing."
ONE_OF_ALL = ("topic", "language", "criterion", "scale", "reference", "group_weights", "margin", "words", "distractors")
"""Fields in which all results of one table must agree."""


@with_fields(AnalysisConfig)
def analyse(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    folder: Folder,
    unfinished: Annotated[bool, flag("--unfinished", help_text=UNFINISHED_HELP, panel="Method")] = False,
    plugin: method.Plugin = None,
    without: method.Without = None,
    rank: Annotated[Text, flag("--rank", help_text=RANK_HELP, metavar="risk|particular")] = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "6",
    details: Annotated[bool, flag("--details", help_text=DETAILS_HELP)] = False,
    form: Format = "text",
) -> None:
    """Analyse answers that are stored: another criterion, scale, p* or weights. No model is loaded."""
    config = merged_analysis(given)
    from bvf.cli.view import view_of
    from bvf.hooks.loader import load
    from bvf.results.kept import analysis_of
    from bvf.running.run import analyse as analysed

    view = view_of(rank, show, details)
    plugins = load(extra=plugin or (), without=without or ())
    result = analysed(folder, config, plugins=plugins, preferred=plugin or (), view=view, unfinished=unfinished)
    show_measured(Measured([result], analysis_of(result, plugins), view), form)


def merged_analysis(given: dict[str, Any]) -> AnalysisConfig:
    """Return the choices of the environment with what was given on the command line in their place.

    Raises:
        BvfError: A setting is wrong; says where it was read.
    """
    return AnalysisConfig.checked({**analysis_of_environment(), **given}, "options")


def analysis_of_environment() -> dict[str, Any]:
    """Return the choices of an analysis that the environment makes.

    Raises:
        BvfError: One is wrong.
    """
    of_environment = environment(AnalysisConfig.model_fields)
    AnalysisConfig.checked(of_environment, "environment")
    return of_environment


def show(
    folders: Folders,
    rank: Annotated[Text, flag("--rank", help_text=RANK_HELP, metavar="risk|particular")] = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "6",
    details: Annotated[bool, flag("--details", help_text=DETAILS_HELP)] = False,
    plugin: method.Plugin = None,
    form: Format = "text",
) -> None:
    """Print again what a run found; several runs of one topic and criterion in one table."""
    from bvf.cli.view import view_of
    from bvf.hooks.loader import load
    from bvf.results.kept import analysis_of, read_result

    view, plugins = view_of(rank, show, details), load(extra=plugin or ())
    results: list[ResultBase] = [read_result(folder, plugins) for folder in folders]
    refuse_mixtures(results)
    show_measured(Measured(results, analysis_of(results[0], plugins), view), form)


def verify(folder: Folder, plugin: method.Plugin = None) -> None:
    """Compute every digest and every figure of a run again; exit with 1 if one is not as it was written."""
    from bvf.errors import harmless
    from bvf.hooks.loader import load
    from bvf.running.verify import problems_in

    problems = [harmless(problem) for problem in problems_in(folder, load(extra=plugin or ()))]
    for problem in problems:
        stdout().print(problem, markup=False, soft_wrap=True)
    if problems:
        raise typer.Exit(1)
    stdout().print(f"{folder}: all is as it was written", markup=False, soft_wrap=True)


def refuse_mixtures(results: "list[ResultBase]") -> None:
    """Raise `BvfError` if results cannot stand in one table."""
    first = results[0]
    for result in results[1:]:
        for field in ONE_OF_ALL:
            one, other = getattr(first, field, "") or "none", getattr(result, field, "") or "none"
            if one != other:
                raise BvfError(
                    f"{first.folder} has the {field} {one} and {result.folder} {other}",
                    "show them one after another",
                )
