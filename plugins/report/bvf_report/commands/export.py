"""``bvf export``: results in the file formats of other programs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bvf import AnalysisConfig, BvfError
from bvf.errors import nearest
from bvf.tables import counted
from bvf.terminal import Force, Given, Plugin, flag, merged_analysis, output, print_line, stderr, with_fields

if TYPE_CHECKING:
    from bvf import ResultBase
    from bvf.hooks import Plugins

OfFormat = Mapping[str, str]
Results = list["ResultBase"]


@dataclass(frozen=True)
class Format:
    """A file format: its writer, its ending (empty: a folder), its options, and whether it holds one run only."""

    write: Callable[[Results, Path, OfFormat, "Plugins"], None]
    ending: str
    options: tuple[str, ...] = ()
    of_one_run: bool = False


def _write_text(to: str, results: Results, out: Path, given: OfFormat, _: "Plugins") -> None:
    from bvf_report import export
    from bvf_report.export.eee import as_json, as_yaml

    chosen: dict[str, Any] = dict(given)
    if to == "eee":
        text = as_json(export.eee_record(results[0], export.Provenance(**chosen)))
    elif to != "eval-results":
        text = getattr(export, f"{to}_text")(results, **chosen)
    elif "dataset" in given:
        text = as_yaml(export.eval_results(results[0], given["dataset"]))
    else:
        raise BvfError("--to eval-results needs the benchmark on the hub", "name it with --dataset ORGANIZATION/NAME")
    _write(out, text)


def _write_dataset(results: Results, out: Path, given: OfFormat, _: "Plugins") -> None:
    from bvf_report.export import write_dataset

    write_dataset(results, out)


def _write_tasks(results: Results, out: Path, given: OfFormat, plugins: "Plugins") -> None:
    from bvf_report.export import write_tasks

    for task in write_tasks(results, out, plugins):
        print_line(task.name)
        for note in task.notes:
            stderr().print(f"note: {note}", markup=False)


Sources = Annotated[
    list[Path],
    typer.Argument(
        metavar="DIR...",
        help="Folders of runs; or one file of `bvf explain`, `bvf regress` or `bvf compare --by contexts` with "
        "--format json, or the scores of `bvf factors run`.",
        show_default=False,
    ),
]
WHO = ("organization", "relationship", "availability")
FORMATS = {
    "csv": Format(partial(_write_text, "csv"), ".csv", ("table",)),
    "latex": Format(partial(_write_text, "latex"), ".tex", ("table",)),
    "markdown": Format(partial(_write_text, "markdown"), ".md", ("table",)),
    "eee": Format(partial(_write_text, "eee"), ".json", WHO, of_one_run=True),
    "eval-results": Format(partial(_write_text, "eval-results"), ".yaml", ("dataset",), of_one_run=True),
    "datasets": Format(_write_dataset, ""),
    "lm-eval": Format(_write_tasks, ""),
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
DATASET_HELP = "For eval-results: the benchmark on the hub."
CONTEXT_SET = "name the folder of a run; a context set becomes a data set by bvf contexts export"
RECORDS = "Records"
NO_FORMAT_OPTIONS = ("ctx", "given", "folders", "to", "out", "force", "plugin")


@with_fields(AnalysisConfig, as_in_run=True)
def export(  # noqa: PLR0913 - one parameter per option, as typer wants it
    ctx: typer.Context,
    given: Given,
    folders: Sources,
    to: Annotated[str, flag("--to", help_text=TO_HELP, metavar="FORMAT")],
    out: Annotated[Path, flag("--out", "-o", help_text=OUT_HELP, metavar="PATH")],
    table: Annotated[str | None, flag("--table", help_text=TABLE_HELP, metavar="TABLE")] = None,
    force: Force = False,
    organization: Annotated[str | None, flag("--organization", help_text=ORGANIZATION_HELP, panel=RECORDS)] = None,
    relationship: Annotated[str | None, flag("--relationship", help_text=RELATIONSHIP_HELP, panel=RECORDS)] = None,
    availability: Annotated[str | None, flag("--availability", help_text=AVAILABILITY_HELP, panel=RECORDS)] = None,
    dataset: Annotated[str | None, flag("--dataset", help_text=DATASET_HELP, panel=RECORDS, metavar="ORG/NAME")] = None,
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
    chosen.write(results, out, of_format, plugins)
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
