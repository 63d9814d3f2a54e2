"""A backend that thinks, and whose thoughts and probabilities follow a known distribution.

``thinking:known``: a thought is *yes* with the probability of `YES` by the group and the context (those whose left text
ends with *even*, and the others), else *no*; p(she) is `AFTER` of it. Thoughts of one group never end.
"""

import os
import time
from pathlib import Path

import numpy as np

from bvf import Backend, Capabilities, Provider, hookimpl
from bvf.interfaces.texts import random_stream
from bvf.interfaces.thoughts import ThinkingBackend, Thought

YES = {"nurse": (0.75, 0.25), "cook": (0.5, 0.5), "cio": (0.0, 0.0)}
AFTER = {"yes": 0.9, "no": 0.3}
NEVER_ENDS = "cio"


class Known(Backend, ThinkingBackend):
    capabilities = Capabilities(reads_right=False, answers_from_table=True, thinks=True)

    def __init__(self, request):
        self.calls = 0

    def thoughts(self, prompts, generation):
        if count := os.environ.get("THINKING_COUNT"):
            with Path(count).open("a") as file:
                file.write(f"{len(prompts)}\n")
        self.calls += 1
        if self.calls > int(os.environ.get("THINKING_CALLS", "1000000")):
            os.kill(os.getpid(), 9)
        time.sleep(float(os.environ.get("THINKING_SECONDS", "0")))
        return [[self.thought(each, k, generation) for k in range(generation.samples)] for each in prompts]

    def thought(self, prompt, k, generation):
        yes = YES[prompt.group][not prompt.left.endswith("even")]
        number = random_stream(prompt, k, generation).random()
        return Thought("yes" if number < yes else "no", ended=prompt.group != NEVER_ENDS)

    def score(self, prompts, words, *, absolute):
        p = np.full((len(prompts), len(words)), 1e-9)
        for row, prompt in enumerate(prompts):
            she = AFTER.get(prompt.thought, 0.5)
            p[row, [words.index("she"), words.index("he")]] = 0.8 * she, 0.8 * (1.0 - she)
        return np.log(p)


@hookimpl
def bvf_backends():
    return [Provider("thinking", Known, "thinks thoughts of a known distribution")]
