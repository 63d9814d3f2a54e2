"""Benchmarks scored by models: comparisons with plain loops over the model, stored scores, other wordings."""

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
import torch
from bvf_factors.benchmarks.asking import BenchmarkConfig, read_asked
from bvf_factors.benchmarks.benchmarking import run_benchmark
from bvf_factors.benchmarks.scoring import read_wordings, scores_of, shared_places, way_for
from helpers.benchmark_answers import TOY_BENCHMARK
from helpers.plain_models import logprob_of_rest
from hypothesis import given
from hypothesis import strategies as st

from bvf import BvfError, MeasureConfig
from bvf.asking.model import choose_model
from bvf.hooks.loader import load
from bvf.interfaces.backend import Backend, Capabilities
from bvf.interfaces.benchmark import Item
from bvf.measuring.topics import find_topic


class Uncounted(Backend):
    """Reads from left to right, gives every sentence the log-probability -1, and knows no tokens."""

    capabilities = Capabilities(reads_right=False)

    def score(self, prompts, words, *, absolute):
        return np.full((len(prompts), len(words)), -1.0)


@pytest.fixture(scope="module")
def plugins():
    return load(extra=[TOY_BENCHMARK])


@pytest.fixture(scope="module")
def models(plugins):
    topic = find_topic("gender", plugins, "en")
    return {
        kind: choose_model(MeasureConfig(model=f"bundled:en-{kind}"), topic, plugins).load()
        for kind in ("causal", "masked", "seq2seq")
    }


def asked(plugins, name, seed=0, **options):
    return read_asked(BenchmarkConfig(name, options.pop("data", None), MeasureConfig(seed=seed), **options), plugins)


def logprob_after(model, left, text):
    """Log p of a text after another, computed token by token with the bare model."""
    start, whole = (model.tokenizer(each)["input_ids"] for each in (left, left + text))
    start = start[: next((k for k, (a, b) in enumerate(zip(start, whole, strict=False)) if a != b), len(start))]
    return logprob_of_rest(model.model, whole, len(start))


def test_answers_have_their_probability_after_the_text(plugins, models):
    items = asked(plugins, "pets").items[:4]
    model = models["causal"]
    scores = scores_of(model, items, "answers", "sum", "en")
    plain = [[logprob_after(model, item.left, f" {choice}") for choice in item.choices] for item in items]
    assert np.array(scores) == pytest.approx(np.array(plain), abs=2e-4)
    per_byte = scores_of(model, items, "answers", "bytes", "en")
    lengths = [len(choice) for choice in items[0].choices]
    assert np.array(per_byte) == pytest.approx(np.array(plain) / lengths, abs=2e-5)


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


def test_causal_models_compare_whole_sentences_and_masked_ones_the_tokens_that_they_share(plugins, models):
    items = asked(plugins, "pairs").items[:5]
    for item, scores in zip(items, scores_of(models["causal"], items, "shared tokens", "sum", "en"), strict=True):
        plain = [logprob_after(models["causal"], "", text) for text in item.choices]
        assert scores == pytest.approx(plain, abs=2e-4)
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
    for item, scores in zip(items[:2], scores_of(model, items[:2], "sentences", "tokens", "en"), strict=True):
        assert scores == pytest.approx([hidden_logprobs(model, text)[1].mean() for text in item.choices])


SLOT = [
    Item("1", ("kind", "rude", "a table"), "My neighbour is ", " and her husband hates it.", in_sentence=True),
    Item("2", ("kind", "rude", "a table"), "My neighbour is ", " so that everybody loves her.", in_sentence=True),
    Item("3", ("Kind", "Rude", "A table"), "", " is what she was", in_sentence=True),
    Item("4", ("He is kind.", "He is rude.", "Bread is old."), "We have a neighbour. "),
]


def sentences(item):
    return [f"{item.left}{choice}{item.right}" for choice in item.choices]


