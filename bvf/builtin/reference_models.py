"""The three reference models of the paper (Table 1, Appendix B.2), as backends."""

import hashlib
from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.generation import Generation
from bvf.domain.prompt import Prompt
from bvf.errors import BvfError, nearest
from bvf.interfaces.backend import Backend, Capabilities, ModelDescription, ModelRequest
from bvf.interfaces.texts import Writing, random_stream


class Baseline(Backend, Writing):
    """Puts the probability of each class on the first word of the class. The probability is derived from p*.

    Each text that it writes is one such word, drawn with this probability.

    - ``unbiased`` predicts p* in every context;
    - ``stereotyped`` gives one class, the least likely under p*, all the probability in every context of a group;
    - ``random`` gives all the probability to one class, drawn from p* for each group and context.
    """

    capabilities = Capabilities(answers_from_table=True, writes_texts=True)
    KINDS: ClassVar[tuple[str, ...]] = ("unbiased", "stereotyped", "random")

    def __init__(self, request: ModelRequest) -> None:
        described(request)
        self.kind = request.model
        self.unbiased = request.unbiased
        self.words_of_class = list(request.topic.counted_words().values())

    @property
    def model_name(self) -> str:
        return f"baseline:{self.kind}"

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> FloatArray:
        first_words = [next((w for w in of_class if w in words), None) for of_class in self.words_of_class]
        starts = [0, *accumulate(map(len, self.words_of_class))]
        other_forms = starts if len(words) == starts[-1] else [None] * len(starts)  # where words agree with the group
        columns = [
            start if word is None else words.index(word) for word, start in zip(first_words, other_forms, strict=False)
        ]
        probabilities = np.zeros((len(prompts), len(words)))
        for row, prompt in enumerate(prompts):
            for column, p in zip(columns, self._class_probabilities(prompt), strict=True):
                if column is not None:
                    probabilities[row, column] = p
        with np.errstate(divide="ignore"):
            logp: FloatArray = np.log(probabilities)
        return logp

    def texts(self, prompts: Sequence[Prompt], generation: Generation) -> list[list[str]]:
        return [[self._text(prompt, k, generation) for k in range(generation.samples)] for prompt in prompts]

    def _text(self, prompt: Prompt, sample: int, generation: Generation) -> str:
        p = self._class_probabilities(prompt)
        number = random_stream(prompt, sample, generation).random() if generation.temperature else 0.5
        y = min(int(np.searchsorted(np.cumsum(p), number, side="right")), len(p) - 1)
        return f" {self.words_of_class[y][0]}."

    def _class_probabilities(self, prompt: Prompt) -> FloatArray:
        classes = len(self.words_of_class)
        unbiased = self.unbiased.get(prompt.group, np.full(classes, 1.0 / classes))
        if self.kind == "unbiased":
            return unbiased
        certain: FloatArray = np.eye(classes)
        if self.kind == "stereotyped":
            least_likely = np.flatnonzero(unbiased == unbiased.min())
            chosen: FloatArray = certain[least_likely[int(_uniform(prompt.group) * len(least_likely))]]
            return chosen
        drawn = np.searchsorted(np.cumsum(unbiased), _uniform(prompt.group, prompt.context), side="right")
        by_chance: FloatArray = certain[min(int(drawn), classes - 1)]
        return by_chance


def described(request: ModelRequest) -> ModelDescription:
    """Return the capabilities of a reference model."""
    if request.model not in Baseline.KINDS:
        hint = nearest(request.model, list(Baseline.KINDS))
        raise BvfError(f'there is no reference model "baseline:{request.model}"', hint)
    return ModelDescription(Baseline.capabilities)


def _uniform(*texts: str) -> float:
    """A number in [0, 1) that depends on the texts alone, and not on order or batching."""
    digest = hashlib.sha256("\0".join(texts).encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56
