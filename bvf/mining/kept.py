"""What was found in the pieces of a corpus, kept in a folder until all of them are done."""

import json
import re
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

from bvf.errors import BvfError
from bvf.files.writing import disk_errors_explained, write_text
from bvf.mining.tally import Counts, Finding

PART = ".part"
DIGEST_LENGTH = 16
LAST_LINE = 2 * DIGEST_LENGTH + 1
NAME_OF_A_PIECE = re.compile(rf"[0-9a-f]{{{2 * DIGEST_LENGTH}}}(\.[0-9a-f]+\.tmp)?")
GO_ON = "what is done is kept; the same command goes on once it can be written"


@dataclass(frozen=True)
class Kept:
    """A folder with a file per piece, named after what went into it.

    The last line of each file is the digest of its name and of all other lines: a file that was changed, cut off or
    renamed counts as not there.
    """

    folder: Path

    @classmethod
    def beside(cls, file: Path) -> "Kept":
        """Return the folder that belongs to a context set."""
        return cls(file.with_name(file.name + PART))

    def check(self) -> None:
        """Raise `BvfError` if the folder's name is that of a file, or if it holds anything but pieces."""
        folder = self.folder
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise BvfError(f"{folder}: is no folder, and mining keeps its pieces in one of that name", "say another -o")
        other = [file.name for file in folder.iterdir() if not _is_piece(file)] if folder.exists() else []
        if other:
            raise BvfError(
                f"{folder}: holds {sorted(other)[0]}, and mining keeps its pieces in a folder of that name",
                "say another -o, or delete the folder",
            )

    def write(self, key: str, counts: Counts, findings: list[Finding]) -> None:
        """Keep what was found in a piece.

        Raises:
            BvfError: It cannot be written.
        """
        rows = [asdict(counts), *(finding.row() for finding in findings)]
        body = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        with disk_errors_explained(self.folder, GO_ON):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_text(self.folder / key, f"{body}{digest(key, body).hex()}\n")

    def read(self, key: str) -> tuple[Counts, list[Finding]] | None:
        """Return what was found in a piece; None if it is not there, or not as it was written."""
        try:
            text = (self.folder / key).read_bytes().decode()
            body, last = text[:-LAST_LINE], text[-LAST_LINE:]
            if last != f"{digest(key, body).hex()}\n":
                return None
            counts, *findings = [json.loads(line) for line in body.split("\n")[:-1]]
            return Counts(**counts), [Finding(**row) for row in findings]
        except (OSError, ValueError, TypeError):
            return None

    def has(self, key: str) -> bool:
        """Return whether a piece has a file; what is in it is not looked at."""
        return (self.folder / key).is_file()

    def delete(self) -> None:
        """Delete the pieces, and the folder if it holds nothing else."""
        with disk_errors_explained(self.folder, "it can be deleted by hand"):
            for file in filter(_is_piece, list(self.folder.iterdir())):
                file.unlink(missing_ok=True)
            if not any(self.folder.iterdir()):
                self.folder.rmdir()


def digest(*parts: str) -> bytes:
    """Return 16 bytes that stand for some texts, in their order."""
    made = blake2b(digest_size=DIGEST_LENGTH)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "little"))
        made.update(data)
    return made.digest()


def _is_piece(file: Path) -> bool:
    """Whether a name is that of a piece and of nothing else; its file may have been renamed meanwhile."""
    return NAME_OF_A_PIECE.fullmatch(file.name) is not None and not file.is_dir() and not file.is_symlink()
