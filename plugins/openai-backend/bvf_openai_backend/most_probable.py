"""Servers that list only the most probable tokens: formats of requests, and bounds of probabilities (Eq. 8).

The temperature is 1, since some servers return probabilities after applying it.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from bvf_openai_backend.bounds import most_unlisted
from bvf_openai_backend.client import Call
from bvf_openai_backend.dialects import (
    ID,
    Dialect,
    MissingError,
    Row,
    RowAnswer,
    chat_messages,
    choices_in_order,
    number_of,
    prompt_tokens,
    token_id,
)


@dataclass(frozen=True)
class TopK(Dialect):
    """A server that lists the k most probable tokens."""

    top: int = 20  # k
    # returns a token's string, for servers that identify tokens by strings; None if unknown or incomplete
    letters: Callable[[int], str | None] = field(default=lambda _: None, compare=False, repr=False)
    spaced: bool = True  # whether strings are sure to have the space that begins a token

    exact: ClassVar[bool] = False
    tops: ClassVar[tuple[int, ...]] = (20, 5)
    """Values of k to try with servers of this kind, the largest first."""

    def row_answer(self, row: Row, tokens: Iterable[tuple[str | int, float]]) -> RowAnswer:
        """Turn the server's top-k tokens (as ids or strings) and their log p into the `RowAnswer` for one question."""
        listed = [(name, number_of(logp)) for name, logp in tokens]
        if len(listed) < 2 or any(math.isnan(logp) for _, logp in listed):
            raise MissingError("fewer than two tokens")
        logps_of: dict[str | int | None, list[float]] = {}
        for name, value in listed:
            logps_of.setdefault(name, []).append(value)
        by_id = all(isinstance(name, int) for name in logps_of)
        logp, doubtful = {}, {}
        for token in row.asked:
            letters = None if by_id else self.letters(token)
            logps = logps_of.get(token if by_id else letters, []) if by_id or self.spaced else []
            if len(logps) == 1:
                logp[token] = logps[0]
            elif not by_id and (p := sum(map(math.exp, logps)) if logps else _may_be(letters, logps_of)):
                doubtful[token] = p
        return RowAnswer(
            logp,
            most_unlisted([math.exp(min(value, 0.0)) for _, value in listed]),
            doubtful,
            listed=tuple(sorted((value for _, value in listed), reverse=True)),
            names=() if by_id else tuple(map(str, logps_of)),
        )


def _may_be(letters: str | None, logps_of: Mapping[str | int | None, Sequence[float]]) -> float:
    """Summed p of listed strings that may be a token: equal up to spaces.

    For a token that is blank or unknown, those that are blank or not ASCII.
    """
    bare = "" if letters is None else letters.strip()
    return sum(
        math.exp(logp)
        for name, logps in logps_of.items()
        for logp in logps
        if (str(name).strip() == bare if bare else not str(name).isascii() or not str(name).strip())
    )


@dataclass(frozen=True)
class Completions(TopK):
    """The completions API of OpenAI and many compatible servers. Texts are sent as token ids."""

    by_id: bool = False
    """Whether the server is asked to name tokens by id, as vLLM and some others can."""
    echo: bool = False
    """Whether log p of the tokens of a text itself is asked for, instead of those of the most probable next ones."""

    name: ClassVar[str] = "completions"
    tops: ClassVar[tuple[int, ...]] = (1000, 100, 20, 5)

    def call(self, rows: Sequence[Row]) -> Call:
        body = {
            "model": self.model,
            "prompt": [list(row.ids) for row in rows],
            "max_tokens": 1,  # some servers take 0 for any number
            "temperature": 1,
            **({"logprobs": 1, "echo": True} if self.echo else {"logprobs": self.top}),
            **({"return_tokens_as_token_ids": True} if self.by_id else {}),
        }
        return Call("/v1/completions", body, sum(len(row.ids) + self.top for row in rows))

    def read(self, answer: Any, rows: Sequence[Row]) -> list[RowAnswer]:
        answers = []
        for row, choice in zip(rows, choices_in_order(answer), strict=True):
            if self.echo:
                answers.append(self._echoed(row, choice["logprobs"]["tokens"], choice["logprobs"]["token_logprobs"]))
                continue
            top = choice["logprobs"]["top_logprobs"][0]
            tokens = [(int(name.removeprefix(ID)) if name.startswith(ID) else name, logp) for name, logp in top.items()]
            answers.append(self.row_answer(row, tokens))
        return answers

    def _echoed(self, row: Row, names: Sequence[Any], logps: Sequence[Any]) -> RowAnswer:
        """The log p of the tokens of a text, of which a server may leave out the special one that begins it."""
        for left_out in (0, 1):
            ids = row.ids[left_out:]
            if len(logps) >= len(ids) <= len(names) and all(map(self._is_named, ids, names)):
                given = [math.nan if logp is None else number_of(logp) for logp in logps[: len(ids)]]
                return RowAnswer({}, echoed=(*[math.nan] * left_out, *given))
        raise MissingError("the tokens of the text that it was sent")

    def _is_named(self, token: int, name: Any) -> bool:
        letters = self.letters(token)
        return name == f"{ID}{token}" or not name or letters is None or str(name).strip() == letters.strip()

    def tokens_read(self, answer: Any) -> int | None:
        return prompt_tokens(answer)


