"""``bvf regress``: regressions of figures of groups on what is known about them."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bvf import AnalysisConfig
from bvf.terminal import Format, Given, Plugin, flag, merged_analysis, show_found, with_fields
from bvf_insights.regress.config import RegressConfig

Folders = Annotated[
    list[Path],
    typer.Argument(metavar="DIR...", help="Folders of runs, or folders that hold such folders.", show_default=False),
]
SHOW_HELP = "Groups to show per regression, those first that move its slope most. [default: 8]"


@with_fields(AnalysisConfig, but=("level",), as_in_run=True)
@with_fields(RegressConfig)
def regress(
    given: Given,
    folders: Folders,
    plugin: Plugin = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "8",
    form: Format = "text",
) -> None:
    """``bvf regress``.

    Weighted least squares with HC3 errors; all models, figures and factors of one command are one family of tests.
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
