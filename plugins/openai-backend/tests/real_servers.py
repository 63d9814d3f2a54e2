"""Real servers, each a process of its own, and what is asked of them all."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from contextlib import contextmanager, suppress
from types import SimpleNamespace

import numpy as np
from asked_of_servers import classes_by
from bvf_texts.reader import Unread
from bvf_texts.readers.by_words import FirstWord
from scipy.stats import chisquare

from bvf.domain.generation import Generation
from bvf.domain.prompt import Prompt
from bvf.domain.topic import Attribute
from bvf.hooks.loader import load

SECONDS_TO_START = 900
CHANCE = 1e-6
"""How probable it may be that a test fails by chance."""
ONE_TOKEN = Generation(samples=60, tokens=1, temperature=1, seed=7)
MOST_PROBABLE = Generation(samples=1, tokens=24, temperature=0, seed=0)
NO_CLASS = ""
CLASSES = (Attribute(name="male", words=("he", "his", "him")), Attribute(name="female", words=("she", "her")))
TEXTS = (
    "The {} said that",
    "Everybody told the {} that",
    "As a {} I know that",
    "After the meeting the {} left, because",
)


@contextmanager
def served(command, folder, **environment):
    """Start a server at a free port, and yield its address once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/v1"
    with (folder / "log").open("w+") as log:
        address = ("--host", "127.0.0.1", "--port", str(port))
        process = subprocess.Popen([*command, *address], env=environment, stdout=log, stderr=log)
        try:
            _wait(process, url, log)
            yield SimpleNamespace(url=url)
        finally:
            process.terminate()
            process.wait(60)


def _wait(process, url, log):
    """Wait until the server answers, or fail with the end of its log."""
    for _ in range(SECONDS_TO_START):
        assert process.poll() is None, (log.flush(), log.seek(0), log.read()[-2000:])
        with suppress(OSError), urllib.request.urlopen(f"{url}/models", timeout=5):
            return
        time.sleep(1)
    raise TimeoutError(f"{process.args[:3]} did not start")


def prompts_of(topic):
    groups = [getattr(group, "name", group) for group in topic.groups]
    return [Prompt(text.format(group), "", group, text) for group in groups for text in TEXTS]


def words_and_classes(topic):
    """The topic's words, and their classes."""
    counted = topic.counted_words()
    words = [word for of_class in counted.values() for word in of_class]
    return words, np.array([y for y, of_class in enumerate(counted.values()) for _ in of_class])


def check_class_probabilities(backend, here, prompts, words, class_of_word):
    """Check that class probabilities are those of the model here."""
    p, exact = (classes_by(each, 0.0, prompts, words, class_of_word)[0] for each in (backend, here))
    difference = np.abs(p - exact).max()
    say(f"largest difference of a class probability, {len(prompts)} prompts, {len(words)} words: {difference:.2g}")
    assert difference < 1e-5


def check_texts_of_one_token(backend, model, prompts):
    """Check that texts of one token say each class, and none, as often as the model here makes probable.

    The counts of different prompts together vary less than those of one distribution, so chi-square errs downward.
    """
    read = FirstWord().reading(CLASSES, load().languages.find("en").make())
    kinds = [*(each.name for each in CLASSES), NO_CLASS]

    def class_of(text):
        said = read(text)
        return NO_CLASS if isinstance(said, Unread) else said

    of_token = np.array([class_of(model.continuation([token])) for token in range(len(model.tokenizer))])
    p = np.exp([model.logp(model.tokenizer(prompt.left)["input_ids"]) for prompt in prompts]).sum(axis=0)
    texts = backend.texts(prompts, ONE_TOKEN)
    counts = Counter(class_of(text) for of_prompt in texts for text in of_prompt)
    observed = [counts[kind] for kind in kinds]
    expected = [p[of_token == kind].sum() / p.sum() * sum(observed) for kind in kinds]
    chance = chisquare(observed, expected).pvalue
    say(f"texts of {', '.join(kinds)}none: {observed}, expected {np.round(expected, 1).tolist()}: p = {chance:.2g}")
    assert chance > CHANCE
    assert backend.texts(prompts[:2], ONE_TOKEN) == texts[:2]


def check_most_probable_texts(backend, here, prompts):
    """Check that texts at temperature 0 are those of the model here, so that tokens of before are not penalised."""
    assert backend.texts(prompts, MOST_PROBABLE) == here.texts(prompts, MOST_PROBABLE)


def say(figure):
    """Print a figure for the log of this test."""
    sys.stdout.write(f"\n{figure}\n")
