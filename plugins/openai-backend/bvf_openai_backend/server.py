"""A server with a known dialect: takes rows, and returns its answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from bvf.errors import BvfError, ScoringError
from bvf_openai_backend.client import Client
from bvf_openai_backend.dialects import Dialect, NotToldError
from bvf_openai_backend.rows import Row, Told, parcels_of

SHAPES = (LookupError, TypeError, ValueError, AttributeError)
"""Errors from reading an answer of another shape."""


@dataclass(frozen=True)
class Server:
    """A model on a server, and how it is asked."""

    client: Client
    dialect: Dialect

    def parcels(self, rows: Sequence[Row]) -> list[tuple[Row, ...]]:
        """Return the rows of each request that asks some rows."""
        most = min(self.client.options.rows, self.dialect.most_rows)
        return parcels_of(set(rows), most, self.dialect.most_ids)

    def ask(self, rows: Sequence[Row]) -> dict[Row, Told]:
        """Return what the server tells of rows, each of which is asked once.

        Raises:
            ScoringError: It tells something else than it was asked.
            BvfError: It refuses, or answers no more.
        """
        parcels = self.parcels(rows)
        answers = self.client.post_all([self.dialect.call(parcel) for parcel in parcels], counted=True)
        told: dict[Row, Told] = {}
        for parcel, answer in zip(parcels, answers, strict=True):
            told.update(zip(parcel, self._told(answer, parcel), strict=True))
        return told

    def _told(self, answer: object, rows: Sequence[Row]) -> list[Told]:
        try:
            told = self.dialect.told(answer, rows)
            read = self.dialect.tokens_read(answer)
        except NotToldError as error:
            raise ScoringError(f"{self.client.host} does not tell what it is asked: {error}") from None
        except SHAPES as error:
            said = f"{type(error).__name__} {error}"
            raise ScoringError(f"{self.client.host} answers in another shape than before: {said}") from None
        check_length_read(self.client.host, read, rows, self.dialect)
        return told


def check_length_read(host: str, read: int | None, rows: Sequence[Row], dialect: Dialect) -> None:
    """Check that a server read the tokens that it was sent, without a second token that begins a text.

    Raises:
        BvfError: It read more, or fewer.
    """
    sent = sum(len(row.ids) for row in rows)
    if read is None or read == sent or dialect.is_chat:
        return
    if read == sent + len(rows):
        raise BvfError(
            f"{host} puts a token before every text ({read} tokens read, {sent} sent): a text would begin twice",
            "start the server so that it adds none to ids, or name the tokenizer that the model has: -B tokenizer=",
        )
    raise BvfError(
        f"{host} read {read} tokens where {sent} were sent", "name the tokenizer that the model has: -B tokenizer="
    )
