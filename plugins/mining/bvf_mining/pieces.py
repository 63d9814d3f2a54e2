"""Mines a corpus in pieces (blocks of documents), each stored under a key of what it depends on."""

import json
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from bvf import BvfError, Engine, Share, Work
from bvf.files import Folder, FolderKind, digest_of_texts, disk_errors_explained, each_once, json_lines
from bvf.interfaces import Document, Miner
from bvf_mining.tally import Counts, Finding, findings_of

KEYED = FolderKind({r"[0-9a-f]{32}(\.[0-9a-f]+\.tmp)?": 2_000_000_000}, many=True)
"""The files of keys and those that are being written, and their largest size in bytes."""
ONCE_WRITABLE = "what is done is kept; the same command goes on once it can be written"
PIECE = 100_000
"""Characters in a piece; its last document may exceed the limit."""
THREADS = 1
"""The threads of every miner, so that results are the same on every engine."""
MakeMiner = Callable[[Share], Miner]


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
            start = text.rfind("\n", 0, -1) + 1
            body, last_line = text[:start], text[start:]
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


@dataclass(frozen=True)
class Piece:
    """A block of documents, and the key under which its findings are stored."""

    key: str
    documents: list[Document] = field(repr=False)


@dataclass(frozen=True)
class Outcome:
    """The counts and findings of a block of documents. ``reused``: they are from an earlier run."""

    key: str
    counts: Counts
    findings: list[Finding]
    reused: bool


@dataclass(frozen=True)
class MinePiece(Work[Piece, Outcome]):
    """Mines blocks of documents one after another. ``make`` makes a worker's miner and must be picklable."""

    make: MakeMiner

    def begin(self, share: Share) -> Callable[[Piece], Outcome]:
        """Return a function that mines a block of documents. Its miner has one thread, whatever ``share`` allows."""
        return partial(_outcome, self.make(replace(share, threads=THREADS)))


def pieces_of(documents: Iterable[Document], miner_key: str) -> Iterator[Piece]:
    """Yield the documents in blocks of about a hundred thousand characters, in their order."""
    piece: list[Document] = []
    size = 0
    for document in documents:
        piece.append(document)
        size += len(document.text)
        if size >= PIECE:
            yield _piece(piece, miner_key)
            piece, size = [], 0
    if piece:
        yield _piece(piece, miner_key)


def mine_pieces(
    pieces: Iterable[Piece], kept: KeyedPieces, engine: Engine, make: MakeMiner
) -> Generator[Outcome, None, None]:
    """Yield the findings of each block of documents as soon as they are stored. No stored block is mined again."""
    stream = iter(pieces)
    for piece in stream:
        stored = read_kept(kept, piece.key)
        if not stored:
            yield from _mined(chain([piece], stream), kept, engine, make)
            return
        yield Outcome(piece.key, *stored, reused=True)


def _mined(
    pieces: Iterable[Piece], kept: KeyedPieces, engine: Engine, make: MakeMiner
) -> Generator[Outcome, None, None]:
    """The outcomes of blocks, in any order. A stored one is read when it is yielded, to save memory."""
    aside = deque[str]()

    def to_mine() -> Iterator[Piece]:
        for piece in pieces:
            if read_kept(kept, piece.key):
                aside.append(piece.key)
            else:
                yield piece

    def reused() -> Iterator[Outcome]:
        while aside:
            key = aside.popleft()
            yield Outcome(key, *found_in(kept, key), reused=True)

    def belongs(piece: Piece, outcome: Outcome) -> bool:
        return piece.key == outcome.key

    with closing(each_once(engine, to_mine(), MinePiece(make), (Piece, Outcome), belongs)) as mined:
        for piece, outcome in mined:
            yield from reused()
            kept.write(piece.key, [asdict(outcome.counts), *(finding.row() for finding in outcome.findings)])
            yield outcome
    yield from reused()


def read_kept(kept: KeyedPieces, key: str) -> tuple[Counts, list[Finding]] | None:
    """Return the stored counts and findings of a block; None: missing, damaged or of another version."""
    rows = kept.read(key)
    if not rows:
        return None
    try:
        return Counts(**rows[0]), [Finding(**row) for row in rows[1:]]
    except TypeError:  # of another version
        return None


def found_in(kept: KeyedPieces, key: str) -> tuple[Counts, list[Finding]]:
    """Return the stored counts and findings of a block of documents. Raises `BvfError` if they are gone."""
    stored = read_kept(kept, key)
    if stored is None:
        raise BvfError(f"{kept.folder / key}: gone or damaged while mining went on", "run the same command again")
    return stored


def _piece(documents: list[Document], miner_key: str) -> Piece:
    parts = [part for document in documents for part in (document.id, document.text)]
    return Piece(digest_of_texts(miner_key, *parts), documents)


def _outcome(miner: Miner, piece: Piece) -> Outcome:
    found = miner(piece.documents)
    counts = Counts(found.sentences, found.parsed, len(found.matches), dropped=dict(found.dropped))
    return Outcome(piece.key, counts, findings_of(found), reused=False)
