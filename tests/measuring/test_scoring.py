"""An engine that mixes shards up is named, and gives no figure."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import bvf
from bvf import Backend, RunConfig, Share
from bvf.errors import ContractError
from bvf.files.folder import SHARDS, run_at
from bvf.files.shard_files import Rows
from bvf.hooks.loader import load
from bvf.measuring.plan import plan_of
from bvf.measuring.questions import blocks_of
from bvf.measuring.scoring import Destination, scoring_of

SOURCE = """
from bvf import Engine, Provider, Share, hookimpl

class Odd(Engine):
    def map(self, shards, work):
        score = work.begin(Share())
        {body}

@hookimpl
def bvf_engines():
    return [Provider("odd", Odd, "as it likes")]
"""
BODIES = {
    "other receipts": ("for s, t in zip(shards, shards[::-1]): yield s, score(t)", "with the receipt of another"),
    "two numbers": ("yield 1, 2", "something else than a block and its receipt"),
    "no pair": ("yield shards[0]", "something else than a block and its receipt"),
    "no receipt": ("for s in shards: yield s, score(s).files", "something else"),
    "a shard twice": ("for s in (*shards, shards[0]): yield s, score(s)", "block 0, which is not asked for or done"),
    "its own block": (
        "one = shards[0].shards[0]; yield type(shards[0])((type(one)(9, 0, 1),)), score(shards[0])",
        "block 9, which is not asked for or done",
    ),
    "None": ("return None", "'NoneType' object is not iterable"),
    "a number": ("return 7", "'int' object is not iterable"),
    "an error": ("raise KeyError('queue')", "KeyError: 'queue'"),
    "an error on the way": ("yield shards[0], score(shards[0]); raise OSError('gone')", "failed: OSError: gone"),
    "an exit": ("import sys; sys.exit('enough')", "failed: SystemExit: enough"),
    "a shard left out": ("for s in shards[1:]: yield s, score(s)", "left 1 of"),
}


@pytest.fixture
def config(tmp_path, toy):
    def make(body):
        plugin = tmp_path / "odd.py"
        plugin.write_text(SOURCE.format(body=body))
        return RunConfig(
            model="toy:hash", plugin=(toy, str(plugin)), engine="odd", out=str(tmp_path / "out"), limit_groups=20
        )

    return make


@pytest.mark.parametrize(("body", "said"), BODIES.values(), ids=BODIES)
def test_an_engine_that_mixes_shards_up_is_refused_by_name(config, body, said):
    with pytest.raises(ContractError, match=r"Odd\.map") as error:
        bvf.run(config(body))
    assert said in str(error.value)


def test_an_engine_may_yield_shards_in_any_order(config):
    assert bvf.run(config("for s in reversed(shards): yield s, score(s)")).folder


def test_an_error_of_a_model_is_not_blamed_on_the_engine(config, monkeypatch):
    def failing(*_, **__):
        raise RuntimeError("no such kernel")

    monkeypatch.setattr("bvf.measuring.scoring.Scoring._stored", failing)
    with pytest.raises(RuntimeError, match=r"^no such kernel$"):
        bvf.run(config("for s in shards: yield s, score(s)"))


class OneAtATime(Backend):
    """Answers from what the last call left, as a model with caches does; refuses a second call at once."""

    def __init__(self):
        self.inside = 0
        self.most = 0

    def score(self, prompts, words, *, absolute):
        self.inside += 1
        self.most = max(self.most, self.inside)
        time.sleep(0.01)
        self.inside -= 1
        return np.array([[-1.0 - len(f"{prompt}{word}") for word in words] for prompt in prompts])


def test_the_work_of_a_run_lets_a_second_thread_wait(tmp_path):
    whole_plan = plan_of(RunConfig(model="baseline:random"), load())
    backend = OneAtATime()
    to = Destination.of("m", run_at(tmp_path).sub(SHARDS), Rows.names_of(whole_plan.asked.classes))
    work = scoring_of(whole_plan, to, backend)
    blocks = blocks_of(whole_plan.questions.shards(), on_accelerator=False)
    expected = [work.begin(Share())(block).files for block in blocks]
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(work.begin(Share()), block) for block in blocks]
    assert backend.most == 1
    assert expected == [each.result().files for each in futures]
