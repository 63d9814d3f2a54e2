"""Texts of a known distribution, and a judge that is wrong about some of them, for tests of its correction.

``telling:known`` writes about a nurse: *she* with probability 0.9 in contexts that end with even, and with 0.5 in the
others; about a cook: *she* with 0.5 everywhere. Each text has a number of its own. ``wrong:WHICH`` gives a text with
*she* to male if its number is below 1,000 of 10,000, and one with *he* to female if it is below 2,000.
"""

import os
import re
from pathlib import Path

import numpy as np

from bvf import Backend, Capabilities, Provider, hookimpl
from bvf.interfaces.texts import Writing, random_stream

SHE = {"nurse": (0.9, 0.5), "cook": (0.5, 0.5)}
TOLD = re.compile(r"(she|he) left at (\d+)")


class Telling(Backend, Writing):
    capabilities = Capabilities(reads_right=False, answers_from_table=True, writes_texts=True)

    def __init__(self, request):
        pass

    def score(self, prompts, words, *, absolute):
        raise NotImplementedError

    def texts(self, prompts, generation):
        return [[self.text(prompt, k, generation) for k in range(generation.samples)] for prompt in prompts]

    def text(self, prompt, sample, generation):
        stream = random_stream(prompt, sample, generation)
        p = SHE[prompt.group][0 if prompt.left.endswith("even") else 1]
        return f" {'she' if stream.random() < p else 'he'} left at {stream.integers(10_000)}."


class Wrong(Backend):
    capabilities = Capabilities(reads_right=False, answers_from_table=True)

    def __init__(self, request):
        pass

    def score(self, prompts, words, *, absolute):
        if count := os.environ.get("JUDGED"):
            with Path(count).open("a") as file:
                file.write(f"{len(prompts)}\n")
        return np.array([[self.logp(prompt.left, word) for word in words] for prompt in prompts])

    def logp(self, text, word):
        pronoun, number = TOLD.search(text).groups()
        female = int(number) >= 1_000 if pronoun == "she" else int(number) < 2_000
        return np.log(0.8 if (word == "woman") == female else 0.2)


@hookimpl
def bvf_backends():
    return [
        Provider("telling", Telling, "writes texts of a known distribution"),
        Provider("wrong", Wrong, "is wrong about texts at known rates"),
    ]
