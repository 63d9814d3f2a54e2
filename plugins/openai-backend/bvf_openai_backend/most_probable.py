"""Servers that list only the most probable tokens: formats of requests, and bounds of probabilities (Eq. 8).

The temperature is 1, since some servers return probabilities after applying it.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from bvf.stats import FloatArray, IntArray
from bvf_openai_backend.client import Call
from bvf_openai_backend.dialects import (
    ID,
    Dialect,
    MissingError,
    Row,
    RowAnswer,
    choices_in_order,
    number_of,
    prompt_tokens,
    token_id,
)

ROUNDING = 1e-6
"""Largest rounding error by which a sum of 32-bit probabilities may be too large."""


def most_unlisted(probabilities: Sequence[float]) -> float:
    """Return an upper bound on p of any token that is not listed. It follows from two or more listed probabilities."""
    least = sorted(probabilities)[1]  # the last may be the sampled token, not one of the most probable
    return min(least, max(0.0, 1.0 - math.fsum(probabilities)) + ROUNDING)


def middle_of(lowest: FloatArray, highest: FloatArray) -> FloatArray:
    """Return the log of the midpoint of the limits of p, given as logs. -inf if both limits are -inf."""
    middle: FloatArray = np.logaddexp(lowest, highest) - np.log(2.0)
    return middle


def deviation_within(lowest: FloatArray, highest: FloatArray, class_of_word: IntArray) -> FloatArray:
    """Return the error bound of class probabilities from midpoints of the limits, shape (P,), 0 to 1.

    If the words of class y have a probability between L_y and U_y in total, p(y) lies between L_y / (L_y + U_not_y)
    and U_y / (U_y + L_not_y).

    Args:
        lowest: The lower limit of log p, shape (P, W).
        highest: The upper limit of log p, shape (P, W).
        class_of_word: Index of the class of each word, shape (W,).
    """
    of_class = np.eye(int(class_of_word.max()) + 1)[class_of_word]
    least, most = (p @ of_class for p in _scaled(lowest, highest))
    middle = (least + most) / 2
    all_least, all_most = least.sum(axis=1, keepdims=True), most.sum(axis=1, keepdims=True)
    low, high = _ratio(least, least + all_most - most), _ratio(most, most + all_least - least)
    share = _ratio(middle, middle.sum(axis=1, keepdims=True))
    deviation: FloatArray = np.maximum(high - share, share - low).max(axis=1).clip(0.0, 1.0)
    return deviation


def deviation_of_any_classes(lowest: FloatArray, highest: FloatArray) -> FloatArray:
    """Return the error bound of p of any set of words, from midpoints of the limits, shape (P,).

    If the lower limits sum to T and the upper ones to T + G, the share of any set is exact to within G / (T + G).
    """
    known, most = (p.sum(axis=1) for p in _scaled(lowest, highest))
    unknown = most - known
    return _ratio(unknown.clip(0.0), known + unknown)


def _scaled(lowest: FloatArray, highest: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The limits of p, divided by one factor per prompt. So small values do not underflow to 0."""
    scale = highest.max(axis=1, keepdims=True)
    scale = np.where(np.isfinite(scale), scale, 0.0)
    return np.exp(lowest - scale), np.exp(highest - scale)


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    whole = np.broadcast_to(whole, part.shape)
    ratio: FloatArray = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return ratio


@dataclass(frozen=True)
class TopK(Dialect):
    """A server that lists the k most probable tokens.

    Args:
        top: k.
        letters: Returns a token's string, for servers that identify tokens by strings; None if unknown or incomplete.
    """

    top: int = 20
    letters: Callable[[int], str | None] = field(default=lambda _: None, compare=False, repr=False)

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
            logps = logps_of.get(token if by_id else letters, [])
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

    name: ClassVar[str] = "completions"
    tops: ClassVar[tuple[int, ...]] = (1000, 100, 20, 5)

    def call(self, rows: Sequence[Row]) -> Call:
        body = {
            "model": self.model,
            "prompt": [list(row.ids) for row in rows],
            "max_tokens": 1,
            "temperature": 1,
            "logprobs": self.top,
        }
        return Call("/v1/completions", {**body, **({"return_tokens_as_token_ids": True} if self.by_id else {})})

    def read(self, answer: Any, rows: Sequence[Row]) -> list[RowAnswer]:
        answers = []
        for row, choice in zip(rows, choices_in_order(answer), strict=True):
            top = choice["logprobs"]["top_logprobs"][0]
            tokens = [(int(name.removeprefix(ID)) if name.startswith(ID) else name, logp) for name, logp in top.items()]
            answers.append(self.row_answer(row, tokens))
        return answers

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
        return Call(call.path, {**call.body, "prompt": rows[0].text, "min_tokens": 1})


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
            "messages": [{"role": "user", "content": rows[0].text}],
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