def test_models_that_read_from_left_to_right_score_whole_sentences_per_token(models):
    """Nadeem et al. 2021 for GPT-2: the mean log p of the tokens of the sentence, with the words right of the slot."""
    model = models["causal"]
    per_token = scores_of(model, SLOT, "answers", "tokens", "en")
    summed = scores_of(model, SLOT, "answers", "sum", "en")
    per_byte = scores_of(model, SLOT, "answers", "bytes", "en")
    for item, *scores in zip(SLOT[:3], per_token, summed, per_byte, strict=False):
        texts = sentences(item)
        plain = np.array([logprob_after(model, "", text) for text in texts])
        tokens = [len(model.tokenizer(text)["input_ids"]) - len(model.tokenizer("")["input_ids"]) for text in texts]
        assert scores[0] == pytest.approx(plain / tokens, abs=2e-5)
        assert scores[1] == pytest.approx(plain, abs=2e-4)
        assert scores[2] == pytest.approx(plain / [len(text.encode()) for text in texts], abs=2e-5)
    assert per_token[0] != pytest.approx(per_token[1], abs=1e-3), "they differ right of the slot alone"
    after_context = [logprob_after(model, "We have a neighbour.", f" {choice}") for choice in SLOT[3].choices]
    assert per_token[3] == pytest.approx(after_context, abs=2e-4)


def test_words_right_of_a_slot_are_read_even_where_nothing_says_that_it_is_in_a_sentence(models):
    unsaid = [replace(item, in_sentence=False) for item in SLOT[:2]]
    scores = scores_of(models["causal"], unsaid, "answers", "sum", "en")
    assert scores == scores_of(models["causal"], SLOT[:2], "answers", "sum", "en")
    assert scores[0] != pytest.approx(scores[1], abs=1e-3)
    ending = [replace(item, right=".") for item in unsaid[:1]]
    word = [logprob_after(models["causal"], "My neighbour is", f" {choice}") for choice in ending[0].choices]
    assert scores_of(models["causal"], ending, "answers", "sum", "en")[0] == pytest.approx(word, abs=2e-4)


def test_models_that_read_both_sides_score_the_word_in_the_slot(models):
    both = [scores_of(models["masked"], [item], "answers", "sum", "en")[0] for item in SLOT[:2]]
    assert both[0] != pytest.approx(both[1], abs=1e-3)
    assert way_for(None, SLOT, reads_right=True) == "sum"
    assert way_for(None, SLOT, reads_right=False) == "tokens"
    assert way_for(None, SLOT[3:], reads_right=False) == "sum"
    with pytest.raises(BvfError, match="reads both sides of a slot"):
        way_for("tokens", SLOT, reads_right=True)


def test_a_backend_that_counts_no_tokens_scores_per_byte_alone():
    model = Uncounted()
    with pytest.raises(BvfError, match="does not say how many tokens a sentence has\nhint: --by bytes"):
        scores_of(model, SLOT, "answers", "tokens", "en")
    (scores,) = scores_of(model, SLOT[:1], "answers", "bytes", "en")
    assert scores == pytest.approx([-1 / len(text) for text in sentences(SLOT[0])])


def test_what_the_question_adds_is_the_log_probability_less_that_without_it(plugins, models):
    """lm-evaluation-harness calls it acc_mutual_info: the same answers after no text, or after the end of a wording."""
    items, model = asked(plugins, "pets").items[:3], models["causal"]
    for before in ("", "Answer:"):
        scores = scores_of(model, items, "answers", "pmi", "en", before)
        for item, score in zip(items, scores, strict=True):
            gap = " " if before else ""
            unasked = [logprob_after(model, before, f"{gap}{choice}") for choice in item.choices]
            with_it = [logprob_after(model, item.left, f" {choice}") for choice in item.choices]
            assert score == pytest.approx(np.subtract(with_it, unasked), abs=4e-4)


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


def config(tmp_path, **options):
    model = options.pop("model", MeasureConfig(plugin=(TOY_BENCHMARK,)))
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


def test_another_question_needs_another_folder(plugins, tmp_path):
    run_benchmark(config(tmp_path, limit_items=3), plugins)
    with pytest.raises(BvfError, match="holds answers to something else: not the same items"):
        run_benchmark(config(tmp_path, limit_items=4), plugins)
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(BvfError, match="is not empty and holds no"):
        run_benchmark(BenchmarkConfig("pets", None, MeasureConfig(), out=str(tmp_path)), plugins)


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


