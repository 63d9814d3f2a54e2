"""Models that differ: each answers at random, more one-sidedly the larger the number after ``noise:``."""

import hashlib
from collections.abc import Sequence

import numpy as np

from bvf import Backend, Capabilities, ModelRequest, Prompt, Provider, hookimpl
from bvf.arrays import FloatArray

MOST = 200
"""The largest number of a model."""


class Noise(Backend):
    """Draws the logarithms of words from a normal distribution, by a hash of the model, the text and the word."""

    capabilities = Capabilities()

    def __init__(self, request: ModelRequest) -> None:
        self.name = request.model
        self.leaning = int(request.model) / MOST

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> FloatArray:
        leaning = np.linspace(self.leaning, 0.0, len(words))
        return np.array([leaning + self._drawn(prompt, len(words)) for prompt in prompts]) - 3.0

    def _drawn(self, prompt: Prompt, number: int) -> FloatArray:
        text = f"{self.name} {prompt.left} {prompt.right}".encode()
        seed = int.from_bytes(hashlib.sha256(text).digest()[:8], "big")
        return np.minimum(np.random.default_rng(seed).normal(size=number), 1.5)


@hookimpl
def bvf_backends() -> list[Provider]:
    return [Provider("noise", Noise, "answers at random")]
