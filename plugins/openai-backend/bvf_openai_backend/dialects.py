"""Request formats of servers that return log p of every token named in a request, one class each.

A dialect is two pure functions: from rows to a request, and from the server's answer to log p in each row. An
answer that lacks a log-probability raises `MissingError`: this shows that a server ignores a parameter.
"""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from bvf_transformers.tokens.word_tree import Ids

from bvf_openai_backend.client import Call
from bvf_openai_backend.transport import BYTES_OF_A_TOKEN

ID = "token_id:"
"""The prefix of a token id in the answers of vLLM."""
SHAPES = (LookupError, TypeError, ValueError, AttributeError, OverflowError)
"""Errors that reading an answer of unexpected structure raises."""


class MissingError(Exception):
    """An answer lacks a requested log-probability. The message names the token."""


class OddError(ValueError):
    """A part of an answer is not what it can be. The message says what is odd, without the server's own text."""


@dataclass(frozen=True)
class Row:
    """One question to a server: log p of some tokens as the next one after a text."""

    ids: Ids  # token ids of the text, including the special tokens that begin it
    asked: Ids = ()  # Ids of the tokens whose log p is requested
    text: str | None = None  # the same text as a string, for servers that take no ids; None for servers that do
    # number of the most probable tokens that are requested where none is named, of an exact dialect. It may
    # return fewer
    top: int = 0
    before: str = ""  # what was said before the text, for servers that write the chat: messages as JSON


@dataclass(frozen=True)
class RowAnswer:
    """The log-probabilities, or bounds on them, in a server's answer to one `Row`."""

    # natural log-probabilities by id, of the requested tokens that the server listed; where none is named,
    # those of the most probable ones, in their order
    logp: Mapping[int, float]
    most_unlisted: float = 0.0  # upper bound on p of a requested token that is not listed
    # by id, an upper bound on p of an unlisted token to which a listed string may belong
    doubtful: Mapping[int, float] = field(default_factory=dict)
    # log p of all listed tokens, the most probable first, from a server that lists only those
    listed: tuple[float, ...] = ()
    names: tuple[str, ...] = ()  # the strings of those tokens, if the server names tokens by string, not by id
    # of an echo, log p of each token of the text itself after those before it; NaN where the server gives none
    echoed: tuple[float, ...] = ()

    @property
    def everything(self) -> dict[int, float]:
        """Every log p in the answer, by token id. If the server lists the most probable tokens, by rank."""
        return dict(enumerate(self.listed)) if self.listed else dict(self.logp)


@dataclass(frozen=True)
class Draw:
    """How one text is drawn, token by token, from the whole distribution."""

    tokens: int  # the most tokens of the text
    temperature: float  # 1: tokens are drawn as probable as the model says
    seed: int  # the seed of the random numbers, of 31 bits
    mark: str  # the text ends where the model writes this mark, which is not part of it
    mark_id: int | None  # the token id of the mark; None: it is no single token


class Continuing(ABC):
    """A dialect in which a server draws a text after token ids, and says why the text ended."""

    @abstractmethod
    def text_call(self, ids: Ids, draw: Draw) -> Call:
        """Return the request for one text after these ids."""

    @abstractmethod
    def text_in(self, answer: Any, draw: Draw) -> tuple[str, bool]:
        """Return the text in an answer, and whether the mark ended it. Raises one of `SHAPES` if it is malformed."""


