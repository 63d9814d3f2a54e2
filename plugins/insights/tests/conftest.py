"""Runs that several files of tests look at: of a model whose lean is known, and of contexts after openings."""

from itertools import count

import pytest

import bvf

LEANING = """
import zlib

import numpy as np
from bvf import Backend, Capabilities, Provider, hookimpl


class Leaning(Backend):
    capabilities = Capabilities(reads_right=True)

    def __init__(self, request):
        self.reacts_to = request.model

    def score(self, prompts, words, *, absolute):
        he = np.array([self.he(prompt) for prompt in prompts])[:, None]
        return np.log(np.where([word == "he" for word in words], he, 1 - he))

    def he(self, prompt):
        text = str(prompt)
        if self.reacts_to == "stops":
            return 0.8 if prompt.right.endswith(".") else 0.3
        if self.reacts_to == "moods":
            return (0.7 if "cruel" in text else 0.3) + self.by_chance(text) / 20
        if self.reacts_to == "verbs":
            text = str(prompt.context).split("[X] ")[1].split(" ")[0]
        return 0.05 + self.by_chance(prompt.group if self.reacts_to == "groups" else text)

    def by_chance(self, text):
        return zlib.crc32((text + self.reacts_to).encode()) % 89 / 100


@hookimpl
def bvf_backends():
    yield Provider("leaning", Leaning, summary="reacts to what its name says")
"""


@pytest.fixture(scope="session")
def leaning_run(tmp_path_factory):
    """Measure a model that leans by stops, moods, verbs or groups; by another name, by every prompt in its own way."""
    folder, numbers = tmp_path_factory.mktemp("leaning"), count()
    (folder / "leaning.py").write_text(LEANING)

    def make(reacts_to, **choices):
        asked = {"plugin": (str(folder / "leaning.py"),), "words": {"male": ("he",), "female": ("she",)}}
        asked |= {"limit_groups": 6, "out": str(folder / f"{reacts_to}-{next(numbers)}"), **choices}
        return bvf.run(bvf.RunConfig(model=f"leaning:{reacts_to}", **asked))

    return make


@pytest.fixture(scope="session")
def opened_run(run_of, tmp_path_factory):
    """Measure three groups in the templates of a file, after openings of a pool of so many."""

    def make(templates, openings, **choices):
        folder = tmp_path_factory.mktemp("opened")
        file = folder / ("templates.csv" if templates.startswith("template,") else "templates.txt")
        file.write_text(templates)
        (folder / "pool.txt").write_text("".join(f"On day {day} it rained.\n" for day in range(openings)))
        asked = {"contexts": str(file), "openings": str(folder / "pool.txt"), "sample_contexts": 0, "limit_groups": 0}
        return run_of(**{**asked, "groups": ("nurse", "captain", "cook"), **choices})

    return make
