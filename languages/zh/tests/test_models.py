"""The bundled models are sensitive to gender."""

import pytest
import torch

import bvf
from bvf.hooks.loader import load

PAIRS = [("父亲", "母亲"), ("祖父", "祖母"), ("男孩", "女孩"), ("儿子", "女儿"), ("哥哥", "姐姐")]


@pytest.fixture(scope="module", params=["zh-causal", "zh-masked"])
def backend(request):
    torch.set_num_threads(1)
    plugins = load()
    model = plugins.models.find(request.param).make()
    topic = plugins.topics.in_language("zh").find("gender").make()
    return plugins.backends.find("transformers").make(bvf.ModelRequest(str(model.path), topic))


@pytest.mark.parametrize(("male", "female"), PAIRS)
def test_it_prefers_the_male_pronoun_after_the_male_word(backend, male, female):
    prompts = [bvf.Prompt(f"{word}说", "", word, "[X]说[Y]", spaced=False) for word in (male, female)]
    logp = backend.word_logprobs(prompts, ["他", "她"])
    assert logp[0, 0] - logp[0, 1] > logp[1, 0] - logp[1, 1]
