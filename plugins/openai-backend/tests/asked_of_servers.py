"""The prompts and words in tests of servers."""

import numpy as np

from bvf.domain.prompt import Prompt
from bvf.interfaces.backend import Tolerance
from bvf.stats.figures.probabilities import class_probabilities

CLASSES = {"male": ["he", "father", "salesman", "boyfriend"], "female": ["she", "mother", "saleswoman", "actresses"]}
WORDS = [word for of_class in CLASSES.values() for word in of_class]
CLASS_OF_WORD = np.array([0, 0, 0, 0, 1, 1, 1, 1])
PROMPTS = [
    Prompt(text.format(group), "", group, text)
    for group in ("nurse", "truck driver", "doctor")
    for text in ("The {} said that", "Everybody told the {} that", "As a {} I know that")
]


def classes_by(backend, tolerance=0.0):
    """Class probabilities and their error bounds."""
    answers = backend.answers(PROMPTS, WORDS, CLASS_OF_WORD, Tolerance.on_each(tolerance, len(PROMPTS)))
    return class_probabilities(answers.logp, CLASS_OF_WORD, 2), answers.bounds
