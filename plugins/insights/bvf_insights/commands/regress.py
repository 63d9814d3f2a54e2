"""``bvf regress``: regressions of figures of groups on what is known about them."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bvf.cli import method
from bvf.cli.results.analyse import merged_analysis
from bvf.domain.config import Config
from bvf.errors import BvfError
from bvf.study.config import AnalysisConfig
from bvf.terminal.format import Format, show_found
from bvf.terminal.options import Given, flag, with_fields
from bvf_insights.regress.config import RegressConfig, checked_regress

Folders = Annotated[
    list[Path],
    typer.Argument(metavar="DIR...", help="Folders of runs, or folders that hold such folders.", show_default=False),
]
SHOW_HELP = "Groups to show per regression, those first that move its slope most. [default: 8]"
FIELDS = ("against", "weights", "of", "corpus")


@with_fields(AnalysisConfig, but=("level",), as_in_run=True)
@with_fields(RegressConfig)
def regress(
    given: Given,
    folders: Folders,
    plugin: method.Plugin = None,
    show: Annotated[str, flag("--show", help_text=SHOW_HELP, metavar="N|all")] = "8",
    form: Format = "text",
) -> None:
    """``bvf regress``.

    Weighted least squares with HC3 errors; all models, figures and factors of one command are one family of tests.
    """
    of_regression, of_analysis = _apart(given, RegressConfig)
    config, analysis = checked_regress(of_regression, "options"), merged_analysis(of_analysis)
    import bvf
    from bvf.hooks.loader import load
    from bvf.results.footnotes import not_of_the_run
    from bvf.running.run import result_in
    from bvf.study.found import folders_of_runs
    from bvf.terminal.view import view_of
    from bvf_insights.regress.tables import sections

    number, plugins = view_of(None, show).show, load(extra=plugin or ())
    runs = [run for folder in folders for run in folders_of_runs(folder)]
    results = [result_in(run, analysis, plugins) for run in runs]
    regressions = bvf.regress(results, config, plugins=plugins)
    first, *others = sections(regressions, number)
    said = [*first.subtitle, *not_of_the_run(results)]
    show_found(form, [replace(first, subtitle=said), *others], regressions)


def choices_of(given: Given) -> tuple[AnalysisConfig, RegressConfig]:
    """Return, from the options of a command, the configuration of the analysis and that of the regression."""
    of_analysis, of_regression = _apart(given, AnalysisConfig)
    if of_regression and "against" not in of_regression:
        name = next(iter(of_regression))
        raise BvfError(f"--{name} does nothing without --against", "give --against wages, or name a table")
    return merged_analysis(of_analysis), checked_regress(of_regression, "options")


def refuse_unused(given: Given) -> None:
    """Raise `BvfError` for an option of analysis, which has no effect on a file with a finished analysis."""
    name = next((name for name in given if name in AnalysisConfig.model_fields), "")
    if name:
        raise BvfError(f"--{name.replace('_', '-')} does nothing with a file", "it is for folders of runs")


def _apart(given: Given, config: type[Config]) -> tuple[Given, Given]:
    """The options that are fields of a configuration, and the other options."""
    its = {name: value for name, value in given.items() if name in config.model_fields}
    return its, {name: value for name, value in given.items() if name not in its}
