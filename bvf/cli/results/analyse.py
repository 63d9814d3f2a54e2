"""``bvf analyse``, ``merge``, ``show`` and ``verify``: commands on the folder of a run that load no model."""

from typing import TYPE_CHECKING, Annotated

import typer

from bvf.cli.measuring.run import show_measured
from bvf.study.config import AnalysisConfig
from bvf.terminal import method
from bvf.terminal.console import next_step, print_line
from bvf.terminal.format import Format
from bvf.terminal.options import Given, flag, with_fields

if TYPE_CHECKING:
    from bvf.results.result import ResultBase

UNFINISHED_HELP = "Of a run that was cut off: analyse the contexts in which every group was asked; stores nothing."
SAVE_AS_HELP = "Keep the analysis in the folder; commands that show results take it by --analysis NAME."
REFERENCE_HELP = "The file of p* by context of an analysis: no file that a result names is opened."
Reference = Annotated[str, flag("--reference", help_text=REFERENCE_HELP, metavar="FILE")]
NOT_KEPT = "not kept: the folder still has the analysis of its run; --save-as NAME keeps this one, for --analysis NAME"


@with_fields(AnalysisConfig, as_in_run=True)
def analyse(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    folder: method.Folder,
    unfinished: Annotated[bool, flag("--unfinished", help_text=UNFINISHED_HELP, panel="Method")] = False,
    save_as: Annotated[str, flag("--save-as", help_text=SAVE_AS_HELP, metavar="NAME")] = "",
    plugin: method.Plugin = None,
    without: method.Without = None,
    rank: method.Rank = None,
    show: method.Show = None,
    details: method.Details = False,
    form: Format = "text",
    quiet: method.QuietAnyway = False,
) -> None:
    """``bvf analyse``.

    Without options, as the run did. It prints, and keeps the analysis if you name it; the folder stays as it was.
    """
    config = method.merged_analysis(given)
    from bvf.hooks.loader import load
    from bvf.running.run import analyse as analysed

    view = method.view_of(rank, show, details)
    plugins = load(extra=plugin or (), without=without or ())
    result = analysed(
        folder, config, plugins=plugins, preferred=plugin or (), view=view, unfinished=unfinished, save_as=save_as
    )
    show_measured([result], plugins, view, form)
    if result.differs and not save_as and not quiet:
        next_step(NOT_KEPT)


@with_fields(AnalysisConfig)
def merge(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    folders: method.Folders,
    plugin: method.Plugin = None,
    without: method.Without = None,
    rank: method.Rank = None,
    show: method.Show = None,
    details: method.Details = False,
    form: Format = "text",
    quiet: method.QuietAnyway = False,
) -> None:
    """``bvf merge``."""
    config = method.merged_analysis(given)
    from bvf.hooks.loader import load
    from bvf.running.run import merge as merged

    view, plugins = method.view_of(rank, show, details), load(extra=plugin or (), without=without or ())
    results: list[ResultBase] = [
        merged(folder, config, plugins=plugins, preferred=plugin or (), view=view) for folder in folders
    ]
    show_measured(results, plugins, view, form)


@with_fields(AnalysisConfig, as_in_run=True)
def show(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    folders: method.OrNewest,
    rank: method.Rank = None,
    show: method.Show = None,
    details: method.Details = False,
    plugin: method.Plugin = None,
    without: method.Without = None,
    form: Format = "text",
    quiet: method.QuietAnyway = False,
) -> None:
    """``bvf show``."""
    config = method.merged_analysis(given)
    from bvf.hooks.loader import load
    from bvf.running.run import result_in

    view, plugins = method.view_of(rank, show, details), load(extra=plugin or (), without=without or ())
    results: list[ResultBase] = [result_in(folder, config, plugins, view=view, unknown=True) for folder in folders]
    show_measured(results, plugins, view, form)


def verify(folder: method.Folder, plugin: method.Plugin = None, reference: Reference = "") -> None:
    """``bvf verify``."""
    import bvf

    problems = bvf.verify(folder, plugins=bvf.load(extra=plugin or ()), reference=reference)
    for problem in problems:
        print_line(problem)
    if problems:
        raise typer.Exit(1)
    print_line(f"{folder}: all is as it was written")
