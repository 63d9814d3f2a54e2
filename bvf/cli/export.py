"""``bvf export``: results in the formats of others."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from bvf.cli.analyse import Folders
from bvf.cli.console import stdout
from bvf.cli.options import flag, option
from bvf.errors import BvfError, nearest

if TYPE_CHECKING:
    from bvf.analysing.result import ResultBase

Texts = list[str] | None
Text = str | None
ENDINGS = {"csv": ".csv", "latex": ".tex", "markdown": ".md", "eee": ".json", "eval-results": ".yaml", "datasets": ""}
"""The formats, and how the name of a file ends in each; a folder's name has no ending."""
OF_TABLES = ("csv", "latex", "markdown")
OF_ONE_RUN = ("eee", "eval-results")
ONLY_WITH = {
    "table": OF_TABLES,
    "organization": ("eee",),
    "relationship": ("eee",),
    "availability": ("eee",),
    "dataset": ("eval-results",),
}
TO_HELP = f"{', '.join(ENDINGS)}."
OUT_HELP = "The file to write; for datasets, the folder."
TABLE_HELP = "models: a row per model; groups: a row per model and group. [default: models]"
FORCE_HELP = "Replace what is there."
ORGANIZATION_HELP = "For eee: who provides the record. [default: unknown]"
RELATIONSHIP_HELP = "For eee: first_party, third_party, collaborative or other, seen from the model. [default: other]"
AVAILABILITY_HELP = "For eee: open_weights, closed_weights or unknown; bundled models are open if not said."
DATASET_HELP = "For eval-results: the benchmark on the hub."


def export(  # noqa: PLR0913 - one parameter per option, as typer wants it
    folders: Folders,
    to: Annotated[str, flag("--to", help_text=TO_HELP, metavar="FORMAT")],
    out: Annotated[Path, flag("--out", "-o", help_text=OUT_HELP, metavar="PATH")],
    table: Annotated[Text, flag("--table", help_text=TABLE_HELP, metavar="models|groups")] = None,
    force: Annotated[bool, flag("--force", help_text=FORCE_HELP)] = False,
    organization: Annotated[Text, flag("--organization", help_text=ORGANIZATION_HELP, panel="Records")] = None,
    relationship: Annotated[Text, flag("--relationship", help_text=RELATIONSHIP_HELP, panel="Records")] = None,
    availability: Annotated[Text, flag("--availability", help_text=AVAILABILITY_HELP, panel="Records")] = None,
    dataset: Annotated[Text, flag("--dataset", help_text=DATASET_HELP, panel="Records", metavar="ORG/NAME")] = None,
    plugin: Annotated[Texts, option("plugin", panel="Advanced", metavar="NAME")] = None,
) -> None:
    """Write what runs found as a table for a paper or a spreadsheet, a record, or a data set.

    Several runs of one topic and criterion give one table. A record is of one run.
    """
    _check_format(to, out)
    given = {
        "table": table,
        "organization": organization,
        "relationship": relationship,
        "availability": availability,
        "dataset": dataset,
    }
    _check_options(to, {name: value for name, value in given.items() if value is not None})
    if to in OF_ONE_RUN and len(folders) > 1:
        raise BvfError(f"--to {to}: a record is of one run, and {len(folders)} are named", "export them one by one")
    _check_place(out, force)
    results = _results(folders, plugin or ())
    if to == "datasets":
        from bvf.export.dataset import write_dataset

        write_dataset(results, out)
    else:
        _write(out, _text(to, results, given))
    runs = "1 run" if len(results) == 1 else f"{len(results)} runs"
    stdout().print(f"{runs}: {out}", markup=False, soft_wrap=True)


def _results(folders: list[Path], extra: Any) -> "list[ResultBase]":
    from bvf.analysing.kept import read_result
    from bvf.hooks.loader import load
    from bvf.measuring.folder import read_record

    plugins = load(extra=extra)
    for folder in folders:
        read_record(folder)
    return [read_result(folder, plugins) for folder in folders]


def _text(to: str, results: "list[ResultBase]", given: dict[str, Any]) -> str:
    """What is to stand in the file."""
    import json

    from bvf import export

    if to in OF_TABLES:
        texts = {"csv": export.csv_text, "latex": export.latex_text, "markdown": export.markdown_text}
        return texts[to](results, given["table"] or "models")
    if to == "eee":
        names = ("organization", "relationship", "availability")
        said = {name: given[name] for name in names if given[name] is not None}
        record = export.eee_record(results[0], export.Provenance(**said))
        return json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    import yaml

    text: str = yaml.safe_dump(export.eval_results(results[0], given["dataset"]), sort_keys=False, allow_unicode=True)
    return text


def _check_format(to: str, out: Path) -> None:
    if to not in ENDINGS:
        raise BvfError(f'--to is "{to}"', nearest(to, list(ENDINGS)))
    if ENDINGS[to] and out.suffix != ENDINGS[to]:
        raise BvfError(f"--out {out}: {to} is written to a {ENDINGS[to]}", f"--out {out.stem or 'result'}{ENDINGS[to]}")


def _check_options(to: str, given: dict[str, str]) -> None:
    from bvf.export.wide import TABLES

    for name in given:
        if to not in ONLY_WITH[name]:
            raise BvfError(f"--{name} does nothing with --to {to}", f"it is for {', '.join(ONLY_WITH[name])}")
    if "table" in given and given["table"] not in TABLES:
        raise BvfError(f'--table is "{given["table"]}"', f"write {' or '.join(TABLES)}")
    if to == "eval-results" and "dataset" not in given:
        raise BvfError("--to eval-results needs the benchmark on the hub", "name it with --dataset ORGANIZATION/NAME")


def _check_place(out: Path, force: bool) -> None:
    from bvf.domain.measurement import RECORD
    from bvf.files.writing import disk_errors_explained

    with disk_errors_explained(f"--out {out}", "say another --out"):
        for folder in (out, out.parent):
            if (folder / RECORD).exists():
                raise BvfError(f"--out {out}: {folder} holds a measurement", "say another --out")
        there = any(out.iterdir()) if out.is_dir() else out.exists()
    if there and not force:
        raise BvfError(f"--out {out}: is there already", "say another --out, or --force to replace it")


def _write(out: Path, text: str) -> None:
    from bvf.files.writing import disk_errors_explained, write_text

    with disk_errors_explained(f"--out {out}", "say another --out"):
        out.parent.mkdir(parents=True, exist_ok=True)
        write_text(out, text)
