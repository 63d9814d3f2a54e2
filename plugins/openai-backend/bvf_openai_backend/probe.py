"""Finds a server's dialect by trying each. Refuses answers that cannot be log-probabilities."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from bvf import BvfError
from bvf.errors import ScoringError
from bvf_openai_backend.client import Client, NotJsonError, Refused
from bvf_openai_backend.dialects import EXACT, SHAPES, Dialect, MissingError, Row, RowAnswer
from bvf_openai_backend.most_probable import TOP_K, Completions
from bvf_openai_backend.server import NO_LOGP, Served, check_length_read, check_logprobs
from bvf_openai_backend.tokens import letters_of

TEXTS = ("The nurse said that", "In the end, every one of them")
ASKED = 100
KEPT = 16
"""About how many log-probabilities per text are kept to compare with a later probe."""


@dataclass(frozen=True)
class Probed:
    """The dialect (request format) that a probe of a server found, and the server's answers to the probe's rows."""

    dialect: Dialect
    row_answers: tuple[RowAnswer, ...]

    @property
    def answers(self) -> dict[str, float]:
        """Some log-probabilities of the probe, by ``TEXT/TOKEN``, to be compared with those of later probes."""
        return {
            f"{text}/{token}": round(logp, 4)
            for text, answer in enumerate(self.row_answers)
            for token, logp in sorted(answer.everything.items())[:: max(1, len(answer.everything) // KEPT)]
        }


def probe(client: Client, served: Served, tokenizer: Any) -> Probed:
    """Find out which request format (dialect) a server understands, and check its log-probabilities.

    Raises:
        BvfError: No dialect works, the values cannot be log-probabilities, or the server does not read what it is sent.
    """
    texts = [tuple(tokenizer(text)["input_ids"]) for text in TEXTS]
    spread = np.linspace(0, max(len(tokenizer), ASKED) - 1, ASKED - len(set().union(*texts))).astype(int).tolist()
    asked = tuple(sorted({*spread, *texts[0], *texts[1]}))
    rows = [Row(ids, asked, text) for ids, text in zip(texts, TEXTS, strict=True)]
    for dialect in _candidates(served, tokenizer):
        answers = _answers(client, dialect, rows)
        if answers is not None:
            _check_logprobs(client.host, answers)
            return Probed(dialect, tuple(answers))
    raise BvfError(
        f"{client.host} returns no log-probabilities: it refuses to be asked for them, or ignores it",
        "start the model on a server that does: vLLM, SGLang, llama.cpp; or estimate them: -B estimate=samples",
    )


def _candidates(served: Served, tokenizer: Any) -> Iterable[Dialect]:
    """The dialects that a server may speak. The exact ones come first."""
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


def _answers(client: Client, dialect: Dialect, rows: Sequence[Row]) -> list[RowAnswer] | None:
    """A server's answers in a dialect; None if it does not speak the dialect."""
    answers: list[RowAnswer] = []
    for parcel in [rows] if dialect.most_rows > 1 else [[row] for row in rows]:
        try:
            answer = client.post(dialect.call(parcel))
            answers += dialect.read(answer, parcel)
            tokens_read = dialect.tokens_read(answer)
        except (Refused, NotJsonError, MissingError, *SHAPES):
            return None
        check_length_read(client.host, tokens_read, parcel)
    return answers


def _check_logprobs(host: str, answers: Sequence[RowAnswer]) -> None:
    """Refuse answers that cannot be log-probabilities of tokens after different texts."""
    for answer in answers:
        logp = np.array(list(answer.everything.values()))
        if (logp == 0).all():
            raise ScoringError(
                f"{host} says that every log-probability is 0.0", "start the server without speculative decoding"
            )
        if (logp == logp[0]).all() and len(logp) > 1:
            raise ScoringError(f"{host} gives every token the log-probability {logp[0]:g}", NO_LOGP)
        check_logprobs(host, answer)
    names = [name for answer in answers for name in answer.names]
    if names and not any(name[:1].isspace() for name in names):
        raise ScoringError(
            f'{host} names tokens without their spaces: " he" and "he" look the same',
            "a server that names tokens by their ids can be asked: vLLM, SGLang, llama.cpp, TGI",
        )
    if all(answer.everything == answers[0].everything for answer in answers[1:]):
        raise ScoringError(f"{host} gives the same answer to different texts: it does not read them", NO_LOGP)
