"""A model on a server that tells no probabilities: they are estimated from how often it continues with each word."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bvf.arrays import IntArray
from bvf.domain.prompt import Prompt
from bvf.errors import BvfError, ScoringError
from bvf.interfaces.backend import Answers, Backend, Capabilities, Metered
from bvf_openai_backend.client import Client
from bvf_openai_backend.sampling import Drawing
from bvf_openai_backend.served import Served
from bvf_openai_backend.server import SHAPES
from bvf_openai_backend.word_begun import tokens_of_the_longest, word_begun

BARE = Capabilities(reads_right=False)
REMARK = "a sample counts for the longest word that it begins with, unless the word goes on, as he does in her"


class SampledModel(Backend, Metered):
    """Scores words by their share of sampled continuations; each text is asked once.

    Args:
        served: What the server says about the model.
        client: The server.
        drawing: How continuations are drawn from it.
    """

    capabilities = BARE

    def __init__(self, served: Served, client: Client, drawing: Drawing) -> None:
        self.served, self.client, self.drawing = served, client, drawing
        self._words: tuple[str, ...] = ()
        self._counts: dict[tuple[str, bool], IntArray] = {}

    @property
    def model_name(self) -> str:
        return f"{self.served.name} on {self.client.host}"

    @property
    def samples(self) -> int:
        """Continuations per prompt."""
        return self.client.options.samples

    def check_budget(self, prompts: Sequence[Prompt], words: Sequence[str], number: int) -> None:
        most = self.client.options.max_requests
        wanted = number * -(-self.samples // self.drawing.together)
        if most and wanted > most:
            raise BvfError(
                f"max_requests={most}, and these {number} prompts take about {wanted}, of {self.samples} samples per "
                "prompt",
                "allow more, or ask less: -B samples, --limit-contexts, --limit-groups",
            )

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> Answers:
        counts = self.word_counts(prompts, words)
        with np.errstate(divide="ignore"):
            logp = np.log(counts / self.samples)
        return Answers(logp, None, (REMARK,), counts.sum(axis=1).astype(np.float64))

    def word_counts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> IntArray:
        """Return how many samples of each prompt begin with each word, shape (P, W).

        Raises:
            ScoringError: The server answers in another shape than before, or without the spaces between words.
            BvfError: It refuses, or answers no more.
        """
        if self._words != tuple(words):
            self._words, self._counts = tuple(words), {}
        texts = [(prompt.left, prompt.spaced) for prompt in prompts]
        new = [text for text in dict.fromkeys(texts) if text not in self._counts]
        tokens = tokens_of_the_longest(words)
        calls = [(text, call) for text in new for call in self.drawing.calls(text[0], self.samples, tokens)]
        answers = self.client.post_all([call for _, call in calls], counted=True)
        drawn: dict[tuple[str, bool], list[str]] = {text: [] for text in new}
        for (text, call), answer in zip(calls, answers, strict=True):
            drawn[text] += self._texts(answer, call.body["n"])
        self._check_spaces(drawn)
        for (left, spaced), continuations in drawn.items():
            gap = spaced and bool(left) and not self.drawing.is_chat
            first_words = [word_begun(each, words, spaced=spaced, gap=gap) for each in continuations]
            hits = [index for index in first_words if index is not None]
            self._counts[left, spaced] = np.bincount(hits, minlength=len(words)).astype(np.intp)
        counts: IntArray = np.array([self._counts[text] for text in texts])
        return counts

    def _texts(self, answer: object, wanted: int) -> list[str]:
        try:
            return self.drawing.texts(answer, wanted)
        except SHAPES as error:
            said = f"{type(error).__name__} {error}"
            raise ScoringError(f"{self.client.host} answers in another shape than before: {said}") from None

    def _check_spaces(self, drawn: dict[tuple[str, bool], list[str]]) -> None:
        """Refuse a server that strips spaces from continuations, where only a space shows that a new word begins."""
        spaced = [
            each
            for (left, has_spaces), continuations in drawn.items()
            if left and has_spaces
            for each in continuations
            if each
        ]
        if len(drawn) > 1 and spaced and not self.drawing.is_chat and not any(each[0].isspace() for each in spaced):
            raise ScoringError(
                f'{self.client.host} gives continuations without the space before them: "he" may be the end of a word',
                "a server with /v1/completions that keeps it can be asked: vLLM, SGLang, llama.cpp",
            )


class SampledChatModel(SampledModel):
    """The same for a chat, whose answer begins with the words."""

    capabilities = replace(BARE, wording="chat")


def sampled_class(drawing: Drawing) -> type[SampledModel]:
    """Return the class of models for a way of drawing."""
    return SampledChatModel if drawing.is_chat else SampledModel
