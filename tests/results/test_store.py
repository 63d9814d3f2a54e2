"""A finished folder is analysed alone: no model, no plugin, no network; every figure can be computed again."""

import json
from functools import partial
from pathlib import Path

import pytest
from helpers.topic_text import topic_text
from helpers.toy_runs import copied, small_config

import bvf
from bvf import BvfError
from bvf.hooks.loader import load

TABLE = "group,male,female\naccountant,0.25,0.75\neditor,0.5,0.5\nnurse,0.75,0.25\n"

BY_NAME = [
    {},
    {"criterion": "lk:2"},
    {"criterion": "tv", "scale": "raw"},
    {"reference": "mean"},
    {"reference": "percent-women"},
    {"group_weights": "employment", "criterion": "direction:male"},
]
"""The default, and others that need no file."""


@pytest.fixture
def plugin(tmp_path, toy):
    return copied(toy, tmp_path)


@pytest.fixture
def config(tmp_path, plugin):
    return partial(small_config, plugin, tmp_path / "out")


@pytest.mark.parametrize(
    "choices", [*BY_NAME, {"reference": "table.csv"}], ids=lambda choices: " ".join(choices.values()) or "default"
)
def test_an_analysis_without_model_and_plugin_is_that_of_the_run(config, plugin, tmp_path, monkeypatch, choices):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text(TABLE)
    run = bvf.run(config(**choices))
    plugin.unlink()
    assert bvf.analyse(run.folder, **choices) == bvf.read_result(run.folder) == run
    assert bvf.verify(run.folder) == []
    with pytest.raises(BvfError, match="none: there is no such folder"):
        bvf.read_result("none")


@pytest.mark.parametrize("choices", BY_NAME[2:4], ids=lambda choices: " ".join(choices.values()))
def test_another_analysis_of_a_finished_folder_asks_the_model_nothing(config, tmp_path, monkeypatch, choices):
    bvf.run(config())
    monkeypatch.setenv("TOY_COUNT", str(tmp_path / "count"))
    on_top = bvf.run(config(**choices))
    assert not (tmp_path / "count").exists()
    monkeypatch.delenv("TOY_COUNT")
    alone = bvf.run(config(**choices, out=str(tmp_path / "alone")))
    assert on_top.model_dump() == alone.model_dump()


