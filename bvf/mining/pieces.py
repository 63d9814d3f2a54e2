"""A corpus in pieces, mined by several processes, each piece's findings kept until all are there."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context

from bvf.builtin.engines.orphans import end_with_parent
from bvf.errors import BvfError
from bvf.interfaces.miner import Document, Miner
from bvf.mining.kept import Kept, digest
from bvf.mining.tally import Counts, Finding, counts_of, findings_of

PIECE = 100_000
MakeMiner = Callable[[], Miner]
Results = dict["Future[tuple[Counts, list[Finding]]]", str]


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


def mine_pieces(pieces: Iterable[Piece], kept: Kept, workers: int, make: MakeMiner) -> Iterator[Outcome]:
    """Yield what is in each piece as soon as it is kept; a piece that is kept already is not mined.

    Args:
        pieces: Of one corpus.
        kept: Where findings are kept.
        workers: Processes; 1: this one.
        make: Makes the miner, once per process; must be picklable.
    """
    if workers == 1:
        yield from _mine_here(pieces, kept, make)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (make,)) as pool:
        waiting: Results = {}
        try:
            for piece in pieces:
                if found := kept.read(piece.key):
                    yield Outcome(piece.key, *found, reused=True)
                    continue
                waiting[pool.submit(_find_in_worker, piece.documents)] = piece.key
                while len(waiting) >= 2 * workers:
                    yield from _finished(waiting, kept)
            while waiting:
                yield from _finished(waiting, kept)
        except KeyboardInterrupt:
            for future, key in waiting.items():
                if not future.cancel():
                    kept.write(key, *future.result())
            raise
        except BrokenProcessPool as error:
            raise BvfError("a worker died, perhaps for want of memory", "--workers 1 needs least") from error
        finally:
            pool.shutdown(cancel_futures=True)


def _piece(documents: list[Document], miner_key: str) -> Piece:
    parts = [part for document in documents for part in (document.id, document.text)]
    return Piece(digest(miner_key, *parts).hex(), documents)


def _mine_here(pieces: Iterable[Piece], kept: Kept, make: MakeMiner) -> Iterator[Outcome]:
    miner = make()
    with _one_thread():
        for piece in pieces:
            found = kept.read(piece.key)
            if found:
                yield Outcome(piece.key, *found, reused=True)
            else:
                yield _stored(kept, piece.key, *_find(miner, piece.documents))


def _finished(waiting: Results, kept: Kept) -> Iterator[Outcome]:
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        yield _stored(kept, waiting.pop(future), *future.result())


def _stored(kept: Kept, key: str, counts: Counts, findings: list[Finding]) -> Outcome:
    kept.write(key, counts, findings)
    return Outcome(key, counts, findings, reused=False)


_of_this_worker: list[Miner] = []


def _start_worker(make: MakeMiner) -> None:
    """Make the miner of a worker process; the interrupt of the terminal is the main process's affair."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()

    import torch

    torch.set_num_threads(1)
    _of_this_worker.append(make())


def _find_in_worker(documents: list[Document]) -> tuple[Counts, list[Finding]]:
    return _find(_of_this_worker[0], documents)


def _find(miner: Miner, documents: list[Document]) -> tuple[Counts, list[Finding]]:
    found = miner(documents)
    return counts_of(found), findings_of(found)


@contextmanager
def _one_thread() -> Iterator[None]:
    """As many threads as a worker has, so that the number of workers changes no figure."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
