"""A server: what it says about its model, and its answers to rows in a known dialect."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bvf.errors import BvfError, ScoringError, nearest
from bvf_openai_backend.client import Client, NotJsonError, Refused
from bvf_openai_backend.dialects import SHAPES, Dialect, MissingError, Row, RowAnswer

_ADDRESS = "name the address of its API: -B base_url=http://HOST:PORT/v1"
_TOKENIZER = "name the tokenizer that the model has: -B tokenizer="


@dataclass(frozen=True)
class Served:
    """A model on a server.

    Args:
        name: What the server calls it.
        root: The folder or hub id that the server has it from; empty if it does not say.
        longest: How many tokens a text may have; 0 if it does not say.
        vocabulary: How many tokens there are; 0 if it does not say.
    """

    name: str
    root: str = ""
    longest: int = 0
    vocabulary: int = 0


def served_model(client: Client, name: str) -> Served:
    """Return what a server says about a model; refuse a server that has no such model or does not list its models."""
    try:
        models = {str(each["id"]): each for each in client.get("/v1/models")["data"]}
    except Refused as error:
        if error.status != 404:
            raise BvfError(f"{client.host} does not list its models: {error}", _ADDRESS) from None
        return Served(name)
    except (NotJsonError, LookupError, TypeError) as error:
        raise BvfError(f"{client.host} is not a server of models: /v1/models is no list: {error}", _ADDRESS) from None
    if name not in models:
        problem = f'{client.host} has no model "{name}"' if name else f"no model of {client.host} is named"
        raise BvfError(problem, _like(name, sorted(models)))
    listed = models[name]
    meta = listed.get("meta") or {}
    return Served(
        name,
        str(listed.get("root") or ""),
        _number(listed.get("max_model_len") or meta.get("n_ctx")),
        _number(meta.get("n_vocab")),
    )


def _like(name: str, models: list[str]) -> str:
    """The hint for a model that a server does not have."""
    if not models:
        return "it has none"
    shown = ", ".join(models[:8]) + (", ..." if len(models) > 8 else "")
    close = nearest(name, models) if name else ""
    return f"{close} It has {shown}" if close.startswith("did") else f"it has {shown}: --model openai:{models[0]}"


def _number(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def text_at(client: Client, path: str, key: str) -> str:
    """Return a text from a path of a server, such as its version; empty if there is none."""
    try:
        return str(client.get(path).get(key) or "")
    except (Refused, NotJsonError, AttributeError):
        return ""


@dataclass(frozen=True)
class Server:
    """A model on a server, and how it is asked."""

    client: Client
    dialect: Dialect

    @property
    def most_rows(self) -> int:
        """The most rows in one request."""
        return min(self.client.options.rows, self.dialect.most_rows)

    def ask(self, rows: Sequence[Row]) -> dict[Row, RowAnswer]:
        """Return the server's answers to rows, each of which is asked once."""
        parcels = parcels_of(set(rows), self.most_rows, self.dialect.most_ids)
        answers = self.client.post_all([self.dialect.call(parcel) for parcel in parcels], counted=True)
        row_answers: dict[Row, RowAnswer] = {}
        for parcel, answer in zip(parcels, answers, strict=True):
            row_answers.update(zip(parcel, self._read(answer, parcel), strict=True))
        return row_answers

    def _read(self, answer: Any, rows: Sequence[Row]) -> list[RowAnswer]:
        host = self.client.host
        try:
            row_answers = self.dialect.read(answer, rows)
            tokens_read = self.dialect.tokens_read(answer)
        except MissingError as error:
            raise ScoringError(f"{host} does not return what it is asked for: {error}") from None
        except SHAPES as error:
            raise changed_shape(host, error) from None
        check_length_read(host, tokens_read, rows)
        return row_answers


def parcels_of(rows: Iterable[Row], most_rows: int, most_ids: int) -> list[tuple[Row, ...]]:
    """Return rows in parcels with limited numbers of rows and of different ids, those that ask the same together.

    Texts that begin alike follow one another, so that a server's prefix cache reads their beginning once.
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


def check_length_read(host: str, read: int | None, rows: Sequence[Row]) -> None:
    """Check that a server read the tokens that it was sent, without a second token that begins a text."""
    sent = sum(len(row.ids) for row in rows)
    if read is None or read == sent:
        return
    if read == sent + len(rows):
        raise BvfError(
            f"{host} puts a token before every text ({read} tokens read, {sent} sent): a text would begin twice",
            f"start the server so that it adds none to ids, or {_TOKENIZER}",
        )
    raise BvfError(f"{host} read {read} tokens where {sent} were sent", _TOKENIZER)


def changed_shape(host: str, error: Exception) -> ScoringError:
    """Return the error for an answer of another shape than the probe's."""
    return ScoringError(f"{host} answers in another shape than before: {type(error).__name__} {error}")
