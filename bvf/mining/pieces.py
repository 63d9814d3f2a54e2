"""A corpus in pieces: an engine has them mined, and the findings of each piece are kept until all are there."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

from bvf.errors import BvfError, ContractError
from bvf.interfaces.engine import AS_ENGINES_YIELD, Engine, Share, Work
from bvf.interfaces.miner import Document, Miner
from bvf.mining.kept import Kept, digest
from bvf.mining.tally import Counts, Finding, counts_of, findings_of

PIECE = 100_000
THREADS = 1
"""The threads of every miner, so that no engine changes a figure."""
MakeMiner = Callable[[Share], Miner]


@dataclass(frozen=True)
class Piece:
    """Some documents, and the name under which their findings are kept."""

    key: str
    documents: list[Document] = field(repr=False)


@dataclass(frozen=True)
class Outcome:
    """What is in a piece, and whether an earlier run found it."""

    key: str
    counts: Counts
    findings: list[Finding]
    reused: bool


@dataclass(frozen=True)
class MinePiece(Work[Piece, Outcome]):
    """Mines one piece after another.

    Args:
        make: Makes the miner, once per worker; must be picklable.
    """

    make: MakeMiner

    def begin(self, share: Share) -> Callable[[Piece], Outcome]:
        """Make the miner of a worker."""
        return partial(_outcome, self.make(replace(share, threads=THREADS)))


def pieces_of(documents: Iterable[Document], miner_key: str) -> Iterator[Piece]:
    """Yield the documents in pieces of about a hundred thousand characters, in their order."""
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


def mine_pieces(pieces: Iterable[Piece], kept: Kept, engine: Engine, make: MakeMiner) -> Generator[Outcome, None, None]:
    """Yield what is in each piece as soon as it is kept; a piece that is kept already is not mined.

    Args:
        pieces: Of one corpus.
        kept: Where findings are kept.
        engine: Where the other pieces are mined.
        make: Makes the miner, once per worker; must be picklable.

    Raises:
        ContractError: The engine mixed pieces up, or left one out.
    """
    stream = iter(pieces)
    for piece in stream:
        stored = kept.read(piece.key)
        if not stored:
            yield from _mined(_Sorted(chain([piece], stream), kept), engine, make)
            return
        yield Outcome(piece.key, *stored, reused=True)


class _Sorted:
    """Pieces as an engine takes them; those that are kept are set aside.

    Attributes:
        sent: How often each key was given to the engine, and did not come back yet.
    """

    def __init__(self, pieces: Iterable[Piece], kept: Kept) -> None:
        self.kept, self.sent = kept, Counter[str]()
        self._pieces, self._aside = pieces, list[str]()

    def to_mine(self) -> Iterator[Piece]:
        for piece in self._pieces:
            if self.kept.read(piece.key):
                self._aside.append(piece.key)
            else:
                self.sent[piece.key] += 1
                yield piece

    def reused(self) -> Iterator[Outcome]:
        """Yield the pieces set aside since the last call; findings are read again, as memory cannot hold all."""
        aside, self._aside = self._aside, []
        for key in aside:
            stored = self.kept.read(key)
            if stored is None:
                raise gone(self.kept, key)
            yield Outcome(key, *stored, reused=True)

    def came(self, pair: object, engine: str) -> Outcome:
        """Return what was found in a piece that was sent, kept.

        Raises:
            ContractError: It is something else.
        """
        match pair:
            case (Piece(key=key), Outcome(key=mined) as outcome) if key == mined and self.sent[key] > 0:
                self.sent[key] -= 1
                self.kept.write(key, outcome.counts, outcome.findings)
                return outcome
        raise ContractError(
            f"{engine}.map yielded something else than a piece that it got and what was found there", AS_ENGINES_YIELD
        )


def gone(kept: Kept, key: str) -> BvfError:
    """Return the error for a piece whose findings are no longer there."""
    return BvfError(f"{kept.folder / key}: gone or damaged while mining went on", "run the same command again")


def _mined(pieces: _Sorted, engine: Engine, make: MakeMiner) -> Iterator[Outcome]:
    name, results = type(engine).__name__, engine.map(pieces.to_mine(), MinePiece(make))
    try:
        for pair in results:
            yield from pieces.reused()
            yield pieces.came(pair, name)
    finally:
        if hasattr(results, "close"):
            results.close()
    yield from pieces.reused()
    if left := pieces.sent.total():
        raise ContractError(f"{name}.map left out {left} pieces", AS_ENGINES_YIELD)


def _piece(documents: list[Document], miner_key: str) -> Piece:
    parts = [part for document in documents for part in (document.id, document.text)]
    return Piece(digest(miner_key, *parts).hex(), documents)


def _outcome(miner: Miner, piece: Piece) -> Outcome:
    mined = miner(piece.documents)
    return Outcome(piece.key, counts_of(mined), findings_of(mined), reused=False)
