"""What servers are asked in tests: prompts and words, and options of ``bvf run``."""

import numpy as np

from bvf.domain.prompt import Prompt
from bvf.interfaces.backend import Tolerance
from bvf.stats.figures.probabilities import class_probabilities

CLASSES = {"male": ["he", "father", "salesman", "boyfriend"], "female": ["she", "mother", "saleswoman", "actresses"]}
WORDS = [word for of_class in CLASSES.values() for word in of_class]
CLASS_OF_WORD = np.array([0, 0, 0, 0, 1, 1, 1, 1])
HE_AND_SHE = ["he", "she"]
PROMPTS = [
    Prompt(text.format(group), "", group, text)
    for group in ("nurse", "truck driver", "doctor")
    for text in ("The {} said that", "Everybody told the {} that", "As a {} I know that")
]
JSON = ("--words", "male=he", "--words", "female=she", "--format", "json")
FEW = ("--limit-groups", "4", "--limit-contexts", "2", *JSON)


def answers_within(backend, tolerance, prompts=PROMPTS, words=WORDS, class_of_word=CLASS_OF_WORD):
    return backend.answers(prompts, words, class_of_word, Tolerance.on_each(tolerance, len(prompts)))


def classes_by(backend, tolerance=0.0, *asked):
    """Class probabilities and their error bounds."""
    answers = answers_within(backend, tolerance, *asked)
    return class_probabilities(answers.logp, asked[-1] if asked else CLASS_OF_WORD, 2), answers.bounds


def check_within(found, exact):
    """Check that class probabilities are as far from the exact ones as their bounds say at most."""
    classes, bounds = found
    assert (np.abs(classes - exact).max(axis=1) <= bounds + 1e-6).all()
