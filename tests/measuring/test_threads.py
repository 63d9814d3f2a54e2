"""An engine may call the scorer of a run from several threads: each shard gets its own answers."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import bvf
from bvf import Backend, RunConfig, Share
from bvf.hooks.loader import load
from bvf.measuring.plan import plan
from bvf.measuring.scoring import scoring_of


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
    whole_plan = plan(RunConfig(model="baseline:random"), load())
    backend = OneAtATime()
    work = scoring_of(whole_plan, tmp_path, "m", keeps_words=False, backend=backend)
    shards = whole_plan.questions.shards()
    expected = [work.begin(Share())(shard).file for shard in shards]
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(work.begin(Share()), shard) for shard in shards]
    assert backend.most == 1
    assert expected == [each.result().file for each in futures]


def test_the_bundled_model_gives_the_same_from_threads(tmp_path):
    file = tmp_path / "threads.py"
    file.write_text(
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from bvf import Engine, Provider, Share, hookimpl\n"
        "class Threads(Engine):\n"
        "    def map(self, shards, work):\n"
        "        score = work.begin(Share())\n"
        "        with ThreadPoolExecutor(4) as pool:\n"
        "            yield from zip(shards, pool.map(score, shards), strict=True)\n"
        "@hookimpl\ndef bvf_engines():\n    return [Provider('threads', Threads)]\n"
    )
    one, other = (
        bvf.run(RunConfig(plugin=(str(file),), engine=engine, limit_groups=4, out=str(tmp_path / engine)))
        for engine in ("local", "threads")
    )
    apart = (one.stereotypes()["probability"] - other.stereotypes()["probability"]).abs().max()
    assert apart < 1e-5
