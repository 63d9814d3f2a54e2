"""A model on a server and the same here."""

import sys
from pathlib import Path

import numpy as np
import pytest
import torch

sys.path.insert(0, str(Path(__file__).parent))

from loopback import FOLDER, NAME, Loopback, Model, serving

import bvf
from bvf.domain.prompt import Prompt
from bvf.hooks.loader import load
from bvf.stats.probabilities import class_probabilities

CLASSES = {"male": ["he", "father", "salesman", "boyfriend"], "female": ["she", "mother", "saleswoman", "actresses"]}
WORDS = [word for own in CLASSES.values() for word in own]
CLASS_OF_WORD = np.array([0, 0, 0, 0, 1, 1, 1, 1])
PROMPTS = [
    Prompt(text.format(group), "", group, text)
    for group in ("nurse", "truck driver", "doctor")
    for text in ("The {} said that", "Everybody told the {} that", "As a {} I know that")
]


@pytest.fixture(scope="session")
def model():
    torch.set_num_threads(1)
    return Model()


@pytest.fixture(scope="session")
def plugins():
    return load()


@pytest.fixture(scope="session")
def topic(plugins):
    return plugins.topics.in_language("en").find("gender").make()


@pytest.fixture
def serve(model):
    """Serve the bundled model in a dialect, until the test ends."""
    begun = []

    def start(*arguments, **choices):
        loopback = Loopback(model, *arguments, **choices)
        serving_it = serving(loopback)
        begun.append(serving_it)
        loopback.url = serving_it.__enter__()
        return loopback

    yield start
    for each in begun:
        each.__exit__(None, None, None)


@pytest.fixture
def connect(plugins, topic):
    """Connect to a loopback server with this plugin's backend."""
    entry = plugins.backends.find("openai")

    def make(loopback, name=NAME, **options):
        chosen = entry.chosen({"base_url": loopback.url, **options})
        return entry.make(bvf.ModelRequest(name, topic, options=chosen))

    return make


@pytest.fixture(scope="session")
def local(plugins, topic):
    entry = plugins.backends.find("llama")
    return entry.make(bvf.ModelRequest(str(FOLDER), topic, options=entry.chosen({})))


def classes_by(backend, tolerance=0.0):
    """Probabilities of the classes, and the bounds."""
    answers = backend.answers(PROMPTS, WORDS, CLASS_OF_WORD, tolerance)
    return class_probabilities(answers.logp, CLASS_OF_WORD, 2), answers.bounds
