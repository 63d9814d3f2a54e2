"""Answers to benchmark items on disk. There is a file of JSON lines per block of items (see `bvf.files.pieces`)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bvf.files.parsing import parse_json
from bvf.files.pieces import json_lines, numbered_files, read_numbered, write_numbered
from bvf.files.writing import OTHER_FOLDER, disk_errors_explained
from bvf.interfaces.benchmark import Answer, Item, Text
from bvf_factors.benchmarks.asking import Asked, Part

ENDING = ".jsonl"


@dataclass(frozen=True)
class Receipt:
    """The name of the file that stores the answers to a block of items."""

    file: str


def write_part(folder: Path, part: Part, identity: str, answers: Sequence[Answer]) -> Receipt:
    """Write the answers to a block of items, and the digest of everything that they depend on."""
    text = json_lines([{"identity": identity, **asdict(part)}, *map(_line_of, answers)])
    with disk_errors_explained(folder, OTHER_FOLDER):
        folder.mkdir(parents=True, exist_ok=True)
        return Receipt(write_numbered(folder, part.index, ENDING, text.encode()).name)


def read_parts(folder: Path, asked: Asked, identity: str) -> Iterator[tuple[int, list[Answer]]]:
    """Yield the index and answers of each stored block of items. Scores stand in the order of the part's wording.

    Files that were changed, cut off, or have another digest are skipped.
    """
    files = numbered_files(folder, ENDING)
    for part in asked.parts():
        for file in files.get(part.index, []):
            content = read_numbered(file)
            if content is None:
                continue
            head, *lines = [parse_json(line, str(file)) for line in content.decode().split("\n")[:-1]]
            if head == {"identity": identity, **asdict(part)}:
                items = asked.items[part.start : part.stop]
                yield part.index, [_answer(item, line) for item, line in zip(items, lines, strict=True)]


def _line_of(answer: Answer) -> dict[str, Any]:
    given = {"texts": list(map(asdict, answer.texts))} if answer.texts else {"scores": answer.scores}
    return {"item": answer.item.id, **given}


def _answer(item: Item, line: dict[str, Any]) -> Answer:
    return Answer(item, tuple(line.get("scores", ())), tuple(Text(**each) for each in line.get("texts", ())))
