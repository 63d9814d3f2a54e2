"""The bundled model on a real vLLM server: `make test-vllm` starts one."""

import os
import time

import numpy as np
import pytest
from loopback import FOLDER, NAME
from real_servers import (
    MOST_PROBABLE,
    ONE_TOKEN,
    check_most_probable_texts,
    check_texts_of_one_token,
    prompts_of,
    say,
    served,
    words_and_classes,
)

from bvf.interfaces.backend import Tolerance
from bvf.stats.figures.probabilities import class_probabilities

pytestmark = pytest.mark.vllm


@pytest.fixture(scope="module")
def vllm(tmp_path_factory):
    command = [os.environ["VLLM_PYTHON"], "-m", "vllm.entrypoints.openai.api_server", "--model", str(FOLDER)]
    options = ["--served-model-name", NAME, "--enforce-eager", "--dtype", "float32", "--max-model-len", "128"]
    alone = {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1"}
    with served([*command, *options], tmp_path_factory.mktemp("vllm"), **os.environ, **alone) as address:
        yield address


def test_class_probabilities_are_those_of_the_model_here(vllm, connect, local, topic):
    prompts, (words, classes) = prompts_of(topic)[::3], words_and_classes(topic)
    exactly = Tolerance.on_each(0.0, len(prompts))
    probabilities = [
        class_probabilities(each.answers(prompts, words, classes, exactly).logp, classes, 2)
        for each in (connect(vllm), local)
    ]
    difference = np.abs(probabilities[0] - probabilities[1]).max()
    say(f"largest difference of a class probability, {len(prompts)} prompts, {len(words)} words: {difference:.2g}")
    assert difference <= 1e-5


def test_texts_say_a_class_as_often_as_it_is_probable(vllm, connect, model, topic):
    backend = connect(vllm, generation=ONE_TOKEN)
    assert backend.drawing.together == ONE_TOKEN.samples
    check_texts_of_one_token(backend, model, prompts_of(topic)[::30])


def test_the_most_probable_texts_are_those_of_the_model_here(vllm, connect, local, topic):
    check_most_probable_texts(connect(vllm, generation=MOST_PROBABLE), local, prompts_of(topic)[::60])


def test_prompts_per_second(vllm, connect, topic):
    prompts = prompts_of(topic)
    for label, tolerance, *chosen in (
        ("he, she", 0.0, ["he", "she"], np.array([0, 1])),
        ("all words", 0.01, *words_and_classes(topic)),
    ):
        backend = connect(vllm)
        begun = time.perf_counter()
        backend.answers(prompts, *chosen, Tolerance.on_each(tolerance, len(prompts)))
        rate = len(prompts) / (time.perf_counter() - begun)
        say(f"{label}, tolerance {tolerance:g}: {rate:.0f} prompts/s")
