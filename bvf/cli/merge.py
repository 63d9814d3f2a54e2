"""``bvf merge``: runs whose parts were scored one by one become results; no model is loaded."""

from typing import TYPE_CHECKING, Annotated

from bvf.cli import method
from bvf.cli.analyse import Folders, merged_analysis, refuse_mixtures
from bvf.cli.format import Format
from bvf.cli.options import flag, option, options_given
from bvf.cli.run import RANK_HELP, SHOW_HELP, Measured, show_measured
from bvf.domain.option_texts import parse_all_words

if TYPE_CHECKING:
    from bvf.results.result import ResultBase

Texts = list[str] | None
Text = str | None
NO_FIELDS = ("folders", "form", "rank", "show", "plugin", "without")


def merge(  # noqa: PLR0913 - one parameter per option, as typer wants it
    folders: Folders,
    criterion: method.Criterion = None,
    analysis: Annotated[Text, option("analysis", panel="Method")] = None,
    scale: method.Scale = None,
    reference: method.Reference = None,
    group_weights: method.GroupWeights = None,
    words: method.Words = None,
    margin: method.Margin = None,
    distractors: Annotated[int | None, option("distractors", panel="Method", metavar="N")] = None,
    unit: method.Unit = None,
    level: method.Level = None,
    seed: Annotated[int | None, option("seed", panel="Method")] = None,
    plugin: Annotated[Texts, option("plugin", panel="Advanced", metavar="NAME")] = None,
    without: Annotated[Texts, option("without", panel="Advanced", metavar="NAME")] = None,
    rank: Annotated[Text, flag("--rank", help_text=RANK_HELP, metavar="risk|particular")] = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "8",
    form: Format = "text",
) -> None:
    """Check that all parts of each run are there, and show its result as `bvf run` does. No model is loaded."""
    given = options_given(locals(), but=NO_FIELDS)
    if "words" in given:
        given["words"] = parse_all_words(given["words"])
    config = merged_analysis(given)
    from bvf.cli.view import view_of
    from bvf.hooks.loader import load
    from bvf.results.kept import analysis_of
    from bvf.running.run import merge as merged

    view, plugins = view_of(rank, show), load(extra=plugin or (), without=without or ())
    results: list[ResultBase] = [
        merged(folder, config, plugins=plugins, preferred=plugin or (), view=view) for folder in folders
    ]
    refuse_mixtures(results)
    show_measured(Measured(results, analysis_of(results[0], plugins), view), form)
