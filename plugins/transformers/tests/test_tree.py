"""Reading texts as a tree gives the same log p as one text and word at a time, in any division into passes."""

import numpy as np
import pytest
import torch
import transformers as tf
from bvf_transformers.reading.packed import PAD, pack, parts_of, rows_of, trie_of
from bvf_transformers.reading.word_rows import texts_of_one_width
from bvf_transformers.tokens.cutting import Cut, Slot
from bvf_transformers.tokens.word_tree import tree_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain import own_logprobs_after
from tiny_models import tokenizer_of

from bvf import Prompt
from bvf.interfaces.backend import Tolerance
from bvf.stats.figures.probabilities import class_probabilities

WINDOWED = {"gpt_neo", "mistral"}
"""Their windows of 8 and 6 tokens are shorter than some texts."""
SEQUENCES = st.lists(st.lists(st.integers(3, 6), min_size=1, max_size=7).map(tuple), min_size=1, max_size=12)
WORDS = st.lists(st.lists(st.integers(3, 5), min_size=1, max_size=3).map(tuple), min_size=1, max_size=6, unique=True)
"""Words with the same tokens are refused before a tree of words is made."""
SLOW = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(SEQUENCES, st.integers(1, 20))
def test_parts_have_every_sequence_once_and_as_many_nodes_as_is_said(sequences, nodes):
    distinct = list(dict.fromkeys(sequences))
    parts = parts_of(rows_of(distinct), nodes)
    assert sorted(index for part in parts for index in part) == list(range(len(distinct)))
    longest = max(map(len, distinct))
    for part in parts:
        assert trie_of(rows_of([distinct[index] for index in part])).size < nodes + 2 * longest


def test_a_pack_that_is_too_short_for_one_node():
    with pytest.raises(ValueError, match="3 nodes do not fit into 2"):
        pack(trie_of(rows_of([(1, 2, 3)])), 2, 2)


@pytest.mark.parametrize("name", ["gpt_neo", "llama"])
@SLOW
@given(texts=SEQUENCES, words=WORDS, batch_tokens=st.sampled_from([1, 9, 30, "auto"]))
def test_random_trees_are_read_as_one_text_at_a_time(name, folder_of, load_model, texts, words, batch_tokens):
    backend = load_model(folder_of(name), batch_tokens=batch_tokens)
    cuts = _cuts(texts, words)
    with torch.no_grad():
        expected = np.array([own_logprobs_after(backend.model, text, words) for text in dict.fromkeys(texts)])
    assert np.abs(backend.cut_logprobs(cuts, absolute=True) - expected).max() < 1e-5
    part = backend.cut_logprobs(cuts, absolute=False) - expected
    assert np.ptp(part, axis=1).max() < 1e-5
    assert backend.reads_trees or name in WINDOWED
    backend.reads_trees = False
    assert np.abs(backend.cut_logprobs(cuts, absolute=True) - expected).max() < 1e-5


@SLOW
@given(
    texts=SEQUENCES,
    words=WORDS,
    tolerance=st.sampled_from([1e-6, 1e-3, 0.05, 0.5]),
    rng=st.randoms(use_true_random=False),
)
def test_no_class_is_further_than_the_bound_that_is_reported(folder_of, load_model, texts, words, tolerance, rng):
    backend = load_model(folder_of("llama"))
    class_of_word = np.array([rng.randrange(3) for _ in words])
    cuts = _cuts(texts, words)
    logp, bounds = backend.cut_logprobs_within(cuts, class_of_word, Tolerance.on_each(tolerance, len(cuts)))
    exact = class_probabilities(backend.cut_logprobs(cuts, absolute=True), class_of_word, 3)
    estimate = class_probabilities(logp, class_of_word, 3)
    assert (np.abs(estimate - exact).max(axis=1) <= bounds + 1e-6).all()
    assert (bounds <= tolerance).all()


@SLOW
@given(texts=SEQUENCES, words=WORDS, tolerance=st.sampled_from([1e-6, 1e-3, 0.05]))
def test_the_mass_of_words_counts_half_of_what_words_left_out_may_have(folder_of, load_model, texts, words, tolerance):
    """Each word is its own class. So no word is left out because its class is nearly certain."""
    backend = load_model(folder_of("llama"))
    class_of_word, cuts = np.arange(len(words)), _cuts(texts, words)
    exact = np.exp(backend.cut_logprobs(cuts, absolute=True))
    logp, bounds = backend.cut_logprobs_within(
        cuts, class_of_word, Tolerance.on_each(tolerance, len(cuts)), absolute=True
    )
    known = np.exp(
        backend.cut_logprobs_within(cuts, class_of_word, Tolerance.on_each(1e-9, len(cuts)), absolute=True)[0]
    )
    assert np.abs(np.exp(logp[bounds == 0]) - exact[bounds == 0]).max(initial=0.0) < 1e-5
    assert np.abs(known - exact).max() < 1e-5
    relative = np.abs(np.exp(logp).sum(axis=1) / exact.sum(axis=1) - 1)
    assert (relative <= 2 * len(words) * bounds + 1e-4).all()


