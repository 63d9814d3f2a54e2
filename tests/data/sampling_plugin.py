"""A backend whose probabilities are shares of samples of a known distribution, for tests of sampled answers.

``sampling:known``: of 12 continuations of a prompt some are *she* or *he*, as random numbers of the prompt say; of a
cio there is none in contexts that end with *even*.
"""

import numpy as np

from bvf import Backend, Capabilities, Provider, hookimpl
from bvf.domain.generation import Generation
from bvf.interfaces.backend import Answers, ModelDescription
from bvf.interfaces.texts import random_stream

SAMPLES = 12
SHE = {"nurse": 0.8, "cook": 0.5, "cio": 0.2}


class Known(Backend):
    capabilities = Capabilities(reads_right=False, answers_from_table=True)

    def __init__(self, request):
        pass

    def score(self, prompts, words, *, absolute):
        return self.sampled(prompts, words)[0]

    def answers(self, prompts, words, class_of_word, tolerance):
        logp, hits = self.sampled(prompts, words)
        return Answers(logp, remarks=("12 continuations were sampled",), hits=hits)

    def sampled(self, prompts, words):
        counts = np.zeros((len(prompts), len(words)))
        generation = Generation(samples=SAMPLES, tokens=1, temperature=1.0, seed=0)
        for row, prompt in enumerate(prompts):
            stream = random_stream(prompt, 0, generation)
            nothing = prompt.group == "cio" and prompt.left.endswith("even")
            hits = 0 if nothing else stream.binomial(SAMPLES, 0.7)
            she = stream.binomial(hits, SHE[prompt.group])
            counts[row, [words.index("she"), words.index("he")]] = she, hits - she
        with np.errstate(divide="ignore"):
            return np.log(counts / SAMPLES), counts.sum(axis=1)


def described(request):
    return ModelDescription(Known.capabilities, samples=SAMPLES)


@hookimpl
def bvf_backends():
    return [Provider("sampling", Known, "samples of a known distribution", describe=described)]
