"""Texts of causal models and words expected in them: beside the library's generate, loops and enumerations."""

import copy
import dataclasses
import itertools
import re

import numpy as np
import pytest
import torch
from bvf_transformers.reading import generating
from bvf_transformers.reading.expected import Stream, WordsOfClasses
from bvf_transformers.reading.generating import drawn_tokens, gumbel, shape_of_blocks

import bvf
from bvf.domain.generation import Generation
from bvf.errors import BvfError
from bvf.interfaces.texts import random_stream

LEFTS = ("The nurse said that", "The engineer", "Yesterday the old carpenter thought that", "A cook knew")
PROMPTS = [bvf.Prompt(left, "", "", f"{left} [Y]") for left in LEFTS]
SEVERAL = Generation(samples=3, tokens=8, temperature=0.8, seed=5)
GREEDY = Generation(samples=1, tokens=8, temperature=0.0, seed=0)


def ends(backend):
    return {backend.tokenizer.eos_token_id}


def naive(backend, prompt, sample, generation):
    """One text, by a loop that reads the whole text for each token and draws by the sums over the whole vocabulary."""
    stream = random_stream(prompt, sample, generation)
    ids = list(backend.cutter.ids_before([prompt.left])[0])
    written = []
    for _ in range(generation.tokens):
        with torch.inference_mode():
            logits = backend.model(torch.tensor([ids])).logits[0, -1].double().numpy()[: backend.rows]
        token = int(logits.argmax()) if not generation.temperature else plainly(logits / generation.temperature, stream)
        if token in ends(backend):
            break
        ids.append(token)
        written.append(token)
    return backend.tokenizer.decode(written, skip_special_tokens=True)


def plainly(logits, stream):
    """A token by Gumbel's trick, first among blocks and then in one, written with lists."""
    blocks, size = shape_of_blocks(len(logits))
    noise = gumbel(stream, blocks + size)
    parts = [logits[start : start + size] for start in range(0, len(logits), size)]
    sums = [np.log(np.exp(part - part.max()).sum()) + part.max() + noise[b] for b, part in enumerate(parts)]
    block = int(np.argmax(sums))
    return block * size + int(np.argmax(parts[block] + noise[blocks : blocks + len(parts[block])]))


def test_texts_are_those_of_a_plain_loop_with_the_same_random_numbers(backend):
    expected = [[naive(backend, prompt, k, SEVERAL) for k in range(3)] for prompt in PROMPTS]
    assert backend.texts(PROMPTS, SEVERAL) == expected
    assert len({text for texts in expected for text in texts}) == 12


def test_at_temperature_0_they_are_those_of_generate(backend):
    expected = []
    for prompt in PROMPTS:
        ids = torch.tensor([backend.cutter.ids_before([prompt.left])[0]])
        made = backend.model.generate(
            ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=8, pad_token_id=0
        )
        expected.append([backend.tokenizer.decode(made[0, ids.shape[1] :], skip_special_tokens=True)])
    assert backend.texts(PROMPTS, GREEDY) == expected


@pytest.mark.parametrize("batch_tokens", [8, 64])
def test_the_size_of_a_batch_changes_nothing(batch_tokens, backend, monkeypatch):
    whole = backend.texts(PROMPTS, SEVERAL)
    monkeypatch.setattr(backend.budget, "tokens", batch_tokens)
    assert backend.texts(PROMPTS[::-1], SEVERAL)[::-1] == whole


@pytest.fixture
def passes(backend, monkeypatch):
    """The rows of each forward pass: of prompts, and of texts that grow."""
    read, grower = {"_run": [], "_run_tree": []}, backend._grower
    for name, rows in read.items():
        real = getattr(backend, name)
        monkeypatch.setattr(
            backend, name, lambda ids, *more, real=real, rows=rows: rows.append(len(ids)) or real(ids, *more)
        )
    monkeypatch.setattr(backend, "_grower", dataclasses.replace(grower, run=backend._run_tree))
    return read


