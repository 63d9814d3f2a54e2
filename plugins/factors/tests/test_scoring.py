"""Benchmarks scored by models: comparisons with plain loops over the model, stored scores, other wordings."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from bvf_factors.benchmarks.asking import BenchmarkConfig, read_asked
from bvf_factors.benchmarks.benchmarking import run_benchmark
from bvf_factors.benchmarks.scoring import scores_of, shared_places
from bvf_factors.benchmarks.wordings import read_wordings
from hypothesis import given
from hypothesis import strategies as st

from bvf import BvfError, MeasureConfig
from bvf.asking.model import choose_model
from bvf.errors import ContractError
from bvf.hooks.loader import load
from bvf.interfaces.benchmark import Answer, Item
from bvf.measuring.topics import find_topic

BENCHMARK = Path(__file__).resolve().parent / "data" / "toy_benchmark.py"
ODD_ENGINE = """
from bvf import Engine, Provider, Share, hookimpl

class Odd(Engine):
    def map(self, parts, work):
        answer = work.begin(Share())
        {body}

@hookimpl
def bvf_engines():
    return [Provider("odd", Odd, "as it likes")]
"""


@pytest.fixture(scope="module")
def plugins():
    return load(extra=[str(BENCHMARK)])


@pytest.fixture(scope="module")
def models(plugins):
    topic = find_topic("gender", plugins, plugins.languages.find("en").make())
    return {
        kind: choose_model(MeasureConfig(model=f"bundled:en-{kind}"), topic, plugins).load()
        for kind in ("causal", "masked", "seq2seq")
    }


def asked(plugins, name, **options):
    return read_asked(BenchmarkConfig(name, None, MeasureConfig(), **options), plugins)


def logprob_after(model, left, text):
    """Log p of a text after another, computed token by token with the bare model."""
    start, whole = (model.tokenizer(each)["input_ids"] for each in (left, left + text))
    start = start[: next((k for k, (a, b) in enumerate(zip(start, whole, strict=False)) if a != b), len(start))]
    with torch.no_grad():
        logits = model.model(torch.tensor([whole])).logits[0].log_softmax(-1)
    return sum(logits[place - 1, whole[place]].item() for place in range(len(start), len(whole)))


def test_answers_have_their_probability_after_the_text(plugins, models):
    items = asked(plugins, "pets").items[:4]
    model = models["causal"]
    scores = scores_of(model, items, "answers", "sum", "en")
    plain = [[logprob_after(model, item.left, f" {choice}") for choice in item.choices] for item in items]
    assert np.array(scores) == pytest.approx(np.array(plain), abs=2e-4)
    per_byte = scores_of(model, items, "answers", "bytes", "en")
    lengths = [len(choice) for choice in items[0].choices]
    assert np.array(per_byte) == pytest.approx(np.array(plain) / lengths, abs=2e-5)


def test_letters_are_asked_for_as_letters(plugins, models):
    every = asked(plugins, "pets", by="letters")
    item = every.of(every.parts()[0])[0]
    assert item.left.endswith("A. the cat\nB. the old dog\nC. nobody\nAnswer:")
    scores = scores_of(models["causal"], [item], "answers", "letters", "en")[0]
    plain = [logprob_after(models["causal"], item.left, f" {letter}") for letter in "ABC"]
    assert scores == pytest.approx(plain, abs=2e-4)


def hidden_logprobs(model, text):
    """Log p of each token while only that token is masked, one text at a time."""
    ids = model.tokenizer(text)["input_ids"]
    logprobs = []
    for place in range(1, len(ids) - 1):
        masked = [*ids[:place], model.tokenizer.mask_token_id, *ids[place + 1 :]]
        with torch.no_grad():
            logits = model.model(torch.tensor([masked])).logits[0, place].log_softmax(-1)
        logprobs.append(logits[ids[place]].item())
    return ids[1:-1], np.array(logprobs)


def test_masked_models_compare_the_tokens_that_sentences_share(plugins, models):
    items = asked(plugins, "pairs").items[:5]
    model = models["masked"]
    scores_of_items = scores_of(model, items, "shared tokens", "sum", "en")
    for item, scores in zip(items, scores_of_items, strict=True):
        (first, one), (second, two) = (hidden_logprobs(model, text) for text in item.choices)
        assert len(first) == len(second)
        same = [a == b for a, b in zip(first, second, strict=True)]
        assert 0 < sum(same) < len(same)
        assert scores == pytest.approx((one[same].sum(), two[same].sum()), abs=1e-5)
    whole = scores_of(model, items[:1], "sentences", "sum", "en")[0]
    assert whole == pytest.approx([hidden_logprobs(model, text)[1].sum() for text in items[0].choices], abs=1e-5)


def test_causal_models_compare_whole_sentences(plugins, models):
    items = asked(plugins, "pairs").items[:5]
    scores_of_items = scores_of(models["causal"], items, "shared tokens", "sum", "en")
    for item, scores in zip(items, scores_of_items, strict=True):
        plain = [logprob_after(models["causal"], "", text) for text in item.choices]
        assert scores == pytest.approx(plain, abs=2e-4)


def test_what_a_model_cannot_be_asked_is_one_line(models):
    item = Item("1", ("She left.", "He left.", "It left."))
    with pytest.raises(BvfError, match="gives no probability of single tokens"):
        scores_of(models["seq2seq"], [item], "sentences", "sum", "en")
    with pytest.raises(BvfError, match="3 sentences share no tokens in pairs"):
        scores_of(models["masked"], [item], "shared tokens", "sum", "en")
    with pytest.raises(BvfError, match="and the model has positions for"):
        models["masked"].token_logprobs(["again " * 600])


@given(st.lists(st.integers(0, 4), max_size=12), st.lists(st.integers(0, 4), max_size=12))
def test_shared_places_are_the_same_tokens_in_their_order(first, second):
    one, two = shared_places(first, second)
    assert [first[place] for place in one] == [second[place] for place in two]
    assert one == sorted(one)
    assert two == sorted(two)
    assert len(shared_places(first, first)[0]) == len(first)


def test_answers_without_a_preference_choose_nothing():
    item = Item("1", ("a", "b"))
    assert Answer(item, (-1.0, -1.0)).choice is None
    assert Answer(item, (-2.0, -1.0)).choice == 1


def config(tmp_path, **options):
    model = options.pop("model", MeasureConfig(plugin=(str(BENCHMARK),)))
    return BenchmarkConfig("pets", options.pop("data", None), model, out=str(tmp_path / "out"), **options)


def test_what_is_stored_is_not_asked_again(plugins, tmp_path, monkeypatch):
    monkeypatch.setattr("bvf_factors.benchmarks.asking.ITEMS_PER_PART", 5)
    seen = []
    first = run_benchmark(config(tmp_path), plugins, lambda *now: seen.append(now))
    assert [done for done, _, _ in seen] == [0, 5, 10, 12]
    files = sorted((tmp_path / "out" / "answers").iterdir())
    files[0].unlink()
    files[1].write_text(files[1].read_text().replace("-", "", 1))
    seen.clear()
    again = run_benchmark(config(tmp_path), plugins, lambda *now: seen.append(now))
    assert seen[0] == (2, 12, 2)
    before, after = (np.array([answer.scores for answer in each.answers["as written"]]) for each in (first, again))
    assert after == pytest.approx(before, abs=1e-5)
    rows = [json.loads(line) for line in (tmp_path / "out" / "rows.jsonl").read_text().splitlines()]
    assert len(rows) == 12
    assert rows[0].keys() == {"model", "item", "wording", "place", "time", "template", "deviates"}


def test_processes_answer_as_one(plugins, tmp_path, monkeypatch):
    monkeypatch.setattr("bvf_factors.benchmarks.asking.ITEMS_PER_PART", 4)
    alone = run_benchmark(config(tmp_path / "a"), plugins)
    several = MeasureConfig(engine="processes:2", plugin=(str(BENCHMARK),))
    together = run_benchmark(config(tmp_path / "b", model=several), plugins)
    scores = [[answer.scores for answer in answered.answers["as written"]] for answered in (alone, together)]
    assert np.array(scores[0]) == pytest.approx(np.array(scores[1]), abs=1e-5)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("for part in parts[1:]: yield part, answer(part)", r"Odd\.map left 1 of 3 parts out"),
        ("for part in parts: yield part, 'done'", r"Odd\.map yielded something else than a part and its receipt"),
    ],
)
def test_an_engine_that_leaves_a_part_out_is_named(tmp_path, monkeypatch, body, message):
    monkeypatch.setattr("bvf_factors.benchmarks.asking.ITEMS_PER_PART", 4)
    plugin = tmp_path / "odd.py"
    plugin.write_text(ODD_ENGINE.format(body=body))
    extra = (str(BENCHMARK), str(plugin))
    with pytest.raises(ContractError, match=message):
        run_benchmark(config(tmp_path, model=MeasureConfig(engine="odd", plugin=extra)), load(extra=list(extra)))


def test_another_question_needs_another_folder(plugins, tmp_path):
    run_benchmark(config(tmp_path, limit_items=3), plugins)
    with pytest.raises(BvfError, match="holds answers to something else: items differs"):
        run_benchmark(config(tmp_path, limit_items=4), plugins)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("mine")
    with pytest.raises(BvfError, match="is not empty and holds no"):
        run_benchmark(BenchmarkConfig("pets", None, MeasureConfig(), out=str(tmp_path / "other")), plugins)


def test_wordings_are_asked_one_by_one(plugins, tmp_path):
    file = tmp_path / "wordings.txt"
    file.write_text("# two ways\nplain: {left}\n{context}\\n{question} It is\n")
    first, second = read_wordings(file)
    assert (first.name, second.name, second.text) == ("plain", "2", "{context}\n{question} It is")
    answered = run_benchmark(config(tmp_path, wordings=file, limit_items=4), plugins)
    assert list(answered.answers) == ["plain", "2"]
    assert answered.answers["plain"][0].scores != answered.answers["2"][0].scores
    assert [row["wording"] for row in answered.rows()] == ["plain"] * 4 + ["2"] * 4
    assert answered.answers["plain"][0].item.left == answered.answers["2"][0].item.left


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no wording"),
        ("What?\n", "asks nothing of an item"),
        ("a: {left}\nb: {left}\n", 'wording "b" is there twice'),
        ("{contex} {question}\n", "items have no part {contex}"),
    ],
)
def test_wordings_that_are_refused(plugins, tmp_path, text, message):
    file = tmp_path / "w.txt"
    file.write_text(text)
    with pytest.raises(BvfError, match=message):
        asked(plugins, "pets", wordings=file)


def test_questions_that_are_refused(plugins, tmp_path):
    with pytest.raises(BvfError, match='there is no benchmark "pet"'):
        read_asked(BenchmarkConfig("pet", None, MeasureConfig()), plugins)
    with pytest.raises(BvfError, match="there is no such file or folder"):
        read_asked(BenchmarkConfig("pets", tmp_path / "none", MeasureConfig()), plugins)
    with pytest.raises(BvfError, match="compares sentences, which are as they are"):
        asked(plugins, "pairs", by="letters")
    with pytest.raises(BvfError, match="answers from a table"):
        run_benchmark(config(tmp_path, model=MeasureConfig(model="baseline:unbiased")), plugins)
