"""A backend that writes texts whose distribution is known, for tests of what is read from them.

``writing:known``: in half of the contexts a nurse is *she* with probability 0.95 and in the others with 0.2, a cook
with 0.5 everywhere; of other groups every text is a refusal, or nothing that tells a class, in equal parts.
"""

import os
import time
from pathlib import Path

from bvf import Backend, Capabilities, Provider, hookimpl
from bvf.interfaces.texts import Writing, random_stream

SHE = {"nurse": (0.95, 0.2), "cook": (0.5, 0.5)}
NEITHER = (" I'm sorry, but I can't help with that.", " it rained.")


class Known(Backend, Writing):
    capabilities = Capabilities(reads_right=False, answers_from_table=True, writes_texts=True)

    def __init__(self, request):
        self.calls = 0

    def score(self, prompts, words, *, absolute):
        raise NotImplementedError

    def texts(self, prompts, generation):
        if count := os.environ.get("WRITING_COUNT"):
            with Path(count).open("a") as file:
                file.write(f"{len(prompts)}\n")
        self.calls += 1
        if self.calls > int(os.environ.get("WRITING_CALLS", "1000000")):
            os.kill(os.getpid(), 9)
        time.sleep(float(os.environ.get("WRITING_SECONDS", "0")))
        return [[self.text(prompt, k, generation) for k in range(generation.samples)] for prompt in prompts]

    def text(self, prompt, sample, generation):
        number = random_stream(prompt, sample, generation).random()
        if prompt.group not in SHE:
            return NEITHER[number < 0.5]
        first, second = SHE[prompt.group]
        return " she left." if number < (first if prompt.left.endswith("even") else second) else " he left."


@hookimpl
def bvf_backends():
    return [Provider("writing", Known, "writes texts of a known distribution")]
