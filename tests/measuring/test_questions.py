"""The order of questions: group by group, or blocks of contexts with all groups in each."""

from functools import partial

import numpy as np
import pytest
from helpers.toy_runs import small_config
from hypothesis import given
from hypothesis import strategies as st

import bvf
from bvf import BvfError, Template
from bvf.hooks.loader import load
from bvf.measuring.plan import plan_of
from bvf.measuring.questions import Block, Questions, Shard, blocks_of


@pytest.fixture
def config(tmp_path, toy):
    return partial(small_config, toy, tmp_path / "out", limit_groups=40)


@given(st.integers(1, 60), st.integers(1, 60), st.sampled_from(["groups", "contexts"]))
def test_every_question_is_asked_once_and_blocks_have_all_groups(groups, contexts, order):
    asked = Questions(
        groups=tuple(f"g{x}" for x in range(groups)),
        features=({},) * groups,
        templates=tuple(Template(f"[X] {c} [Y]") for c in range(contexts)),
        classes=("a", "b"),
        words=("a", "b"),
        class_of_word=np.array([0, 1]),
        tolerance=0.0,
        weights=np.ones(contexts),
        order=order,
    )
    shards = asked.shards()
    of_each = [asked.questions(shard).tolist() for shard in shards]
    assert sorted(question for questions in of_each for question in questions) == list(range(groups * contexts))
    assert [len(questions) for questions in of_each] == [shard.stop - shard.start for shard in shards]
    if order == "contexts":
        for questions in of_each:
            blocks = {(x, c) for x, c in (divmod(question, contexts) for question in questions)}
            assert {x for x, _ in blocks} == set(range(groups))
            assert len(blocks) == groups * len({c for _, c in blocks})


def test_an_accelerator_reads_a_thousand_prompts_together(config):
    asked = plan_of(config(limit_groups=0), load(extra=config().plugin)).questions
    shards = [Shard(index, 512 * index, 512 * index + 512) for index in range(5)]
    assert [each.shards for each in blocks_of(shards, on_accelerator=False)] == [(shard,) for shard in shards]
    assert [each.sizes for each in blocks_of(shards, on_accelerator=True)] == [[512, 512], [512, 512], [512]]
    assert blocks_of([Shard(0, 0, 3000), *shards], on_accelerator=True)[0].sizes == [3000]
    few = [Shard(index, 25 * index, 25 * index + 25) for index in range(9)]  # of 10 texts per prompt
    assert [each.sizes for each in blocks_of(few, on_accelerator=True, samples=10)] == [[25] * 4, [25] * 4, [25]]
    together = asked.tolerance_of(Block(tuple(asked.shards()[:2])))
    alone = [asked.tolerance_of(Block((shard,))) for shard in asked.shards()[:2]]
    assert together.weights.tolist() == [*alone[0].weights, *alone[1].weights]
    assert len(set(together.groups)) == sum(len(set(each.groups)) for each in alone)


ON_AN_ACCELERATOR = """
import numpy as np
from bvf import Answers, Backend, ModelDescription, Provider, hookimpl

class There(Backend):
    def __init__(self, request):
        pass
    def score(self, prompts, words, *, absolute):
        logp = np.array([[-1.0 - len(f"{prompt}{word}") for word in words] for prompt in prompts])
        return Answers(logp, remarks=(f"{len(prompts)} prompts together",))

@hookimpl
def bvf_backends():
    return [
        Provider(name, There, describe=lambda _, name=name: ModelDescription(in_main_memory=name == "here"))
        for name in ("here", "there")
    ]
"""


def test_what_an_accelerator_reads_together_is_stored_as_what_a_processor_reads(config, tmp_path):
    plugin = tmp_path / "there.py"
    plugin.write_text(ON_AN_ACCELERATOR)
    choices = {"limit_contexts": 10, "limit_groups": 0, "plugin": (str(plugin),), "other_words": False}
    there, here = (
        bvf.run(config(model=f"{name}:x", out=str(tmp_path / name), **choices)) for name in ("there", "here")
    )
    assert there.R == here.R
    stored = [
        sorted(each.name.split(".")[0] for each in (run.folder / "probabilities").iterdir()) for run in (there, here)
    ]
    assert stored[0] == stored[1]
    assert [[note for note in run.notes if note.endswith("prompts together")] for run in (there, here)] == [
        ["1024 prompts together", "136 prompts together"],
        ["128 prompts together", "8 prompts together"],
    ]


def test_the_order_changes_no_figure(config, tmp_path):
    one, other = (bvf.run(config(order=order, out=str(tmp_path / order))) for order in ("groups", "contexts"))
    assert one.model_dump(exclude={"measurement"}) == other.model_dump(exclude={"measurement"})
    assert one.measurement != other.measurement


def cut_off(result, shards):
    for file in sorted((result.folder / "probabilities").iterdir())[shards:]:
        file.unlink()


def test_what_is_there_when_a_run_is_cut_off_says_something_of_every_group(config, tmp_path, command):
    whole = bvf.run(config(order="contexts"))
    cut_off(whole, 2)
    with pytest.raises(BvfError, match="unfinished, shard 2 is not there"):
        bvf.analyse(whole.folder)
    partly = bvf.analyse(whole.folder, unfinished=True)
    assert [group.group for group in partly.groups] == [group.group for group in whole.groups]
    assert partly.number_of_contexts == 2 * (128 // 40)
    assert any("unfinished: every group was asked in 6 of 10 contexts" in note for note in partly.notes)
    some = tmp_path / "some.csv"
    asked = bvf.read_measurement(whole.folder, unfinished=True).record.asked
    some.write_text("template,count\n" + "".join(f'"{t.template}",{t.count}\n' for t in asked.templates))
    alone = bvf.run(config(contexts=str(some), out=str(tmp_path / "alone")))
    assert pytest.approx(alone.R) == partly.R
    assert [group.r for group in partly.groups] == pytest.approx([group.r for group in alone.groups])
    done = command("analyse", whole.folder, "--unfinished")
    assert done.code == 0
    assert "unfinished: every group" in done.said
    assert len(list((whole.folder / "analyses").iterdir())) == 1  # that of the whole run
    assert bvf.run(config(order="contexts")) == whole


def test_group_by_group_nothing_can_be_said_of_every_group_before_the_end(config):
    whole = bvf.run(config())
    assert bvf.analyse(whole.folder, unfinished=True).model_dump() == whole.model_dump()
    cut_off(whole, 2)
    with pytest.raises(BvfError, match="no block of contexts was asked of every group yet"):
        bvf.analyse(whole.folder, unfinished=True)
