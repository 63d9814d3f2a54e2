"""Stored runs of every kind of answers stay readable, give the same results, and are written as they were."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import bvf
from bvf.domain.context import Sampling
from bvf.hooks.loader import load
from bvf.running.verify import problems_in

DATA = Path(__file__).resolve().parents[1] / "data"
STORED = DATA / "stored_runs"
"""Runs of every kind of answers with their results, as bvf wrote them when answers were optional arrays."""
ENDS = ("even", "odd")
CONTEXTS = bvf.ContextSet(
    "days",
    tuple(bvf.Template(f"The [X] of day {c} is {ENDS[c % 2]} [Y]") for c in range(6)),
    (3, 1, 2, 2, 5, 1),
    "made",
    sampling=Sampling(),
)
RUNS = {
    "computed": {"model": "toy:hash"},
    "drawn": {"model": "toy:silent-nurse", "sample_contexts": 9},
    "sampled": {"model": "sampling:known"},
    "sampled_drawn": {"model": "sampling:known", "sample_contexts": 9},
    "written": {"model": "writing:known", "reading": "generated", "samples": 5},
    "written_drawn": {"model": "telling:known", "reading": "generated", "samples": 5, "sample_contexts": 9},
    "thought": {"model": "thinking:known", "reading": "thought", "thoughts": 3},
    "thought_drawn": {"model": "thinking:known", "reading": "thought", "thoughts": 3, "sample_contexts": 9},
}
GROUPS = {"written_drawn": ("nurse", "cook")}
PLUGINS = {
    "toy": "toy_plugin.py",
    "sampling": "sampling_plugin.py",
    "writing": "writing_plugin.py",
    "telling": "judging_plugin.py",
    "thinking": "thinking_plugin.py",
}

NOT_COMPARED = {"created", "folder", "versions", "bvf", "word_lists"}
"""What says when, where and by which versions a result was made; words were left out one by one, and now by units."""
ASKED_SINCE = (
    "neutral subjects were not asked: ",
    "parts of the lean not computed: ",
    "intervals leave out the error of the reader ",
)
"""Beginnings of notes: the models of these runs know no other groups than theirs, and no error of readers was known."""
SAID_SINCE = ("every candidate word has probability 0 in all their prompts", "none of their prompts has an answer")
"""How a note on groups went on, which was false of texts, and how it does now."""
DIGITS = 1e-6
"""Answers are stored with seven digits."""
COMPARED = [("computed", "written"), ("computed", "thought"), ("sampled", "written"), ("sampled", "thought")]


def gender_of_then():
    """The topic as it was called and described."""
    topic = load().topics.in_language("en").make("gender-2026")
    summary = topic.summary.partition(":")[0]
    meaning = topic.measurement.model_copy(update={"gaps": topic.measurement.gaps[:-2]})
    return topic.model_copy(update={"name": "gender", "summary": summary, "measurement": meaning})


def run(name, folder):
    """Run a kind of answers in a folder."""
    chosen = RUNS[name]
    plugin = str(DATA / PLUGINS[chosen["model"].split(":")[0]])
    groups = GROUPS.get(name, ("nurse", "cook", "cio"))
    asked = {"topic": gender_of_then(), "groups": groups, "contexts": CONTEXTS}
    return bvf.run(**chosen, plugin=(plugin,), **asked, out=str(folder))


def figures(folder):
    """The result in a folder without what says when, where and with which versions it was made."""
    result = json.loads((folder / "result.json").read_text("utf-8"))
    result["notes"] = [note.replace(*SAID_SINCE) for note in result["notes"] if not note.startswith(ASKED_SINCE)]
    return {name: value for name, value in result.items() if name not in NOT_COMPARED}


def lost(before, now, where=""):
    """A line per value that is not there any more, or differs by more than the rounding of another processor."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key, value in before.items():
            yield from lost(value, now.get(key, "lost"), f"{where}.{key}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for place, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from lost(one, other, f"{where}[{place}]")
    elif isinstance(before, float) and isinstance(now, float):
        if now != pytest.approx(before, rel=DIGITS, abs=DIGITS, nan_ok=True):
            yield f"{where}: {before} and {now}"
    elif before != now:
        yield f"{where}: {before} and {now}"


def record(folder):
    """The record of a measurement without versions of the software, and the digest over them."""
    stored = json.loads((folder / "measurement.json").read_text("utf-8"))
    return {name: value for name, value in stored.items() if name not in {"begun_with", "content"}}


def shards(folder):
    return sorted((folder / "probabilities").glob("*.parquet"))


def content(file):
    """The columns of a shard."""
    return pq.read_table(file).to_pydict()


@pytest.fixture(params=RUNS)
def name(request):
    return request.param


def test_a_stored_run_is_read_and_gives_the_same_result(name, tmp_path):
    folder = tmp_path / name
    shutil.copytree(STORED / name, folder)
    before = figures(folder)
    assert list(problems_in(folder, load())) == []
    (folder / "result.json").unlink()
    shutil.rmtree(folder / "analyses")
    bvf.analyse(folder)
    assert list(lost(before, figures(folder))) == []


def test_a_run_writes_what_it_wrote_before(name, tmp_path):
    run(name, tmp_path / "run")
    before, now = shards(STORED / name), shards(tmp_path / "run")
    assert list(lost(record(STORED / name), record(tmp_path / "run"))) == []
    assert list(lost(list(map(content, before)), list(map(content, now)))) == []
    assert [pq.read_schema(file).metadata for file in now] == [pq.read_schema(file).metadata for file in before]
    alike = [[(pq.read_metadata(file).created_by, str(content(file))) for file in files] for files in (before, now)]
    if alike[0] == alike[1]:
        assert [file.read_bytes() for file in now] == [file.read_bytes() for file in before]
    assert list(lost(figures(STORED / name), figures(tmp_path / "run"))) == []


def test_a_run_of_thoughts_may_be_named_first(monkeypatch):
    """It has volatilities that others have not."""
    monkeypatch.chdir(STORED)
    there, back = (bvf.compare(list(names)).topics[0].differences for names in (COMPARED[1], COMPARED[1][::-1]))
    assert [each.value for each in back] == pytest.approx([-each.value for each in there])


@pytest.mark.parametrize("names", COMPARED, ids="-".join)
def test_stored_runs_are_compared_as_before(names, monkeypatch):
    monkeypatch.chdir(STORED)
    before = json.loads(Path(f"{'-'.join(names)}.json").read_text("utf-8"))
    assert list(lost(before, bvf.compare(list(names)).model_dump(mode="json", by_alias=True))) == []
