"""``bvf merge``: make results of runs whose shards were scored by several processes. No model is loaded."""

from typing import TYPE_CHECKING

from bvf.cli.measuring.run import Measured, show_measured
from bvf.study.config import AnalysisConfig
from bvf.terminal import method
from bvf.terminal.format import Format
from bvf.terminal.options import Given, with_fields

if TYPE_CHECKING:
    from bvf.results.result import ResultBase


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
    from bvf.terminal.view import view_of

    view, plugins = view_of(rank, show, details), load(extra=plugin or (), without=without or ())
    results: list[ResultBase] = [
        merged(folder, config, plugins=plugins, preferred=plugin or (), view=view) for folder in folders
    ]
    show_measured(Measured(results, view), plugins, form)
