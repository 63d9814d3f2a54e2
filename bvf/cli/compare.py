"""``bvf compare``: models that were asked the same, their differences, and the ranks that they may have."""

from typing import Annotated

from bvf.analysing.config import AnalysisConfig
from bvf.cli.analyse import Folders, merged_analysis
from bvf.cli.console import print_json, stdout
from bvf.cli.options import flag, option, options_given
from bvf.cli.run import SHOW_HELP
from bvf.measuring.config import parse_all_words

Texts = list[str] | None
Text = str | None
BY_HELP = (
    "A label of the runs, or parameters: a trend where its values are numbers (350m, 7b, 1.3e9), "
    "differences of matched runs where it has two values."
)
NO_FIELDS = ("folders", "by", "json_", "show", "plugin")


def compare(  # noqa: PLR0913 - one parameter per option, as typer wants it
    folders: Folders,
    criterion: Annotated[Text, option("criterion", panel="Method")] = None,
    scale: Annotated[Text, option("scale", panel="Method", metavar="unit|raw")] = None,
    reference: Annotated[Text, option("reference", panel="Method", metavar="NAME|FILE")] = None,
    group_weights: Annotated[Text, option("group_weights", panel="Method", metavar="NAME|FILE")] = None,
    words: Annotated[Texts, option("words", panel="Method", metavar="CLASS=WORD,WORD", of=AnalysisConfig)] = None,
    margin: Annotated[Text, option("margin", panel="Method", metavar="FACTOR")] = None,
    unit: Annotated[Text, option("unit", panel="Method", metavar="document|occurrence|template")] = None,
    level: Annotated[float | None, option("level", panel="Method", metavar="P")] = None,
    by: Annotated[str, flag("--by", help_text=BY_HELP, panel="Method", metavar="LABEL")] = "",
    plugin: Annotated[Texts, option("plugin", panel="Advanced", metavar="NAME")] = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "8",
    json_: Annotated[bool, flag("--json", help_text="Print the comparison as JSON, and nothing else.")] = False,
) -> None:
    """Compare models that were asked the same: differences with intervals, and the ranks that they may have.

    A folder that holds folders of runs stands for all of them. Several topics are compared one by one.
    """
    given = options_given(locals(), but=NO_FIELDS)
    if "words" in given:
        given["words"] = parse_all_words(given["words"])
    config = merged_analysis(given)
    import bvf
    from bvf.cli.view import view_of
    from bvf.hooks.loader import load
    from bvf.report.comparison import printed_comparison

    view, plugins = view_of(None, show), load(extra=plugin or ())
    found = bvf.compare(folders, config, plugins=plugins, preferred=plugin or (), by=by)
    if json_:
        print_json(found.model_dump(mode="json", by_alias=True))
    else:
        stdout().print(printed_comparison(found, view))
