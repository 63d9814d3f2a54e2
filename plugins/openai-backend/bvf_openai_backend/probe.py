"""Which dialect a server speaks, found by asking; and whether what it answers can be log-probabilities at all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bvf.errors import BvfError, ScoringError
from bvf_openai_backend.client import Client, NotJsonError, Refused
from bvf_openai_backend.dialects import EXACT, Dialect, NotToldError
from bvf_openai_backend.rows import Row, Told
from bvf_openai_backend.server import SHAPES, check_length_read
from bvf_openai_backend.served import Served

TEXTS = ("The nurse said that", "In the end, every one of them")
ASKED = 100
ROUNDING = 1e-4
SUM_ROUNDING = 1e-3
KEPT = 16
"""Answers per text, with which those of a later probe are compared."""


@dataclass(frozen=True)
class Probed:
    """What a probe found: the dialect, and what the server told."""

    dialect: Dialect
    told: tuple[Told, ...]

    @property
    def answers(self) -> dict[str, float]:
        """Log p by text and token, as it can be compared with another probe's."""
        return {
            f"{text}/{token}": round(logp, 4)
            for text, told in enumerate(self.told)
            for token, logp in sorted(told.logp.items())[:: max(1, len(told.logp) // KEPT)]
            if np.isfinite(logp)
        }


def probe(client: Client, served: Served, tokenizer: Any) -> Probed:
    """Find out how a server can be asked.

    Raises:
        BvfError: In no way; or it tells what cannot be log-probabilities.
    """
    rows = _rows(tokenizer)
    vocabulary = max(served.vocabulary, len(tokenizer))
    for dialect in _candidates(served, vocabulary):
        told = _asked(client, dialect, rows)
        if told is not None:
            check_told(client.host, told)
            return Probed(dialect, tuple(told))
    raise BvfError(
        f"{client.host} tells no log-probabilities: what was asked for them is refused, or passed over",
        "start the model on a server that does: vLLM, SGLang, llama.cpp; see docs/how-to/servers.md",
    )


def _candidates(served: Served, vocabulary: int) -> Iterable[Dialect]:
    for kind in EXACT:
        if vocabulary or kind.most_rows > 1:
            yield kind(served.name, vocabulary)


def _rows(tokenizer: Any) -> list[Row]:
    """Two texts, and tokens from all over the vocabulary."""
    texts = [tuple(tokenizer(text)["input_ids"]) for text in TEXTS]
    spread = np.linspace(0, max(len(tokenizer), ASKED) - 1, ASKED - len(set().union(*texts))).astype(int).tolist()
    asked = tuple(sorted({*spread, *texts[0], *texts[1]}))
    return [Row(ids, asked) for ids in texts]


def _asked(client: Client, dialect: Dialect, rows: Sequence[Row]) -> list[Told] | None:
    """What a server tells in a dialect; None if that is not its own."""
    told: list[Told] = []
    parcels = [rows] if dialect.most_rows > 1 else [[row] for row in rows]
    for own in parcels:
        try:
            answer = client.post(dialect.call(own))
            told += dialect.told(answer, own)
            read = dialect.tokens_read(answer)
        except (Refused, NotJsonError, NotToldError, *SHAPES):
            return None
        check_length_read(client.host, read, own, dialect)
    return told


def check_told(host: str, told: Sequence[Told]) -> None:
    """Check that these can be log-probabilities of tokens after different texts.

    Raises:
        ScoringError: They cannot; says why.
    """
    for one in told:
        logp = np.array(list(one.logp.values()))
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
    if all(one.logp == told[0].logp for one in told[1:]):
        raise ScoringError(f"{host} tells the same of different texts: it does not read them", _NO_LOGP)


_NO_LOGP = "these are no log-probabilities of its model: look at how the server is started"
