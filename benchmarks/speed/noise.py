"""Models that differ: each answers at random, more one-sidedly the larger the number after ``noise:``."""

import hashlib
from collections.abc import Sequence

import numpy as np

from bvf import Backend, Capabilities, ModelRequest, Prompt, Provider, hookimpl
from bvf.arrays import FloatArray

MOST = 200
"""The largest number of a model."""


class Noise(Backend):
    """Draws the logarithms of words from a normal distribution, by a hash of the model and the text."""

    capabilities = Capabilities()

    def __init__(self, request: ModelRequest) -> None:
        self.name = request.model

    def score(self, prompts: Sequence[Prompt], words: Sequence[str], *, absolute: bool) -> FloatArray:
        leaning = np.linspace(int(self.name) / MOST, 0.0, len(words)) - 3.0
        texts = (f"{self.name} {prompt.left} {prompt.right}".encode() for prompt in prompts)
        seeds = (int.from_bytes(hashlib.sha256(text).digest()[:8], "big") for text in texts)
        drawn = (np.random.default_rng(seed).normal(size=len(words)) for seed in seeds)
        return np.array([leaning + np.minimum(each, 1.5) for each in drawn])


@hookimpl
def bvf_backends() -> list[Provider]:
    return [Provider("noise", Noise, "answers at random")]
