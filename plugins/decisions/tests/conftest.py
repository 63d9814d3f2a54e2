"""Commands on the bundled model, and its answers by plain forward passes."""

import shlex
import subprocess

import pytest
import torch
from helpers.plain_models import logprob_of_rest
from helpers.warm import warm_bvf
from transformers import AutoModelForCausalLM, AutoTokenizer

from bvf import load


@pytest.fixture(scope="session")
def bvf():
    """Run a line of ``bvf``, and return what it prints."""

    def call(line, code=0):
        done = subprocess.run([*warm_bvf(), *shlex.split(line)], capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done.stdout or done.stderr

    return call


@pytest.fixture(scope="session")
def log_p():
    """Log p of a word after a text."""
    folder = load().models.find("en-causal").make().path
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokens = AutoTokenizer.from_pretrained(folder)

    def of(text, word):
        left, whole = (tokens(each)["input_ids"] for each in (text, f"{text} {word}"))
        assert whole[: len(left)] == left
        return logprob_of_rest(model, whole, len(left))

    return of
