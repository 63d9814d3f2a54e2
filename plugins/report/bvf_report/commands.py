"""``bvf report``, ``bvf plot`` and ``bvf export``: a page, a site, figures and files for other programs."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from bvf import AnalysisConfig, BvfError
from bvf.errors import nearest
from bvf.hooks import offered_by
from bvf.tables import counted
from bvf.terminal import (
    Force,
    Given,
    Plugin,
    flag,
    merged_analysis,
    note,
    output,
    print_line,
    stderr,
    stdout,
    with_fields,
)
from bvf_report.pictures import OF_ONE, OF_SEVERAL

if TYPE_CHECKING:
    from bvf import ResultBase
    from bvf.hooks import Plugins

OfFormat = Mapping[str, str]
Results = list["ResultBase"]
Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Format:
    """A file format: its ending (empty: a folder), its options, and whether it holds one run only."""

    ending: str
    options: tuple[str, ...] = ()
    of_one_run: bool = False


def _write_runs(to: str, results: Results, out: Path, given: OfFormat, plugins: "Plugins") -> None:
    """Write the results of runs in the format ``to``."""
    from bvf_report import export
    from bvf_report.export.eee import as_json, as_yaml

    chosen: dict[str, Any] = dict(given)
    if to == "datasets":
        export.write_dataset(results, out)
    elif to == "lm-eval":
        for task in export.write_tasks(results, out, plugins):
            print_line(task.name)
            for sentence in task.notes:
                stderr().print(f"note: {sentence}", markup=False)
    elif to == "eee":
        _write(out, as_json(export.eee_record(results[0], export.Provenance(**chosen))))
    elif to != "eval-results":
        _write(out, getattr(export, f"{to}_text")(results, **chosen))
    elif "dataset" in given:
        _write(out, as_yaml(export.eval_results(results[0], given["dataset"])))
    else:
        raise BvfError("--to eval-results needs the benchmark on the hub", "name it with --dataset ORGANIZATION/NAME")


folders_or_files = partial(typer.Argument, metavar="DIR...", show_default=False)
EXPORTED_HELP = (
    "Folders of runs; or one file of `bvf explain`, `bvf regress` or `bvf compare --by contexts` with --format json, "
    "or the scores of `bvf factors run`."
)
WHO = ("organization", "relationship", "availability")
FORMATS = {
    "csv": Format(".csv", ("table",)),
    "latex": Format(".tex", ("table",)),
    "markdown": Format(".md", ("table",)),
    "eee": Format(".json", WHO, of_one_run=True),
    "eval-results": Format(".yaml", ("dataset",), of_one_run=True),
    "datasets": Format(""),
    "lm-eval": Format(""),
}
TO_HELP = f"{', '.join(FORMATS)}."
OUT_HELP = "The file to write; for datasets and lm-eval, the folder."
TABLE_HELP = (
    "models: a row per model; groups: a row per model and group; controls: a row per study and control; figures, as "
    "csv: a row per model and figure. "
    "[default: models] Of a file, as csv: levels, varying, reliability, placebo, frames, frame_shares, crossed, "
    "properties or exceeding of bvf explain; pairs, sets, orders or agreement of bvf compare. [default: the first]"
)
ORGANIZATION_HELP = "For eee: who provides the record. [default: unknown]"
RELATIONSHIP_HELP = (
    "For eee: first_party, third_party, collaborative or other: who evaluates, seen from the model's developer. "
    "[default: other]"
)
AVAILABILITY_HELP = (
    "For eee: open_weights, closed_weights or unknown; bundled models and known packages are open if not given."
)
OF_HUB_HELP = "For eval-results: the benchmark on the hub."
CONTEXT_SET = "name the folder of a run; a context set becomes a data set by bvf contexts export"
OF_RECORDS = "Records"
NO_FORMAT_OPTIONS = ("ctx", "given", "folders", "to", "out", "force", "plugin")


@with_fields(AnalysisConfig, as_in_run=True)
def export(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    folders: Annotated[list[Path], folders_or_files(help=EXPORTED_HELP)],
    to: Annotated[str, flag("--to", help_text=TO_HELP, metavar="FORMAT")],
    out: Annotated[Path, flag("--out", "-o", help_text=OUT_HELP, metavar="PATH")],
    table: Annotated[str | None, flag("--table", help_text=TABLE_HELP, metavar="TABLE")] = None,
    force: Force = False,
    organization: Annotated[str | None, flag("--organization", help_text=ORGANIZATION_HELP, panel=OF_RECORDS)] = None,
    relationship: Annotated[str | None, flag("--relationship", help_text=RELATIONSHIP_HELP, panel=OF_RECORDS)] = None,
    availability: Annotated[str | None, flag("--availability", help_text=AVAILABILITY_HELP, panel=OF_RECORDS)] = None,
    dataset: Annotated[
        str | None, flag("--dataset", help_text=OF_HUB_HELP, panel=OF_RECORDS, metavar="ORG/NAME")
    ] = None,
    plugin: Plugin = None,
) -> None:
    """``bvf export``.

    Several runs of one topic and criterion give one table; a folder of such runs stands for all of them. A record is of
    one run. What bvf explain, regress or compare --by contexts printed as JSON becomes tables, one file at a time.
    """
    options = locals().items()
    of_format = {name: value for name, value in options if name not in NO_FORMAT_OPTIONS and value is not None}
    chosen, analysis = _format(to, of_format), merged_analysis(given)
    from bvf import load
    from bvf.files import is_file
    from bvf.results import reported_in, result_in
    from bvf.study import folders_of_runs, read_record

    plugins = load(extra=plugin or ())
    files = [reported_in(folder, plugins) or folder for folder in folders]
    if any(map(is_file, files)):
        refuse_unused(given)
        return _export_file(ctx, files, to, out, of_format, force, plugins)
    try:
        runs = [run for folder in folders for run in folders_of_runs(folder)]
    except BvfError as error:
        raise (BvfError(error.message, CONTEXT_SET) if to == "datasets" else error) from error
    if chosen.of_one_run and len(runs) > 1:
        raise BvfError(f"--to {to}: a record is of one run, and {len(runs)} are named", "export them one by one")
    _check_place(ctx, out, to, chosen, force)
    for run in runs:
        read_record(run)
    results = [result_in(run, analysis, plugins) for run in runs]
    _write_runs(to, results, out, of_format, plugins)
    print_line(f"{counted(len(results), 'run')}: {out}")


def _export_file(  # noqa: PLR0913 - what an export needs
    ctx: typer.Context, files: list[Path], to: str, out: Path, given: OfFormat, force: bool, plugins: "Plugins"
) -> None:
    """Write the tables of one file that a command of bvf printed or stored."""
    from bvf.files import CONTEXT_ENDINGS
    from bvf.results import read_reported, schema_of
    from bvf_report.export import analysed_text, read_analysed, reported_text

    if table := next((file for file in files if file.suffix in CONTEXT_ENDINGS), None):
        raise BvfError(f"{table}: neither a run nor what a command printed as JSON", CONTEXT_SET)
    if len(files) > 1:
        raise BvfError(f"{len(files)} are named, of which one is a file", "export a file by itself")
    if schema_of(files[0]) in plugins.files.names():
        text = reported_text(read_reported(files[0], plugins), to, **given)
    else:
        text = analysed_text(read_analysed(files[0], plugins), to, **given)
    _check_place(ctx, out, to, FORMATS[to], force)
    _write(out, text)
    print_line(f"{files[0]}: {out}")


def _format(to: str, given: OfFormat) -> Format:
    if to not in FORMATS:
        raise BvfError(f'--to is "{to}"', nearest(to, list(FORMATS)))
    for name in given:
        if name not in FORMATS[to].options:
            takers = [other for other, each in FORMATS.items() if name in each.options]
            raise BvfError(f"--{name} does nothing with --to {to}", f"it is for {', '.join(takers)}")
    return FORMATS[to]


def _check_place(ctx: typer.Context, out: Path, to: str, chosen: Format, force: bool) -> None:
    from bvf.files import check_folder

    if chosen.ending and out.suffix != chosen.ending:
        raise BvfError(f"--out {out}: {to} is written to a {chosen.ending}", f"--out {out.stem or to}{chosen.ending}")
    if chosen.ending:
        output(ctx, "--out", out, force=force)
    else:
        check_folder("--out", out, force=force)


def _write(out: Path, text: str) -> None:
    from bvf.files import Output

    Output("--out", out).write(text, make_folder=True)


def refuse_unused(given: Given) -> None:
    """Raise `BvfError` for an option of analysis, which has no effect on a file with a finished analysis."""
    name = next((name for name in given if name in AnalysisConfig.model_fields), "")
    if name:
        raise BvfError(f"--{name.replace('_', '-')} does nothing with a file", "it is for folders of runs")


SOURCES_HELP = "Folders of runs, or of folders with runs; files of plugins, such as the JSON of `bvf factors analyse`."
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
DRAWN_HELP = "Folders of runs; or a file of a plugin, such as the JSON of `bvf factors analyse`."
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
    sources: Annotated[list[Path], folders_or_files(help=SOURCES_HELP)],
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
    from bvf_report.site import is_page, write_site

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
    sources: Annotated[list[Path], folders_or_files(help=DRAWN_HELP)],
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
    of_formats = kind == "compare" and by == "format"
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
