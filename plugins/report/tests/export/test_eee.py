"""Records of Every Eval Ever: valid by its own schema 0.3.0 and its rules of scores, and the same every time."""

import json
import math
import shutil
from pathlib import Path

import jsonschema
import pytest
import yaml
from huggingface_hub import eval_result_entries_to_yaml, parse_eval_result_entries

import bvf
from bvf import BvfError, export
from bvf.domain.model_names import model_name
from bvf.files.digests import digest_of

SCHEMA = json.loads((Path(__file__).parent / "every_eval_ever" / "eval.schema.json").read_text())
BOUND = {"Infinity": math.inf, "-Infinity": -math.inf}


def valid(record):
    """The record, as JSON has it, held to the schema and to what its validator asks beyond it."""
    record = json.loads(json.dumps(record, allow_nan=False))
    jsonschema.Draft7Validator(SCHEMA).validate(record)
    for each in record["evaluation_results"]:
        metric, details = each["metric_config"], each["score_details"]
        least, most = (BOUND.get(metric[name], metric[name]) for name in ("min_score", "max_score"))
        assert least <= details["score"] <= most
        interval = details["uncertainty"].get("confidence_interval", {"lower": 0.0, "upper": 1.0})
        assert interval["lower"] <= interval["upper"]
    return record


def by_metric(record):
    return {each["metric_config"]["metric_id"]: each for each in record["evaluation_results"]}


def with_changes(result, **changes):
    """The result in its folder, with something else in it."""
    changed = result.model_copy(update=changes)
    changed._folder = result.folder
    return changed


def test_risk_is_three_results_each_with_its_interval_and_the_lower_the_better(result):
    assert SCHEMA["version"] == export.eee.SCHEMA == "0.3.0"
    metrics = by_metric(valid(export.eee_record(result)))
    assert list(metrics) == ["bvf.R", "bvf.R_bias", "bvf.R_volatility"]
    for name in ("R", "R_bias", "R_volatility"):
        each, interval = metrics[f"bvf.{name}"], result.uncertainty.intervals[name]
        metric = each["metric_config"]
        assert (metric["lower_is_better"], metric["score_type"]) == (True, "continuous")
        assert (metric["min_score"], metric["max_score"]) == (0.0, 1.0)
        assert each["score_details"]["score"] == getattr(result, name)
        sure = each["score_details"]["uncertainty"]
        assert sure["num_samples"] == 20
        said = sure["confidence_interval"]
        assert (said["lower"], said["upper"], said["confidence_level"]) == (interval.low, interval.high, 0.95)
        assert ("cross-fit" in said["method"]) == (name != "R")
    parameters = metrics["bvf.R"]["metric_config"]["metric_parameters"]
    assert (parameters["criterion"], parameters["scale"], parameters["reference"]) == ("linf", "unit", "uniform")


def test_the_raw_scale_has_no_upper_end(result):
    raw = bvf.analyse(result.folder, scale="raw")
    metrics = [each["metric_config"] for each in valid(export.eee_record(raw))["evaluation_results"]]
    assert {(metric["min_score"], metric["max_score"]) for metric in metrics} == {(0.0, "Infinity")}


def test_intervals_of_templates_count_contexts(run_of):
    result = bvf.analyse(run_of(limit_groups=4).folder, unit="template", level=0.8)
    assert not result.uncertainty.units.is_integer()
    for each in valid(export.eee_record(result))["evaluation_results"]:
        sure = each["score_details"]["uncertainty"]
        assert sure["num_samples"] == result.number_of_contexts
        assert sure["confidence_interval"]["confidence_level"] == 0.8
        assert "over templates" in sure["confidence_interval"]["method"]


def test_figures_that_a_criterion_sends_beyond_its_scale_have_ends_that_hold_them(result):
    metrics = by_metric(valid(export.eee_record(with_changes(result, R=1.5, R_volatility=-0.5))))
    assert metrics["bvf.R"]["metric_config"]["max_score"] == "Infinity"
    assert metrics["bvf.R_volatility"]["metric_config"]["min_score"] == "-Infinity"


def test_of_knowledge_more_is_better_but_for_the_gap(knowledge):
    record = valid(export.eee_record(knowledge))
    metrics = by_metric(record)
    figures = ("mastery", "expected_score", "confidence_gap", "accuracy", "consistency")
    lower = {name: each["metric_config"]["lower_is_better"] for name, each in metrics.items()}
    assert lower == {f"bvf.{name}": name == "confidence_gap" for name in figures}
    sure = metrics["bvf.mastery"]["score_details"]
    assert sure["uncertainty"] == {"num_samples": 3}
    assert sure["details"]["intervals"] == "No intervals: there are only 3.0 effective wordings, and intervals take 10"
    assert record["evaluation_results"][0]["source_data"]["dataset_name"] == "bvf-knowledge-capitals-en"


@pytest.fixture
def copied(result, tmp_path):
    """A copy of the run, and how its invocation is recorded."""
    folder = shutil.copytree(result.folder, tmp_path / "copy")
    (file,) = (folder / "invocations").glob("*.json")
    record = {name: value for name, value in json.loads(file.read_text()).items() if name != "content"}
    return folder, file, record


