"""Work done by several processes: the same run, nothing lost, and no worker outlives its parent."""

import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial

import pytest
from helpers.made_language import language_plugin
from helpers.process_groups import have_ended, running
from helpers.topic_text import topic_text
from helpers.toy_runs import small_config

import bvf
from bvf import BvfError
from bvf.builtin.engines.processes import Processes
from bvf.files.folder import SHARDS, Folder
from bvf.files.machine import processors
from bvf.hooks.loader import load
from bvf.interfaces.engine import Share, Work
from bvf.measuring.plan import plan_of
from bvf.measuring.questions import Block
from bvf.measuring.scoring import Destination, scoring_of

BACKEND = """
from pathlib import Path
import numpy as np
from pydantic import BaseModel
from bvf import Answers, Backend, ModelDescription, Provider, hookimpl

class Options(BaseModel):
    level: float = 5.0

class Made(Backend):
    def __init__(self, request):
        self.level = request.options.level
    def score(self, prompts, words, *, absolute):
        logp = np.array([[-self.level - len(f"{{prompt}}{{word}}") / 1000 for word in words] for prompt in prompts])
        return Answers(logp, remarks=("a whole shard was asked",) if len(prompts) > 100 else ())

def described(request):
    weights = Path(request.model)
    return ModelDescription(weights=weights.read_text() if weights.exists() else "none", settings="{settings}")

@hookimpl
def bvf_backends():
    read = Provider("reading", Made, "describes its model", options=Options, describe=described)
    return [read, Provider("made", Made, "as a test wants it", options=Options)]
"""


@pytest.fixture
def plugin(tmp_path):
    """The file of a plugin: a backend that takes an option and remarks on shards; ``reading`` describes its model."""
    (tmp_path / "made.py").write_text(BACKEND.format(settings="as they were"))
    return tmp_path / "made.py"


@pytest.fixture
def config(tmp_path, toy):
    return partial(small_config, toy, tmp_path / "out", limit_groups=30)


def work_of(config, folder):
    """What a run sends to its engine."""
    folder.mkdir(exist_ok=True)
    run_plan = plan_of(config, load(extra=config.plugin))
    shards, columns = Folder(folder).sub(SHARDS), ("p_male", "p_female", "deviation_bound", "log_p")
    return scoring_of(run_plan, Destination.of("measurement", shards, columns), run_plan.model.load())


class Asking(Work):
    """Says of every task which share its process has, and which one that is."""

    def begin(self, share):
        def do(task):
            time.sleep(0.5)
            return share, os.getpid()

        return do


class Dying(Work):
    def begin(self, share):
        return os._exit


class Refusing(Work):
    def begin(self, share):
        raise BvfError("there is no such model", "try another")


def test_a_run_by_two_processes_is_that_of_one_and_goes_on_with_another_engine(config, tmp_path):
    alone = bvf.run(config(out=str(tmp_path / "alone")))
    together = bvf.run(config(engine="processes:2"))
    assert together.model_dump() == alone.model_dump()
    stored = [sorted((folder / "probabilities").iterdir()) for folder in (alone.folder, together.folder)]
    assert [file.name for file in stored[0]] == [file.name for file in stored[1]]
    stored[1][0].unlink()
    seen = []
    assert bvf.run(config(engine="local"), on_progress=seen.append) == together
    assert 0 < seen[0].reused < seen[0].total


