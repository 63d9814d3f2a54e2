"""Which dialect a server speaks, found by asking; and whether what it answers can be log-probabilities at all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from bvf.errors import BvfError, ScoringError
from bvf_openai_backend.client import Client, NotJsonError, Refused
from bvf_openai_backend.dialects import EXACT, Dialect, NotToldError
from bvf_openai_backend.most_probable import TOP_K, Completions
from bvf_openai_backend.rows import Row, Told
from bvf_openai_backend.served import Served
from bvf_openai_backend.server import SHAPES, check_length_read
from bvf_openai_backend.tokens import letters_of

TEXTS = ("The nurse said that", "In the end, every one of them")
ASKED = 100
ROUNDING = 1e-4
SUM_ROUNDING = 1e-3
KEPT = 16
"""Answers per text that are compared with those of a later probe."""


@dataclass(frozen=True)
class Probed:
    """What a probe found: the dialect, and what the server told."""

    dialect: Dialect
    told: tuple[Told, ...]

    @property
    def answers(self) -> dict[str, float]:
        """Log p by text and token, for comparison with another probe."""
        return {
            f"{text}/{token}": round(logp, 4)
            for text, told in enumerate(self.told)
            for token, logp in sorted(told.everything.items())[:: max(1, len(told.everything) // KEPT)]
            if np.isfinite(logp)
        }


def probe(client: Client, served: Served, tokenizer: Any) -> Probed:
    """Find out how a server can be asked.

    Raises:
        BvfError: It cannot be asked in any way; or its answers cannot be log-probabilities.
    """
    rows = _rows(tokenizer)
    for dialect in _candidates(served, tokenizer):
        told = _asked(client, dialect, rows)
        if told is not None:
            check_told(client.host, told)
            return Probed(dialect, tuple(told))
    raise BvfError(
        f"{client.host} tells no log-probabilities: it refuses to be asked for them, or ignores it",
        "start the model on a server that does: vLLM, SGLang, llama.cpp; or estimate them: -B estimate=samples",
    )


def _candidates(served: Served, tokenizer: Any) -> Iterable[Dialect]:
    """The dialects that a server may speak: first those that tell every token."""
    vocabulary = max(served.vocabulary, len(tokenizer))
    for kind in EXACT:
        if vocabulary or kind.most_rows > 1:
            yield kind(served.name, vocabulary)
    letters = cache(partial(letters_of, tokenizer))
    for top_kind in TOP_K:
        for top in top_kind.tops:
            if top_kind is Completions:
                yield Completions(served.name, vocabulary, top, letters, by_id=True)
            yield top_kind(served.name, vocabulary, top, letters)


def _rows(tokenizer: Any) -> list[Row]:
    """Two texts, and tokens from all over the vocabulary."""
    texts = [tuple(tokenizer(text)["input_ids"]) for text in TEXTS]
    spread = np.linspace(0, max(len(tokenizer), ASKED) - 1, ASKED - len(set().union(*texts))).astype(int).tolist()
    asked = tuple(sorted({*spread, *texts[0], *texts[1]}))
    return [Row(ids, asked, text) for ids, text in zip(texts, TEXTS, strict=True)]


def _asked(client: Client, dialect: Dialect, rows: Sequence[Row]) -> list[Told] | None:
    """A server's answers in a dialect; None if it does not speak the dialect."""
    told: list[Told] = []
    parcels = [rows] if dialect.most_rows > 1 else [[row] for row in rows]
    for parcel in parcels:
        try:
            answer = client.post(dialect.call(parcel))
            told += dialect.told(answer, parcel)
            read = dialect.tokens_read(answer)
        except (Refused, NotJsonError, NotToldError, *SHAPES):
            return None
        check_length_read(client.host, read, parcel, dialect)
    return told


def check_told(host: str, told: Sequence[Told]) -> None:
    """Check that answers can be log-probabilities of tokens after different texts.

    Raises:
        ScoringError: They cannot; says why.
    """
    for one in told:
        logp = np.array(list(one.everything.values()))
        if (logp == 0).all():
            raise ScoringError(
                f"{host} says that every log-probability is 0.0", "start the server without speculative decoding"
            )
        if (logp == logp[0]).all() and len(logp) > 1:
            raise ScoringError(f"{host} gives every token the log-probability {logp[0]:g}", _NO_LOGP)
        if logp.max() > ROUNDING:
            raise ScoringError(f"{host} gives a token log p = {logp.max():g}: above 0, so no probability", _NO_LOGP)
        total = float(np.exp(logp).sum())
        if total > 1 + SUM_ROUNDING:
            raise ScoringError(f"{host} tells probabilities whose sum is {total:.3g}: above 1", _NO_LOGP)
    names = [name for one in told for name in one.names]
    if names and not any(name[:1].isspace() for name in names):
        raise ScoringError(
            f'{host} names tokens without their spaces: " he" and "he" cannot be told apart',
            "a server that names tokens by their ids can be asked: vLLM, SGLang, llama.cpp, TGI",
        )
    if all(one.everything == told[0].everything for one in told[1:]):
        raise ScoringError(f"{host} tells the same of different texts: it does not read them", _NO_LOGP)


_NO_LOGP = "these are no log-probabilities of its model: look at how the server is started"
