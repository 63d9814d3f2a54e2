"""The Python of a first session: keywords, paths, topics and context sets; short results; errors in one line."""

from pathlib import Path

import numpy as np
import pytest
from bvf_insights.regress.config import RegressConfig, RegressKeywords
from bvf_mining.config import MineConfig, MineKeywords

import bvf
from bvf.analyses.gate.config import GateConfig, GateKeywords
from bvf.measuring.config import EVERYDAY, MeasureConfig
from bvf.measuring.keywords import MeasureKeywords
from bvf.running.config import RunConfig
from bvf.running.run import ManyKeywords, RunKeywords
from bvf.study.config import AnalysisConfig, AnalysisKeywords

TOPIC = Path(__file__).parents[2] / "languages" / "en" / "bvf_en" / "topics" / "gender.toml"
FEW = {"model": "toy:hash", "limit_groups": 4, "limit_contexts": 3}


@pytest.mark.parametrize(
    ("keywords", "config", "more"),
    [
        (MeasureKeywords, MeasureConfig, EVERYDAY),
        (RunKeywords, RunConfig, EVERYDAY),
        (AnalysisKeywords, AnalysisConfig, ()),
        (GateKeywords, GateConfig, ()),
        (RegressKeywords, RegressConfig, ()),
        (MineKeywords, MineConfig, ()),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_keywords_are_the_fields(keywords, config, more):
    assert set(keywords.__annotations__) == {*config.model_fields, *more}


def test_what_may_be_a_list_is_said_beside_the_other_keywords():
    assert set(RunKeywords.__annotations__) - set(ManyKeywords.__annotations__) == {"model", "name", "contexts"}


def test_a_topic_is_a_name_a_path_or_the_thing_itself(toy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plugins = bvf.load(extra=toy)
    topic = plugins.topics.in_language("en").make("gender")
    contexts = plugins.contexts.in_language("en").make("gender")
    runs = [bvf.run(topic=each, plugin=Path(toy), **FEW) for each in ("gender", TOPIC, topic)]
    assert len({result.measurement for result in runs}) == 1
    by_name, by_itself = (bvf.run(contexts=each, openings="none", plugin=toy, **FEW) for each in ("gender", contexts))
    assert by_name.measurement == by_itself.measurement
    config = bvf.RunConfig(topic=topic, contexts=contexts, out=Path("o"), **FEW)
    assert config.model_dump(mode="json")["topic"] == "gender"
    assert config.model_dump(mode="json")["contexts"] == "gender"
    assert bvf.run(config, plugin=toy).folder == Path("o")


def test_what_is_chosen_anew_counts_more_than_the_configuration(toy, tmp_path):
    config = bvf.RunConfig(plugin=toy, criterion="linf", out=tmp_path / "o", **FEW)
    assert bvf.run(config, criterion="lk:2").criterion == "lk:2"
    assert bvf.analyse(tmp_path / "o", bvf.AnalysisConfig(criterion="lk:2"), scale="raw").scale == "raw"


def test_mining_takes_keywords(tmp_path):
    with pytest.raises(bvf.BvfError, match="mine: out is not given"):
        bvf.mine(corpus=tmp_path / "c.txt")
    with pytest.raises(bvf.BvfError, match='there is no setting "outt"\nhint: did you mean out'):
        bvf.mine(corpus="c.txt", outt="o.csv")
    (tmp_path / "c.txt").write_text("The nurse said that she was tired. The nurse said that she was tired.\n")
    with pytest.raises(bvf.BvfError, match='there is no topic "gendre"'):
        bvf.mine(corpus=tmp_path / "c.txt", out=tmp_path / "o.csv", topic="gendre", engine={"name": "local"})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bvf.run(modle="gpt2"), 'run: there is no setting "modle"\nhint: did you mean model'),
        (lambda: bvf.RunConfig(modle="gpt2"), 'RunConfig: there is no setting "modle"\nhint: did you mean model'),
        (lambda: bvf.RunConfig(limit_groups="some"), 'RunConfig: limit_groups is "some"'),
        (lambda: bvf.AnalysisConfig(level=3), 'AnalysisConfig: level is "3"'),
        (lambda: bvf.MineConfig(out="o.csv"), "MineConfig: corpus is not given"),
        (lambda: bvf.run("gpt2"), 'run: .gpt2. is not a RunConfig\nhint: name what you choose: model="gpt2"'),
        (lambda: bvf.run(topic=3), 'run: topic is "3"'),
        (lambda: bvf.run(contexts=3), 'run: contexts is "3": Input should be a name, a file or a bvf.ContextSet'),
        (lambda: bvf.run(model=[]), "run: model is an empty list"),
        (lambda: bvf.run(model=[{"dtype": "float32"}]), "run: model 1 has no name"),
        (lambda: bvf.Topic(name="x"), "Topic: schema: Field required"),
        (lambda: bvf.gate("runs/x", max={"R": "a"}), 'gate: max.R is "a"'),
        (lambda: bvf.regress([], agianst="wages"), 'there is no setting "agianst"\nhint: did you mean against'),
        (lambda: bvf.load("runs/x"), "plugins are loaded\nhint: bvf.read_result"),
    ],
)
def test_what_is_wrong_is_one_line_of_ours(call, message):
    with pytest.raises(bvf.BvfError, match=message) as error:
        call()
    assert "errors.pydantic.dev" not in str(error.getrepr(style="native"))


def test_results_are_short_in_one_line(result, several):
    for each in (result, several):
        assert len(repr(each)) < 400
        assert f"R={each.R:.4f}".rstrip("0") in repr(each)
        assert f"folder='{each.folder}'" in repr(each)


def test_probabilities_have_names_and_decompose(result):
    p = result.probabilities()
    assert p.shape == (6, result.number_of_contexts, 2) == (len(p.groups), len(p.contexts), len(p.classes))
    frame = result.stereotypes().set_index(["group", "context", "attribute"])["probability"]
    series = p.to_series()
    assert series.index.names == ["group", "context", "attribute"]
    assert np.array_equal(series.to_numpy(), frame.loc[series.index].to_numpy())
    group, context = p.groups[1], p.contexts[2]
    assert p.of(group, context, "female") == series[group, context, "female"]
    assert np.array_equal(p.of(attribute="female"), p[:, :, p.classes.index("female")])
    risk = bvf.decompose(p, context_weights=p.context_weights, group_weights=p.group_weights)
    assert pytest.approx(result.R, rel=1e-12) == risk.R
    assert "6 groups" in repr(p)
    with pytest.raises(bvf.BvfError, match='there is no class "femal"\nhint: did you mean female'):
        p.of(attribute="femal")
