"""On a GPU every family of models has the probabilities of the CPU; it does not wait, and passes are few."""

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import bvf
from bvf import Prompt
from bvf.hooks.loader import load
from bvf.interfaces.backend import Tolerance
from bvf.measuring.plan import plan_of
from bvf.measuring.questions import Block
from bvf.stats.figures.probabilities import class_probabilities

WORDS = ("he", "grandson", "actor", "she", "stepmother", "actress", "herself")
CLASSES = np.array([0, 0, 0, 1, 1, 1, 1])
PROMPTS = [
    Prompt(f"The {noun} said that", f" would {verb}.", noun, verb)
    for noun in ("nurse", "engineer", "captain of a ship")
    for verb in ("leave", "stay at home")
]

WAITS = {"aten::_local_scalar_dense", "aten::is_nonzero", "aten::nonzero", "aten::masked_select", "aten::equal"}
"""Operations whose result the processor waits for."""
ON_GPU = {"batch_tokens": 8192}
WAIT_BY_THEMSELVES = {"bart": "looks at the values of its mask", "switch": "routes tokens by their number"}


class Waiting(TorchDispatchMode):
    """Notes the operations of a block that would wait for a GPU."""

    def __init__(self):
        super().__init__()
        self.noted = []

    def __torch_dispatch__(self, operation, types, given=(), named=None):
        masks = [each for each in given[1] if each is not None] if operation is torch.ops.aten.index.Tensor else ()
        if operation._schema.name in WAITS or any(each.dtype == torch.bool for each in masks):
            self.noted.append(operation._schema.name)
        return operation(*given, **(named or {}))


@pytest.mark.parametrize("tolerance", [0.0, 0.05])
def test_no_pass_waits_for_the_device(family, folder_of, load_model, tolerance):
    if family.name in WAIT_BY_THEMSELVES:
        pytest.skip(f"the library {WAIT_BY_THEMSELVES[family.name]}")
    backend = load_model(folder_of(family.name), **ON_GPU)
    _answers(backend, tolerance)  # and what is checked once is checked
    with Waiting() as waiting:
        _answers(backend, tolerance)
    assert waiting.noted == []


def test_shards_that_are_read_together_take_few_passes_and_are_answered_as_alone():
    config = bvf.RunConfig(model="bundled:en-causal", limit_groups=30, sample_contexts=20, backend_options=ON_GPU)
    asked = plan_of(config, load())
    backend, passes, shards = asked.model.load(), [], asked.questions.shards()
    backend.model.register_forward_pre_hook(lambda *_: passes.append(1))

    def answers(*block):
        questions = np.concatenate([asked.questions.questions(shard) for shard in block]).tolist()
        allowed = asked.questions.tolerance_of(Block(block))
        of_block = backend.answers(
            asked.prompts(questions), asked.questions.words, asked.questions.class_of_word, allowed
        )
        return class_probabilities(of_block.logp, asked.questions.class_of_word, 2), of_block.bounds

    answers(shards[0])
    passes.clear()
    alone = [np.concatenate(each) for each in zip(*map(answers, shards), strict=True)]
    apart = len(passes)
    together = answers(*shards)
    assert len(shards) == 5
    assert 2 * (len(passes) - apart) < apart
    for one, other in zip(together, alone, strict=True):
        assert np.abs(one - other).max() < 1e-5


@pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no GPU")
@pytest.mark.parametrize("tolerance", [0.0, 0.05])
def test_probabilities_are_those_of_the_cpu(family, folder_of, load_model, tolerance):
    on_cpu, on_gpu = (_answers(load_model(folder_of(family.name), device=each), tolerance) for each in ("cpu", "cuda"))
    assert np.abs(on_cpu[0] - on_gpu[0]).max() < 1e-4
    assert np.abs(on_cpu[1] - on_gpu[1]).max() < 1e-4


def _answers(backend, tolerance):
    allowed = Tolerance.on_each(tolerance, len(PROMPTS))
    answers = backend.answers(PROMPTS, WORDS, CLASSES, allowed)
    bounds = np.zeros(1) if answers.bounds is None else answers.bounds
    return class_probabilities(answers.logp, CLASSES, 2), bounds
