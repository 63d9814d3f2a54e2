"""An engine may call the scorer of a run from several threads: each shard gets its own answers."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import bvf
from bvf import Backend, RunConfig
from bvf.hooks.loader import load
from bvf.measure.plan import plan
from bvf.measure.scoring import ShardScorer


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


def test_the_scorer_lets_a_second_thread_wait():
    laid_out = plan(RunConfig(model="baseline:random"), load())
    backend = OneAtATime()
    score = ShardScorer(laid_out, backend)
    shards = laid_out.shards()
    expected = [score(shard).probabilities for shard in shards]
    with ThreadPoolExecutor(4) as pool:
        found = [scored.probabilities for scored in pool.map(score, shards)]
    assert backend.most == 1
    assert all((one == other).all() for one, other in zip(expected, found, strict=True))


def test_the_bundled_model_gives_the_same_from_threads(tmp_path):
    file = tmp_path / "threads.py"
    file.write_text(
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from bvf import Engine, Provider, hookimpl\n"
        "class Threads(Engine):\n"
        "    def scores(self, shards, score):\n"
        "        with ThreadPoolExecutor(4) as pool:\n"
        "            yield from zip(shards, pool.map(score, shards), strict=True)\n"
        "@hookimpl\ndef bvf_engines():\n    return [Provider('threads', Threads)]\n"
    )
    one, other = (
        bvf.run(RunConfig(plugin=(str(file),), engine=engine, limit_groups=40, out=str(tmp_path / engine)))
        for engine in ("local", "threads")
    )
    apart = (one.stereotypes()["probability"] - other.stereotypes()["probability"]).abs().max()
    assert apart < 1e-5
