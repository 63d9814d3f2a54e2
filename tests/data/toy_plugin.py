"""A backend without a model, for tests of everything around one.

``toy:silent-nurse`` and the like change what it answers (``toy:alike``: the same for every group; ``toy:rare``: hardly
any of the words); the environment slows it down and counts what it scores.
"""

import hashlib
import os
import time
from pathlib import Path

import numpy as np

from bvf import Backend, Capabilities, Provider, hookimpl


class Toy(Backend):
    capabilities = Capabilities(reads_right=False)

    def __init__(self, request):
        self.behaviour = request.model
        if own := os.environ.get("TOY_PID"):
            Path(own).write_text(str(os.getpid()))

    def score(self, prompts, words, *, absolute):
        if count := os.environ.get("TOY_COUNT"):
            with Path(count).open("a") as file:
                file.write(f"{len(prompts)}\n")
        time.sleep(float(os.environ.get("TOY_SECONDS", "0")) * (len(prompts) > 100))
        if self.behaviour == "constant":
            return np.full((len(prompts), len(words)), -3.0)
        texts = [prompt.context if self.behaviour == "alike" else str(prompt) for prompt in prompts]
        logp = np.array([[self.logp(text, word) for word in words] for text in texts])
        if self.behaviour == "rare":
            logp -= 10.0
        if self.behaviour == "nan":
            logp[[prompt.group == "nurse" for prompt in prompts]] = np.nan
        if self.behaviour == "silent-nurse":
            logp[[prompt.group == "nurse" and "said" in prompt.context for prompt in prompts]] = -np.inf
        return logp

    def logp(self, prompt, word):
        digest = hashlib.sha256(f"{prompt}|{word}".encode()).digest()
        return -4.0 - 4.0 * digest[0] / 255


@hookimpl
def bvf_backends():
    return [Provider("toy", Toy, "answers by hashing")]
