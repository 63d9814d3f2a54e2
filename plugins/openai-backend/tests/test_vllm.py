"""The bundled model on a real vLLM server: `make test-vllm` starts one."""

import os

import pytest
from loopback import FOLDER, NAME
from real_servers import (
    MOST_PROBABLE,
    ONE_TOKEN,
    check_class_probabilities,
    check_most_probable_texts,
    check_texts_of_one_token,
    prompts_of,
    served,
    words_and_classes,
)

pytestmark = pytest.mark.vllm


@pytest.fixture(scope="module")
def vllm(tmp_path_factory):
    command = [os.environ["VLLM_PYTHON"], "-m", "vllm.entrypoints.openai.api_server", "--model", str(FOLDER)]
    options = ["--served-model-name", NAME, "--enforce-eager", "--dtype", "float32", "--max-model-len", "128"]
    alone = {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1"}
    with served([*command, *options], tmp_path_factory.mktemp("vllm"), **os.environ, **alone) as address:
        yield address


def test_class_probabilities_are_those_of_the_model_here(vllm, connect, local, topic):
    check_class_probabilities(connect(vllm), local, prompts_of(topic)[::3], *words_and_classes(topic))


def test_texts_say_a_class_as_often_as_it_is_probable(vllm, connect, model, topic):
    backend = connect(vllm, generation=ONE_TOKEN)
    assert backend.drawing.together == ONE_TOKEN.samples
    check_texts_of_one_token(backend, model, prompts_of(topic)[::30])


def test_the_most_probable_texts_are_those_of_the_model_here(vllm, connect, local, topic):
    check_most_probable_texts(connect(vllm, generation=MOST_PROBABLE), local, prompts_of(topic)[::60])