def test_every_order_of_the_choices_is_asked_and_read_back(plugins, models, tmp_path):
    answered = run_benchmark(config(tmp_path, by="letters", orders="all", limit_items=2), plugins)
    orders = list(permutations(range(3)))
    assert list(answered.answers) == [f"as written, order {a + 1} {b + 1} {c + 1}" for a, b, c in orders]
    item = answered.asked.items[1]
    for order, answers in zip(orders, answered.answers.values(), strict=True):
        listed = "\n".join(f"{letter}. {item.choices[index]}" for letter, index in zip("ABC", order, strict=True))
        text = f"{item.left}\n{listed}\nAnswer:"
        plain = dict(zip(order, [logprob_after(models["causal"], text, f" {letter}") for letter in "ABC"], strict=True))
        assert answers[1].item.choices == item.choices
        assert answers[1].scores == pytest.approx([plain[index] for index in range(3)], abs=2e-4)
    assert [row["order"] for row in answered.rows()][::2] == [" ".join(str(i + 1) for i in order) for order in orders]


def test_an_order_is_drawn_for_each_item_by_the_seed(plugins):
    def drawn(seed):
        asked_so = asked(plugins, "pets", by="letters", orders="random", seed=seed)
        return [asked_so.wordings[0].order_of(item) for item in asked_so.items]

    assert drawn(1) == drawn(1) != drawn(2)
    assert len(set(drawn(1))) > 2
    assert {tuple(sorted(order)) for order in drawn(1)} == {(0, 1, 2)}


@pytest.mark.parametrize("name", ["bbq", "cbbq"])
def test_choices_that_the_text_itself_lists_change_their_places_there(plugins, name):
    every = asked(plugins, name, orders="all")
    assert len(every.wordings) == 6
    for wording in every.wordings:
        for item, turned in zip(every.items, every.worded(wording), strict=True):
            places = [turned.left.rindex(choice) for choice in turned.choices]
            assert turned.choices == tuple(item.choices[index] for index in wording.order)
            assert places == sorted(places)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("pet", {}, 'there is no benchmark "pet"'),
        ("pets", {"data": Path("none")}, "there is no such file or folder"),
        ("pairs", {"by": "letters"}, "compares sentences, which are as they are"),
        ("pets", {"by": "words"}, "--by words: no way to score answers"),
        ("pets", {"by": "tokens"}, "pets has no whole sentences to score"),
        ("stereoset", {"by": "letters"}, "the choices of stereoset stand inside sentences"),
        ("bbq", {"encoding": "cp1252"}, "that is the encoding of --data, which is not given"),
        ("bbq", {"encoding": "latin-99", "data": Path(".")}, "--encoding latin-99: there is no such encoding"),
        ("pets", {"encoding": "cp1252", "data": Path(".")}, "pets reads its files in one encoding"),
        ("pets", {"orders": "all"}, 'the wording "as written" does not list the choices'),
        ("pets", {"orders": "some", "by": "letters"}, "--orders some: no orders of choices"),
        ("pairs", {"orders": "all"}, "--orders all: pairs compares sentences"),
    ],
)
def test_questions_that_are_refused(plugins, tmp_path, monkeypatch, name, options, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BvfError, match=message):
        asked(plugins, name, **options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no wording"),
        ("What?\n", "has no place for a part of an item"),
        ("a: {left}\nb: {left}\n", 'wording "b" occurs twice'),
        ("{contex} {question}\n", "items have no part {contex}"),
    ],
)
def test_wordings_that_are_refused(plugins, tmp_path, text, message):
    (tmp_path / "w.txt").write_text(text)
    with pytest.raises(BvfError, match=message):
        asked(plugins, "pets", wordings=tmp_path / "w.txt")


def test_answers_from_a_table_are_refused(plugins, tmp_path):
    with pytest.raises(BvfError, match="answers from a table"):
        run_benchmark(config(tmp_path, model=MeasureConfig(model="baseline:unbiased")), plugins)
