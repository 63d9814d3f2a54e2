"""Pieces of a job, each stored under a key of what it depends on."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bvf import BvfError
from bvf.files import KEY_LENGTH, Folder, FolderKind, digest_of_texts, disk_errors_explained, json_lines

KEYED = FolderKind({r"[0-9a-f]{32}(\.[0-9a-f]+\.tmp)?": 2_000_000_000})
"""The files of keys and those that are being written, and their largest size in bytes."""
ONCE_WRITABLE = "what is done is kept; the same command goes on once it can be written"


@dataclass(frozen=True)
class KeyedPieces:
    """A folder of results of separate tasks. Each has a file of JSON lines, named by its key."""

    folder: Path

    @property
    def files(self) -> Folder:
        """The folder, which may not be a link."""
        return Folder(self.folder.parent, FolderKind({}, {".*": KEYED})).sub(self.folder.name)

    @classmethod
    def beside(cls, file: Path) -> "KeyedPieces":
        """Return the folder of results from which ``file`` is made. It lies beside ``file`` until that is complete."""
        return cls(file.with_name(file.name + ".part"))

    def check(self) -> None:
        """Raise `BvfError` if the folder has other files than results, or if a file has the folder's name."""
        folder = self.folder
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise BvfError(f"{folder}: is not a folder, and pieces need one of that name", "choose another --out")
        other = sorted({*self.files.entries()} - {*self.files.names()})
        if other:
            raise BvfError(
                f"{folder}: holds {other[0]}, and pieces need a folder of that name",
                "choose another --out, or delete the folder",
            )

    def write(self, key: str, rows: Iterable[Any]) -> None:
        """Write the rows of the result with this key. Raises `BvfError` if that fails."""
        body = json_lines(rows)
        with disk_errors_explained(self.folder, ONCE_WRITABLE):
            self.files.write(key, f"{body}{digest_of_texts(key, body)}\n")

    def read(self, key: str) -> list[Any] | None:
        """Return the rows of the result with this key; None if its file is missing or damaged."""
        try:
            text = (self.files.read_bytes(key) or b"").decode()
            body, last_line = text[: -KEY_LENGTH - 1], text[-KEY_LENGTH - 1 :]
            if last_line != f"{digest_of_texts(key, body)}\n":
                return None
            return [json.loads(line) for line in body.split("\n")[:-1]]
        except ValueError:
            return None

    def has(self, key: str) -> bool:
        """Return whether there is a file for this key. The file may be damaged."""
        return self.files.exists(key)

    def delete(self) -> None:
        """Delete all files, and the folder if it is then empty."""
        with disk_errors_explained(self.folder, "it can be deleted by hand"):
            for name in self.files.names():
                self.files.delete(name)
            if not self.files.entries():
                self.files.remove()
