"""``bvf compare``: models that were asked the same, their differences, and the ranks that they may have."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from bvf.cli import method
from bvf.cli.analyse import Folders, merged_analysis
from bvf.cli.method import NOT_COMPARED
from bvf.study.config import AnalysisConfig
from bvf.terminal.format import Format, show_as
from bvf.terminal.options import Given, flag, with_fields

if TYPE_CHECKING:
    from bvf.hooks.loader import Plugins

BY_HELP = (
    "A label of the runs, or parameters: a trend where its values are numbers (350m, 7b, 1.3e9), "
    "differences of matched runs where it has two values. contexts: models over several context sets."
)
SHOW_HELP = "Differences to show of each figure, and groups; the largest. [default: 8]"
CONTEXTS = "contexts"


@with_fields(AnalysisConfig, but=NOT_COMPARED)
def compare(
    given: Given,
    folders: Folders,
    by: Annotated[str, flag("--by", help_text=BY_HELP, panel="Method", metavar="LABEL")] = "",
    plugin: method.Plugin = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "8",
    form: Format = "text",
) -> None:
    """Compare models that were asked the same: differences with intervals, and the ranks that they may have.

    A folder that holds folders of runs stands for all of them. Several topics are compared one by one.
    """
    config = merged_analysis(given)
    import bvf
    from bvf.analyses.compare.tables import sections
    from bvf.hooks.loader import load
    from bvf.terminal.view import view_of

    number, plugins = view_of(None, show).show, load(extra=plugin or ())
    if by == CONTEXTS:
        _over_contexts(folders, config, plugins, plugin or (), form)
        return
    comparison = bvf.compare(folders, config, plugins=plugins, preferred=plugin or (), by=by)
    show_as(form, sections(comparison, number), comparison.model_dump(mode="json", by_alias=True), comparison.to_frame)


def _over_contexts(
    folders: list[Path], config: "AnalysisConfig", plugins: "Plugins", preferred: Sequence[str], form: Format
) -> None:
    from bvf.analyses.contexts.analysis import compare_contexts
    from bvf.analyses.contexts.tables import sections

    comparison = compare_contexts(folders, config, plugins=plugins, preferred=preferred)
    show_as(form, sections(comparison), comparison.model_dump(mode="json", by_alias=True), comparison.to_frame)
