"""Questions to a server, and its answers."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bvf_transformers.tokens.word_tree import Ids

from bvf_openai_backend.client import Call

WHOLE = math.inf


@dataclass(frozen=True)
class Row:
    """One question: which token comes next?

    Args:
        ids: Token ids of the text, with those that begin one.
        asked: Ids whose log p is wanted.
        text: The same text in letters, for servers that read no ids; None: letters would become other ids.
    """

    ids: Ids
    asked: Ids
    text: str | None = None


@dataclass(frozen=True)
class Told:
    """What a server tells of one row.

    Args:
        logp: Natural logarithms by token id, of those that were asked.
        most_untold: The largest p that a token can have if it was asked for but not told.
        doubtful: By token id, the largest p that such a token can have because a told token has a name that may be
            its own.
        values: Log p of everything that was told, asked or not, the most probable first, where that is all there is.
        names: How the server named those tokens, where it did so by their letters.
    """

    logp: Mapping[int, float]
    most_untold: float = 0.0
    doubtful: Mapping[int, float] = field(default_factory=dict)
    values: tuple[float, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def everything(self) -> dict[int, float]:
        """Log p of all that was told: by token id, or by rank where tokens were not named."""
        return dict(enumerate(self.values)) if self.values else dict(self.logp)


@dataclass(frozen=True)
class Parcel:
    """One request, and the rows that it asks."""

    call: Call
    rows: tuple[Row, ...]


def parcels_of(rows: Iterable[Row], most_rows: int, most_ids: float) -> list[tuple[Row, ...]]:
    """Return rows in parcels, those that ask the same together, in the order of their texts.

    Texts that begin alike follow one another, so that a server's prefix cache reads their beginning once.

    Args:
        rows: Any number.
        most_rows: The most rows in a parcel.
        most_ids: The most different ids in a parcel.
    """
    parcels: list[tuple[Row, ...]] = []
    parcel: list[Row] = []
    asked: set[int] = set()
    for row in sorted(rows, key=lambda row: (row.asked, row.ids)):
        if parcel and (len(parcel) == most_rows or len(asked.union(row.asked)) > most_ids):
            parcels.append(tuple(parcel))
            parcel, asked = [], set()
        parcel.append(row)
        asked.update(row.asked)
    return [*parcels, tuple(parcel)] if parcel else parcels


def all_asked(rows: Sequence[Row]) -> list[int]:
    """Return every id that some rows ask, once, in order."""
    return sorted({token for row in rows for token in row.asked})
