"""The folder of answers to a benchmark: its files, and the answers in it without a model or the data of the benchmark.

There is a file of JSON lines per block of items (see `bvf.files.pieces`).
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bvf import Benchmark, BvfError
from bvf.domain import Generation, model_name
from bvf.files import (
    Folder,
    FolderKind,
    NumberedFiles,
    decoded,
    digest_of,
    disk_errors_explained,
    json_lines,
    parse_json,
)
from bvf.hooks import Plugins
from bvf.interfaces import Answer, Item, Text
from bvf_factors.benchmarks.asking import AS_PUBLISHED, Answered, Asked, Part, answers_of
from bvf_factors.benchmarks.scoring import Wording

RECORD, PARTS, ROWS, ITEMS, SCORES = "benchmark.json", "answers", "rows.jsonl", "items.jsonl", "scores.json"
ENDING = ".jsonl"
FILES = FolderKind(
    {**dict.fromkeys((RECORD, ROWS, ITEMS, SCORES), 500_000_000), "lock": 1_000},
    {PARTS: FolderKind({r"\d{5,12}\.[^.]+\.jsonl": 500_000_000}), "parts": FolderKind({r".*\.lock": 1_000})},
)
"""What stands in a folder of answers, and its largest size in bytes."""
OTHER_FOLDER = "choose another --out"
AGAIN = "run the same command of bvf factors run again: what is finished is kept"


@dataclass(frozen=True)
class Receipt:
    """The name of the file that stores the answers to a block of items."""

    file: str


def answers_in(source: Path) -> Path | None:
    """Return the folder of answers to a benchmark that a source is, or whose rows it is; None: it is something else."""
    folder = source.parent if source.name == ROWS else source
    return folder if Folder(folder, FILES).exists(RECORD) else None


def record_in(folder: Path) -> dict[str, Any]:
    """Return the record of a folder of answers; empty if there is none."""
    files = Folder(folder, FILES)
    record = files.read_json(RECORD) if files.exists(RECORD) else {}
    return record if isinstance(record, dict) else {}


def asked_model(folder: Path) -> tuple[str, str] | None:
    """Return name and path of the model whose answers are in a folder; None if the folder has no record."""
    record = record_in(folder)
    if "model" not in record:
        return None
    model = str(record["model"])
    return (model, str(record["path"])) if "path" in record else (model_name(model), model)  # older: the path alone


def refuse_doubled(sources: Sequence[Path]) -> None:
    """Raise `BvfError` for a source that is named twice."""
    places: set[Path] = set()
    for source in sources:
        if (place := (answers_in(source) or source).resolve()) in places:
            raise BvfError(f"{source}: is named twice, so that each of its rows would count twice", "name it once")
        places.add(place)


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
    wordings = [each.text if each.order is None else [each.text, each.order] for each in asked.wordings]
    return digest_of([list(map(_digested, asked.items)), wordings])


def _digested(item: Item) -> dict[str, Any]:
    """What is digested of an item: how it is scored is a part of the identity of its own; no model sees its group."""
    return {name: value for name, value in asdict(item).items() if name not in ("in_sentence", "group")}


def write_part(folder: Folder, part: Part, identity: str, answers: Sequence[Answer]) -> Receipt:
    """Write the answers to a block of items, and the digest of everything that they depend on."""
    lines = [
        {"item": each.item.id, **({"texts": list(map(asdict, each.texts))} if each.texts else {"scores": each.scores})}
        for each in answers
    ]
    text = json_lines([{"identity": identity, **asdict(part)}, *lines])
    with disk_errors_explained(folder.path, OTHER_FOLDER):
        return Receipt(NumberedFiles(folder, ENDING).write(part.index, text.encode()))


def read_parts(folder: Path, asked: Asked, identity: Mapping[str, Any]) -> dict[int, list[Answer]]:
    """Return the stored answers by number of block, in the order of its wording; changed files are skipped."""
    known, wanted = dict[int, list[Answer]](), {part.index: part for part in asked.parts()}
    for index, content in NumberedFiles(Folder(folder, FILES).sub(PARTS), ENDING).contents():
        head, *lines = [parse_json(line, str(folder / PARTS)) for line in content.decode().split("\n")[:-1]]
        part = wanted.get(index)
        if part is not None and head == {"identity": digest_of(identity), **asdict(part)}:
            items = asked.items[part.start : part.stop]
            known[index] = [
                Answer(item, tuple(line.get("scores", ())), tuple(Text(**each) for each in line.get("texts", ())))
                for item, line in zip(items, lines, strict=True)
            ]
    return known


def refuse_other(folder: Path, identity: Mapping[str, Any]) -> None:
    """Raise `BvfError` for a folder that holds something else than the answers of this identity."""
    files = Folder(folder, FILES)
    if not files.exists(RECORD):
        if any(name != "lock" for name in files.entries()):
            raise BvfError(f"{folder} is not empty and holds no answers to a benchmark", OTHER_FOLDER)
        return
    stored = record_in(folder).get("identity", {})
    other = [name for name, value in identity.items() if stored.get(name) != value]
    if other:
        raise BvfError(f"{folder} holds answers to something else: not the same {other[0]}", OTHER_FOLDER)


def write_record(folder: Path, asked: Asked, model: Mapping[str, Any], identity: Mapping[str, Any]) -> None:
    """Write what was asked of which model, and the items, so that the folder has all that scores are computed from."""
    record = {
        "schema": "bvf.benchmark/1",
        "benchmark": asked.name,
        "title": asked.benchmark.title,
        **model,
        "asks": asked.benchmark.asks,
        "by": asked.by,
        "items": len(asked.items),
        "wordings": [asdict(wording) for wording in asked.wordings],
        **({"generation": asked.generation.model_dump()} if asked.generation else {}),
        "origin": asdict(asked.benchmark.origin),
        "notes": list(asked.notes),
        "identity": dict(identity),
        "written": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    with disk_errors_explained(folder, OTHER_FOLDER):
        files = Folder(folder, FILES)
        files.write(ITEMS, json_lines(map(asdict, asked.items)))
        files.write(RECORD, json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def answers_to_compare(sources: Sequence[Path], plugins: Plugins) -> list[Answered]:
    """Return the stored answers of several models to the same items of one benchmark. Refuses others."""
    folders = []
    for source in sources:
        folder = answers_in(source)
        if folder is None:
            raise BvfError(
                f"{source}: is not a folder of answers to a benchmark",
                "name folders that bvf factors run wrote; for a table or a log, declare its factors: --factors FILE",
            )
        folders.append(folder)
    refuse_doubled(folders)
    if len(folders) == 1:
        raise BvfError(f"{folders[0]} has the answers of one model", "name the folder of another one, too")
    refuse_other_items(folders)
    names = {folder: str(record_in(folder).get("benchmark")) for folder in folders}
    other = next((folder for folder in folders if names[folder] != names[folders[0]]), None)
    if other is not None:
        raise BvfError(
            f"{folders[0]} has answers to {names[folders[0]]}, and {other} to {names[other]}",
            "compare answers to one benchmark",
        )
    return [stored_answers(folder, plugins) for folder in folders]


def stored_answers(folder: Path, plugins: Plugins) -> Answered:
    """Return the answers in a folder of ``bvf factors run``; refuse one that is not whole or was changed."""
    record, model = record_in(folder), asked_model(folder)
    identity = record.get("identity")
    asked = _asked(folder, record, plugins) if isinstance(identity, dict) else None
    if asked is None or model is None or not isinstance(identity, dict):
        raise BvfError(f"{folder / RECORD}: this is not a record of answers to a benchmark", AGAIN)
    if items_digest(asked) != identity.get("items"):
        raise BvfError(f"{folder / ITEMS}: the items are not those that were asked", AGAIN)
    known = read_parts(folder, asked, identity)
    missing = asked.answers_wanted(known)
    if missing:
        raise BvfError(f"{folder}: {missing:,} of {asked.answers_wanted({}):,} answers are missing", AGAIN)
    answers = answers_of(asked, known)
    if "answers" in identity:
        answers = dict(zip([AS_PUBLISHED], answers.values(), strict=True))
    return Answered(asked, *model, folder, answers, bool(record.get("whole")), identity.get("start", ""))


def _asked(folder: Path, record: Mapping[str, Any], plugins: Plugins) -> Asked | None:
    """What was asked, as the record and the items of a folder say it; None: the record does not say it."""
    name, _, owner = str(record["identity"].get("benchmark")).partition("@")
    benchmark: Benchmark = plugins.benchmarks.make(str(record.get("chosen", name)))
    items = _read_items(Folder(folder, FILES))
    try:
        wordings = tuple(
            Wording(each["name"], each["text"], tuple(order) if isinstance(order := each["order"], list) else order)
            for each in record["wordings"]
        )
        written = record.get("generation")
        generation = Generation(**written) if written else None
        return Asked(name, owner, benchmark, items, wordings, record["by"], tuple(record["notes"]), generation)
    except (KeyError, TypeError):
        return None


def _read_items(folder: Folder) -> tuple[Item, ...]:
    file, content = folder.path_of(ITEMS), folder.read_bytes(ITEMS)
    if content is None:
        raise BvfError(f"{file} is missing: the folder is of an older bvf", AGAIN)
    lines = enumerate(decoded(content, str(file)).split("\n")[:-1], start=1)
    try:
        values = (parse_json(line, f"{file}:{number}") for number, line in lines)
        return tuple(Item(**{**each, "choices": tuple(each["choices"])}) for each in values)
    except (TypeError, KeyError) as error:
        raise BvfError(f"{file}: this is not an item of a benchmark", AGAIN) from error