def test_the_default_folder_is_the_same_for_every_analysis(config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folders = {bvf.run(config(out="", **choices)).folder for choices in BY_NAME[:3]}
    assert len(folders) == 1
    assert len(list((tmp_path / folders.pop() / "analyses").iterdir())) == 3


def test_the_same_content_under_another_name_is_the_same_measurement(config, tmp_path, plugin, monkeypatch):
    contexts = tmp_path / "c.csv"
    contexts.write_text("template,count\nThe [X] said that [Y],2\nThe [X] knew that [Y],1\n")
    first = bvf.run(config(contexts=str(contexts)))
    monkeypatch.setenv("TOY_COUNT", str(tmp_path / "count"))
    monkeypatch.chdir(tmp_path)
    renamed = Path("renamed.csv")
    renamed.write_text(contexts.read_text())
    second = bvf.run(config(contexts="./renamed.csv", without=("zh",)))
    assert not (tmp_path / "count").exists()
    assert second.R == first.R
    assert second.contexts == "renamed.csv"


def test_raw_counts_and_columns_of_templates_are_kept(config, tmp_path):
    contexts, said = tmp_path / "c.csv", "The [X] said that [Y],30,say,reporting,Somebody said that."
    contexts.write_text(f"template,count,verb,family,example\n{said}\nThe [X] knew that [Y],10,know,,\n")
    asked = bvf.read_measurement(bvf.run(config(contexts=str(contexts))).folder).record.asked
    kept = [(template.count, template.columns) for template in asked.templates]
    assert kept == [(30, {"verb": "say", "family": "reporting"}), (10, {"verb": "know"})]


def test_words_can_be_left_out_afterwards_and_others_are_refused_in_one_line(config, tmp_path):
    all_words = bvf.run(config())
    some = {"male": ("he", "him"), "female": ("she", "her")}
    afterwards = bvf.analyse(all_words.folder, words=some)
    asked_so = bvf.run(config(words=some, out=str(tmp_path / "some")))
    assert afterwards.words == some
    assert afterwards.R != all_words.R
    assert pytest.approx(asked_so.R, abs=1e-6) == afterwards.R
    assert [group.r for group in afterwards.groups] == pytest.approx([g.r for g in asked_so.groups], abs=1e-5)
    for words, message in (
        ({"man": ("he",)}, 'has no class "man"'),
        ({"male": ("he", "they")}, '"they" was not asked for male'),
    ):
        with pytest.raises(BvfError, match=message):
            bvf.analyse(all_words.folder, words=words)


def test_words_of_many_prompts_are_kept_on_request_alone(config, tmp_path, monkeypatch):
    monkeypatch.setattr("bvf.measuring.folder.SMALL", 1000)
    without = bvf.run(config())
    with pytest.raises(BvfError, match="keeps probabilities of classes alone") as error:
        bvf.analyse(without.folder, words={"male": ("he",)})
    assert "--keep-words" in error.value.hint
    with pytest.raises(BvfError, match="measured without --keep-words"):
        bvf.run(config(keep_words=True))
    kept = bvf.run(config(keep_words=True, out=str(tmp_path / "kept")))
    assert kept.R == without.R
    logp = bvf.read_measurement(kept.folder, words=True).word_logprobs
    assert logp.shape == (20, 10, len([word for words in kept.words.values() for word in words]))
    assert bvf.run(config(out=str(tmp_path / "kept"))).R == kept.R


def test_log_p_of_the_words_is_that_of_the_backend(config):
    measurement = bvf.read_measurement(bvf.run(config(limit_groups=2)).folder, words=True)
    asked = measurement.record.asked
    backend = load(extra=config().plugin).backends.find("toy").make(bvf.ModelRequest("hash", None))
    for x, group in enumerate(asked.group_names):
        for c, template in enumerate(asked.templates):
            text = template.template.replace("[X]", group)
            expected = [backend.logp(text, word) for word in asked.words]
            assert measurement.word_logprobs[x, c] + max(expected) == pytest.approx(expected, abs=1e-6)


def test_invocations_are_added_and_none_is_written_over(config):
    folder = bvf.run(config()).folder

    def kept():
        return {file.name: file.read_bytes() for file in (folder / "invocations").iterdir()}

    first = kept()
    next((folder / "probabilities").glob("00001.*")).unlink()
    bvf.run(config())
    both = kept()
    assert both.items() >= first.items()
    assert len(both) == 2
    added = json.loads(next(content for name, content in both.items() if name not in first))
    assert [name[:5] for name in added["shards"]] == ["00001"]
    bvf.run(config())
    assert kept() == both


@pytest.mark.parametrize("name", ["analyse", "show", "verify"])
def test_a_folder_that_holds_nothing_is_one_line(command, tmp_path, name):
    done = command(name, tmp_path)
    assert done.code == 2
    assert len(done.err.splitlines()) == 2
    assert done.err.startswith(f"error: {tmp_path}")


def test_the_order_of_classes_and_what_a_table_is_answered_from_are_part_of_what_was_asked(tmp_path):
    truths = [f'[truth]\nbaker = "{name}"\nwelder = "a"' for name in ("a", "b")]
    texts = [topic_text(classes) for classes in ({"a": ["a"], "b": ["b"]}, {"b": ["b"], "a": ["a"]})]
    texts += [topic_text({"a": ["a"], "b": ["b"]}, tables=tables) for tables in truths]
    measurements = set()
    for number, text in enumerate(texts):
        topic = tmp_path / f"{number}.toml"
        topic.write_text(text)
        run = bvf.run(model="baseline:random", topic=str(topic), out=str(tmp_path / str(number)))
        measurements.add(run.measurement)
    assert len(measurements) == 4


def test_where_a_plugin_file_lies_and_what_others_there_are_is_not(config, tmp_path, plugin):
    other = tmp_path / "other.py"
    other.write_text("from bvf import hookimpl\n@hookimpl\ndef bvf_topics():\n    return []\n")
    (tmp_path / "elsewhere").mkdir()
    given = ((str(plugin),), (str(copied(plugin, tmp_path / "elsewhere")),), (str(plugin), str(other)))
    runs = [bvf.run(config(plugin=names, out=str(tmp_path / f"{n}"))) for n, names in enumerate(given)]
    assert len({run.measurement for run in runs}) == 1


def test_the_criterion_of_a_plugin_is_asked_for_by_its_name(tmp_path, command):
    plugin = tmp_path / "own.py"
    plugin.write_text(
        "import numpy as np\nfrom bvf import Criterion, Provider, hookimpl\n"
        "class Excess(Criterion):\n    def risk(self, s):\n        return np.maximum(s, 0.0).sum(axis=-1)\n"
        "@hookimpl\ndef bvf_criteria():\n    return [Provider('excess', Excess)]\n"
    )
    run = bvf.run(model="baseline:random", limit_groups=4, limit_contexts=3, out=str(tmp_path / "out"))
    own = command("analyse", run.folder, "--plugin", plugin, "--format", "json")
    assert json.loads(own.out)["criterion"] == "linf"
    asked = ("--plugin", plugin, "--criterion", "excess", "--save-as", "excessive", "--format", "json")
    assert json.loads(command("analyse", run.folder, *asked).out)["criterion"] == "excess"
    assert command("verify", run.folder, "--plugin", plugin).code == 0


def test_log_p_of_any_constant_is_kept(tmp_path, command):
    shifted = tmp_path / "shifted.py"
    shifted.write_text(
        "import numpy as np\nfrom bvf import Backend, Provider, hookimpl\n"
        "class Shifted(Backend):\n    def __init__(self, request):\n        pass\n"
        "    def score(self, prompts, words, *, absolute):\n"
        "        logp = np.array([[-5.0 - len(f'{p}{w}') / 9 for w in words] for p in prompts])\n"
        "        return logp if absolute else logp - 1e9\n"
        "@hookimpl\ndef bvf_backends():\n    return [Provider('shifted', Shifted)]\n"
    )
    run = bvf.run(model="shifted:x", plugin=(str(shifted),), limit_groups=5, out=str(tmp_path / "out"))
    assert command("verify", run.folder).code == 0
