"""A server: its report on its model, and its answers to rows in a known dialect."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bvf import BvfError
from bvf.errors import ScoringError, nearest
from bvf_openai_backend.client import Client, NotJsonError, Refused
from bvf_openai_backend.dialects import SHAPES, Dialect, MissingError, OddError, Row, RowAnswer, count_of

_ADDRESS = "name the address of its API: -B base_url=http://HOST:PORT/v1"
NO_LOGP = "these are not log-probabilities of its model: look at how the server is started"
ROUNDING = 1e-4
SUM_ROUNDING = 1e-3
MOST_STORED = 200
"""The most characters of a server's text on its version or its model that a run stores."""
_TOKENIZER = "name the tokenizer that the model has: -B tokenizer="


@dataclass(frozen=True)
class Served:
    """A model on a server."""

    name: str  # what the server calls it
    root: str = ""  # the folder or hub id that the server loaded it from; empty if unknown
    longest: int = 0  # the most tokens of a text; 0 if unknown
    vocabulary: int = 0  # size of the vocabulary; 0 if unknown


def served_model(client: Client, name: str) -> Served:
    """Return what a server reports about a model: only its name if it lists no models. Refuses an unlisted model."""
    try:
        models = {str(each["id"]): dict(each) for each in client.get("/v1/models")["data"]}
    except Refused as error:
        if error.status != 404:
            raise BvfError(f"{client.host} does not list its models: {error}", _ADDRESS) from None
        return Served(name)
    except NotJsonError as error:
        raise BvfError(
            f"{client.host} is not a server of models: /v1/models is not a list: {error}", _ADDRESS
        ) from None
    except SHAPES:
        raise BvfError(
            f"{client.host} is not a server of models: /v1/models is not a list of models", _ADDRESS
        ) from None
    if name not in models:
        problem = f'{client.host} has no model "{name}"' if name else f"no model of {client.host} is named"
        raise BvfError(problem, _like(name, sorted(client.masked(each)[:MOST_STORED] for each in models)))
    listed = models[name]
    meta = listed.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    return Served(
        name,
        _source(client, listed.get("root")),
        count_of(listed.get("max_model_len")) or count_of(meta.get("n_ctx")) or 0,
        count_of(meta.get("n_vocab")) or 0,
    )


def _source(client: Client, value: Any) -> str:
    """A text of the server that is stored with a run. It is empty if the server gives no text."""
    return client.masked(value)[:MOST_STORED] if isinstance(value, str) else ""


def _like(name: str, models: list[str]) -> str:
    """The hint for a model that a server does not have."""
    if not models:
        return "it has none"
    shown = ", ".join(models[:8]) + (", ..." if len(models) > 8 else "")
    close = nearest(name, models) if name else ""
    return f"{close} It has {shown}" if close.startswith("did") else f"it has {shown}: --model openai:{models[0]}"


def text_at(client: Client, path: str, key: str) -> str:
    """Return the value of a key in the JSON at a path, such as the server's version; empty if there is none."""
    try:
        return _source(client, client.get(path).get(key))
    except (Refused, NotJsonError, AttributeError):
        return ""


@dataclass(frozen=True)
class Server:
    """A model on a server, reached by a client in a dialect (the format of the server's requests)."""

    client: Client
    dialect: Dialect
    echo: Dialect | None = None
    """The format of requests for log p of a text's own tokens, if the server answers them rightly."""

    @property
    def most_rows(self) -> int:
        """The most rows in one request."""
        return min(self.client.options.rows, self.dialect.most_rows)

    def ask(self, rows: Sequence[Row]) -> dict[Row, RowAnswer]:
        """Return the server's answer to each row (a text and tokens to score after it).

        Equal rows are sent once, and in a dialect with brief answers again if an answer lacks a token.
        """
        brief, left = self.dialect.brief, set(rows)
        answers = {} if brief is None else self._asked(brief, left)
        return answers | self._asked(self.dialect, left - answers.keys())

    def _asked(self, dialect: Dialect, rows: Collection[Row]) -> dict[Row, RowAnswer]:
        """The answers in a dialect of the server. Of a brief one, those that lack no token."""
        parcels = parcels_of(rows, self.most_rows, dialect.most_ids)
        answers = self.client.post_all([dialect.call(parcel) for parcel in parcels], counted=True)
        row_answers: dict[Row, RowAnswer] = {}
        for parcel, answer in zip(parcels, answers, strict=True):
            try:
                row_answers.update(zip(parcel, self._read(dialect, answer, parcel), strict=True))
            except MissingError as error:
                if dialect is self.dialect:
                    raise ScoringError(f"{self.client.host} does not return what it is asked for: {error}") from None
        return row_answers

    def _read(self, dialect: Dialect, answer: Any, rows: Sequence[Row]) -> list[RowAnswer]:
        host = self.client.host
        try:
            row_answers = dialect.read(answer, rows)
            tokens_read = dialect.tokens_read(answer)
        except SHAPES as error:
            raise changed_shape(host, error) from None
        for each in row_answers:
            check_logprobs(host, each)
        check_length_read(host, tokens_read, rows)
        return row_answers


def parcels_of(rows: Iterable[Row], most_rows: int, most_ids: int) -> list[tuple[Row, ...]]:
    """Split rows into requests of so many rows and ids; those with one prefix follow each other, for its cache."""
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
    """Check that a server read as many tokens as it was sent. Some servers add a second token at the start."""
    sent = sum(len(row.ids) for row in rows)
    if read is None or read == sent:
        return
    if read == sent + len(rows):
        raise BvfError(
            f"{host} puts a token before every text ({read} tokens read, {sent} sent): a text would begin twice",
            f"start the server so that it adds none to ids, or {_TOKENIZER}",
        )
    raise BvfError(f"{host} read {read} tokens where {sent} were sent", _TOKENIZER)


def check_logprobs(host: str, answer: RowAnswer) -> None:
    """Refuse numbers that cannot be log-probabilities of different tokens after one text."""
    values = list(answer.everything.values())
    echoed = [value for value in answer.echoed if not math.isnan(value)]
    if odd := [value for value in (*values, *echoed) if not math.isfinite(value) or value > ROUNDING]:
        why = "above 0" if odd[0] > 0 else "no finite number"
        raise ScoringError(f"{host} gives a token log p = {odd[0]:g}: {why}, so not a probability", NO_LOGP)
    total = math.fsum(map(math.exp, values))
    if total > 1 + SUM_ROUNDING:
        raise ScoringError(f"{host} returns probabilities whose sum is {total:.3g}: above 1", NO_LOGP)


def changed_shape(host: str, error: Exception) -> ScoringError:
    """Return the error for an answer whose structure differs from answers to the probe."""
    what = {OddError: f": {error}", KeyError: f": it has no {error}"}.get(type(error), "")
    return ScoringError(f"{host} answers in another shape than before{what}")
