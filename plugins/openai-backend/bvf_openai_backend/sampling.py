"""Texts that a model on a server writes, and estimates of p as the fraction of them with each word."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from bvf import Answers, Backend, BvfError, Capabilities, Prompt
from bvf.domain import Generation
from bvf.errors import ScoringError
from bvf.interfaces import Metered, Writing
from bvf.stats import IntArray
from bvf_openai_backend.client import Call, Client, Filtered, NotJsonError, Refused
from bvf_openai_backend.dialects import SHAPES, chat_messages, choices_in_order, string_of
from bvf_openai_backend.server import Served, changed_shape
from bvf_openai_backend.word_begun import tokens_of_the_longest, word_begun

TEXTS = ("In the end, every one of them", "Yesterday the driver said that")
PROBE_TOKENS = 8
FEWEST = 8
"""Continuations of a text that a probe samples: unless the model is certain, so many are not all the same."""
MOST_TOGETHER = 128
NO_CHANGE = {"min_p": 0, "repetition_penalty": 1}
ALL_TOKENS: tuple[dict[str, Any], ...] = (
    {"top_k": -1, **NO_CHANGE, "repeat_penalty": 1},
    {"top_k": 0, **NO_CHANGE, "repeat_penalty": 1},
    {"generation_config": json.dumps({"do_sample": True, "top_k": 0, **NO_CHANGE})},
    {},
)
"""Parameters by which tokens are drawn from the whole distribution, in the order in which they are tried.

