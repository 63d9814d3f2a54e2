"""Ways of drawing continuations from a server, and a probe that finds the one that a server knows."""

import hashlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from bvf.errors import BvfError, ScoringError
from bvf_openai_backend.client import Call, Client, NotJsonError, Refused
from bvf_openai_backend.dialects import SHAPES, choices_in_order

TEXTS = ("In the end, every one of them", "Yesterday the driver said that")
PROBE_TOKENS = 8
FEWEST = 8
"""Continuations of a text that a probe draws: a model that is not certain does not repeat itself so often."""
MOST_TOGETHER = 128
WHOLE_DISTRIBUTION = {"top_k": -1, "min_p": 0, "repetition_penalty": 1}
"""Fields for vLLM, SGLang and llama.cpp, whose defaults may cut off the tail; other servers refuse them."""


@dataclass(frozen=True)
class Drawing(ABC):
    """A way of drawing continuations: at temperature 1, from the whole distribution.

    Args:
        model: The server's name of the model.
        together: Continuations per request.
        seeded: Whether a seed is sent; a server that respects it draws the same again.
        tail: Whether `WHOLE_DISTRIBUTION` is sent.
    """

    model: str
    together: int = 1
    seeded: bool = True
    tail: bool = True

    name: ClassVar[str]
    is_chat: ClassVar[bool] = False

    @abstractmethod
    def body(self, text: str, tokens: int) -> tuple[str, dict[str, Any]]:
        """Return the path and the body of a request for one text."""

    @abstractmethod
    def text_of(self, choice: Any) -> str:
        """Return the text of a choice in an answer."""

    def calls(self, text: str, number: int, tokens: int) -> list[Call]:
        """Return the requests for a number of continuations of a text, each with a limited number of tokens.

        The seed, of 31 bits, is made from the text, so that texts do not share their draws.
        """
        path, body = self.body(text, tokens)
        body |= {"model": self.model, "temperature": 1, "top_p": 1, **(WHOLE_DISTRIBUTION if self.tail else {})}
        calls = []
        for start in range(0, number, self.together):
            digest = hashlib.sha256(f"{start} {text}".encode()).digest()
            seed = {"seed": int.from_bytes(digest[:4], "big") >> 1} if self.seeded else {}
            calls.append(Call(path, {**body, "n": min(self.together, number - start), **seed}))
        return calls

    def texts(self, answer: Any, wanted: int) -> list[str]:
        """Return the continuations in an answer; raises `ScoringError` for another number, or one of `SHAPES`."""
        texts = [self.text_of(choice) for choice in choices_in_order(answer)]
        if len(texts) != wanted:
            raise ScoringError(f"the server gives {len(texts)} continuations, not {wanted}")
        return texts


@dataclass(frozen=True)
class CompletionDrawing(Drawing):
    """From completions of OpenAI's kind; the text is sent in letters, and the server adds the tokens that begin it."""

    name: ClassVar[str] = "completions"

    def body(self, text: str, tokens: int) -> tuple[str, dict[str, Any]]:
        return "/v1/completions", {"prompt": text, "max_tokens": tokens}

    def text_of(self, choice: Any) -> str:
        return str(choice["text"])


@dataclass(frozen=True)
class ChatDrawing(Drawing):
    """From chats of OpenAI's kind: the text is what the user says, and the words begin the answer."""

    name: ClassVar[str] = "chat"
    is_chat: ClassVar[bool] = True

    def body(self, text: str, tokens: int) -> tuple[str, dict[str, Any]]:
        messages = [{"role": "user", "content": text}]
        return "/v1/chat/completions", {"messages": messages, "max_completion_tokens": tokens}

    def text_of(self, choice: Any) -> str:
        return str(choice["message"]["content"] or "").lstrip()


def drawing_of(client: Client, model: str, number: int) -> Drawing:
    """Find out how a number of continuations per text can be drawn from a server.

    Raises:
        BvfError: They cannot be drawn in any way.
        ScoringError: All continuations of a text are the same.
    """
    most = min(number, MOST_TOGETHER)
    togethers = sorted({most, min(most, FEWEST), 1}, reverse=True)
    kinds = (CompletionDrawing, ChatDrawing)
    for kind, together, tail, seeded in product(kinds, togethers, (True, False), (True, False)):
        drawing = kind(model, together, seeded, tail)
        try:
            drawn = [_drawn(client, drawing, text) for text in TEXTS]
        except (Refused, NotJsonError, *SHAPES):
            continue
        except ScoringError:
            if together > 1:
                continue
            raise
        if all(len(set(texts)) == 1 for texts in drawn):
            raise ScoringError(
                f"{client.host} goes on in the same way {len(drawn[0])} times: nothing is sampled",
                "temperature 1 must have an effect: look at how the server is started",
            )
        return drawing
    raise BvfError(
        f"{client.host} continues no text: it refuses /v1/completions and /v1/chat/completions",
        "-B estimate=samples needs one of them",
    )


def _drawn(client: Client, drawing: Drawing, text: str) -> list[str]:
    calls = drawing.calls(text, max(drawing.together, FEWEST), PROBE_TOKENS)
    return [each for call in calls for each in drawing.texts(client.post(call), call.body["n"])]