@dataclass(frozen=True)
class Dialect(ABC):
    """The request format of a kind of server.

    ``exact``: the server returns log p of any token that a request names; ``most_rows`` and ``most_ids`` are the most
    rows and token ids per request; ``version_at`` is the path and JSON key of the server's version.
    """

    model: str  # what the server calls the model
    vocabulary: int = 0  # size of the vocabulary; 0 if unknown

    name: ClassVar[str]
    exact: ClassVar[bool] = True
    most_rows: ClassVar[int] = 1_000_000
    most_ids: ClassVar[int] = 1_000_000
    reads_ids: ClassVar[bool] = True
    is_chat: ClassVar[bool] = False
    version_at: ClassVar[tuple[str, str]] = ("/version", "version")

    @abstractmethod
    def call(self, rows: Sequence[Row]) -> Call:
        """Return the request for some rows."""

    @abstractmethod
    def read(self, answer: Any, rows: Sequence[Row]) -> list[RowAnswer]:
        """Return log p by row. Raises `MissingError`, or one of `SHAPES` if the answer is malformed."""

    def tokens_read(self, answer: Any) -> int | None:
        """Return how many prompt tokens the server reports for an answer; None if it reports none."""
        return None

    @property
    def brief(self) -> "Dialect | None":
        """The same dialect with shorter answers, which may lack requested tokens; None if there is none."""
        return None


class Vllm(Dialect, Continuing):
    """vLLM: ``logprob_token_ids`` names the tokens, at most 128 for all texts of a request."""

    name = "vLLM"
    most_ids = 128
    most_top: ClassVar[int] = 20
    """The most tokens that a server lists by default (`--max-logprobs`)."""

    def call(self, rows: Sequence[Row]) -> Call:
        named = sorted({token for row in rows for token in row.asked})
        top = min(self.most_top, max(row.top for row in rows))
        body = {
            "model": self.model,
            "prompt": [list(row.ids) for row in rows],
            "max_tokens": 1,
            "temperature": 0,
            "return_tokens_as_token_ids": True,
        }
        wanted = {"logprobs": 1, "logprob_token_ids": named} if named else {"logprobs": top}
        return Call("/v1/completions", {**body, **wanted}, len(rows) * (len(named) + top))

    def read(self, answer: Any, rows: Sequence[Row]) -> list[RowAnswer]:
        answers = []
        for row, choice in zip(rows, choices_in_order(answer), strict=True):
            top = choice["logprobs"]["top_logprobs"][0]
            logp = {int(name.removeprefix(ID)): value for name, value in top.items() if name.startswith(ID)}
            answers.append(_exact(row, logp))
        return answers

    def tokens_read(self, answer: Any) -> int | None:
        return prompt_tokens(answer)

    def text_call(self, ids: Ids, draw: Draw) -> Call:
        body = {
            "model": self.model,
            "prompt": [list(ids)],
            "max_tokens": draw.tokens,
            "temperature": draw.temperature,
            "seed": draw.seed,
            "stop": [draw.mark],
            "stop_token_ids": [] if draw.mark_id is None else [draw.mark_id],
        }
        return Call("/v1/completions", {**body, "top_p": 1, "top_k": -1, "min_p": 0, "repetition_penalty": 1})

    def text_in(self, answer: Any, draw: Draw) -> tuple[str, bool]:
        (choice,) = choices_in_order(answer)
        reason = choice.get("stop_reason")
        return string_of(choice["text"], draw.tokens), reason is not None and reason in (draw.mark, draw.mark_id)


class Sglang(Dialect):
    """SGLang: ``token_ids_logprob`` names the tokens, in a list per text."""

    name = "SGLang"
    version_at = ("/get_server_info", "version")

    def call(self, rows: Sequence[Row]) -> Call:
        named, top = [list(row.asked) for row in rows], max(row.top for row in rows)
        body = {
            "input_ids": [list(row.ids) for row in rows],
            "sampling_params": {"max_new_tokens": 1, "temperature": 0},
            "return_logprob": True,
            "logprob_start_len": -1,
            **({"token_ids_logprob": named} if any(named) else {"top_logprobs_num": top}),
        }
        return Call("/generate", body, sum(map(len, named)) + len(rows) * top)

    def read(self, answer: Any, rows: Sequence[Row]) -> list[RowAnswer]:
        answers = []
        for row, one in zip(rows, answer, strict=True):
            listed = "output_token_ids_logprobs" if row.asked else "output_top_logprobs"
            logp = {token_id(each[1]): each[0] for each in one["meta_info"][listed][0]}
            answers.append(_exact(row, logp))
        return answers

    def tokens_read(self, answer: Any) -> int | None:
        counts = [one["meta_info"].get("prompt_tokens") for one in answer]
        return sum(counts) if all(count_of(count) is not None for count in counts) else None