def _cuts(texts, words):
    slot = Slot(tuple(words))
    return [Cut(text, (), slot) for text in dict.fromkeys(texts)]


def _written(model, tokenizer, folder):
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def unpackable(tmp_path_factory):
    """Models that cannot read packed trees. One has ALiBi, whose positions are distances, and one is recurrent."""
    tokenizer = tokenizer_of("bytes")
    size = {"vocab_size": len(tokenizer), "hidden_size": 32}
    torch.manual_seed(3)
    made = {
        "bloom": tf.BloomForCausalLM(tf.BloomConfig(**size, n_layer=2, n_head=4)),
        "mamba": tf.MambaForCausalLM(tf.MambaConfig(**size, num_hidden_layers=2, state_size=4)),
    }
    with torch.no_grad():
        for model in made.values():
            for parameter in model.parameters():
                if parameter.dim() == 2:
                    parameter.mul_(8)
    return {name: _written(model, tokenizer, tmp_path_factory.mktemp(name)) for name, model in made.items()}


def test_in_16_bits_a_tree_may_differ_as_much_as_rounding_makes_plain_results_differ(folder_of, load_model):
    """Batches of two shapes round differently on a GPU; in float32 nothing of this size is rounding."""
    plain = torch.tensor([-10.0, -30.0])
    again, tree, wrong = plain + 0.1, plain - torch.tensor([0.2, 0.0]), plain - torch.tensor([0.5, 0.0])
    halves, whole = (load_model(folder_of("gpt2"), dtype=dtype).readout for dtype in ("bfloat16", "float32"))
    assert not halves.agree(tree, plain, strictness=10.0)
    assert halves.differ_by_rounding(tree, plain, again)
    assert not halves.differ_by_rounding(wrong, plain, again)
    assert not halves.differ_by_rounding(tree, plain, plain)
    assert not whole.differ_by_rounding(tree, plain, again)


@pytest.mark.parametrize("name", ["bloom", "mamba"])
def test_a_model_that_cannot_be_packed_is_read_in_batches_and_says_so(unpackable, load_model, name):
    backend = load_model(unpackable[name])
    texts = [(5, 6, 7), (5, 6, 8, 9), (7, 7), (5, 6)]
    words = [(4,), (4, 5), (6, 7, 8)]
    logp = backend.cut_logprobs(_cuts(texts, words), absolute=True)
    with torch.no_grad():
        expected = np.array([own_logprobs_after(backend.model, text, words) for text in texts])
    assert np.abs(logp - expected).max() < 1e-4
    assert not backend.reads_trees
    for tolerance in (0.0, 0.5):
        said = backend.answers(
            [Prompt("The nurse said that", "", "g", "c")], ["he", "she"], np.arange(2), Tolerance.on_each(tolerance, 1)
        )
        assert [text.partition(":")[0] for text in said.remarks] == ["read in batches of one length"]


@pytest.mark.parametrize("name", ["bloom", "mamba"])
@pytest.mark.parametrize("kept", [1, 10**9])
def test_a_model_that_cannot_be_packed_leaves_words_out_within_the_bound(
    unpackable, load_model, name, kept, monkeypatch
):
    monkeypatch.setattr("bvf_transformers.reading.steps.BYTES_KEPT", kept)
    backend = load_model(unpackable[name])
    words, classes = [(4,), (4, 5), (6, 7, 8), (9, 9), (7, 7, 8)], np.array([0, 1, 0, 1, 1])
    cuts = _cuts([(5, 6, 7), (5, 6, 8, 9), (7, 7), (5, 6)], words)
    exact = class_probabilities(backend.cut_logprobs(cuts, absolute=True), classes, 2)
    read, forward = [], backend.model.forward
    monkeypatch.setattr(
        backend.model, "forward", lambda **given: read.append(given["input_ids"].numel()) or forward(**given)
    )
    tokens, bounds = [], []
    for value in (0.0, 1e-6, 0.05, 0.3):
        read.clear()
        allowed = Tolerance(value, np.array([0, 0, 1, 1]), np.array([1.0, 3.0, 1.0, 1.0]))
        logp, reached = backend.cut_logprobs_within(cuts, classes if value else None, allowed)
        assert (np.abs(class_probabilities(logp, classes, 2) - exact).max(axis=1) <= reached + 1e-5).all()
        assert (allowed.needed(reached) <= value * (1 + 1e-9)).all()
        tokens.append(sum(read))
        bounds.append(reached.max())
    assert not backend.reads_trees
    assert tokens[-1] < tokens[0]
    assert bounds[0] == 0 < bounds[-1]


