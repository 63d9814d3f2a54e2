"""The bundled model on a real vLLM server: `make test-vllm` starts one."""

import os
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pytest
from loopback import FOLDER, NAME

from bvf.domain.prompt import Prompt
from bvf.interfaces.tolerance import Tolerance
from bvf.stats.figures.probabilities import class_probabilities

pytestmark = pytest.mark.vllm
PORT = 8017
SECONDS_TO_START = 900
TEXTS = (
    "The {} said that",
    "Everybody told the {} that",
    "As a {} I know that",
    "After the meeting the {} left, because",
)
OPTIONS = (
    "--enforce-eager",
    "--dtype",
    "float32",
    "--max-model-len",
    "128",
    "--host",
    "127.0.0.1",
    "--port",
    str(PORT),
)


@pytest.fixture(scope="module")
def vllm(tmp_path_factory):
    log = (tmp_path_factory.mktemp("vllm") / "log").open("w+")
    server = [os.environ["VLLM_PYTHON"], "-m", "vllm.entrypoints.openai.api_server"]
    process = subprocess.Popen(
        [*server, "--model", str(FOLDER), "--served-model-name", NAME, *OPTIONS],
        env={**os.environ, "VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1"},
        stdout=log,
        stderr=log,
    )
    try:
        _wait(process, log)
        yield SimpleNamespace(url=f"http://127.0.0.1:{PORT}/v1")
    finally:
        process.terminate()
        process.wait(60)
        log.close()


def _wait(process, log):
    """Wait until the server answers, or fail with the end of its log."""
    for _ in range(SECONDS_TO_START):
        assert process.poll() is None, (log.flush(), log.seek(0), log.read()[-2000:])
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=5):
            return
        time.sleep(1)
    raise TimeoutError("vLLM did not start")


@pytest.fixture
def asked(topic):
    """Prompts of all groups, the topic's words, and their classes."""
    counted = topic.counted_words()
    words = [word for of_class in counted.values() for word in of_class]
    classes = np.array([y for y, of_class in enumerate(counted.values()) for _ in of_class])
    groups = [getattr(group, "name", group) for group in topic.groups]
    return [Prompt(text.format(group), "", group, text) for group in groups for text in TEXTS], words, classes


def test_class_probabilities_are_those_of_the_model_here(vllm, connect, local, asked):
    prompts, words, classes = asked
    some = prompts[::3]
    probabilities = [
        class_probabilities(each.answers(some, words, classes, Tolerance.on_each(0.0, len(some))).logp, classes, 2)
        for each in (connect(vllm), local)
    ]
    difference = np.abs(probabilities[0] - probabilities[1]).max()
    say(f"largest difference of a class probability, {len(some)} prompts, {len(words)} words: {difference:.2g}")
    assert difference <= 1e-5


def test_prompts_per_second(vllm, connect, asked):
    prompts, words, classes = asked
    for label, tolerance, *chosen in (
        ("he, she", 0.0, ["he", "she"], np.array([0, 1])),
        ("all words", 0.01, words, classes),
    ):
        backend = connect(vllm)
        begun = time.perf_counter()
        backend.answers(prompts, *chosen, Tolerance.on_each(tolerance, len(prompts)))
        rate = len(prompts) / (time.perf_counter() - begun)
        say(f"{label}, tolerance {tolerance:g}: {rate:.0f} prompts/s")


def say(figure):
    """Print a figure for the log of this test."""
    sys.stdout.write(f"\n{figure}\n")
