"""A whole run: plan, score, store, go on, decompose; and the Python of a first session: keywords, paths, results."""

import gc
import json
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from bvf_factors.run import FactorsResult
from bvf_insights.contexts import ContextComparison
from bvf_insights.explain.result import Explanation
from bvf_insights.regress.config import RegressConfig, RegressKeywords
from bvf_knowledge.result import KnowledgeResult
from bvf_mining.config import MineConfig, MineKeywords
from bvf_testing.measurements import small_measurement
from helpers.topic_text import topic_text
from helpers.toy_runs import small_config

import bvf
from bvf import BvfError, RunConfig
from bvf.analyses.gate.config import GateConfig, GateKeywords
from bvf.analyses.risk.result import Result
from bvf.domain.measurement import CandidateMass, MeasurementRecord, ScoreCheck
from bvf.hooks.loader import load
from bvf.measuring.config import EVERYDAY, MeasureConfig
from bvf.measuring.keywords import MeasureKeywords
from bvf.measuring.plan import plan_of
from bvf.measuring.questions import Questions
from bvf.results.restore import measurement_of
from bvf.running.run import ManyKeywords, RunKeywords
from bvf.study.candidate_mass import warnings_of
from bvf.study.config import AnalysisConfig, AnalysisKeywords

ROOT = Path(__file__).resolve().parents[2]
TRUTH = topic_text(
    {"odd": ["odd"], "even": ["even"]},
    name="sums",
    summary="Right answers",
    groups=["one", "two"],
    tables='[truth]\none = "odd"\ntwo = "even"',
)


@pytest.fixture
def config(tmp_path, toy):
    return partial(small_config, toy, tmp_path / "out")


def test_reference_models_through_the_whole_program(tmp_path):
    unbiased, stereotyped, random = (
        bvf.run(model=f"baseline:{kind}", topic="race", out=str(tmp_path / kind))
        for kind in ("unbiased", "stereotyped", "random")
    )
    assert (unbiased.R, unbiased.R_bias, unbiased.R_volatility) == (0.0, 0.0, 0.0)
    assert (stereotyped.R, stereotyped.R_bias) == (pytest.approx(1, abs=1e-12), pytest.approx(1, abs=1e-12))
    assert stereotyped.R_volatility == pytest.approx(0, abs=1e-12)
    assert len(stereotyped.groups[0].mean_probabilities) == 5
    assert pytest.approx(1.0, abs=1e-12) == random.R
    assert random.R_bias + random.R_volatility == pytest.approx(1.0)
    simulated = simulated_bias(random)
    assert random.R_bias == pytest.approx(simulated.mean(), abs=4 * simulated.std())


def simulated_bias(result):
    """R^b of random one-hot predictions on the same weights, drawn anew 200 times; no code shared with the run."""
    rng = np.random.default_rng(7)
    classes = len(result.groups[0].mean_probabilities)
    frame = result.stereotypes()
    weights = frame.drop_duplicates("context")["weight"].to_numpy()
    draws = np.eye(classes)[rng.integers(classes, size=(200, len(result.groups), len(weights)))]
    mean = np.einsum("dxcy,c->dxy", draws, weights / weights.sum())
    return ((mean.max(axis=2) * classes - 1) / (classes - 1)).mean(axis=1)


def test_a_run_against_a_plain_computation(config):
    result = bvf.run(config(limit_groups=3))
    study = plan_of(config(limit_groups=3), load(extra=config().plugin))
    backend = load(extra=config().plugin).backends.find("toy").make(bvf.ModelRequest("hash", study.topic))
    weights = np.array(study.contexts.counts) / sum(study.contexts.counts)
    R = 0.0
    for group in study.groups:
        for template, weight in zip(study.contexts.templates, weights, strict=True):
            prompt = study.language.prompt(template, group)
            male, female = (
                sum(np.exp(backend.logp(str(prompt), word)) for word in words)
                for words in study.topic.counted_words().values()
            )
            R += weight * max(2 * male / (male + female) - 1, 2 * female / (male + female) - 1) / 3
    assert pytest.approx(R, abs=1e-12) == result.R