def test_a_window_shorter_than_a_text_is_noticed_when_the_text_comes(folder_of, load_model):
    backend = load_model(folder_of("mistral"))  # sees 6 tokens
    words = [(4,), (4, 5)]
    short, long = [(5, 6), (5, 7)], [(5, 6, 7, 8, 9, 10, 11, 12)]
    backend.cut_logprobs(_cuts(short, words), absolute=True)
    assert backend.reads_trees
    logp = backend.cut_logprobs(_cuts(long, words), absolute=True)
    assert not backend.reads_trees
    with torch.no_grad():
        expected = [own_logprobs_after(backend.model, long[0], words)]
    assert np.abs(logp - expected).max() < 1e-5


def test_a_window_that_only_the_cache_obeys_is_noticed(copy_of, load_model):
    backend = load_model(copy_of("llama", sliding_window=24))
    words, long = [(4,), (4, 5), (6, 7, 8)], [(first, *range(10, 40)) for first in (5, 9)]
    assert backend.has_cache
    logp = backend.cut_logprobs(_cuts(long, words), absolute=True)
    with torch.no_grad():
        expected = [own_logprobs_after(backend.model, text, words) for text in long]
    assert np.abs(logp - expected).max() < 1e-5
    assert not backend.has_cache


@pytest.mark.parametrize("too_large", ["texts", "words"])
def test_a_run_that_exceeds_the_memory_is_halved_and_nothing_is_lost(folder_of, load_model, monkeypatch, too_large):
    backend = load_model(folder_of("gpt2"), batch_tokens=64)
    texts = [tuple(map(int, ids)) for ids in np.random.default_rng(0).integers(3, 300, (40, 6))]
    words = [(4,), (4, 5), (6, 7, 8)]
    whole = backend.cut_logprobs(_cuts(texts, words), absolute=True)
    original, sizes = backend.model.forward, []

    def forward(**given):
        of_words = given[backend.cache_name].get_seq_length() > 0
        if of_words == (too_large == "words"):
            sizes.append(given["input_ids"].numel())
            if sizes[-1] > 20:
                raise torch.OutOfMemoryError("CUDA out of memory.")
        return original(**given)

    monkeypatch.setattr(backend.model, "forward", forward)
    assert np.abs(backend.cut_logprobs(_cuts(texts, words), absolute=True) - whole).max() < 1e-5
    assert sizes[:3] == ([64, 32, 16] if too_large == "texts" else [63, 30, 15])
    assert max(sizes[3:]) <= 20


@pytest.mark.parametrize(
    ("words", "kept_as"),
    [
        ([(4,), (5,)], "anything"),
        ([(4,), (4, 5), (6, 7, 8)], "tokens"),
        ([(4,), (4, 5), (6, 7, 8)], "bytes"),
        ([(4,), (4, 5), (6, 7, 8)], "free memory"),
    ],
)
def test_texts_that_are_too_many_are_read_in_parts(folder_of, load_model, monkeypatch, words, kept_as):
    backend = load_model(folder_of("gpt2"))
    texts = [tuple(map(int, ids)) for ids in np.random.default_rng(0).integers(3, 9, (30, 5))]
    cuts = _cuts(texts, words)
    whole = backend.cut_logprobs(cuts, absolute=True)
    sizes = []
    monkeypatch.setattr(
        "bvf_transformers.reading.packed.trie_of", lambda rows: sizes.append(trie_of(rows).size) or trie_of(rows)
    )
    monkeypatch.setattr("bvf_transformers.kinds.causal.NODES_AT_A_TIME", 40)
    in_bytes = 2 * backend.model.config.num_hidden_layers * backend.model.config.hidden_size * 4
    nodes = {"tokens": 20, "free memory": 8000}.get(kept_as, 1)
    monkeypatch.setattr("bvf_transformers.kinds.causal.NODES_KEPT", nodes)
    monkeypatch.setattr("bvf_transformers.kinds.causal.BYTES_KEPT", 20 * in_bytes if kept_as == "bytes" else 0)
    if kept_as == "free memory":
        monkeypatch.setattr(backend, "_most_bytes", 20 * in_bytes)
    assert np.abs(backend.cut_logprobs(cuts, absolute=True) - whole).max() < 1e-5
    most = 40 if len(words) == 2 else 20
    assert most < sum(sizes[:2]) <= 2 * most + 10
    assert max(sizes) <= most + 10
    assert len(sizes) > 2


