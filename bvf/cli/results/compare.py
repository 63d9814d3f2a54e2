"""``bvf compare``: differences of models measured on the same prompts, and the ranks that they may have."""

from typing import Annotated

from bvf.study.config import AnalysisConfig
from bvf.terminal import method
from bvf.terminal.format import Format, show_found
from bvf.terminal.options import Given, flag, with_fields

BY_HELP = (
    "A label of the runs, or parameters: a trend where its values are numbers (350m, 7b, 1.3e9), "
    "differences of matched runs where it has two values. wording: bare and chat of one model. "
    "format: the formats in which a run asked each template. "
    "contexts: models over several context sets. language: the same occupations in two languages. "
    "asking: do runs, benchmarks (folders of bvf factors run) and statistics agree, over the groups of a topic?"
)
SHOW_HELP = "Differences to show of each figure, and groups; the largest. [default: 8]"


@with_fields(AnalysisConfig, but=method.NOT_COMPARED, as_in_run=True)
def compare(
    given: Given,
    folders: method.Folders,
    by: Annotated[str, flag("--by", help_text=BY_HELP, panel="Method", metavar="LABEL")] = "",
    plugin: method.Plugin = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "8",
    form: Format = "text",
) -> None:
    """``bvf compare``.

    A folder that holds folders of runs stands for all of them. Several topics are compared one by one.
    """
    config = method.merged_analysis(given)
    import bvf
    from bvf.hooks.loader import load
    from bvf.hooks.provider import imported

    number, plugins = method.view_of(None, show).show, load(extra=plugin or ())
    if by in plugins.comparisons.names():
        found = plugins.comparisons.find(by).make(folders, config, plugins, plugin or ())
    else:
        found = bvf.compare(folders, config, plugins=plugins, preferred=plugin or (), by=by)
    show_found(form, imported(found.tables)(found, number), found)
