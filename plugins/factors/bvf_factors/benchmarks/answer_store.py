"""Scores of benchmark items on disk. There is a file of JSON lines per block of items (see `bvf.files.pieces`)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bvf.files.parsing import parse_json
from bvf.files.pieces import json_lines, numbered_files, read_numbered, write_numbered
from bvf.files.writing import OTHER_FOLDER, disk_errors_explained
from bvf.interfaces.benchmark import Item
from bvf_factors.benchmarks.asking import Asked, Part

ENDING = ".jsonl"


@dataclass(frozen=True)
class Receipt:
    """The name of the file that stores the scores of a block of items."""

    file: str


def write_part(
    folder: Path, part: Part, identity: str, items: Sequence[Item], scores: Sequence[tuple[float, ...]]
) -> Receipt:
    """Write the scores of a block of items, and the digest of everything that they depend on."""
    rows = ({"item": item.id, "scores": each} for item, each in zip(items, scores, strict=True))
    text = json_lines([{"identity": identity, **asdict(part)}, *rows])
    with disk_errors_explained(folder, OTHER_FOLDER):
        folder.mkdir(parents=True, exist_ok=True)
        return Receipt(write_numbered(folder, part.index, ENDING, text.encode()).name)


def read_parts(folder: Path, asked: Asked, identity: str) -> Iterator[tuple[int, list[tuple[float, ...]]]]:
    """Yield the index and scores of each stored block of items.

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
                yield part.index, [tuple(line["scores"]) for line in lines]