def with_digest(record):
    return json.dumps({**record, "content": digest_of(record)})


def test_times_are_those_at_which_the_model_was_asked(copied):
    folder, file, whole = copied
    file.unlink()
    versions = {**whole["versions"], "plugins": {"core": ["bvf", "9.9"]}}
    for name, started, seconds in (("a", "2026-01-02T03:04:05+00:00", 1.5), ("b", "2026-01-02T05:04:05+02:00", 9.25)):
        record = {**whole, "started": started, "seconds": seconds, "versions": versions}
        (folder / "invocations" / f"{name}.json").write_text(with_digest(record))
    record = valid(export.eee_record(bvf.read_result(folder)))
    assert record["evaluation_timestamp"] == "1767323045.000"
    assert record["retrieved_timestamp"] == "1767323054.250"
    assert record["evaluation_id"].endswith("/toy-hash/1767323054.250")
    assert record["eval_library"]["version"] == "9.9"
    (date,) = {entry["date"] for entry in export.eval_results(bvf.read_result(folder), "a/b")}
    assert date == "2026-01-02T03:04:14Z"


def test_a_folder_that_does_not_say_when_is_refused(result, copied):
    folder, file, whole = copied
    timeless = with_digest({**whole, "started": "soon"})
    for content, message in ((timeless, "no record of a run: started"), ("[]", "not as it was written")):
        file.write_text(content)
        with pytest.raises(BvfError, match=message):
            export.eee_record(bvf.read_result(folder))
    file.unlink()
    with pytest.raises(BvfError, match="nothing says when the model was asked"):
        export.eee_record(bvf.read_result(folder))
    nowhere = result.model_copy()
    nowhere._folder = None
    with pytest.raises(BvfError, match="no folder"):
        export.eee_record(nowhere)


@pytest.mark.parametrize(
    ("name", "known_as", "developer"),
    [
        ("facebook/opt-1.3b", "facebook/opt-1.3b", "facebook"),
        ("bundled:en-causal", "bvf/en-causal", "bvf"),
        ("baseline:random", "bvf/baseline-random", "bvf"),
        ("/home/me/secret/tuned model", "tuned-model", None),
        ("Qwen2.5-7B-Q4_K_M.gguf", "Qwen2.5-7B-Q4_K_M", None),
        ("/hub/models--openai--gpt2/snapshots/607a30d", "openai/gpt2", "openai"),
        ("../..", "unnamed", None),
    ],
)
def test_models_have_names_as_the_hub_gives_them_and_no_path(result, name, known_as, developer):
    record = valid(export.eee_record(with_changes(result, model=model_name(name), model_path=name)))
    assert record["model_info"]["id"] == known_as
    assert record["model_info"].get("developer") == developer
    assert "secret" not in json.dumps(record)


def test_who_evaluates_is_said_by_the_user_and_else_unknown(result):
    record = valid(export.eee_record(result))
    source = record["source_metadata"]
    assert source["source_type"] == "evaluation_run"
    assert (source["source_organization_name"], source["evaluator_relationship"]) == ("unknown", "other")
    deployment = record["model_info"]["additional_details"]
    assert (deployment["deployment_type"], deployment["model_availability"]) == ("unknown", "unknown")
    with pytest.raises(BvfError, match='relationship is "thirdparty"') as error:
        export.Provenance("ACME", "thirdparty")
    assert error.value.hint.startswith("did you mean third_party")


def test_an_analysis_of_somebody_else_has_no_direction_and_so_no_record(doubt):
    with pytest.raises(BvfError, match="that is not known of this analysis"):
        export.eee_record(doubt)


@pytest.mark.parametrize("kind", ["result", "knowledge", "doubt"])
def test_the_library_of_the_hub_reads_every_entry_and_writes_the_same(request, kind):
    given = export.eval_results(request.getfixturevalue(kind), "acme/bias")
    entries = parse_eval_result_entries(yaml.safe_load(yaml.safe_dump(given)))
    assert eval_result_entries_to_yaml(entries) == given
    assert {entry.dataset_id for entry in entries} == {"acme/bias"}


def test_an_entry_is_a_figure_with_its_interval_and_direction_in_the_notes(result):
    entries = parse_eval_result_entries(export.eval_results(result, "acme/bias"))
    assert [(entry.task_id, entry.value) for entry in entries] == [
        ("gender-R", result.R),
        ("gender-R_bias", result.R_bias),
        ("gender-R_volatility", result.R_volatility),
    ]
    interval = result.uncertainty.intervals["R"]
    notes = entries[0].notes
    assert f"lower is better; {interval.low:.4f} to {interval.high:.4f}; Intervals of 95%" in notes
    assert "criterion linf; unit scale; 4 of 116 groups (drawn) in" in notes


@pytest.mark.parametrize("name", ["bias", "a/b/c", "../x", "a/", "acme/bias\n", "acme/x y"])
def test_what_is_no_data_set_of_the_hub_is_refused(result, name):
    with pytest.raises(BvfError, match="not the name of a data set"):
        export.eval_results(result, name)
