"""``bvf explain``: where the figures of a run come from."""

from dataclasses import replace
from typing import Annotated

from bvf import AnalysisConfig
from bvf.terminal import Folder, Format, Given, Plugin, flag, merged_analysis, show_found, with_fields

GROUP_HELP = "Explain the risk of this group alone."
THRESHOLD_HELP = "How often is the risk of a group above this? On the scale of the result. [default: 0.5]"
SHOW_HELP = "Rows per table; levels that differ are always shown. [default: 8]"


@with_fields(AnalysisConfig, as_in_run=True)
def explain(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    folder: Folder,
    group: Annotated[str, flag("--group", help_text=GROUP_HELP, metavar="NAME")] = "",
    threshold: Annotated[float, flag("--threshold", help_text=THRESHOLD_HELP, metavar="T")] = 0.5,
    plugin: Plugin = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "8",
    form: Format = "text",
) -> None:
    """``bvf explain``."""
    config = merged_analysis(given)
    import bvf
    from bvf import load
    from bvf.hooks import imported
    from bvf.results import not_of_the_run, result_in
    from bvf.terminal import view_of

    number, plugins = view_of(None, show).show, load(extra=plugin or ())
    result = result_in(folder, config, plugins)
    explanation = bvf.explain(result, group=group, threshold=threshold, show=number, plugins=plugins)
    first, *others = imported(explanation.tables)(explanation, number)
    said = [*first.subtitle, *not_of_the_run([result])]
    show_found(form, [replace(first, subtitle=said), *others], explanation)
