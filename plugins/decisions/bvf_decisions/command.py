"""The command `bvf impact`."""

from dataclasses import replace
from typing import Annotated, Any

from bvf import AnalysisConfig
from bvf.terminal import Folder, Format, Given, Plugin, flag, merged_analysis, show_as, with_fields

SELECT_HELP = (
    "Who is selected: median, above=0.5, top=24 or top=10%; after commas class=NAME, the favourable class, and "
    "by=FACTOR+FACTOR. As in the run, or median, if not given."
)


@with_fields(AnalysisConfig, but=("analysis", "criterion", "scale", "distractors", "margin"), as_in_run=True)
def impact(
    given: Given,
    folder: Folder,
    select: Annotated[str, flag("--select", help_text=SELECT_HELP, metavar="RULE")] = "",
    plugin: Plugin = None,
    form: Format = "text",
) -> None:
    """``bvf impact``.

    --format csv prints the columns of the summary that New York City's Local Law 144 asks for.
    """
    from bvf import load
    from bvf.results import config_in, not_of_the_run, result_in
    from bvf.tables import warned
    from bvf_decisions.result import categories_section

    config, plugins = merged_analysis(given), load(extra=plugin or ())
    own = config_in(folder, config, plugins).criterion
    if select or not own.startswith("impact"):
        config = merged_analysis({**given, "criterion": f"impact:{select}" if select else "impact"})
    result: Any = result_in(folder, config, plugins)
    shown = replace(categories_section(result), warnings=warned(result.warnings))
    sections = [replace(shown, subtitle=[*shown.subtitle, *not_of_the_run([result])])]
    show_as(form, sections, result.model_dump(mode="json", by_alias=True), result.categories_frame)
