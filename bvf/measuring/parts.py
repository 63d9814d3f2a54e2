"""What is stored of a measurement that several processes share, and what is not."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bvf.domain.part import Part, listed, parse_part, parts_of, said
from bvf.errors import BvfError
from bvf.files.parsing import parse_json, read_text
from bvf.files.writing import is_read_only
from bvf.measuring.folder import INVOCATIONS, Folder, read_record
from bvf.measuring.questions import questions_of
from bvf.measuring.shards import Shard

AGAIN = "start them again, or score all that is missing by bvf run without --part: what is scored is kept"


@dataclass(frozen=True)
class Inventory:
    """Which shards of a measurement are stored.

    Args:
        folder: Where.
        part: The part that was scored.
        shards: How many there are in all.
        missing: The indices of the shards that have no file.
    """

    folder: Path
    part: Part
    shards: int
    missing: tuple[int, ...]

    @property
    def missing_parts(self) -> list[int]:
        """The numbers of the parts that lack the file of some shard; there are as many parts as this one is of."""
        return parts_of(self.missing, self.part.of)


def inventory(folder: Folder, part: Part, shards: Iterable[Shard]) -> Inventory:
    """Return which shards have a file; what is in the files is not looked at.

    Raises:
        BvfError: The folder cannot be read.
    """
    indices, stored = [shard.index for shard in shards], folder.stored()
    return Inventory(folder.path, part, len(indices), tuple(index for index in indices if index not in stored))


def refuse_unfinished(path: Path) -> None:
    """See that every shard of a measurement is stored, and tidy its folder up.

    A file that is not as it was written is deleted. Where nothing can be written, nothing is looked at.

    Raises:
        BvfError: There is no measurement; a run or a part is at work there; or shards are missing: says which, and of
            which parts.
    """
    record, folder = read_record(path), Folder(path)
    if is_read_only(path):
        return
    with folder.locked():
        questions = questions_of(record.asked, record.model.tolerance, record.order)
        missing = [shard.index for shard in folder.missing(record, questions)]
        if missing:
            of = _parts_there_were(path)
            whose = f"shards {listed(missing)}" if of is None else said(parts_of(missing, of), of)
            raise BvfError(f"{path}: {len(missing)} of {len(questions.shards())} shards are missing, {whose}", AGAIN)
        folder.tidy()


def _parts_there_were(path: Path) -> int | None:
    """The number of parts in the last command that scored one; None if every command was for the whole."""
    for file in sorted((path / INVOCATIONS).glob("*.json"), reverse=True):
        told = parse_json(read_text(file), str(file))
        config = told.get("config") if isinstance(told, dict) else None
        part = config.get("part") if isinstance(config, dict) else None
        if part:
            return parse_part(str(part)).of
    return None
