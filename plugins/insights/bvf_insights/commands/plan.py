"""``bvf plan``: how many contexts a wanted precision needs, estimated from a finished run as a pilot."""

from pathlib import Path
from typing import Annotated

import typer

from bvf import AnalysisConfig
from bvf.terminal import Format, Given, Plugin, Without, flag, merged_analysis, show_as, with_fields

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run, as a pilot.", show_default=False)]
PRECISION_HELP = "Half the width of the intervals of R, R^b and R^v, in about half of all runs. [default: 0.01]"
DETECT_HELP = "A difference of R or R^b to another model, to be found with a chance of 80 %. [default: 0.02]"
AGAINST_HELP = "The folder of that other model, asked alike: the paired errors of both are used."


@with_fields(AnalysisConfig, as_in_run=True)
def plan(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    folder: Folder,
    precision: Annotated[float, flag("--precision", help_text=PRECISION_HELP, panel="Goal", metavar="X")] = 0.01,
    detect: Annotated[float, flag("--detect", help_text=DETECT_HELP, panel="Goal", metavar="X")] = 0.02,
    against: Annotated[str, flag("--against", help_text=AGAINST_HELP, panel="Goal", metavar="DIR")] = "",
    plugin: Plugin = None,
    without: Without = None,
    form: Format = "text",
) -> None:
    """``bvf plan``."""
    config = merged_analysis(given)
    import bvf
    from bvf_insights.plan.result import plan_section

    plugins = bvf.load(extra=plugin or (), without=without or ())
    planned = bvf.plan(
        folder,
        config,
        precision=precision,
        detect=detect,
        against=against,
        plugins=plugins,
        preferred=plugin or (),
    )
    show_as(form, [plan_section(planned)], planned.model_dump(mode="json"))
