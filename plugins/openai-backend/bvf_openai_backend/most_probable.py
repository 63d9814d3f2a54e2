"""How to ask servers that tell only the most probable tokens, one class each.

The temperature is 1, since some of them tell probabilities after it was applied.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bvf_openai_backend.bounds import most_untold
from bvf_openai_backend.client import Call
from bvf_openai_backend.dialects import Dialect, NotToldError, choices_in_order, prompt_tokens
from bvf_openai_backend.rows import Row, Told

ID = "token_id:"
"""The prefix of the id, where vLLM names a token by its id."""


def _unknown(_: int) -> None:
    """What letters are known without a tokenizer: none."""
    return None


@dataclass(frozen=True)
class TopK(Dialect):
    """A server that tells the k most probable tokens.

    Args:
        top: k.
        letters: Returns the letters of a token, for servers that name tokens by them; None for a part of a letter.
    """

    top: int = 20
    letters: Callable[[int], str | None] = field(default=_unknown, compare=False, repr=False)

    exact: ClassVar[bool] = False
    tops: ClassVar[tuple[int, ...]] = (20, 5)
    """Numbers of tokens that servers of this kind may tell, the largest first."""

    def told_of(self, row: Row, tokens: Iterable[tuple[str | int, float]]) -> Told:
        """Return what the most probable tokens, by ids or letters, and their log p tell about a row."""
        known = [(name, float(logp)) for name, logp in tokens]
        if len(known) < 2 or any(math.isnan(logp) for _, logp in known):
            raise NotToldError("fewer than two tokens")
        probabilities = [math.exp(min(logp, 0.0)) for _, logp in known]
        named: dict[str | int, list[float]] = {}
        for name, logp in known:
            named.setdefault(name, []).append(logp)
        by_id = all(isinstance(name, int) for name in named)
        told: dict[int, float] = {}
        doubtful: dict[int, float] = {}
        for token in row.asked:
            letters = None if by_id else self.letters(token)
            logps = named.get(token if letters is None else letters, []) if by_id or letters else []
            if len(logps) == 1:
                told[token] = logps[0]
            elif not by_id:
                doubtful[token] = _may_be(letters, logps, named)
        names = () if by_id else tuple(map(str, named))
        values = tuple(sorted((value for _, value in known), reverse=True))
        return Told(told, most_untold(probabilities), {token: p for token, p in doubtful.items() if p}, values, names)


def _may_be(letters: str | None, logps: Sequence[float], named: dict[str | int, list[float]]) -> float:
    """The largest p of a token, from told names that may be its own: parts of letters, or letters without a space."""
    if logps:
        return sum(map(math.exp, logps))
    bare = "" if letters is None else letters.strip()
    return sum(
        math.exp(logp)
        for other, values in named.items()
        for logp in values
        if (str(other).strip() in (bare, "") if bare else not str(other).isascii() or not str(other).strip())
    )


@dataclass(frozen=True)
class Completions(TopK):
    """The completions of OpenAI and of many similar servers; texts are sent as ids."""

    by_id: bool = False
    """Whether tokens are asked for by their ids, which vLLM and some others can."""

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

    def told(self, answer: Any, rows: Sequence[Row]) -> list[Told]:
        return [
            self.told_of(row, [(_named(name), logp) for name, logp in choice["logprobs"]["top_logprobs"][0].items()])
            for row, choice in zip(rows, choices_in_order(answer), strict=True)
        ]

    def tokens_read(self, answer: Any) -> int | None:
        return prompt_tokens(answer)


@dataclass(frozen=True)
class Ollama(TopK):
    """Ollama: texts are sent as letters, and the server adds the tokens that begin a text."""

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

    def told(self, answer: Any, rows: Sequence[Row]) -> list[Told]:
        return [self.told_of(rows[0], _letters_told(answer["logprobs"][0]["top_logprobs"]))]

    def tokens_read(self, answer: Any) -> int | None:
        return None  # it counts only tokens that its cache did not hold


@dataclass(frozen=True)
class Tgi(TopK):
    """Text Generation Inference: texts are sent as letters, tokens come as ids."""

    name: ClassVar[str] = "TGI"
    most_rows: ClassVar[int] = 1
    reads_ids: ClassVar[bool] = False
    tops: ClassVar[tuple[int, ...]] = (20, 5)
    version_at: ClassVar[tuple[str, str]] = ("/info", "version")

    def call(self, rows: Sequence[Row]) -> Call:
        how = {"max_new_tokens": 1, "details": True, "top_n_tokens": self.top}
        return Call("/generate", {"inputs": rows[0].text, "parameters": how})

    def told(self, answer: Any, rows: Sequence[Row]) -> list[Told]:
        tokens = answer["details"]["top_tokens"][0]
        return [self.told_of(rows[0], [(int(one["id"]), one["logprob"]) for one in tokens])]

    def tokens_read(self, answer: Any) -> int | None:
        return None


@dataclass(frozen=True)
class Chat(TopK):
    """A chat of OpenAI's kind: the text is what the user says, and the words begin the answer."""

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

    def told(self, answer: Any, rows: Sequence[Row]) -> list[Told]:
        first = answer["choices"][0]["logprobs"]["content"][0]
        return [self.told_of(rows[0], _letters_told(first["top_logprobs"]))]

    def tokens_read(self, answer: Any) -> int | None:
        return None


TOP_K: tuple[type[TopK], ...] = (Ollama, Tgi, Completions, Chat)


def _named(name: str) -> str | int:
    return int(name.removeprefix(ID)) if name.startswith(ID) else name


def _letters_told(tokens: Sequence[Any]) -> list[tuple[str | int, float]]:
    return [(str(one["token"]), one["logprob"]) for one in tokens]
