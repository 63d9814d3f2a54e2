"""Stored answers of models compared: folders of ``bvf factors run``, published answers, and what is refused."""

import json
import re
import shutil
from pathlib import Path

import pytest
from bvf_factors.benchmarks.answer_folder import answers_to_compare, stored_answers
from bvf_factors.benchmarks.asking import BenchmarkConfig
from bvf_factors.benchmarks.benchmarking import run_benchmark
from helpers.benchmark_answers import TOY_BENCHMARK, sample_of

from bvf import BvfError, MeasureConfig
from bvf.hooks.loader import load

PLUGINS = load(extra=[TOY_BENCHMARK])
LINES = [
    json.loads(line)
    for file in sorted(sample_of(PLUGINS.benchmarks.make("bbq")).glob("*.jsonl"))
    for line in file.read_text().splitlines()
]
MODELS = "bundled:en-causal", "bundled:en-masked"


def asked(folder, benchmark="pets", **options):
    config = BenchmarkConfig(benchmark, None, MeasureConfig(plugin=(TOY_BENCHMARK,)), out=str(folder), **options)
    return run_benchmark(config, PLUGINS)


@pytest.fixture(scope="module")
def pets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pets") / "pets"
    asked(folder)
    return folder


@pytest.fixture
def folder(pets, tmp_path):
    return Path(shutil.copytree(pets, tmp_path / "copy"))