def test_what_lies_in_the_folder(config):
    result = bvf.run(config())
    assert isinstance(result, Result)
    stored = json.loads((result.folder / "result.json").read_text())
    jsonschema.validate(stored, json.loads((ROOT / "docs" / "schema" / "result-3.json").read_text()))
    assert stored["schema"] == "bvf.result/3"
    assert {"model", "topic", "language", "criterion", "scale", "R", "R_bias", "R_volatility", "groups"} <= set(stored)
    assert {"group", "weight", "r", "r_bias", "r_volatility", "mean_probabilities"} <= set(stored["groups"][0])
    tables = [pq.read_table(file).to_pandas() for file in sorted((result.folder / "probabilities").glob("*.parquet"))]
    frame = pd.concat(tables)
    assert list(frame.columns) == ["group", "context", "p_male", "p_female", "deviation_bound", "log_p"]
    assert len(frame) == result.prompts == 20 * 10
    assert np.allclose(frame["p_male"] + frame["p_female"], 1)
    record = json.loads((result.folder / "measurement.json").read_text())
    assert (record["schema"], record["model"]["name"]) == ("bvf.measurement/1", "toy:hash")
    assert record["check"]["batch_deviation"] == 0.0
    assert record["check"]["candidate_mass"]["prompts"] > 0
    assert [len(frame["log_p"].iloc[0])] == [sum(len(each["words"]) for each in record["asked"]["attributes"])]
    (invocation,) = [json.loads(file.read_text()) for file in (result.folder / "invocations").iterdir()]
    assert len(invocation["shards"]) == len(tables)
    assert {"started", "seconds", "versions", "host", "config", "backend", "check"} <= set(invocation)
    assert set(invocation["host"]) == {"machine", "system", "processors", "threads"}  # a name may say whose it is
    again = bvf.read_result(result.folder)
    assert again == result
    groups = again.to_frame()
    assert list(groups["group"][:2]) == ["accountant", "attendant"]
    assert np.average(groups["r"], weights=groups["weight"]) == pytest.approx(result.R)
    distribution = again.stereotypes()
    assert len(distribution) == result.prompts * 2
    male = distribution[distribution["attribute"] == "male"]
    assert np.allclose(male["stereotype"], male["probability"] / 0.5 - 1)


def test_a_result_carries_the_glosses_and_they_change_no_answer(config, tmp_path):
    plain, glossed = tmp_path / "plain.toml", tmp_path / "glossed.toml"
    plain.write_text(TRUTH)
    glossed.write_text(TRUTH.replace("[truth]", '[glosses]\none = "the first"\n[truth]'))
    without = bvf.run(config(topic=str(plain), out=str(tmp_path / "plain")))
    assert [group.gloss for group in without.groups] == ["", ""]
    plans = [plan_of(config(topic=str(file)), load(extra=config().plugin)) for file in (plain, glossed)]
    assert plans[0].identity == plans[1].identity
    with_glosses = bvf.run(config(topic=str(glossed), out=str(tmp_path / "glossed")))
    assert [group.gloss for group in with_glosses.groups] == ["the first", ""]
    assert list(bvf.read_result(with_glosses.folder).to_frame()["gloss"]) == ["the first", ""]


