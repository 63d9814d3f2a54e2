"""``bvf report``: one HTML file with everything that is known of finished runs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from bvf import AnalysisConfig, BvfError
from bvf.tables import counted
from bvf.terminal import Force, Given, Plugin, flag, merged_analysis, note, output, with_fields
from bvf_report.commands.options import split_options, with_options_of

Sources = Annotated[
    list[Path],
    typer.Argument(
        metavar="DIR...",
        help="Folders of runs, or of folders with runs; files of plugins, such as the JSON of `bvf factors analyse`.",
        show_default=False,
    ),
]
PAGE = Path("report.html")
Out = Annotated[Path, typer.Option("--out", "-o", metavar="FILE.html", help="The page.")]
LIGHT_HELP = "Pictures as drawings and no script: a tenth of the size, for mail and archives."
SCENARIO_HELP = "A TOML file whose table [scenario] says what auditors ask for: group_at_risk, hazard, ..."
GATE_HELP = "Check the figures against the limits of this file, as bvf gate does, and show the decisions."
SITE_HELP = (
    "Write a site to this folder in place of one page: tables of models by topic, a page of each run, comparisons, "
    "data. Folders that do not verify are left out and named."
)
DATASET_HELP = "With --site: add entries for the evaluation results of the hub; this is the benchmark there."
BY_HELP = (
    "A label of the runs, parameters or wording, over which they are compared; or format: the formats of a run are."
)


@with_fields(AnalysisConfig, as_in_run=True)
@with_options_of("bvf_page_parts")
def report(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    sources: Sources,
    out: Out = PAGE,
    site: Annotated[Path | None, flag("--site", help_text=SITE_HELP, metavar="DIR")] = None,
    dataset: Annotated[str, flag("--dataset", help_text=DATASET_HELP, metavar="ORG/NAME")] = "",
    light: Annotated[bool, flag("--light", help_text=LIGHT_HELP)] = False,
    scenario: Annotated[Path | None, flag("--scenario", help_text=SCENARIO_HELP, metavar="FILE")] = None,
    gate: Annotated[Path | None, flag("--gate", help_text=GATE_HELP, metavar="FILE")] = None,
    by: Annotated[str, flag("--by", help_text=BY_HELP, metavar="LABEL")] = "",
    plugin: Plugin = None,
    force: Force = False,
) -> None:
    """``bvf report``.

    With --site, write a static site of many runs: tables of models by topic, and pages that need no server.
    """
    of_analysis, of_parts = split_options(given)
    analysis = merged_analysis(of_analysis)
    if site is not None:
        of_a_page = {"--out": out != PAGE, "--scenario": scenario, "--gate": gate, "--by": by}
        _refuse_beside_site({**of_a_page, **{f"--{name}": value for name, value in of_parts.items()}})
        _write_site(site, sources, analysis, plugin or (), dataset=dataset, light=light, force=force)
        return
    if dataset:
        raise BvfError(
            "--dataset does nothing without --site", "bvf export --to eval-results writes entries of one run"
        )
    from bvf import load
    from bvf_report.report import write_page
    from bvf_report.site.writing import is_page

    page_file = output(ctx, "--out", out, is_page, force=force)
    size = write_page(
        page_file,
        sources,
        load(extra=plugin or ()),
        analysis,
        scenario=scenario,
        gate=gate,
        by=by,
        options=of_parts,
        light=light,
    )
    note(f"{out}: {size / 1e6:.1f} MB" if size > 1e5 else f"{out}: {size / 1e3:.0f} kB")


def _refuse_beside_site(given: Mapping[str, object]) -> None:
    if option := next((option for option, value in given.items() if value), ""):
        raise BvfError(f"{option} does nothing with --site", "leave it out, or write one page of these runs")


def _write_site(  # noqa: PLR0913 - each is a choice of its own
    folder: Path,
    sources: Sequence[Path],
    config: AnalysisConfig,
    extra: Sequence[str],
    *,
    dataset: str,
    light: bool,
    force: bool,
) -> None:
    from bvf import load
    from bvf_report.site.writing import write_site

    plugins = load(extra=extra)
    leaderboard = write_site(folder, sources, config, plugins, dataset=dataset, light=light, force=force)
    for each in leaderboard.left_out:
        note(f"left out: {each.folder}: {each.why}")
    models = len({model.name for board in leaderboard.boards for model in board.models})
    note(f"{folder / 'index.html'}: {counted(models, 'model')} in {counted(len(leaderboard.boards), 'table')}")
