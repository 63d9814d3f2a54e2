"""The folder of answers to a benchmark: its files, and what its record says of the model and the items."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bvf.domain.model_names import model_name
from bvf.errors import BvfError
from bvf.files.digests import digest_of
from bvf.files.parsing import is_file, parse_json, read_text
from bvf.files.pieces import json_lines
from bvf.files.writing import write_text
from bvf.interfaces.benchmark import Item
from bvf_factors.benchmarks.asking import Asked
from bvf_factors.benchmarks.wordings import Wording

RECORD, PARTS, ROWS, ITEMS = "benchmark.json", "answers", "rows.jsonl", "items.jsonl"


def answers_in(source: Path) -> Path | None:
    """Return the folder of answers to a benchmark that a source is, or whose rows it is; None: it is something else."""
    folder = source.parent if source.name == ROWS else source
    return folder if is_file(folder / RECORD) else None


def record_in(folder: Path) -> dict[str, Any]:
    """Return the record of a folder of answers; empty if there is none."""
    file = folder / RECORD
    record = parse_json(read_text(file), str(file)) if is_file(file) else {}
    return record if isinstance(record, dict) else {}


def asked_model(folder: Path) -> tuple[str, str] | None:
    """Return name and path of the model whose answers are in a folder; None if the folder has no record."""
    record = record_in(folder)
    if "model" not in record:
        return None
    model = str(record["model"])
    return (model, str(record["path"])) if "path" in record else (model_name(model), model)  # older: the path alone


def refuse_other_items(sources: Sequence[Path]) -> None:
    """Raise `BvfError` for answers to one benchmark whose items are not the same, by their digest."""
    first: dict[str, tuple[Path, str]] = {}
    for source in sources:
        folder = answers_in(source)
        identity = record_in(folder).get("identity") if folder is not None else None
        if not isinstance(identity, dict) or "items" not in identity:
            continue
        other, digest = first.setdefault(str(identity.get("benchmark")), (source, str(identity["items"])))
        if digest != identity["items"]:
            raise BvfError(
                f"{source} and {other} are answers to different items: two versions of a file, a part, or other "
                "wordings",
                "compare answers to the same items",
            )


def items_digest(asked: Asked) -> str:
    """Return the digest of all texts that are asked, and of the values that scores are computed from."""
    return digest_of([[_text_of(item) for item in asked.items], list(map(_digested, asked.wordings))])


def _text_of(item: Item) -> dict[str, Any]:
    """What is digested of an item."""
    fields = asdict(item)
    del fields["in_sentence"]  # how it is scored is a part of the identity of its own
    del fields["group"]  # an analysis uses it, and no model is asked of it
    return fields


def _digested(wording: Wording) -> Any:
    return wording.text if wording.order is None else [wording.text, wording.order]


def write_items(folder: Path, items: Sequence[Item]) -> None:
    """Write the items, so that the folder alone has all that scores are computed from."""
    write_text(folder / ITEMS, json_lines(map(asdict, items)))


def read_items(folder: Path) -> tuple[Item, ...]:
    """Read the items of a folder of answers.

    Raises:
        BvfError: There are none, as in a folder of an older version, or they cannot be read.
    """
    file = folder / ITEMS
    if not is_file(file):
        raise BvfError(f"{file} is missing: the folder is of an older bvf", AGAIN)
    lines = read_text(file).split("\n")[:-1]
    try:
        return tuple(
            Item(**{**values, "choices": tuple(values["choices"])})
            for values in (parse_json(line, f"{file}:{number}") for number, line in enumerate(lines, start=1))
        )
    except (TypeError, KeyError) as error:
        raise BvfError(f"{file}: this is not an item of a benchmark", AGAIN) from error


AGAIN = "run the same command of bvf factors run again: what is finished is kept"
