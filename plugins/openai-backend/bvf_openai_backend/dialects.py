"""How to ask servers that tell the log-probability of every token named in the request, one class each.

A dialect is two pure functions: from rows to a request, and from the answer to what it tells of each row. An answer
that lacks what was asked raises `NotToldError`: this shows that a server ignores a parameter.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from bvf_openai_backend.client import Call
from bvf_openai_backend.rows import WHOLE, Row, Told, all_asked


class NotToldError(Exception):
    """An answer lacks what was asked; says what."""


@dataclass(frozen=True)
class Dialect(ABC):
    """How a kind of server is asked.

    Args:
        model: What the server calls the model.
        vocabulary: How many tokens there are, as far as is known.

    ``exact`` says that the server tells every token it is asked for; ``most_rows`` and ``most_ids`` bound a request;
    ``version_at`` is where the server says which it is: a path, and a key of what lies there.
    """

    model: str
    vocabulary: int = 0

    name: ClassVar[str]
    exact: ClassVar[bool] = True
    most_rows: ClassVar[int] = 1_000_000
    most_ids: ClassVar[float] = WHOLE
    reads_ids: ClassVar[bool] = True
    is_chat: ClassVar[bool] = False
    version_at: ClassVar[tuple[str, str]] = ("/version", "version")

    @abstractmethod
    def call(self, rows: Sequence[Row]) -> Call:
        """Return the request that asks some rows."""

    @abstractmethod
    def told(self, answer: Any, rows: Sequence[Row]) -> list[Told]:
        """Return what an answer tells of the rows.

        Raises:
            NotToldError: It lacks something that was asked.
            LookupError, TypeError, ValueError, AttributeError: It has another shape.
        """

    @abstractmethod
    def tokens_read(self, answer: Any) -> int | None:
        """Return how many tokens of text the server read for an answer, or None if it does not say."""


class Vllm(Dialect):
    """vLLM: ``logprob_token_ids``, at most 128 of them for all texts of a request."""

    name = "vLLM"
    most_ids = 128

    def call(self, rows: Sequence[Row]) -> Call:
        return Call(
            "/v1/completions",
            {
                "model": self.model,
                "prompt": [list(row.ids) for row in rows],
                "max_tokens": 1,
                "temperature": 0,
                "logprobs": 1,
                "logprob_token_ids": all_asked(rows),
                "return_tokens_as_token_ids": True,
            },
        )

    def told(self, answer: Any, rows: Sequence[Row]) -> list[Told]:
        return [
            _named(row, lambda token, top=choice["logprobs"]["top_logprobs"][0]: top[f"token_id:{token}"])
            for row, choice in zip(rows, choices_in_order(answer), strict=True)
        ]

    def tokens_read(self, answer: Any) -> int | None:
        return prompt_tokens(answer)


class Sglang(Dialect):
    """SGLang: ``token_ids_logprob``, a list per text."""

    name = "SGLang"
    version_at = ("/get_server_info", "version")

    def call(self, rows: Sequence[Row]) -> Call:
        return Call(
            "/generate",
            {
                "input_ids": [list(row.ids) for row in rows],
                "sampling_params": {"max_new_tokens": 1, "temperature": 0},
                "return_logprob": True,
                "token_ids_logprob": [list(row.asked) for row in rows],
                "logprob_start_len": -1,
            },
        )

    def told(self, answer: Any, rows: Sequence[Row]) -> list[Told]:
        told = []
        for row, one in zip(rows, answer, strict=True):
            values = {int(each[1]): each[0] for each in one["meta_info"]["output_token_ids_logprobs"][0]}
            told.append(_named(row, values.__getitem__))
        return told

    def tokens_read(self, answer: Any) -> int | None:
        counts = [one["meta_info"].get("prompt_tokens") for one in answer]
        return sum(counts) if all(isinstance(count, int) for count in counts) else None


class LlamaCpp(Dialect):
    """The server of llama.cpp: it names no tokens, but tells as many as there are."""

    name = "llama.cpp"
    most_rows = 1
    version_at = ("/props", "build_info")

    def call(self, rows: Sequence[Row]) -> Call:
        body = {
            "prompt": list(rows[0].ids),
            "n_predict": 1,
            "n_probs": self.vocabulary,
            "temperature": 0,
            "cache_prompt": True,
        }
        return Call("/completion", body)

    def told(self, answer: Any, rows: Sequence[Row]) -> list[Told]:
        values = {int(one["id"]): one["logprob"] for one in answer["completion_probabilities"][0]["top_logprobs"]}
        return [_named(rows[0], values.__getitem__)]

    def tokens_read(self, answer: Any) -> int | None:
        read = answer.get("tokens_evaluated")
        return read if isinstance(read, int) else None


EXACT: tuple[type[Dialect], ...] = (Vllm, Sglang, LlamaCpp)


def choices_in_order(answer: Any) -> Iterator[Any]:
    """Yield the choices of an OpenAI answer by their index."""
    yield from sorted(answer["choices"], key=lambda choice: int(choice["index"]))


def prompt_tokens(answer: Any) -> int | None:
    """Return how many tokens an OpenAI answer says it read."""
    read = (answer.get("usage") or {}).get("prompt_tokens")
    return read if isinstance(read, int) else None


def _named(row: Row, value_of: Any) -> Told:
    logp: Mapping[int, float] = {}
    try:
        logp = {token: float(value_of(token)) for token in row.asked}
    except KeyError as error:
        raise NotToldError(f"nothing of {error.args[0]}") from None
    if any(map(math.isnan, logp.values())):
        raise NotToldError("NaN")
    return Told(logp)
