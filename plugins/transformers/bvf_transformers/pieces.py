"""The pieces of all words, level by level: what has to be asked, each question once."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

Ids = tuple[int, ...]


@dataclass(frozen=True)
class Level:
    """The questions after d pieces of a word.

    Args:
        prefixes: The first d pieces of the words that have more, each once; length K.
        parents: Where each prefix without its last piece stands in the level above; length K.
        wanted: For each prefix, (column of the word, its next piece) pairs.
    """

    prefixes: tuple[Ids, ...]
    parents: tuple[int, ...]
    wanted: tuple[tuple[tuple[int, int], ...], ...]


def levels_of(pieces: Sequence[tuple[int, Ids]]) -> list[Level]:
    """Return the levels of (column, pieces) pairs; log p of a word is the sum over its levels (chain rule)."""
    levels: list[Level] = []
    for depth in range(max(len(ids) for _, ids in pieces)):
        wanted: dict[Ids, list[tuple[int, int]]] = {}
        for column, ids in pieces:
            if len(ids) > depth:
                wanted.setdefault(ids[:depth], []).append((column, ids[depth]))
        above = {prefix: index for index, prefix in enumerate(levels[-1].prefixes)} if levels else {}
        levels.append(
            Level(
                tuple(wanted),
                tuple(above[prefix[:-1]] for prefix in wanted) if levels else (0,),
                tuple(map(tuple, wanted.values())),
            )
        )
    return levels


def add_wanted(logp: Tensor, level: Level, logits: Tensor) -> None:
    """Add log p of the wanted pieces to the columns of their words.

    Args:
        logp: Shape (B, W), changed.
        level: K questions.
        logits: Shape (K * B, V): the rows of the first question, then those of the second, ...
    """
    rows = len(logp)
    normaliser = logits.logsumexp(dim=-1, keepdim=True)
    for index, wanted in enumerate(level.wanted):
        own = slice(index * rows, (index + 1) * rows)
        columns, tokens = zip(*wanted, strict=True)
        logp[:, list(columns)] += (logits[own][:, list(tokens)] - normaliser[own]).to(logp.device)


def single_pieces(pieces: Sequence[Ids]) -> list[int] | None:
    """Return the one piece of every word; None if a word has several."""
    return [ids[0] for ids in pieces] if all(len(ids) == 1 for ids in pieces) else None


def by_length(pieces: Sequence[Ids]) -> dict[int, list[Level]]:
    """Return the levels of the words of each number of pieces."""
    columns: dict[int, list[tuple[int, Ids]]] = {}
    for column, ids in enumerate(pieces):
        columns.setdefault(len(ids), []).append((column, ids))
    return {length: levels_of(own) for length, own in columns.items()}
