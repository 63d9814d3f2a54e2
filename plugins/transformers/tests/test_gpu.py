"""On a GPU every family of models has the probabilities of the CPU."""

import numpy as np
import pytest
import torch

from bvf import Prompt
from bvf.interfaces.backend import Tolerance
from bvf.stats.figures.probabilities import class_probabilities

WORDS = ("he", "grandson", "actor", "she", "stepmother", "actress", "herself")
CLASSES = np.array([0, 0, 0, 1, 1, 1, 1])
PROMPTS = [
    Prompt(f"The {noun} said that", f" would {verb}.", noun, verb)
    for noun in ("nurse", "engineer", "captain of a ship")
    for verb in ("leave", "stay at home")
]

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no GPU")


@pytest.mark.parametrize("tolerance", [0.0, 0.05])
def test_probabilities_are_those_of_the_cpu(family, folder_of, load_model, tolerance):
    on_cpu, on_gpu = (_answers(load_model(folder_of(family.name), device=each), tolerance) for each in ("cpu", "cuda"))
    assert np.abs(on_cpu[0] - on_gpu[0]).max() < 1e-4
    assert np.abs(on_cpu[1] - on_gpu[1]).max() < 1e-4


def _answers(backend, tolerance):
    allowed = Tolerance.on_each(tolerance, len(PROMPTS))
    answers = backend.answers(PROMPTS, WORDS, CLASSES, allowed)
    bounds = np.zeros(1) if answers.bounds is None else answers.bounds
    return class_probabilities(answers.logp, CLASSES, 2), bounds
