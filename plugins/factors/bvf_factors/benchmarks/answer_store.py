"""The answers of a benchmark on disk: a file per part, named by the digest of its bytes."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bvf.files.digests import digest_of_bytes
from bvf.files.parsing import parse_json
from bvf.files.writing import OTHER_FOLDER, disk_errors_explained, write_text
from bvf.interfaces.benchmark import Item
from bvf_factors.benchmarks.asking import Asked, Part


@dataclass(frozen=True)
class Receipt:
    """Says that a part is stored: the name of its file."""

    file: str


def write_part(
    folder: Path, part: Part, identity: str, items: Sequence[Item], scores: Sequence[tuple[float, ...]]
) -> Receipt:
    """Write ``NNNNN.DIGEST.jsonl``, where DIGEST is that of its bytes.

    Raises:
        BvfError: It cannot be written.
    """
    head = {"identity": identity, **asdict(part)}
    lines = [head, *({"item": item.id, "scores": each} for item, each in zip(items, scores, strict=True))]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    name = f"{part.index:05d}.{digest_of_bytes(text.encode())}.jsonl"
    with disk_errors_explained(folder, OTHER_FOLDER):
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / name, text)
    return Receipt(name)


def read_parts(folder: Path, asked: Asked, identity: str) -> Iterator[tuple[int, list[tuple[float, ...]]]]:
    """Yield the scores of every part that is stored; a file that was changed or cut off counts as not there."""
    wanted = {part.index: part for part in asked.parts()}
    for file in sorted(folder.glob("*.jsonl")) if folder.is_dir() else []:
        content = file.read_bytes()
        if digest_of_bytes(content) != file.name.split(".")[1]:
            continue
        head, *lines = [parse_json(line, str(file)) for line in content.decode().split("\n")[:-1]]
        part = wanted.get(head["index"])
        if part is None or head != {"identity": identity, **asdict(part)}:
            continue
        yield part.index, [tuple(line["scores"]) for line in lines]