The first are for vLLM, SGLang and llama.cpp, the second for servers that refuse a ``top_k`` of -1, and the third for
`transformers serve`, which by default takes the most probable token or draws from 50. Other servers take none of them.
"""
CUT = "<think>"  # begins a text that has no answer, as the model still thought; the thought may be hidden
REMARK = "a sample counts for the longest word that it begins with, unless the word goes on, as he does in her"


@dataclass(frozen=True)
class Drawing:
    """A way of sampling continuations.

    With the completions API, the text is sent as a string, and the server adds the special tokens that begin it. In a
    chat, the text is the user's message, and the words begin the answer.
    """

    model: str  # the server's name of the model
    is_chat: bool  # whether the chat API is used instead of completions
    together: int  # continuations per request
    all_tokens: Mapping[str, Any]  # one of `ALL_TOKENS`
    seeded: bool  # whether a seed is sent; a server that respects it returns the same samples again
    temperature: float = 1.0
    seed: int = 0  # part of the seed of each request
    whole: bool = False  # a text is read whole, with what the server says beside it, not by its first word

    def calls(self, text: str, number: int, tokens: int, before: str = "") -> list[Call]:
        """Return the requests for ``number`` continuations of a text. Each has at most ``tokens`` tokens.

        ``before``: what was said before it in a chat, messages as JSON. The 31-bit seed is a hash of `seed` and what is
        read, so that the samples of different texts are independent.
        """
        body = {"model": self.model, "temperature": self.temperature, "top_p": 1, **self.all_tokens}
        if self.is_chat:
            path = "/v1/chat/completions"
            body |= {"messages": chat_messages(before, text), "max_completion_tokens": tokens}
        else:
            path = "/v1/completions"
            body |= {"prompt": text, "max_tokens": tokens}
        calls = []
        for start in range(0, number, self.together):
            of_seed = f"{self.seed} " if self.seed else ""
            digest = hashlib.sha256(f"{of_seed}{start} {before}{text}".encode()).digest()
            seed = {"seed": int.from_bytes(digest[:4], "big") >> 1} if self.seeded else {}
            wanted = min(self.together, number - start)
            calls.append(Call(path, {**body, "n": wanted, **seed}, wanted * tokens))
        return calls

    def texts(self, answer: Any, call: Call) -> list[str]:
        """Return the continuations in an answer. Raises `ScoringError` if their number is wrong, or one of `SHAPES`."""
        wanted, tokens = call.body["n"], call.tokens // call.body["n"]
        if isinstance(answer, Filtered):
            return [f"{Writing.FILTERED}{answer}"] * wanted
        choices = choices_in_order(answer)
        if self.whole:
            texts = [_whole(choice, tokens, is_chat=self.is_chat) for choice in choices]
        elif self.is_chat:
            texts = [(choice["message"]["content"] or "").lstrip() for choice in choices]
        else:
            texts = [choice["text"] for choice in choices]
        if len(texts) != wanted:
            raise ScoringError(f"the server gives {len(texts)} continuations where it is asked for {wanted}")
        return [string_of(text, tokens) for text in texts]


def _whole(choice: Any, tokens: int, *, is_chat: bool) -> str:
    """The text of a choice with what the server says beside it. Raises one of `SHAPES` if it is malformed."""
    said, ended = choice["message"] if is_chat else {"content": choice["text"]}, choice.get("finish_reason")
    content, thought = said.get("content") or "", said.get("reasoning_content") or said.get("reasoning") or ""
    if isinstance(content, list):
        thought = "".join(part["thinking"][0]["text"] for part in content if "thinking" in part)
        content = "".join(part.get("text", "") for part in content)
    text, thought = string_of(content, tokens), string_of(thought, tokens)
    text = text.lstrip() if is_chat else text
    if said.get("refusal") or ended == "refusal":
        return f"{Writing.REFUSAL}{said.get('refusal') or text}"
    if ended == "content_filter":
        return f"{Writing.FILTERED}{text}"
    if is_chat and not text and (thought or ended == "length"):
        return f"{CUT}{thought}"
    return f"<think>{thought}</think>{text}" if thought else text


def drawing_of(client: Client, model: str, number: int, *, whole: bool = False) -> Drawing:
    """Find out how to sample ``number`` continuations per text. Refuses a server that takes no way, or repeats."""
    most = min(number, MOST_TOGETHER)
    togethers = sorted({most, min(most, FEWEST), 1}, reverse=True)
    for is_chat, together, all_tokens, seeded in product((False, True), togethers, ALL_TOKENS, (True, False)):
        drawing = Drawing(model, is_chat, together, all_tokens, seeded, whole=whole)
        try:
            drawn = [_drawn(client, drawing, text) for text in TEXTS]
        except (Refused, NotJsonError, *SHAPES):
            continue
        except ScoringError:
            if together > 1:
                continue
            raise
        if all(len(set(texts)) == 1 and texts[0] != CUT for texts in drawn):
            raise ScoringError(
                f"{client.host} goes on in the same way {len(drawn[0])} times: nothing is sampled",
                "temperature 1 must have an effect: look at how the server is started",
            )
        return drawing
    raise BvfError(
        f"{client.host} continues no text: it refuses /v1/completions and /v1/chat/completions",
        "-B estimate=samples needs one of them",
    )


def _as_read(prompt: Prompt) -> Prompt:
    """What the server reads of a prompt."""
    return Prompt(prompt.left, "", "", "", prompt.spaced, before=prompt.before)


def _drawn(client: Client, drawing: Drawing, text: str) -> list[str]:
    calls = drawing.calls(text, max(drawing.together, FEWEST), PROBE_TOKENS)
    return [each for call in calls for each in drawing.texts(client.post(call), call)]


class _DrawnModel(Backend, Metered):
    """The base class of models on servers that continue texts."""

    def __init__(self, served: Served, client: Client, drawing: Drawing) -> None:
        self.served, self.client, self.drawing = served, client, drawing

    @property
    def model_name(self) -> str:
        return f"{self.served.name} on {self.client.host}"

    def _continuations(self, prompts: Sequence[Prompt], number: int, tokens: int) -> list[list[str]]:
        """The continuations of each prompt. All are asked for together."""
        drawn: list[list[str]] = [[] for _ in prompts]
        calls = [
            (of_prompt, call)
            for prompt, of_prompt in zip(prompts, drawn, strict=True)
            for call in self.drawing.calls(prompt.left, number, tokens, prompt.before)
        ]
        answers = self.client.post_all([call for _, call in calls], counted=True, filtered=True)
        for (of_prompt, call), answer in zip(calls, answers, strict=True):
            try:
                of_prompt.extend(self.drawing.texts(answer, call))
            except SHAPES as error:
                raise changed_shape(self.client.host, error) from None
        return drawn


class SampledModel(_DrawnModel):
    """Estimates p of a word by the fraction of sampled continuations that begin with it. Each text is sampled once."""

    capabilities = Capabilities(reads_right=False)

    def __init__(self, served: Served, client: Client, drawing: Drawing, longer_words: tuple[str, ...] = ()) -> None:
        super().__init__(served, client, drawing)
        self.samples, self._longer_words = client.options.samples, longer_words
        self._words: tuple[str, ...] = ()
        self._counts: dict[Prompt, IntArray] = {}
        self._filtered = ""  # the remark that prompts are missing, as the server filters them

    def check_budget(self, prompts: Sequence[Prompt], words: Sequence[str], number: int) -> None:
        wanted = number * -(-self.samples // self.drawing.together)
        self.client.check_budget(
            wanted,
            f"{number} prompts take about {wanted} requests, of {self.samples} samples per prompt",
            "-B samples, --limit-contexts, --limit-groups",
        )

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> Answers:
        counts = self._word_counts(prompts, words)
        with np.errstate(divide="ignore"):
            logp = np.log(counts / self.samples)
        remarks = tuple(filter(None, (REMARK, self._filtered)))
        return Answers(logp, None, remarks, counts.sum(axis=1).astype(np.float64))

    def _word_counts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> IntArray:
        """The number of sampled continuations of each prompt that begin with each word, shape (P, W)."""
        if self._words != tuple(words):
            self._words, self._counts = tuple(words), {}
        read = [_as_read(prompt) for prompt in prompts]
        new = [prompt for prompt in dict.fromkeys(read) if prompt not in self._counts]
        known = [*words, *self._longer_words]
        continued = self._continuations(new, self.samples, tokens_of_the_longest(known))
        drawn = {prompt: self._unfiltered(texts) for prompt, texts in zip(new, continued, strict=True)}
        self._check_spaces(drawn)
        for prompt, continuations in drawn.items():
            gap = prompt.spaced and bool(prompt.left) and not self.drawing.is_chat
            first_words = [word_begun(each, known, spaced=prompt.spaced, gap=gap) for each in continuations]
            hits = [index for index in first_words if index is not None and index < len(words)]
            self._counts[prompt] = np.bincount(hits, minlength=len(words)).astype(np.intp)
        return np.array([self._counts[prompt] for prompt in read])

    def _unfiltered(self, texts: Sequence[str]) -> list[str]:
        """The texts that no filter of the server took. The first reason that it gives becomes a remark."""
        why = next((text.removeprefix(Writing.FILTERED) for text in texts if text.startswith(Writing.FILTERED)), "")
        if why and not self._filtered:
            self._filtered = f"prompts that the server filters have no samples, so they may be missing ({why})"
        return [text for text in texts if not text.startswith(Writing.FILTERED)]

    def _check_spaces(self, drawn: dict[Prompt, list[str]]) -> None:
        """Refuse a server that strips the spaces by which words are known from continuations."""
        if len(drawn) < 2 or self.drawing.is_chat:
            return
        inside_sentences = [texts for prompt, texts in drawn.items() if prompt.left and prompt.spaced]
        continuations = [text for texts in inside_sentences for text in texts if text]
        if continuations and not any(text[0].isspace() for text in continuations):
            raise ScoringError(
                f'{self.client.host} gives continuations without the space before them: "he" may be the end of a word',
                "a server with /v1/completions that keeps it can be asked: vLLM, SGLang, llama.cpp",
            )


class SampledChatModel(SampledModel):
    """A `SampledModel` that uses the chat API. The words begin the answer."""

    capabilities = replace(SampledModel.capabilities, wording="chat", reads_chats=True)


def drawing_for(client: Client, model: str, generation: Generation) -> Drawing:
    """Return how a server is asked for texts: several in a request if it takes that. Refuses as `drawing_of`."""
    found = drawing_of(client, model, generation.samples, whole=True)
    return replace(found, temperature=generation.temperature, seed=generation.seed)


class WritingModel(_DrawnModel, Writing):
    """A model on a server that continues texts. Its random numbers are the server's; the seed is sent with a prompt."""

    capabilities = Capabilities(reads_right=False, writes_texts=True)

    def check_budget(self, prompts: Sequence[Prompt], words: Sequence[str], number: int) -> None:
        each = self.drawing.together
        self.client.check_budget(
            -(-number // each),
            f"{number} texts take more, of {each} per request",
            "--samples, --limit-contexts, --limit-groups",
        )

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> Answers:
        raise BvfError(f"{self.model_name}: it was asked for texts, not for probabilities")

    def texts(self, prompts: Sequence[Prompt], generation: Generation) -> list[list[str]]:
        read = list(map(_as_read, prompts))
        each = list(dict.fromkeys(read))
        written = dict(zip(each, self._continuations(each, generation.samples, generation.tokens), strict=True))
        return [written[prompt] for prompt in read]


class WritingChatModel(WritingModel):
    """A `WritingModel` that is asked in a chat: a context is the user's message, and the texts answer it."""

    capabilities = replace(WritingModel.capabilities, wording="chat", reads_chats=True)
