"""A backend and a miner without a model. They note their inputs in the folder given as their name."""

import hashlib
import os
import re
import time
from pathlib import Path

import numpy as np

from bvf import Backend, Capabilities, ModelDescription, Provider, hookimpl
from bvf.domain.context import Template
from bvf.interfaces.miner import Found, Match, Miner, Span

SAID = re.compile(r"The (\w+) (\w+) that (he|she)\b[^.]*\.")
SHARD = 100
"""Calls with at most so many prompts are checks of the model, and not noted."""


class Toy(Backend):
    capabilities = Capabilities(reads_right=False)

    def __init__(self, request):
        self.folder = Path(request.model)
        with self.folder.with_name("loaded").open("a") as file:
            file.write(f"{self.folder.name} {os.getpid()} {request.share.workers}\n")

    def score(self, prompts, words, *, absolute):
        if self.folder.name == "broken":
            raise RuntimeError("a fault in the model")
        if len(prompts) > SHARD:
            with (self.folder / "asked").open("a") as file:
                file.write(f"{os.getpid()} {hashlib.sha256(str(prompts[0]).encode()).hexdigest()}\n")
            time.sleep(float((self.folder / "seconds").read_text()))
        return np.array([[self.logp(str(prompt), word) for word in words] for prompt in prompts])

    def logp(self, prompt, word):
        return -4.0 - 4.0 * hashlib.sha256(f"{prompt}|{word}".encode()).digest()[0] / 255


def described(request):
    """Describe the toy model. Its weights are a file of which every machine has its own copy.

    They take as many bytes as its folder's file ``bytes`` says.
    """
    weights, size = Path.home() / "weights", Path(request.model) / "bytes"
    return ModelDescription(
        Toy.capabilities,
        weights=weights.read_text() if weights.exists() else "",
        memory=int(size.read_text()) if size.exists() else None,
    )


class Finder(Miner):
    script, models = "LATIN", "none"

    def __init__(self, request):
        self.request = request

    def find(self, documents):
        mined = Found()
        for document in documents:
            for said in SAID.finditer(document.text):
                mined.sentences += 1
                mined.parsed += 1
                spans = Span(*said.span()), Span(*said.span(1)), Span(*said.span(3))
                template = Template(f"The [X] {said[2]} that [Y]")
                mined.matches.append(Match(template, document, *spans, verb=said[2], family="reporting", tense="Past"))
        return mined


@hookimpl
def bvf_backends():
    return [Provider("noting", Toy, "answers by hashing", describe=described)]


@hookimpl
def bvf_miners():
    return [Provider("finder", Finder, "The X said that Y", language="en")]
