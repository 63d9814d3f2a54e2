"""The command `bvf pairs`."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from bvf import AnalysisConfig
from bvf.terminal import Folder, Format, Given, Plugin, flag, merged_analysis, show_as, with_fields

Alone = Annotated[
    str,
    typer.Argument(metavar="[ALONE]", help="Folder of a run about one person: the same groups.", show_default=False),
]
SHOW_HELP = "Rows per table. [default: all]"


@with_fields(AnalysisConfig, but=("analysis", "criterion", "scale", "distractors", "margin"), as_in_run=True)
def pairs(
    given: Given,
    folder: Folder,
    alone: Alone = "",
    plugin: Plugin = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "all",
    form: Format = "text",
) -> None:
    """``bvf pairs``.

    With ALONE, each group in one text with others is compared with what the model says of it alone.
    """
    from bvf import load
    from bvf.results import config_in, not_of_the_run, result_in
    from bvf.tables import warned
    from bvf.terminal import view_of
    from bvf_decisions.pairs.result import pairs_section, people_section

    config, plugins, number = merged_analysis(given), load(extra=plugin or ()), view_of(None, show).show
    own = config_in(folder, config, plugins).criterion
    if alone or own.partition(":")[0] != "pairs":
        config = merged_analysis({**given, "criterion": f"pairs:{alone}" if alone else "pairs"})
    result: Any = result_in(folder, config, plugins)
    first = replace(people_section(result, number), warnings=warned(result.warnings))
    first = replace(first, subtitle=[*first.subtitle, *not_of_the_run([result])])
    show_as(
        form, [first, pairs_section(result, number)], result.model_dump(mode="json", by_alias=True), result.people_frame
    )
