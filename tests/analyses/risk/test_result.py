"""What a run says when some of it has no answer, or when what it rests on has changed."""

from pathlib import Path

import numpy as np
import pytest
from helpers.few_contexts import in_ten_contexts
from helpers.topic_text import topic_text

import bvf
from bvf import BvfError, RunConfig

PLUGIN = """
import numpy as np
from bvf import Backend, Criterion, KnowledgeCriterion, Provider, hookimpl

SILENT = {silent!r}

class Speechless(Backend):
    def __init__(self, request):
        pass

    def score(self, prompts, words, *, absolute):
        logp = np.log(np.linspace(0.1, 0.4, len(words))) + np.zeros((len(prompts), 1))
        logp[:, 0] = [-3 - len(prompt.group) / 10 - len(prompt.context) / 50 for prompt in prompts]
        logp[[SILENT == "all" and len(prompts) > 20 or prompt.group in SILENT for prompt in prompts]] = -np.inf
        return logp

class Given(Criterion):
    def __init__(self, value):
        self.value = float(value)

    def risk(self, s):
        return np.where(s.any(axis=-1), self.value, 0.0)

class Shifted(Given):
    def risk(self, s):
        return np.maximum(s, 0.0).max(axis=-1) + self.value

class Sum(Criterion):
    def risk(self, s):
        return s.sum(axis=-1)

class GivenScore(KnowledgeCriterion):
    def score(self, p):
        return np.full(p.shape, np.nan)

@hookimpl
def bvf_backends():
    return [Provider("speechless", Speechless, "has nothing to say of some groups")]

@hookimpl
def bvf_criteria():
    return [Provider("given", Given, "a value"), Provider("given-score", GivenScore, "no value"),
            Provider("shifted", Shifted, "linf and a value"), Provider("sum", Sum, "of s")]
"""


@pytest.fixture
def config(tmp_path):
    def make(silent=(), **changes):
        plugin = tmp_path / "speechless.py"
        plugin.write_text(PLUGIN.format(silent=silent))
        values = {"plugin": (str(plugin),), "model": "speechless:x", "limit_groups": 12, "out": str(tmp_path / "out")}
        return RunConfig(**in_ten_contexts({**values, **changes}))

    return make


@pytest.mark.parametrize("reference", ["uniform", "mean", "percent-women"])
def test_groups_without_any_answer_are_left_out_named_and_counted(config, tmp_path, reference):
    silent = ("accountant", "nurse")
    groups = (*silent, "bartender", "captain", "chef", "lawyer", "librarian")
    chosen = {"reference": reference, "scale": "raw", "limit_groups": 0, "groups": groups}
    result = bvf.run(config(silent=silent, **chosen))
    names = [group.group for group in result.groups]
    assert not {"accountant", "nurse"} & set(names)
    assert sum(group.weight for group in result.groups) == pytest.approx(1)
    asked = result.prompts // result.number_of_contexts
    assert any(f"2 of {asked} groups left out, as none of their prompts has an answer" in note for note in result.notes)
    assert any(note.endswith("an answer: accountant, nurse") for note in result.notes)
    assert result.missing == 2 * result.number_of_contexts
    others = bvf.run(config(**chosen, out=str(tmp_path / "others")))
    if reference != "mean":
        wanted = [group for group in others.groups if group.group in names]
        assert [group.r for group in result.groups] == pytest.approx([group.r for group in wanted])
        assert pytest.approx(np.mean([group.r for group in wanted])) == result.R
    frame = bvf.read_result(result.folder).stereotypes()
    assert set(frame["group"]) == set(names)


def test_a_model_without_any_answer_is_named_and_so_is_the_only_group_that_answers(config, tmp_path):
    with pytest.raises(BvfError, match=r"^speechless:x gives every candidate word the probability 0"):
        bvf.run(config(silent="all"))
    assert not (Path(config().out) / "result.json").exists()
    few = {"limit_groups": 0, "groups": ("bartender", "chef"), "out": str(tmp_path / "few")}
    with pytest.raises(BvfError, match='the mean over one group, "bartender"'):
        bvf.run(config(silent=("chef",), reference="mean", **few))


@pytest.mark.parametrize("value", ["nan", "inf"])
@pytest.mark.parametrize("scale", ["raw", "unit"])
def test_a_criterion_that_gives_no_number_is_refused_before_anything_is_written(config, value, scale):
    with pytest.raises(BvfError, match=f"the criterion given:{value}"):
        bvf.run(config(criterion=f"given:{value}", scale=scale))
    assert not (Path(config().out) / "result.json").exists()


@pytest.mark.parametrize(
    ("criterion", "reference", "says"),
    [
        ("shifted:1", "uniform", r"shifted:1 gives 1 where p is p\*"),
        ("shifted:-0.5", "percent-women", r"shifted:-0\.5 gives -0\.5 where p is p\*"),
        ("sum", "percent-women", "sum gives -.* for a prediction"),
        ("given:-2", "uniform", "given:-2 gives -2 for a prediction"),
    ],
)
def test_a_criterion_that_is_no_risk_is_refused_before_the_model_is_loaded(config, criterion, reference, says):
    with pytest.raises(BvfError, match=f"the criterion {says}"):
        bvf.run(config(criterion=criterion, reference=reference, model="speechless:", scale="raw"))


def test_a_knowledge_criterion_that_gives_no_number_is_refused(config):
    with pytest.raises(BvfError, match="the criterion given-score gives nan"):
        bvf.run(config(criterion="given-score", topic="knowledge/capitals"))


def test_a_run_does_not_go_on_with_another_plugin_file(config, tmp_path):
    bvf.run(config())
    next((tmp_path / "out" / "probabilities").iterdir()).unlink()
    with pytest.raises(BvfError, match=r"holds another measurement \(backend"):
        bvf.run(config(silent=("analyst",)))


@pytest.fixture
def topic(tmp_path):
    folder = tmp_path / "topics"
    folder.mkdir()
    (folder / "t.toml").write_text(topic_text({"violent": ["violent"], "calm": ["calm"]}, contexts="c.csv"))
    (folder / "c.csv").write_text("template,count\nThe [X] said that [Y],2\nThe [X] is [Y],1\n")
    return folder / "t.toml"


def test_the_contexts_of_a_topic_file_lie_beside_it(config, topic, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    Path("c.csv").write_text("template,count\nThe [X] knew that [Y],2\n")
    assert bvf.run(config(topic=str(topic))).number_of_contexts == 2
    assert bvf.run(config(topic=str(topic), contexts="c.csv", out="two")).number_of_contexts == 1