def test_texts_are_read_once_however_many_rounds_a_tolerance_takes(folder_of, load_model, monkeypatch):
    backend = load_model(folder_of("gpt2"))
    texts = [tuple(map(int, ids)) for ids in np.random.default_rng(0).integers(3, 9, (30, 5))]
    cuts = _cuts(texts, [(4,), (4, 5), (6, 7, 8), (9, 9), (7, 7, 8)])
    backend.cut_logprobs(cuts, absolute=True)
    read, without_past = [], []
    forward = backend.model.forward

    def counting(**given):
        past = given[backend.cache_name].get_seq_length()
        read.append(past)
        without_past.append(0 if past else given["input_ids"].numel())
        return forward(**given)

    monkeypatch.setattr(backend.model, "forward", counting)
    backend.cut_logprobs_within(cuts, np.array([0, 1, 0, 1, 1]), Tolerance.on_each(1e-6, len(cuts)))
    assert read.count(0) == 1 < len(read)
    assert sum(without_past) < 2 * trie_of(rows_of([cut.left for cut in cuts])).size


def test_texts_after_which_different_beginnings_are_asked_get_all_their_answers(folder_of, load_model):
    """Five texts fill a run of eight rows, and the next texts are read apart, where fewer beginnings are asked."""
    backend = load_model(folder_of("gpt2"))
    rng = np.random.default_rng(0)
    pieces = tree_of(tuple((first, 3) for first in range(4, 36)))
    cuts = _cuts([tuple(map(int, ids)) for ids in rng.integers(3, 300, (70, 5))], [])
    (_, ask), *_ = backend._read_trees(cuts, pieces, absolute=True)
    every_one = ask(np.ones((len(cuts), len(pieces.beginnings)), dtype=bool))
    chosen = np.zeros((len(cuts), len(pieces.beginnings)), dtype=bool)
    for row, number in enumerate([30] * 5 + [12] * 21 + [2] * 40 + [0] * 4):
        chosen[row, 1 + rng.permutation(32)[:number]] = True
    order = rng.permutation(len(cuts))
    answers = ask(chosen[order])
    is_asked = np.repeat(chosen[order], np.diff(pieces.first_question), axis=1)
    assert np.abs(answers - every_one)[is_asked].max() < 1e-5
    assert np.isneginf(answers[~is_asked]).all()


def test_equal_prompts_are_computed_once(folder_of, load_model, monkeypatch):
    backend = load_model(folder_of("gpt2"))
    prompts = [Prompt("The nurse said that", right, "g", "c") for right in ("", ".", " and left.")]
    alone = backend.word_logprobs(prompts[:1], ["he", "she"])
    read = []
    forward = backend.model.forward
    monkeypatch.setattr(backend.model, "forward", lambda **inputs: read.append(inputs) or forward(**inputs))
    together = backend.word_logprobs(prompts * 3, ["he", "she"])
    assert np.abs(together - alone).max() < 1e-6
    assert len(read) == 1


def test_rows_stand_for_sequences_of_any_length():
    assert rows_of([(1, 2), (), (3,)]).tolist() == [[1, 2], [PAD, PAD], [3, PAD]]


OF_A_RUN = 64


@given(st.lists(st.integers(1, 9), min_size=1, max_size=9))
def test_no_other_division_into_runs_takes_less(widths):
    ordered = sorted(widths, reverse=True)
    left, took = ordered, 0
    while left:
        first = texts_of_one_width(np.array(left), OF_A_RUN)
        took += _cost(left[:first])
        left = left[first:]
    assert took == min(_costs(ordered))


def _costs(widths):
    """Yield the cost of every division into consecutive forward passes. Texts of the same width stay together."""
    if not widths:
        yield 0
    for first in range(1, len(widths) + 1):
        if first < len(widths) and widths[first] == widths[first - 1]:
            continue
        for rest in _costs(widths[first:]):
            yield _cost(widths[:first]) + rest


def _cost(widths):
    rows = next(number for number in (1, 2, 4, 8, 16, 32) if number >= len(widths))
    return rows * max(widths) + OF_A_RUN
