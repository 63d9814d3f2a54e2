"""A model on a server without log-probabilities: they are estimated from how often it continues with each word."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bvf.arrays import IntArray
from bvf.domain.prompt import Prompt
from bvf.errors import BvfError, ScoringError
from bvf.interfaces.backend import Answers, Backend, Capabilities, Metered
from bvf_openai_backend.client import Client
from bvf_openai_backend.dialects import SHAPES
from bvf_openai_backend.sampling import Drawing
from bvf_openai_backend.server import Served, changed_shape
from bvf_openai_backend.word_begun import tokens_of_the_longest, word_begun

REMARK = "a sample counts for the longest word that it begins with, unless the word goes on, as he does in her"


class SampledModel(Backend, Metered):
    """Scores words by their share of sampled continuations; each text is asked once."""

    capabilities = Capabilities(reads_right=False)

    def __init__(self, served: Served, client: Client, drawing: Drawing) -> None:
        self.served, self.client, self.drawing = served, client, drawing
        self.samples = client.options.samples
        self._words: tuple[str, ...] = ()
        self._counts: dict[tuple[str, bool], IntArray] = {}

    @property
    def model_name(self) -> str:
        return f"{self.served.name} on {self.client.host}"

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
        counts = self._word_counts(prompts, words)
        with np.errstate(divide="ignore"):
            logp = np.log(counts / self.samples)
        return Answers(logp, None, (REMARK,), counts.sum(axis=1).astype(np.float64))

    def _word_counts(self, prompts: Sequence[Prompt], words: Sequence[str]) -> IntArray:
        """How many samples of each prompt begin with each word, shape (P, W)."""
        if self._words != tuple(words):
            self._words, self._counts = tuple(words), {}
        texts = [(prompt.left, prompt.spaced) for prompt in prompts]
        new = [text for text in dict.fromkeys(texts) if text not in self._counts]
        tokens = tokens_of_the_longest(words)
        calls = [(text, call) for text in new for call in self.drawing.calls(text[0], self.samples, tokens)]
        answers = self.client.post_all([call for _, call in calls], counted=True)
        drawn: dict[tuple[str, bool], list[str]] = {text: [] for text in new}
        for (text, call), answer in zip(calls, answers, strict=True):
            try:
                drawn[text] += self.drawing.texts(answer, call.body["n"])
            except SHAPES as error:
                raise changed_shape(self.client.host, error) from None
        self._check_spaces(drawn)
        for (left, spaced), continuations in drawn.items():
            gap = spaced and bool(left) and not self.drawing.is_chat
            first_words = [word_begun(each, words, spaced=spaced, gap=gap) for each in continuations]
            hits = [index for index in first_words if index is not None]
            self._counts[left, spaced] = np.bincount(hits, minlength=len(words)).astype(np.intp)
        return np.array([self._counts[text] for text in texts])

    def _check_spaces(self, drawn: dict[tuple[str, bool], list[str]]) -> None:
        """Refuse a server that strips spaces from continuations, where only a space shows that a new word begins."""
        if len(drawn) < 2 or self.drawing.is_chat:
            return
        inside_sentences = [texts for (left, spaced), texts in drawn.items() if left and spaced]
        continuations = [text for texts in inside_sentences for text in texts if text]
        if continuations and not any(text[0].isspace() for text in continuations):
            raise ScoringError(
                f'{self.client.host} gives continuations without the space before them: "he" may be the end of a word',
                "a server with /v1/completions that keeps it can be asked: vLLM, SGLang, llama.cpp",
            )


class SampledChatModel(SampledModel):
    """The same for a chat, whose answer begins with the words."""

    capabilities = replace(SampledModel.capabilities, wording="chat")