def test_a_folder_of_another_run_is_refused_with_the_difference(config):
    bvf.run(config())
    with pytest.raises(BvfError, match=r"holds another measurement \(groups: \w+ there, \w+ now"):
        bvf.run(config(limit_groups=21))


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"model": "toy:nan", "limit_groups": 0}, r'Toy gave nan for "abbot" in "The nurse'),
        ({"model": "toy:constant"}, "every word the log-probability -3"),
        ({"group_weights": "t.csv"}, "have no group of gender"),
        ({"group_weights": "employmint"}, '"employmint" is neither a file nor a table.*\nhint: .*employment'),
        (
            {"topic": "sums.toml", "reference": "mean", "criterion": "linf", "model": "baseline:stereotyped"},
            r"--reference mean: no group gives the class \w+ any probability",
        ),
        ({"tolerance": 0.01}, r"--tolerance 0\.01: the backend toy cannot leave words out"),
    ],
)
def test_what_cannot_be_measured_is_refused(config, tmp_path, monkeypatch, choices, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("group,weight\nfarmer,1\n")
    (tmp_path / "sums.toml").write_text(TRUTH)
    with pytest.raises(BvfError, match=message):
        bvf.run(config(**choices))
    assert (tmp_path / "out").exists() == ("reference" in choices)  # what was measured before is kept


@pytest.mark.parametrize(("mean", "said"), [(0.0099, "0.99%"), (0.00023, "0.02%"), (1e-9, "less than 0.01%")])
def test_low_candidate_mass_is_a_warning(mean, said):
    mass = CandidateMass(prompts=1, mean=mean, quantile_05=0.0, quantile_25=0.0)
    check = ScoreCheck(first_prompt="The nurse", first_prompt_ids=None, batch_deviation=0.0, candidate_mass=mass)
    measurement = small_measurement()
    record = measurement.record.model_copy(update={"check": check})
    warning = warnings_of(replace(measurement, record=record))
    assert len(warning) == 1
    assert f"the compared words have {said} of the probability" in warning[0]


def test_candidate_mass_is_measured_on_all_prompts_if_asked(config):
    words, every = {"male": ("he",), "female": ("she",)}, bvf.run(config(mass_sample="all"))
    assert (every.warnings, every.candidate_mass.mean > 0.04) == ((), True)
    low = bvf.run(config(words=words, out=config().out + "-low", mass_sample="all"))
    assert low.candidate_mass.mean < 0.04
    assert low.candidate_mass.prompts == low.prompts
    fewer = bvf.analyse(every.folder, words=words)
    assert fewer.candidate_mass.mean == pytest.approx(low.candidate_mass.mean, rel=0.05)


@pytest.mark.parametrize(
    ("option", "rows"),
    [
        ("group_weights", "group,weight\nnurse,3\nbaker,1\n"),
        ("reference", "group,male,female\nnurse,0.1,0.9\nbaker,0.5,0.5\n"),
    ],
)
def test_groups_without_a_figure_are_left_out_and_said(config, tmp_path, option, rows):
    (tmp_path / "t.csv").write_text(rows)
    result = bvf.run(config(limit_groups=0, **{option: str(tmp_path / "t.csv")}))
    weights = (0.25, 0.75) if option == "group_weights" else (0.5, 0.5)
    assert {group.group: group.weight for group in result.groups} == dict(zip(("baker", "nurse"), weights, strict=True))
    assert any("114 of 116 groups left out" in note for note in result.notes)


def test_what_is_missing_or_left_out_is_noted(config, tmp_path):
    silent = bvf.run(config(model="toy:silent-nurse", limit_groups=0, out=str(tmp_path / "silent")))
    assert silent.missing == 1
    assert any("1 of 1160 prompts are missing" in note for note in silent.notes)
    (tmp_path / "c.csv").write_text("template,count\nThe [X] said that [Y],1\n[Y] was the [X],1\n")
    one_sided = bvf.run(config(contexts=str(tmp_path / "c.csv")))
    assert one_sided.number_of_contexts == 1
    assert any("1 of 2 templates left out" in note for note in one_sided.notes)


def test_figures_of_the_pack_are_found_by_name(config):
    result = bvf.run(config(limit_groups=0, group_weights="employment", reference="percent-women"))
    nurse = next(group for group in result.groups if group.group == "nurse")
    assert nurse.reference_probabilities["female"] > 0.8


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("result-3", Result),
        ("knowledge-3", KnowledgeResult),
        ("measurement-1", MeasurementRecord),
        ("comparison-1", bvf.Comparison),
        ("context-comparison-2", ContextComparison),
        ("explanation-1", Explanation),
        ("factors-1", FactorsResult),
    ],
)
def test_the_published_schema_is_that_of_the_code(name, model):
    published = json.loads((ROOT / "docs" / "schema" / f"{name}.json").read_text())
    assert published == model.model_json_schema(by_alias=True, mode="serialization")


