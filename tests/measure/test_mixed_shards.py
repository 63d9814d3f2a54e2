"""An engine that mixes shards up is named, and gives no figure."""

import pytest

import bvf
from bvf import RunConfig
from bvf.errors import ContractError

SOURCE = """
from bvf import Engine, Provider, hookimpl

class Odd(Engine):
    def scores(self, shards, score):
        {body}

@hookimpl
def bvf_engines():
    return [Provider("odd", Odd, "as it likes")]
"""
BODIES = {
    "the scores of another": (
        "for s, t in zip(shards, [*shards[1:], shards[0]]): yield s, score(t)",
        "with the scores of another",
    ),
    "two numbers": ("yield 1, 2", "something else than a shard and its scores"),
    "no pair": ("yield shards[0]", "something else than a shard and its scores"),
    "scores of no shard": ("for s in shards: yield s, score(s).probabilities", "something else"),
    "a shard twice": ("for s in (*shards, shards[0]): yield s, score(s)", "shard 0, which is not asked for or done"),
    "a shard of its own": (
        "s = type(shards[0])(9, 0, 1); yield s, score(s)",
        "shard 9, which is not asked for or done",
    ),
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
    with pytest.raises(ContractError, match=r"Odd\.scores") as error:
        bvf.run(config(body))
    assert said in str(error.value)


def test_an_engine_may_yield_shards_in_any_order(config):
    assert bvf.run(config("for s in reversed(shards): yield s, score(s)")).folder
