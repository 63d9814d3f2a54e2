"""``bvf report`` and ``bvf plot``: a page, a site and figures for papers, of what is stored."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from bvf import AnalysisConfig, BvfError
from bvf.domain import FORMAT
from bvf.hooks import offered_by
from bvf.tables import counted
from bvf.terminal import (
    Command,
    Force,
    Given,
    Plugin,
    flag,
    merged_analysis,
    note,
    output,
    print_line,
    stdout,
    with_fields,
)
from bvf_report.commands.export import refuse_unused
from bvf_report.pictures import OF_ONE, OF_SEVERAL

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
Drawn = Annotated[
    list[Path],
    typer.Argument(
        metavar="DIR...",
        help="Folders of runs; or a file of a plugin, such as the JSON of `bvf factors analyse`.",
        show_default=False,
    ),
]
KINDS = (
    f"{OF_ONE} of one run; {OF_SEVERAL} of several; said of two, probable words and texts; "
    "asking: of runs and answers to benchmarks; "
    "subjects, certainty and wordings of a run of knowledge, mastery and confidence of one or several; "
    "of files of plugins what these draw, such as coverage, sunburst and forest. [default: what they are about]"
)
BY = (
    "The label of --kind trend, or wording; a label of two values gives pairs of runs. [default: parameters] "
    "With --kind compare: format, for the formats of a run."
)
FACTOR = "A factor that a picture of a file is of, twice for two. [default: the first ones; of a forest, all]"
SHOW = (
    "For lean of one run, heatmap, distribution and subjects: groups to show, half of them from each end of their "
    "order; for forest: levels. [default: 24]"
)
SHOW_IS_FOR = "leave --show out: it is for lean of one run, heatmap, distribution, subjects and forest"
OF_BOTH = "asking"
"""The kind of pictures of folders of runs beside files."""
COLUMNS = "1: 3.5 inches wide, 2: 7.16 inches. [default: 2 for heatmap and coverage, else 1]"


def with_options_of(hook: str) -> Callable[[Command], Command]:
    """Give a command, in ``given``, the options of all that plugins offer by a hook, but those of an analysis."""

    def decorated(command: Command) -> Command:
        for provider in (each for offered in offered_by(hook).values() for each in offered):
            options = None
            with suppress(BvfError):  # that it is left out is said where it is made
                options = provider.load_options()
            if options:
                command = with_fields(options, but=AnalysisConfig.model_fields)(command)
        return command

    return decorated


def split_options(given: Given) -> tuple[Given, Given]:
    """Return, of what the user set, the fields of an analysis, and those that `with_options_of` added."""
    of_analysis = {name: value for name, value in given.items() if name in AnalysisConfig.model_fields}
    return of_analysis, {name: value for name, value in given.items() if name not in of_analysis}


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
    of_a_page = {"--out": out != PAGE, "--scenario": scenario, "--gate": gate, "--by": by}
    of_a_page |= {f"--{name}": value for name, value in of_parts.items()}
    if site is not None and (option := next((option for option, value in of_a_page.items() if value), "")):
        raise BvfError(f"{option} does nothing with --site", "leave it out, or write one page of these runs")
    if site is None and dataset:
        raise BvfError(
            "--dataset does nothing without --site", "bvf export --to eval-results writes entries of one run"
        )
    from bvf import load
    from bvf_report.report import write_page
    from bvf_report.site.writing import is_page, write_site

    plugins = load(extra=plugin or ())
    if site is not None:
        leaderboard = write_site(site, sources, analysis, plugins, dataset=dataset, light=light, force=force)
        for each in leaderboard.left_out:
            note(f"left out: {each.folder}: {each.why}")
        models = len({model.name for board in leaderboard.boards for model in board.models})
        note(f"{site / 'index.html'}: {counted(models, 'model')} in {counted(len(leaderboard.boards), 'table')}")
        return
    page_file = output(ctx, "--out", out, is_page, force=force)
    stated: dict[str, Any] = {"scenario": scenario, "gate": gate, "by": by, "options": of_parts}
    size = write_page(page_file, sources, plugins, analysis, light=light, **stated)
    note(f"{out}: {size / 1e6:.1f} MB" if size > 1e5 else f"{out}: {size / 1e3:.0f} kB")


@with_fields(AnalysisConfig, as_in_run=True)
@with_options_of("bvf_pictures")
def plot(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    sources: Drawn,
    out: Annotated[Path, flag("--out", "-o", help_text="The file: its name ends in .pdf, .svg or .png.")],
    kind: Annotated[str, flag("--kind", help_text=KINDS, metavar="KIND")] = "",
    columns: Annotated[int, flag("--columns", help_text=COLUMNS, metavar="1|2")] = 0,
    show: Annotated[str, flag("--show", help_text=SHOW, metavar="N|all")] = "",
    by: Annotated[str, flag("--by", help_text=BY, metavar="LABEL")] = "",
    factor: Annotated[list[str] | None, flag("--factor", help_text=FACTOR, metavar="NAME")] = None,
    plugin: Plugin = None,
    force: Force = False,
) -> None:
    """``bvf plot``."""
    of_analysis, of_kinds = split_options(given)
    analysis = merged_analysis(of_analysis)
    from bvf import PlotRequest, load
    from bvf.drawing import caption_of, ending_of, is_figure, save
    from bvf.interfaces import ROWS_SHOWN
    from bvf.results import reported_in
    from bvf.terminal import view_of
    from bvf_report.plot.kinds import kind_of, kinds_of

    plugins = load(extra=plugin or ())
    rows = view_of(None, show or str(ROWS_SHOWN)).show
    request = PlotRequest(sources, plugins, analysis, rows, by, tuple(factor or ()))
    kind, *others = [kind] if kind else kinds_of(request)
    if kind != OF_BOTH and any(reported_in(source, plugins) for source in sources):
        refuse_unused(given)
    elif factor:
        raise BvfError("--factor does nothing with runs", "it is for pictures of files: bvf factors analyse writes one")
    given_to = {
        name: entry.provider.name
        for entry, chosen in plugins.pictures.with_options(of_kinds)
        if chosen
        for name in chosen.model_fields_set
    }
    its_own = {name: value for name, value in of_kinds.items() if given_to[name] == kind}
    drawn = kind_of(kind, request, its_own)
    ending_of(out)
    output(ctx, "--out", out, is_figure, force=force)
    if columns not in {0, 1, 2}:
        raise BvfError(f"--columns {columns}", "write 1 (3.5 inches) or 2 (7.16 inches)")
    if len(factor or ()) > 2:
        raise BvfError(f"--factor occurs {len(factor or ())} times", "a picture of pairs takes two")
    of_formats = kind == "compare" and by == FORMAT
    for option, its_kind in {**given_to, **({"by": "trend"} if by and not of_formats else {})}.items():
        if kind != its_kind:
            raise BvfError(f"--{option} does nothing with --kind {kind}", f"it is for --kind {its_kind}")
    picture, notes = drawn()
    if show and not picture.limited:
        raise BvfError(f"--show does nothing with --kind {kind}: it shows everything", SHOW_IS_FOR)
    axes = picture.draw(None, 2 if columns == 2 else 1 if columns == 1 else picture.wide)
    caption = caption_of(picture.caption(), notes)
    save(axes, out, picture.title, caption)
    stdout().print(caption, markup=False)
    print_line(str(out))
    if others:
        note(f"this is --kind {kind}; others: {', '.join(others)}")