class LlamaCpp(Dialect, Continuing):
    """llama.cpp's server. A request cannot name tokens, but gets log p of the whole vocabulary, in some 100 bytes each.

    ``few``: that many of the most probable tokens are requested first, and all only where a requested one is missing.
    """

    name = "llama.cpp"
    few: ClassVar[int] = 1000
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
        return Call("/completion", body, self.vocabulary)

    def read(self, answer: Any, rows: Sequence[Row]) -> list[RowAnswer]:
        logp = {token_id(one["id"]): one["logprob"] for one in answer["completion_probabilities"][0]["top_logprobs"]}
        return [_exact(rows[0], logp)]

    def tokens_read(self, answer: Any) -> int | None:
        return count_of(answer.get("tokens_evaluated"))

    @property
    def brief(self) -> Dialect | None:
        return replace(self, vocabulary=self.few) if self.vocabulary > self.few else None

    def text_call(self, ids: Ids, draw: Draw) -> Call:
        body = {
            "prompt": list(ids),
            "n_predict": draw.tokens,
            "samplers": ["temperature"],
            "temperature": draw.temperature,
            "seed": draw.seed,
            "stop": [draw.mark],
            "preserved_tokens": [draw.mark],
            "cache_prompt": True,
        }
        return Call("/completion", body)

    def text_in(self, answer: Any, draw: Draw) -> tuple[str, bool]:
        return string_of(answer["content"], draw.tokens), answer["stop_type"] == "word"


EXACT: tuple[type[Dialect], ...] = (Vllm, Sglang, LlamaCpp)


def choices_in_order(answer: Any) -> list[Any]:
    """Return the choices in OpenAI's format by index, 0 to n - 1; one may have none. Raises `OddError` else."""
    choices: list[Any] = answer["choices"]
    indices = [choice.get("index") for choice in choices]
    if indices == [None]:
        return choices
    if any(type(index) is not int for index in indices) or sorted(indices) != list(range(len(indices))):
        raise OddError(f"the indices of its {len(indices)} choices are not 0 to {len(indices) - 1}, each once")
    return sorted(choices, key=lambda choice: int(choice["index"]))


def chat_messages(before: str, text: str | None) -> list[dict[str, str | None]]:
    """Return the messages of a chat: those that were said before, as JSON, and a text as the user's."""
    return [*json.loads(before or "[]"), {"role": "user", "content": text}]


def prompt_tokens(answer: Any) -> int | None:
    """Return the number of prompt tokens that an answer in OpenAI's format reports; None if it reports none."""
    return count_of((answer.get("usage") or {}).get("prompt_tokens"))


def count_of(value: Any) -> int | None:
    """Return a value if it is a count, 0 or more. Otherwise it is None."""
    return value if type(value) is int and value >= 0 else None


def token_id(value: Any) -> int:
    """Return a token id. Raises `OddError` if a server gives anything else as one."""
    if (token := count_of(value)) is None:
        raise OddError("the id of a token is not a whole number")
    return token


def string_of(value: Any, tokens: int) -> str:
    """Return a text of so many tokens at most. Raises `OddError` for anything else."""
    if not isinstance(value, str) or len(value) > BYTES_OF_A_TOKEN * tokens:
        raise OddError(f"a continuation is not a text of {tokens} tokens or less")
    return value


def number_of(value: Any) -> float:
    """Return a number. Raises `OddError` for anything else, such as true or a text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise OddError("a log-probability is not a number")
    return float(value)


def _exact(row: Row, listed: Mapping[int, Any]) -> RowAnswer:
    wanted = row.asked or sorted(listed, key=lambda token: -number_of(listed[token]))[: row.top]
    try:
        logp = {token: number_of(listed[token]) for token in wanted}
    except KeyError as error:
        raise MissingError(f"nothing of {error.args[0]}") from None
    if any(map(math.isnan, logp.values())):
        raise MissingError("NaN")
    return RowAnswer(logp)
