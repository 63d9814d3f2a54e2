"""``bvf merge``: runs whose parts were scored one by one become results; no model is loaded."""

from typing import TYPE_CHECKING, Annotated

from bvf.cli import method
from bvf.cli.analyse import Folders, merged_analysis, refuse_mixtures
from bvf.cli.run import DETAILS_HELP, RANK_HELP, SHOW_HELP, Measured, show_measured
from bvf.study.config import AnalysisConfig
from bvf.terminal.format import Format
from bvf.terminal.options import Given, flag, with_fields

if TYPE_CHECKING:
    from bvf.results.result import ResultBase

Text = str | None


@with_fields(AnalysisConfig)
def merge(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    folders: Folders,
    plugin: method.Plugin = None,
    without: method.Without = None,
    rank: Annotated[Text, flag("--rank", help_text=RANK_HELP, metavar="risk|particular")] = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "6",
    details: Annotated[bool, flag("--details", help_text=DETAILS_HELP)] = False,
    form: Format = "text",
) -> None:
    """Check that all parts of each run are there, and show its result as `bvf run` does. No model is loaded."""
    config = merged_analysis(given)
    from bvf.hooks.loader import load
    from bvf.results.kept import analysis_of
    from bvf.running.run import merge as merged
    from bvf.terminal.view import view_of

    view, plugins = view_of(rank, show, details), load(extra=plugin or (), without=without or ())
    results: list[ResultBase] = [
        merged(folder, config, plugins=plugins, preferred=plugin or (), view=view) for folder in folders
    ]
    refuse_mixtures(results)
    show_measured(Measured(results, analysis_of(results[0], plugins), view), form)