def test_a_tolerance_is_kept_recorded_and_stored(tmp_path):
    def measured(**changes):
        few = {"openings": "none", "limit_groups": 3, "limit_contexts": 4}
        return bvf.run(**few, out=str(tmp_path / str(len(changes))), **changes)

    exact, within = measured(), measured(tolerance=0.05)
    assert (exact.tolerance, exact.deviation_bound, exact.exact_within) == (0.0, 0.0, {})
    assert within.tolerance == 0.05
    assert 0 < within.deviation_bound <= 10 * 0.05
    assert any("improbable words left out" in note for note in within.notes)
    shards = pd.concat(pd.read_parquet(file) for file in sorted((within.folder / "probabilities").glob("*.parquet")))
    assert shards["deviation_bound"].max() == within.deviation_bound
    stored = measurement_of(within)
    assert (stored.bounds @ stored.record.asked.context_weights <= 0.05).all()
    apart = exact.stereotypes()["probability"] - within.stereotypes()["probability"]
    assert 0 < np.abs(apart).max() <= within.deviation_bound
    assert set(within.stereotypes()["attribute"]) == {"male", "female"}
    assert measured(tolerance=0.05) == within  # out of the stored shards
    for figure, off in within.exact_within.items():
        assert abs(getattr(exact, figure) - getattr(within, figure)) <= off < 0.2
    assert 0.0 <= within.exact_within["R_volatility"] <= 2 * within.exact_within["R"]
    assert any("R^v by" in note for note in within.notes)


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({}, 1e-3),
        ({"contexts": "gender-mixed", "sample_contexts": 9}, 1e-3),
        ({"tolerance": 0.0}, 0.0),
        ({"tolerance": 0.01}, 0.01),
        ({"sample_contexts": 0, "openings": "none"}, 0.0),
        ({"limit_contexts": 4, "openings": "none"}, 0.0),
        ({"limit_contexts": 4}, 1e-3),  # openings were drawn
        ({"model": "bundled:en-masked"}, 1e-3),
        ({"model": "baseline:random"}, 0.0),
    ],
)
def test_words_are_left_out_by_default_where_contexts_are_drawn(choices, expected):
    assert plan_of(RunConfig(**choices), load()).measured_model.tolerance == expected


def test_a_backend_that_asks_every_word_leaves_none_out(config):
    for asked in ({}, {"tolerance": 0.0}):
        result = bvf.run(config(**asked))
        assert (result.tolerance, result.deviation_bound) == (0.0, 0.0)
        assert not any("left out:" in note for note in result.notes)


@pytest.mark.parametrize("tolerance", [-0.1, 1.0, 9.9e-6])
def test_a_tolerance_is_a_probability_that_float32_can_promise(tolerance):
    with pytest.raises(BvfError, match="tolerance"):
        RunConfig(tolerance=tolerance)


def test_word_boundaries_are_recorded_and_change_the_answer(tmp_path):
    def measured(flag):
        out = str(tmp_path / str(flag))
        return bvf.run(RunConfig(limit_groups=3, limit_contexts=2, word_boundary=flag, out=out))

    with_boundary, without = measured(True), measured(False)
    assert (with_boundary.word_boundary, without.word_boundary) == (True, False)
    assert with_boundary.R != without.R


def test_what_half_precision_changes_is_measured_and_said(tmp_path):
    choices = {"limit_groups": 3, "limit_contexts": 2, "dtype": "bfloat16", "tolerance": 0.0001}
    result = bvf.run(RunConfig(**choices, out=str(tmp_path / "out")))
    rounding = bvf.read_measurement(result.folder).record.check.rounding
    assert 0 < rounding < 0.05
    said = f"class probabilities differ by {rounding:.2g} at most from float32, more than --tolerance 0.0001"
    assert any(said in note for note in result.notes)


@pytest.mark.parametrize("ends", [nullcontext(), pytest.raises(BvfError, match="no more")])
def test_what_was_loaded_is_not_searched_for_garbage_while_shards_are_scored(config, monkeypatch, ends):
    left_alone = []
    prompts = Questions.prompts

    def counting(asked, questions, language):
        left_alone.append(gc.get_freeze_count())
        if not isinstance(ends, nullcontext) and left_alone[-1] > 10_000:
            raise BvfError("no more")
        return prompts(asked, questions, language)

    monkeypatch.setattr(Questions, "prompts", counting)
    with ends:
        bvf.run(config())
    assert max(left_alone) > 10_000
    assert gc.get_freeze_count() == 0


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
        (lambda: bvf.mine(corpus="c.txt"), "mine: out is not given"),
        (lambda: bvf.mine(corpus="c.txt", outt="o.csv"), 'there is no setting "outt"\nhint: did you mean out'),
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
