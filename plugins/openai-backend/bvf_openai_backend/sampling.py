"""How continuations are drawn from a server, and how its way of drawing is found out."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from bvf.errors import BvfError, ScoringError
from bvf_openai_backend.client import Call, Client, NotJsonError, Refused
from bvf_openai_backend.dialects import choices_in_order
from bvf_openai_backend.server import SHAPES

TEXTS = ("In the end, every one of them", "Yesterday the driver said that")
PROBE_TOKENS = 8
FEWEST = 8
"""Continuations of a text that a probe looks at: a model that is not certain does not say the same so often."""
MOST_TOGETHER = 128
WHOLE_DISTRIBUTION = {"top_k": -1, "min_p": 0, "repetition_penalty": 1}
"""Fields for vLLM, SGLang and llama.cpp, whose defaults may cut off the tail; other servers refuse them."""


@dataclass(frozen=True)
class Drawing(ABC):
    """A way of drawing continuations: at temperature 1, from the whole distribution.

    Args:
        model: The server's name of the model.
        together: Continuations per request.
        seeded: A seed is sent; a server that respects it draws the same again.
        tail: `WHOLE_DISTRIBUTION` is sent.
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

        The seed is made from the text, so that texts do not share their draws.
        """
        path, body = self.body(text, tokens)
        how = {**body, "model": self.model, "temperature": 1, "top_p": 1, **(WHOLE_DISTRIBUTION if self.tail else {})}
        calls = []
        for start in range(0, number, self.together):
            seed = {"seed": seed_of(text, start)} if self.seeded else {}
            calls.append(Call(path, {**how, "n": min(self.together, number - start), **seed}))
        return calls

    def texts(self, answer: Any, wanted: int) -> list[str]:
        """Return the continuations in an answer.

        Raises:
            ScoringError: They are not as many as were asked for.
            LookupError, TypeError, ValueError, AttributeError: It has another shape.
        """
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
        said = [{"role": "user", "content": text}]
        return "/v1/chat/completions", {"messages": said, "max_completion_tokens": tokens}

    def text_of(self, choice: Any) -> str:
        return str(choice["message"]["content"] or "").lstrip()


def seed_of(text: str, start: int) -> int:
    """Return the seed of the continuations of a text from the one numbered ``start`` on: 31 bits."""
    digest = hashlib.sha256(f"{start} {text}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def drawing_of(client: Client, model: str, number: int) -> Drawing:
    """Find out how continuations can be drawn from a server.

    Args:
        client: The server.
        model: What it calls the model.
        number: How many will be drawn for each text.

    Raises:
        BvfError: They cannot be drawn in any way.
        ScoringError: It says the same again and again.
    """
    most = min(number, MOST_TOGETHER)
    togethers = sorted({most, min(most, FEWEST), 1}, reverse=True)
    for kind, together, tail, seeded in product(
        (CompletionDrawing, ChatDrawing), togethers, (True, False), (True, False)
    ):
        drawing = kind(model, together, seeded, tail)
        try:
            drawn = [_drawn(client, drawing, text) for text in TEXTS]
        except (Refused, NotJsonError, *SHAPES):
            continue
        except ScoringError:
            if together > 1:
                continue
            raise
        _check(client.host, drawn)
        return drawing
    raise BvfError(
        f"{client.host} continues no text: it refuses /v1/completions and /v1/chat/completions",
        "-B estimate=samples needs one of them",
    )


def _drawn(client: Client, drawing: Drawing, text: str) -> list[str]:
    calls = drawing.calls(text, max(drawing.together, FEWEST), PROBE_TOKENS)
    return [said for call in calls for said in drawing.texts(client.post(call), call.body["n"])]


def _check(host: str, drawn: Sequence[Sequence[str]]) -> None:
    if all(len(set(texts)) == 1 for texts in drawn):
        raise ScoringError(
            f"{host} goes on in the same way {len(drawn[0])} times: nothing is sampled",
            "temperature 1 must have an effect: look at how the server is started",
        )
