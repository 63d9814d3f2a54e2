"""Which shards (blocks of questions) of a measurement are stored, and which are missing, if processes share it."""

from dataclasses import dataclass
from pathlib import Path

from bvf.domain.part import JobPart, listed
from bvf.errors import BvfError
from bvf.files.folder import Folder
from bvf.files.writing import is_read_only
from bvf.measuring.folder import RunFolder, read_record
from bvf.measuring.invocation import invocations_in
from bvf.measuring.questions import Questions

AGAIN = "start them again, or score all that is missing by bvf run without --part: what is scored is kept"


@dataclass(frozen=True)
class Inventory:
    """The number of shards (blocks of questions) of a measurement, and the indices of those still missing."""

    folder: Path
    part: JobPart
    shards: int
    missing: tuple[int, ...]

    @property
    def missing_parts(self) -> list[int]:
        """The numbers of the parts of the run (``--part I/N``) that lack a shard."""
        return self.part.numbers_of(self.missing)


def refuse_unfinished(path: Path) -> None:
    """Raise `BvfError` that lists the missing shards and their parts, if any. If none are missing, tidy the folder.

    A damaged file is deleted. A read-only folder is not checked.
    """
    record, folder = read_record(path), RunFolder(path)
    if is_read_only(path):
        return
    with folder.locked():
        questions = Questions.of(record.asked, record.model.tolerance, record.order)
        missing = [shard.index for shard in folder.missing(record, questions)]
        if missing:
            last = _last_part(folder.files, record.digest)
            whose = last.named(last.numbers_of(missing)) if last else f"shards {listed(missing)}"
            raise BvfError(f"{path}: {len(missing)} of {len(questions.shards())} shards are missing, {whose}", AGAIN)
        folder.tidy()


def _last_part(run: Folder, measurement: str) -> JobPart | None:
    """The part of the last command that scored only a part of the run; None without such a command."""
    for _, invocation in reversed(invocations_in(run, measurement)):
        part = invocation["config"].get("part")
        if part:
            return JobPart.parse(str(part))
    return None