@pytest.mark.parametrize(("number", "count"), [("", processors()), ("1", 1), ("3", 3)])
def test_processes_share_the_processors(number, count):
    answers = {answer for _, answer in Processes(number).map(range(2 * count), Asking())}
    assert {share.threads for share, _ in answers} == {max(1, processors() // count)}
    assert sorted(share.index for share, _ in answers) == list(range(count))
    assert {share.workers for share, _ in answers} == {count}
    assert len({process for _, process in answers} - {os.getpid()}) == count


def test_there_are_no_more_processes_than_tasks():
    answers = [answer for _, answer in Processes("16").map(iter(range(2)), Asking())]
    assert {(share.workers, share.threads) for share, _ in answers} == {(2, max(1, processors() // 2))}
    assert {share.index for share, _ in answers} <= {0, 1}


def test_a_stream_is_taken_twice_the_processes_in_advance():
    taken = []
    answers = Processes("2").map((taken.append(task) or task for task in range(1000)), Asking())
    assert taken == []
    for done in range(1, 4):
        next(answers)
        assert len(taken) <= done + 4
    answers.close()
    assert len(taken) <= 8


def damaged():
    """Tasks of which the fourth is not there."""
    yield from range(3)
    raise BvfError("line 4 cannot be read")


@pytest.mark.parametrize(
    ("tasks", "work", "message", "hint"),
    [
        (damaged(), Asking(), "line 4 cannot be read", ""),
        (range(4), Refusing(), "there is no such model", "try another"),
        (range(1, 5), Dying(), "one of them died", "__main__"),
    ],
    ids=["the stream", "the beginning", "a process that dies"],
)
def test_what_fails_is_passed_on_as_one_line(tasks, work, message, hint):
    with pytest.raises(BvfError, match=message) as error:
        list(Processes("2").map(tasks, work))
    assert hint in error.value.hint


@pytest.mark.parametrize("changes", [{}, {"topic": "knowledge/capitals", "distractors": 3, "seed": 7}])
def test_another_process_asks_the_same_questions(config, changes, tmp_path):
    here = work_of(config(**changes), tmp_path / "here")
    sent = pickle.loads(pickle.dumps(here))
    assert (sent.questions.groups, sent.questions.templates) == (here.questions.groups, here.questions.templates)
    assert sent.ready is None
    block = Block((here.questions.shards()[-1],))
    receipts = [work.begin(Share())(block) for work in (here, sent)]
    assert receipts[0] == receipts[1]  # the name of a file is the digest of its bytes


def test_rules_of_wording_that_changed_meanwhile_are_refused(config, tmp_path):
    language, contexts, topic = tmp_path / "xx.py", tmp_path / "c.csv", tmp_path / "t.toml"
    contexts.write_text("template,count\nThe [X] said that [Y],1\n")
    topic.write_text(topic_text({"odd": ["odd"], "even": ["even"]}).replace('language = "en"', 'language = "xx"'))
    language.write_text(language_plugin("xx", ""))
    plugins = (*config().plugin, str(language))
    chosen = config(lang="xx", topic=str(topic), contexts=str(contexts), plugin=plugins)
    sent = pickle.dumps(work_of(chosen, tmp_path / "here"))
    pickle.loads(sent).begin(Share())
    language.write_text(language_plugin("xx", "").replace("left.rstrip()", 'left.rstrip() + ","'))
    with pytest.raises(BvfError, match="a plugin has changed since the run began"):
        pickle.loads(sent).begin(Share())


@pytest.mark.parametrize(("change", "said"), [("weights", "other weights"), ("plugin", "other configuration and tok")])
def test_a_model_that_is_another_one_where_the_work_is_done_is_refused(config, plugin, tmp_path, change, said):
    weights = tmp_path / "weights"
    weights.write_text("first")
    sent = pickle.dumps(work_of(config(plugin=(str(plugin),), model=f"reading:{weights}"), tmp_path / "here"))
    pickle.loads(sent).begin(Share())
    if change == "weights":
        weights.write_text("second")
    else:
        plugin.write_text(BACKEND.format(settings="otherwise"))
    with pytest.raises(BvfError, match=f"weights is another model on .* than where the run began: {said}"):
        pickle.loads(sent).begin(Share())


def test_options_reach_other_processes_and_what_a_backend_remarks_there_is_kept(config, plugin, tmp_path):
    shared = {"plugin": (str(plugin),), "model": "made:x", "backend_options": {"level": 7.5}}
    together = bvf.run(config(engine="processes:2", **shared))
    assert "a whole shard was asked" in together.notes
    assert bvf.run(config(**shared)) == together  # nothing is scored now
    alone = bvf.run(config(out=str(tmp_path / "alone"), **shared))
    assert together.model_dump() == alone.model_dump()
    other = bvf.run(config(out=str(tmp_path / "other"), **{**shared, "backend_options": {"level": 2.0}}))
    assert other.measurement != alone.measurement


def test_nothing_of_the_working_folder_is_imported(command, tmp_path, monkeypatch):
    """Modules that a process imports before it has the path of its parent, one of which lies there."""
    monkeypatch.chdir(tmp_path)
    for name in ("re", "signal", "tokenize", "pickle"):
        (tmp_path / f"{name}.py").write_text("open('RAN', 'a').write('code of theirs')\n")
    chosen = ("--model", "baseline:random", "--limit-groups", "4", "--sample-contexts", "20", "--out", "out")
    done = command("run", *chosen, "--engine", "processes:2")
    assert (done.code, (tmp_path / "RAN").exists()) == (0, False), done.err
    assert "PYTHONSAFEPATH" not in os.environ


PARENT = """
import sys, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from bvf.builtin.engines.processes import end_with_parent

if __name__ == "__main__":
    pool = ProcessPoolExecutor(2, get_context("spawn"), end_with_parent)
    tasks = [pool.submit(time.sleep, seconds) for seconds in (0.01, 0.01, 600, 600)]
    [task.result() for task in tasks[:2]]
    print("begun", flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_when_their_parent_is_killed(tmp_path, kill):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert parent.stdout.readline() == b"begun\n"
        assert len(running(parent.pid)) >= 3
        parent.send_signal(kill)
        parent.wait()
        assert have_ended(parent.pid, 10)
    finally:
        parent.stdout.close()
        with suppress(ProcessLookupError):
            os.killpg(parent.pid, signal.SIGKILL)
