"""Commands on the bundled model, and its answers by plain forward passes."""

import io
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

import pytest
import torch
from helpers.plain_models import logprob_of_rest
from transformers import AutoModelForCausalLM, AutoTokenizer

from bvf import load
from bvf.cli import main


@pytest.fixture(scope="session")
def bvf():
    """Run a line of ``bvf`` in this process, and return what it prints."""

    def call(line, code=0):
        out, err = io.StringIO(), io.StringIO()
        with (
            patch.object(sys, "argv", ["bvf", *shlex.split(line)]),
            redirect_stdout(out),
            redirect_stderr(err),
            pytest.raises(SystemExit) as end,
        ):
            main()
        assert end.value.code == code, err.getvalue()
        return out.getvalue() or err.getvalue()

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
