"""The commands `bvf explain`, `bvf plan` and `bvf regress`."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bvf import AnalysisConfig
from bvf.terminal import Folder, Format, Given, Plugin, flag, merged_analysis, option, show_as, show_found, with_fields
from bvf_insights.regress.config import RegressConfig

GROUP_HELP = "Explain the risk of this group alone."
THRESHOLD_HELP = "How often is the risk of a group above this? On the scale of the result. [default: 0.5]"
SHOW_HELP = "Rows per table; levels that differ are always shown. [default: 8]"
PRECISION_HELP = "Half the width of the intervals of R, R^b and R^v, in about half of all runs. [default: 0.01]"
DETECT_HELP = "A difference of R or R^b to another model, to be found with a chance of 80 %. [default: 0.02]"
AGAINST_HELP = "The folder of that other model, asked alike: the paired errors of both are used."
Folders = Annotated[
    list[Path],
    typer.Argument(metavar="DIR...", help="Folders of runs, or folders that hold such folders.", show_default=False),
]
SHOW_GROUPS_HELP = "Groups to show per regression, those first that move its slope most. [default: 8]"


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


@with_fields(AnalysisConfig, as_in_run=True)
def plan(  # noqa: PLR0913 - one parameter per option, as typer wants it
    given: Given,
    folder: Folder,
    precision: Annotated[float, flag("--precision", help_text=PRECISION_HELP, panel="Goal", metavar="X")] = 0.01,
    detect: Annotated[float, flag("--detect", help_text=DETECT_HELP, panel="Goal", metavar="X")] = 0.02,
    against: Annotated[str, flag("--against", help_text=AGAINST_HELP, panel="Goal", metavar="DIR")] = "",
    plugin: Plugin = None,
    without: Annotated[list[str] | None, option("without")] = None,
    form: Format = "text",
) -> None:
    """``bvf plan``."""
    config = merged_analysis(given)
    import bvf
    from bvf_insights.plan import plan_section

    plugins = bvf.load(extra=plugin or (), without=without or ())
    planned = bvf.plan(
        folder, config, precision=precision, detect=detect, against=against, plugins=plugins, preferred=plugin or ()
    )
    show_as(form, [plan_section(planned)], planned.model_dump(mode="json"))


@with_fields(AnalysisConfig, but=("level",), as_in_run=True)
@with_fields(RegressConfig)
def regress(
    given: Given,
    folders: Folders,
    plugin: Plugin = None,
    show: Annotated[str, flag("--show", help_text=SHOW_GROUPS_HELP, metavar="N|all")] = "8",
    form: Format = "text",
) -> None:
    """``bvf regress``.

    Weighted least squares with HC2 errors; all models, figures and factors of one command are one family of tests.
    """
    of_regression = {name: value for name, value in given.items() if name in RegressConfig.model_fields}
    config = RegressConfig.checked(of_regression, "options")
    analysis = merged_analysis({name: value for name, value in given.items() if name not in of_regression})
    import bvf
    from bvf import load
    from bvf.results import not_of_the_run, result_in
    from bvf.study import folders_of_runs
    from bvf.terminal import view_of
    from bvf_insights.regress.result import sections

    number, plugins = view_of(None, show).show, load(extra=plugin or ())
    runs = [run for folder in folders for run in folders_of_runs(folder)]
    results = [result_in(run, analysis, plugins) for run in runs]
    regressions = bvf.regress(results, config, plugins=plugins)
    first, *others = sections(regressions, number)
    said = [*first.subtitle, *not_of_the_run(results)]
    show_found(form, [replace(first, subtitle=said), *others], regressions)