@pytest.fixture
def run(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return command


def test_two_folders_have_the_scores_and_differences_of_one_run_of_both_models(run, tmp_path):
    shutil.copytree(str(PLUGINS.benchmarks.make("crows-pairs").sample), tmp_path / "data")
    given = ("factors", "run", "crows-pairs", "--data", "data", "--quiet")
    for name, model in zip("ab", MODELS, strict=True):
        assert run(*given, "--model", model, "--out", name).code == 0
    both = run(*given, "--model", MODELS[0], "--model", MODELS[1], "--cluster", "item", "--format", "json")
    shutil.rmtree(tmp_path / "data")
    done = run("factors", "compare", "a", "b/rows.jsonl", "--cluster", "item", "--format", "json")
    assert done.code == 0, done.err
    expected, found = json.loads(both.out), json.loads(done.out)
    assert found["differences"]
    assert {**found, "models": None} == {**expected, "models": None}
    assert [each["folder"] for each in found["models"]] == ["a", "b"]
    text = run("factors", "compare", "a", "b", "-o", "scores.csv").out
    assert "Differences: CrowS-Pairs" in text
    assert len((tmp_path / "scores.csv").read_text().splitlines()) == 1 + len(found["scores"])


def test_the_token_before_whole_texts_is_stored_and_said(run):
    asked = ("factors", "run", "crows-pairs", "--quiet", "--model")
    for name, start in (("a", ()), ("b", ("-B", "start=harness"))):
        done = run(*asked, "bundled:en-causal", *start, "--out", name)
        assert ("with texts begun as by lm-evaluation-harness" in done.out) == (name == "b")
    refused = run(*asked, "bundled:en-causal", "-B", "start=harness", "--out", "a")
    assert (refused.code, "not the same start" in refused.err) == (2, True)
    said = " ".join(run("factors", "compare", "a", "b").out.split())
    assert "do not begin alike (-B start): separator for" in said
    assert run(*asked, "bundled:en-masked", "--out", "c").code == 0
    assert "-B start" not in run("factors", "compare", "a", "c").out


def test_published_answers_of_two_models_are_compared_with_each_other_and_with_a_model(run, tmp_path):
    chosen = {"one": [2] * len(LINES), "two": [number % 3 for number in range(len(LINES))]}
    for name, choices in chosen.items():
        rows = [{**line, "predicted_index": index} for line, index in zip(LINES, choices, strict=True)]
        Path(f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
        done = run("factors", "run", "bbq", "--answers", f"{name}.jsonl", "--name", f"model {name}", "--out", name)
        assert done.code == 0, done.err
    assert run("factors", "run", "bbq", "--model", MODELS[0], "--out", "three", "--quiet").code == 0
    done = run("factors", "compare", "one", "two", "three", "--format", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    scores, differences = (
        [each for each in found[part] if each["name"] == "accuracy" and not each["of"]]
        for part in ("scores", "differences")
    )
    accuracy, apart = {each["model"]: each["value"] for each in scores}, differences[0]
    assert list(accuracy) == ["model one", "model two", MODELS[0]]
    for name, choices in chosen.items():
        right = [line["label"] == index for line, index in zip(LINES, choices, strict=True)]
        assert accuracy[f"model {name}"] == sum(right) / len(right)
    assert apart["value"] == pytest.approx(accuracy["model one"] - accuracy["model two"])
    done = run("factors", "compare", "one", "two", "--factors", "bbq", "--fewest", "4", "--format", "json")
    assert done.code == 0, done.err
    for name, rate in json.loads(done.out)["rates"].items():
        rows = (tmp_path / name.removeprefix("model ") / "rows.jsonl").read_text().splitlines()
        assert rate == sum(json.loads(row)["deviates"] for row in rows) / len(rows)
    refused = run("factors", "run", "bbq", "--answers", "two.jsonl", "--out", "three")
    message = "error: three holds answers to something else: not the same answers"
    assert (refused.code, refused.err.splitlines()[0]) == (2, message)


@pytest.mark.parametrize("options", [{"by": "letters", "orders": "all"}, {"by": "letters", "orders": "random"}, {}])
def test_answers_are_read_back_as_they_were_given(tmp_path, options):
    given = asked(tmp_path / "out", limit_items=3, **options)
    found = stored_answers(tmp_path / "out", PLUGINS)
    assert found.answers == given.answers
    for part in ("items", "wordings", "by"):
        assert getattr(found.asked, part) == getattr(given.asked, part)
    assert list(found.rows()) == list(given.rows())


@pytest.mark.parametrize(
    ("pattern", "change", "message"),
    [
        ("items.jsonl", None, "items.jsonl is missing: the folder is of an older bvf"),
        ("items.jsonl", ("cat", "rat"), "items.jsonl: the items are not those that were asked"),
        ("items.jsonl", (r".*\n", "{}\n"), "items.jsonl: this is not an item of a benchmark"),
        ("answers/*", None, "12 of 12 answers are missing"),
        ("benchmark.json", (r"(?s)\A.*", '{"model": "x"}'), "this is not a record of answers"),
    ],
)
def test_a_folder_that_lacks_something_is_refused_and_the_same_run_mends_it(folder, pattern, change, message):
    file = next(folder.glob(pattern))
    if change is None:
        file.unlink()
    else:
        file.write_text(re.sub(*change, file.read_text()))
    with pytest.raises(BvfError, match=message) as refusal:
        stored_answers(folder, PLUGINS)
    assert "run the same command of bvf factors run again" in str(refusal.value)
    if "record" not in message:
        asked(folder)
        assert stored_answers(folder, PLUGINS).answers


def test_what_cannot_be_compared_is_one_line(folder, pets, tmp_path):
    asked(tmp_path / "pairs", "pairs")
    asked(tmp_path / "part", limit_items=6)
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    for others, message in [
        ([], "has the answers of one model\nhint: name the folder of another one, too"),
        ([pets / "rows.jsonl"], "is named twice"),
        ([tmp_path / "pairs"], "has answers to pets, and .*pairs to pairs\nhint: compare answers to one benchmark"),
        ([tmp_path / "part"], "part and .* are answers to different items"),
        ([tmp_path / "a.csv"], "a.csv: is not a folder of answers to a benchmark\nhint: .*--factors FILE"),
    ]:
        with pytest.raises(BvfError, match=message):
            answers_to_compare([pets, *others], PLUGINS)
    assert len(answers_to_compare([folder, pets], PLUGINS)) == 2


def test_options_of_rates_and_of_scores_are_not_mixed(run, pets):
    given = ("factors", "compare", pets, pets, "--plugin", TOY_BENCHMARK)
    rates, scores = run(*given, "--order", "2"), run(*given, "--factors", "pets", "--cluster", "item")
    assert (rates.code, scores.code) == (2, 2)
    assert rates.err.splitlines() == [
        "error: --order: is an option of rates, and without --factors scores are compared",
        " hint: give --factors FILE|NAME, too",
    ]
    assert scores.err.splitlines()[0] == "error: --cluster: is an option of scores, and --factors compares rates"
