"""The commands `bvf impact`, `bvf cues` and `bvf pairs`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf import AnalysisConfig
from bvf.terminal import Folder, Format, Given, Plugin, flag, merged_analysis, show_as, with_fields

if TYPE_CHECKING:
    from bvf import Section

SELECT_HELP = (
    "Who is selected: median, above=0.5, top=24 or top=10%; after commas class=NAME, the favourable class, and "
    "by=FACTOR+FACTOR. As in the run, or median, if not given."
)
RULE_HELP = (
    "by=FACTOR, whose levels are compared, cue=FACTOR, the cue by which a group is known, and class=NAME, joined by "
    "commas. As in the run, or the first of each, if not given."
)
ALONE_HELP = "Folder of a run about one person: the same groups."
SHOW_HELP = "Rows per table. [default: all]"
LEFT_OUT = ("analysis", "criterion", "scale", "distractors", "margin")


@with_fields(AnalysisConfig, but=LEFT_OUT, as_in_run=True)
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
    from bvf_decisions.common import result_by
    from bvf_decisions.result import categories_section

    result = result_by(folder, merged_analysis(given), "impact", select, load(extra=plugin or ()))
    _show(form, result, [categories_section(result)], result.categories_frame)


@with_fields(AnalysisConfig, but=LEFT_OUT, as_in_run=True)
def cues(
    given: Given,
    folder: Folder,
    rule: Annotated[str, flag("--rule", help_text=RULE_HELP, metavar="RULE")] = "",
    plugin: Plugin = None,
    form: Format = "text",
) -> None:
    """``bvf cues``.

    --format csv prints a row per cue, and per difference of two cues.
    """
    from bvf import load
    from bvf_decisions.common import result_by
    from bvf_decisions.cue_result import cues_section, differences_section

    result = result_by(folder, merged_analysis(given), "cues", rule, load(extra=plugin or ()))
    _show(form, result, [cues_section(result), differences_section(result)], result.contrasts_frame)


@with_fields(AnalysisConfig, but=LEFT_OUT, as_in_run=True)
def pairs(
    given: Given,
    folder: Folder,
    alone: Annotated[str, typer.Argument(metavar="[ALONE]", help=ALONE_HELP, show_default=False)] = "",
    plugin: Plugin = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "all",
    form: Format = "text",
) -> None:
    """``bvf pairs``.

    With ALONE, each group in one text with others is compared with what the model says of it alone.
    """
    from bvf import load
    from bvf.terminal import view_of
    from bvf_decisions.common import result_by
    from bvf_decisions.pairs.result import pairs_section, people_section

    number = view_of(None, show).show
    result = result_by(folder, merged_analysis(given), "pairs", alone, load(extra=plugin or ()))
    _show(form, result, [people_section(result, number), pairs_section(result, number)], result.people_frame)


def _show(form: Format, result: Any, sections: "Sequence[Section]", frame: Any) -> None:
    from bvf.results import not_of_the_run
    from bvf.tables import warned

    first, *others = sections
    said = [*first.subtitle, *not_of_the_run([result])]
    shown = [replace(first, warnings=warned(result.warnings), subtitle=said), *others]
    show_as(form, shown, result.model_dump(mode="json", by_alias=True), frame)