def test_texts_of_several_lengths_grow_together(backend, passes):
    lengths = [len(ids) for ids in backend.ids_before(PROMPTS)]
    backend.texts(PROMPTS, SEVERAL)
    assert passes["_run"] == [lengths.count(length) for length in sorted({*lengths}, reverse=True)]
    assert len(passes["_run"]) == 2
    assert passes["_run_tree"] == [*[12] * 6, 11]  # one text ends by itself


def test_a_text_that_ends_makes_room(backend, passes, monkeypatch):
    alone = SEVERAL.model_copy(update={"samples": 1})
    before = backend.ids_before(PROMPTS)
    width = max(map(len, before)) + alone.tokens
    for name in ("tokens", "_largest"):
        monkeypatch.setattr(backend.budget, name, 2 * (width // 8))  # for two rows
    whole = backend.texts(PROMPTS, alone)
    assert passes["_run_tree"] == [2] * 14
    (longest,) = backend.continued(PROMPTS[2:3], before[2:3], alone)[0]  # it is read first
    monkeypatch.setattr("bvf_transformers.kinds.causal.ends_of_texts", lambda *_: frozenset(longest[1:2]))
    passes["_run_tree"].clear()
    ended = backend.texts(PROMPTS, alone)
    assert ended[2] != whole[2]
    assert all(text.startswith(short) for (text,), (short,) in zip(whole, ended, strict=True))
    assert passes["_run_tree"][:3] == [2, 2, 2]
    assert len(passes["_run_tree"]) < 14


def test_a_batch_that_does_not_fit_is_written_again_in_smaller_ones(backend, monkeypatch):
    whole, run, read = backend.texts(PROMPTS, SEVERAL), backend._run_tree, []

    def of_few_rows(ids, *more):
        read.append(len(ids))
        if len(ids) > 6 or len(read) == 9:  # too many rows, or late, when texts have ended
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return run(ids, *more)

    monkeypatch.setattr(backend, "_grower", dataclasses.replace(backend._grower, run=of_few_rows))
    monkeypatch.setattr(backend, "budget", copy.copy(backend.budget))
    assert backend.texts(PROMPTS, SEVERAL) == whole
    assert len(read) > 9
    assert max(read) > 6


@pytest.mark.parametrize("name", ["gpt2", "gpt_neo", "gpt_neox", "opt", "llama", "mistral"])
def test_every_family_writes_what_it_writes_without_a_cache(folder_of, load_model, name, monkeypatch):
    backend = load_model(folder_of(name))
    together = backend.texts(PROMPTS, SEVERAL)
    monkeypatch.setattr(backend, "has_cache", False)
    assert backend.texts(PROMPTS, SEVERAL) == together


def test_a_longer_text_begins_as_a_shorter_one(backend):
    longer = backend.texts(PROMPTS, SEVERAL.model_copy(update={"tokens": 12}))
    for short, long in zip(backend.texts(PROMPTS, SEVERAL), longer, strict=True):
        assert all(other.startswith(text.rstrip("\ufffd")) for text, other in zip(short, long, strict=True))


def test_a_text_that_ends_is_no_longer_continued(backend, monkeypatch):
    whole = backend.texts(PROMPTS, SEVERAL)
    stop = backend.tokenizer(" she", add_special_tokens=False)["input_ids"][-1]
    monkeypatch.setattr("bvf_transformers.kinds.causal.ends_of_texts", lambda *_: frozenset([stop]))
    ended = backend.texts(PROMPTS, SEVERAL)
    she = backend.tokenizer.decode([stop])
    assert ended == [[text.split(she)[0] for text in texts] for texts in whole]
    assert ended != whole


def test_tokens_are_drawn_as_probable_as_the_model_says():
    logits = torch.log(torch.tensor([[0.5, 0.2, 0.15, 0.1, 0.05]]))
    streams = [np.random.default_rng(seed) for seed in range(4000)]
    drawn = drawn_tokens(logits.repeat(4000, 1), 1.0, streams)
    shares = torch.bincount(drawn, minlength=5) / 4000
    assert shares.tolist() == pytest.approx([0.5, 0.2, 0.15, 0.1, 0.05], abs=0.03)
    sharper = drawn_tokens(logits.repeat(4000, 1), 0.5, streams)
    square = np.array([0.5, 0.2, 0.15, 0.1, 0.05]) ** 2
    assert (torch.bincount(sharper, minlength=5) / 4000).tolist() == pytest.approx(square / square.sum(), abs=0.03)


def test_a_text_that_is_too_long_for_the_model_is_refused(backend):
    long = GREEDY.model_copy(update={"tokens": backend.positions})
    longest = max(map(len, backend.ids_before(PROMPTS)))
    for refused in (backend.texts, backend.check_lengths):
        with pytest.raises(BvfError, match=f"a prompt has {longest} tokens, its texts have up to") as error:
            refused(PROMPTS, long)
        assert f"--tokens {backend.positions - longest}, or" in error.value.hint
    backend.check_lengths(PROMPTS, GREEDY.model_copy(update={"tokens": backend.positions - longest}))


CLASSES = (("he", "himself"), ("her", "she"))
ENDS = frozenset([4])
ALONE = (" he", " she", " was", " it", ".")
PARTS = (" he", "r", " her", " him", "self")
"""Words that begin others (he, her), a word of several tokens (himself), and tokens that go on with any word."""


def named(text):
    """The class of the first word, plainly."""
    found = re.search(r"\b(he|himself|her|she)\b", text)
    return np.array([float(found is not None and found[0] in words) for words in CLASSES])


def probabilities(path, tokens):
    return np.random.default_rng([7, *path]).dirichlet(np.full(tokens, 0.7))


def owed_along(path, texts, ends=frozenset()):
    """What a text owes, and its probability."""
    words, likely = WordsOfClasses(texts, ends, CLASSES), 1.0
    stream = Stream(np.random.default_rng(0), words)
    for step, token in enumerate(path):
        p = probabilities(path[:step], len(texts))
        words.follow(torch.log(torch.from_numpy(p))[None] + 3.0, [token], [stream])
        likely *= p[token]
    return stream.owed, likely


@pytest.mark.parametrize("texts", [ALONE, PARTS], ids=["alone", "parts"])
def test_what_texts_owe_is_0_on_average_over_all_texts(texts):
    paths = list(itertools.product(range(5), repeat=4))
    owed, likely = (np.array(each) for each in zip(*(owed_along(path, texts) for path in paths), strict=True))
    assert likely.sum() == pytest.approx(1.0)
    assert likely @ owed == pytest.approx([0.0, 0.0], abs=1e-12)
    rule = np.array([named("".join(texts[token] for token in path)) for path in paths])
    mean = likely @ rule
    assert likely @ (rule + owed) == pytest.approx(mean, abs=1e-12)
    lean = [likely @ ((each - mean) @ (mean[::-1] * [1, -1])) ** 2 for each in (rule, rule + owed)]
    assert lean[1] < lean[0] / (4.0 if texts == ALONE else 1.5)


def test_words_of_one_token_leave_the_sum_of_their_probabilities_by_hand():
    """It was it she was: the first word of a class comes at the fourth step, and is over at the fifth."""
    path = (3, 2, 3, 1, 2)
    owed, _ = owed_along(path, ALONE)
    steps = [probabilities(path[:step], 5) for step in range(4)]
    assert named(" it was it she was") + owed == pytest.approx([sum(p[0] for p in steps), sum(p[1] for p in steps)])


def test_a_word_that_goes_on_is_another_word_by_hand():
    """Of *he* and *r*: he was drawn and is then expected of all but *r*, which completes a word of the other class."""
    path = (0, 1)
    owed, _ = owed_along(path, PARTS)
    first, second = probabilities((), 5), probabilities((0,), 5)
    # after *he*, the tokens that begin a word are *he*, *her* and *him*; *self* makes no word
    assert owed == pytest.approx([first[0] - 1 + second[[0, 2, 3]].sum(), first[2] + second[1] - 1])


def test_the_end_of_a_text_ends_a_word():
    texts = (" he", " she", " was", " it", "r")  # the last token ends texts, whatever its letters are
    owed, _ = owed_along((0, 4), texts, ENDS)
    assert owed == pytest.approx([probabilities((), 5)[0] - 1, probabilities((), 5)[1]], abs=1e-12)


PROMPT = bvf.Prompt("The nurse said that", "", "", "The nurse said that [Y]")


def test_the_sums_of_a_model_have_the_mean_of_all_its_texts_of_three_tokens(backend, monkeypatch):
    """Of six tokens that it may write, all 216 texts are drawn in turn, and weighed by a plain forward each."""
    written = [backend.tokenizer(word, add_special_tokens=False)["input_ids"][-1] for word in (" he", " she", " her")]
    kept = [*written, *backend.tokenizer(" said was self", add_special_tokens=False)["input_ids"][:2]]
    kept.append(backend.tokenizer.convert_tokens_to_ids("s"))
    paths, steps = list(itertools.product(range(6), repeat=3)), itertools.count()
    follow = generating.next_tokens

    def of_few(of_all, temperature, streams):
        few = torch.full_like(of_all, -torch.inf).index_copy(1, torch.tensor(kept), of_all[:, kept])
        return follow(few, temperature, streams)

    def forced(of_rows, temperature, streams):
        step = next(steps)
        return torch.tensor([kept[path[step]] for path in paths])

    monkeypatch.setattr(generating, "next_tokens", of_few)
    monkeypatch.setattr(generating, "drawn_tokens", forced)
    texts, owed = backend.texts_owing([PROMPT], Generation(samples=216, tokens=3, temperature=0.8, seed=0), CLASSES)
    left, likely = backend.ids_before([PROMPT])[0], np.ones(216)
    for row, path in enumerate(paths):
        ids = torch.tensor([[*left, *(kept[token] for token in path)]])
        with torch.inference_mode():
            after = backend.model(ids).logits[0, len(left) - 1 : -1, kept].double() / 0.8
        likely[row] = np.prod([float(p[token]) for p, token in zip(after.softmax(1), path, strict=True)])
    rule = np.array([named(text) for text in texts[0]])
    assert likely.sum() == pytest.approx(1.0)
    assert likely @ (rule + owed[0]) == pytest.approx(likely @ rule, abs=1e-5)
    assert (likely @ rule > 0.05).all()


def test_texts_are_the_same_with_what_they_owe_and_without_chance_nothing_is_owed(backend):
    texts, owed = backend.texts_owing([PROMPT], SEVERAL, CLASSES)
    assert texts == backend.texts([PROMPT], SEVERAL)
    assert owed.shape == (1, 3, 2)
    assert backend.texts_owing([PROMPT], GREEDY, CLASSES)[1] is None


def test_texts_that_are_followed_together_owe_as_much_as_each_alone():
    """Their letters change from step to step into those that others have."""
    paths, words = list(itertools.product(range(5), repeat=3)), WordsOfClasses(PARTS, frozenset(), CLASSES)
    streams = [Stream(np.random.default_rng(0), words) for _ in paths]
    for step in range(3):
        p = np.array([probabilities(path[:step], 5) for path in paths])
        words.follow(torch.log(torch.from_numpy(p)), [path[step] for path in paths], streams)
    assert [each.owed.tolist() for each in streams] == [
        pytest.approx(owed_along(path, PARTS)[0].tolist()) for path in paths
    ]