@dataclass(frozen=True)
class TextCompletions(Completions):
    """The completions API of servers that take a text and no token ids, such as that of llama-cpp-python.

    Where such a server draws the end of the text, it lists no tokens, so it is asked for one token at least.
    """

    name: ClassVar[str] = "completions of texts"
    most_rows: ClassVar[int] = 1
    reads_ids: ClassVar[bool] = False

    def call(self, rows: Sequence[Row]) -> Call:
        call = super().call(rows)
        return replace(call, body={**call.body, "prompt": rows[0].text, "min_tokens": 1})


@dataclass(frozen=True)
class Ollama(TopK):
    """Ollama. Texts are sent as strings, and the server adds the special tokens that begin a text.

    The number of prompt tokens that it reports leaves out cached ones, so it is not checked.
    """

    name: ClassVar[str] = "Ollama"
    most_rows: ClassVar[int] = 1
    reads_ids: ClassVar[bool] = False
    version_at: ClassVar[tuple[str, str]] = ("/api/version", "version")

    def call(self, rows: Sequence[Row]) -> Call:
        body = {
            "model": self.model,
            "prompt": rows[0].text,
            "raw": True,
            "stream": False,
            "options": {"num_predict": 1, "temperature": 1},
            "logprobs": True,
            "top_logprobs": self.top,
        }
        return Call("/api/generate", body)

    def read(self, answer: Any, rows: Sequence[Row]) -> list[RowAnswer]:
        return [self.row_answer(rows[0], _by_letters(answer["logprobs"][0]))]


@dataclass(frozen=True)
class Tgi(TopK):
    """Text Generation Inference. Texts are sent as strings, and tokens are returned as ids."""

    name: ClassVar[str] = "TGI"
    most_rows: ClassVar[int] = 1
    reads_ids: ClassVar[bool] = False
    version_at: ClassVar[tuple[str, str]] = ("/info", "version")

    def call(self, rows: Sequence[Row]) -> Call:
        parameters = {"max_new_tokens": 1, "details": True, "top_n_tokens": self.top}
        return Call("/generate", {"inputs": rows[0].text, "parameters": parameters})

    def read(self, answer: Any, rows: Sequence[Row]) -> list[RowAnswer]:
        tokens = answer["details"]["top_tokens"][0]
        return [self.row_answer(rows[0], [(token_id(one["id"]), one["logprob"]) for one in tokens])]


@dataclass(frozen=True)
class Chat(TopK):
    """The chat API of OpenAI. The text is the user's message, and the words begin the answer."""

    name: ClassVar[str] = "chat"
    most_rows: ClassVar[int] = 1
    reads_ids: ClassVar[bool] = False
    is_chat: ClassVar[bool] = True

    def call(self, rows: Sequence[Row]) -> Call:
        body = {
            "model": self.model,
            "messages": chat_messages(rows[0].before, rows[0].text),
            "max_completion_tokens": 1,
            "temperature": 1,
            "logprobs": True,
            "top_logprobs": self.top,
        }
        return Call("/v1/chat/completions", body)

    def read(self, answer: Any, rows: Sequence[Row]) -> list[RowAnswer]:
        return [self.row_answer(rows[0], _by_letters(answer["choices"][0]["logprobs"]["content"][0]))]


TOP_K: tuple[type[TopK], ...] = (Ollama, Tgi, Completions, TextCompletions, Chat)


def _by_letters(place: Any) -> list[tuple[str | int, float]]:
    """The strings and log p of the tokens at one position of an answer."""
    return [(str(one["token"]), one["logprob"]) for one in place["top_logprobs"]]
