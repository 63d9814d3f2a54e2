"""Words left out by models that fill a gap: bounds hold against a plain computation, for every kind of model."""

from functools import cache

import numpy as np
import pytest
import torch
from bvf_testing import own_probabilities
from bvf_transformers.reading import steps
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import Plain
from tiny_models import FAMILIES

import bvf
from bvf import Prompt
from bvf.hooks.loader import load
from bvf.interfaces.backend import Tolerance
from bvf.stats.figures.probabilities import class_probabilities

FILLING = ["bert", "xlnet", "t5", "bart"]
SEQ2SEQ = ["t5", "bart"]
WORDS = ("he", "she", "her", "hero", "stepmother", "grandson", "actress", "himself", "stepfather")
TEXTS = (
    ("The nurse said that", ""),
    ("The engineer told us that", " to leave."),
    ("A baker claimed that", "."),
    ("It was known that", " was late."),
    ("The captain of the old house claimed that", ""),
    ("He said", " was late."),
)
PROMPTS = [Prompt(left, right, "g", f"context {index}") for index, (left, right) in enumerate(TEXTS)]
CRITERIA = tuple(map(load().criteria.make, ("linf", "tv", "lk:2")))
SLOW = settings(max_examples=12, deadline=None)
ROUNDING = 1e-5


@pytest.fixture(scope="module")
def plain_p(folder_of):
    """Return p of words in all prompts, shape (P, W), computed by transformers alone, a prompt and word at a time."""

    @cache
    def begun(name):
        plain = Plain(folder_of(name), FAMILIES[name])
        logp = [[plain.logprob(left, word, right) for word in WORDS] for left, right in TEXTS]
        return np.exp(logp), [plain.split(*TEXTS[0][:1], word, TEXTS[0][1])[1] for word in WORDS]

    def p(name, words):
        at = [WORDS.index(word) for word in words]
        of_words, pieces = begun(name)
        if FAMILIES[name].kind in {"masked", "permutation"}:
            return of_words[:, at]
        return own_probabilities(of_words[:, at], [pieces[w] for w in at])

    return p


@st.composite
def questions(draw):
    """Words with their classes, and a tolerance whose groups and weights prompts are in."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=len(WORDS), unique=True))
    number = draw(st.integers(2, min(4, len(words))))
    rest = st.lists(st.integers(0, number - 1), min_size=len(words) - number, max_size=len(words) - number)
    classes = np.array([*range(number), *draw(rest)])
    groups = np.array(draw(st.lists(st.integers(0, 2), min_size=len(TEXTS), max_size=len(TEXTS))))
    weights = np.array(draw(st.lists(st.integers(1, 5), min_size=len(TEXTS), max_size=len(TEXTS))), dtype=float)
    return words, classes, Tolerance(draw(st.sampled_from([1e-6, 1e-3, 0.02, 0.1, 0.4])), groups, weights)


@pytest.mark.parametrize("name", FILLING)
@SLOW
@given(questions())
def test_no_class_and_no_risk_is_further_from_a_plain_computation_than_the_bound(name, backend_of, plain_p, asked):
    words, classes, tolerance = asked
    answers = backend_of(name).answers(PROMPTS, words, classes, tolerance)
    number = int(classes.max()) + 1
    exact = class_probabilities(np.log(plain_p(name, tuple(words))), classes, number)
    shown = class_probabilities(answers.logp, classes, number)
    assert (np.abs(shown - exact).max(axis=1) <= answers.bounds + ROUNDING).all()
    assert (tolerance.needed(answers.bounds) <= tolerance.value * (1 + 1e-9)).all()
    for group in set(tolerance.groups.tolist()):
        of_group = tolerance.groups == group
        share = tolerance.weights[of_group] / tolerance.weights[of_group].sum()
        mean = share @ answers.bounds[of_group]
        for named in CRITERIA:
            criterion = named.for_reference(np.full(number, 1 / number))
            risks = [_risks(criterion, p[of_group], share) for p in (exact, shown)]
            assert np.abs(risks[0] - risks[1]).max() <= _slope(criterion, number) * (mean + ROUNDING)


def _risks(criterion, p, share):
    """r and r^b of one group, shape (2,), where p* is equal for all classes."""
    stereotypes = p * p.shape[1] - 1.0
    return np.array([share @ criterion(stereotypes), criterion(share @ stereotypes)])


def _slope(criterion, classes):
    """The largest value of the criterion over the corners of the cube of changes of p by up to 1."""
    corners = np.array(np.meshgrid(*[(-1.0, 1.0)] * classes)).reshape(classes, -1).T
    return criterion(corners * classes).max()


@pytest.mark.parametrize("name", FILLING)
@pytest.mark.parametrize("value", [0.0, 0.1])
def test_the_size_of_a_batch_and_prompts_of_other_groups_change_nothing(name, value, backend_of, monkeypatch):
    classes, groups = np.arange(len(WORDS)) % 3, np.array([0, 0, 1, 1, 1, 2])
    tolerance = Tolerance(value, groups, np.array([1.0, 3.0, 1.0, 1.0, 2.0, 1.0]))
    backend = backend_of(name)

    def answered(prompts):
        answers = backend.answers([PROMPTS[index] for index in prompts], WORDS, classes, tolerance.of(prompts))
        return class_probabilities(answers.logp, classes, 3), answers.bounds

    p, bounds = answered(range(len(PROMPTS)))
    for group in range(3):
        alone = np.flatnonzero(groups == group)
        own_p, own_bounds = answered(alone)
        assert own_p == pytest.approx(p[alone], abs=ROUNDING)
        assert own_bounds is bounds is None or own_bounds == pytest.approx(bounds[alone], abs=ROUNDING)
    for tokens in (1, 40):
        monkeypatch.setattr(backend.budget, "tokens", tokens)
        other_p, other_bounds = answered(range(len(PROMPTS)))
        assert other_p == pytest.approx(p, abs=ROUNDING)
        assert other_bounds is bounds is None or other_bounds == pytest.approx(bounds, abs=ROUNDING)


@pytest.mark.parametrize("name", SEQ2SEQ)
def test_parts_of_which_not_all_is_kept_have_bounds_that_hold(name, backend_of, plain_p, monkeypatch):
    monkeypatch.setattr(steps, "BYTES_KEPT", 1)
    classes, tolerance = (
        np.arange(len(WORDS)) % 2,
        Tolerance(0.2, np.zeros(len(PROMPTS), dtype=int), np.ones(len(PROMPTS))),
    )
    answers = backend_of(name).answers(PROMPTS, WORDS, classes, tolerance)
    exact = class_probabilities(np.log(plain_p(name, WORDS)), classes, 2)
    assert (
        np.abs(class_probabilities(answers.logp, classes, 2) - exact).max(axis=1) <= answers.bounds + ROUNDING
    ).all()
    assert 0 < answers.bounds.max() <= 0.2


@pytest.mark.parametrize("name", SEQ2SEQ)
@pytest.mark.parametrize("value", [0.0, 0.1])
def test_words_that_begin_with_each_other_are_named_and_no_text_counts_twice(name, backend_of, plain_p, value):
    words = ("he", "her", "hero") if name == "bart" else ("he", "her")
    backend = backend_of(name)
    answers = backend.answers(PROMPTS, words, np.arange(len(words)), Tolerance.on_each(value, len(PROMPTS)))
    shown = class_probabilities(answers.logp, np.arange(len(words)), len(words))
    exact = plain_p(name, words)
    bounds = 0.0 if answers.bounds is None else answers.bounds
    assert (np.abs(shown - exact / exact.sum(axis=1, keepdims=True)).max(axis=1) <= bounds + ROUNDING).all()
    pieces = backend.distinct_cuts(PROMPTS[:1], words)[0][0].slot.pieces
    begins = any(one != other and other[: len(one)] == one for one in pieces for other in pieces)
    assert begins == any(remark.startswith("p of a word leaves out") for remark in answers.remarks)
    assert begins or name == "t5"


@pytest.fixture
def reading(monkeypatch):
    """Count the texts that a model reads from here on, by the part that reads them."""

    def counting(backend):
        texts = {"encoder": [], "decoder": []}
        inner = backend.model.get_encoder() if backend.model.config.is_encoder_decoder else None
        for part, read in ((inner, "encoder"), (backend.model, "decoder")):
            if part is not None:
                part.register_forward_pre_hook(_count_into(texts[read]), with_kwargs=True)
        return texts

    return counting


def _count_into(texts):
    def count(_part, _args, given):
        ids = given["decoder_input_ids"] if "decoder_input_ids" in given else given["input_ids"]
        texts.extend(map(tuple, ids.tolist()))

    return count


@pytest.mark.parametrize("name", ["bert", "xlnet"])
def test_one_text_per_number_of_masks_is_read_and_others_only_where_they_may_matter(
    name, folder_of, load_model, reading
):
    backend = load_model(folder_of(name))
    pieces = backend.distinct_cuts(PROMPTS[:1], WORDS)[0][0].slot.pieces
    gaps = {(len(ids), ids[:filled]) for ids in pieces for filled in range(len(ids))}
    numbers = []
    for value in (0.0, 1e-6, 0.3, 0.99):
        texts = reading(backend)["decoder"]
        backend.answers(PROMPTS, WORDS, np.arange(len(WORDS)) % 2, Tolerance.on_each(value, len(PROMPTS)))
        assert len(set(texts)) == len(texts)
        numbers.append(len(texts) / len(PROMPTS))
    assert numbers[0] == len(gaps)
    assert numbers == sorted(numbers, reverse=True)
    assert len({len(ids) for ids in pieces}) <= numbers[2] < numbers[0]


@pytest.mark.parametrize("name", SEQ2SEQ)
def test_the_encoder_reads_each_prompt_once_however_many_rounds_there_are(name, folder_of, load_model, reading):
    backend, rows = load_model(folder_of(name)), []
    for value in (0.0, 1e-3, 0.3):
        texts = reading(backend)
        backend.answers(PROMPTS * 2, WORDS, np.arange(len(WORDS)) % 2, Tolerance.on_each(value, 2 * len(PROMPTS)))
        assert len(texts["encoder"]) == len(set(texts["encoder"])) == len(PROMPTS)
        rows.append(len(texts["decoder"]))
    beginnings = {
        ids[:length]
        for ids in backend.distinct_cuts(PROMPTS[:1], WORDS)[0][0].slot.pieces
        for length in range(len(ids))
    }
    assert rows[0] == len(beginnings) * len(PROMPTS)
    assert rows[2] < rows[0]


@pytest.mark.parametrize("name", ["bert", "xlnet", "t5", "bart"])
def test_a_batch_that_exceeds_the_memory_is_halved_and_nothing_is_lost(name, folder_of, load_model, monkeypatch):
    backend, classes, most = load_model(folder_of(name)), np.arange(len(WORDS)) % 2, 12
    nouns = ("nurse", "baker", "captain", "engineer", "actor", "house", "dog", "fox")
    prompts = [Prompt(f"{the} {noun} said that", ".", "g", "c") for the in ("The", "A", "It was the") for noun in nouns]
    whole = {
        value: backend.answers(prompts, WORDS, classes, Tolerance.on_each(value, 24)).logp for value in (0.0, 0.02)
    }
    forward, failed = backend.model.forward, []

    def limited(**given):
        ids = given["decoder_input_ids"] if "decoder_input_ids" in given else given["input_ids"]
        if len(ids) > most:
            failed.append(len(ids))
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return forward(**given)

    monkeypatch.setattr(backend.model, "forward", limited)
    for value, logp in whole.items():
        backend.budget.tokens = 4000
        again = backend.answers(prompts, WORDS, classes, Tolerance.on_each(value, 24))
        assert again.logp == pytest.approx(logp, abs=ROUNDING)
        assert failed
        failed.clear()


@pytest.mark.parametrize("name", ["bert", "xlnet", "t5", "bart"])
def test_the_mass_of_words_is_that_of_a_plain_computation_up_to_half_of_what_is_left_out(name, backend_of, plain_p):
    backend, exact = backend_of(name), plain_p(name, WORDS).sum(axis=1)
    assert backend.word_mass(PROMPTS, WORDS, np.arange(len(WORDS)), 1e-9) == pytest.approx(exact, rel=1e-4)
    mass = backend.word_mass(PROMPTS, WORDS, np.arange(len(WORDS)), 0.05)
    assert (np.abs(mass / exact - 1.0) <= 2 * len(WORDS) * 0.05 + 1e-4).all()


@pytest.mark.parametrize("name", ["bert", "t5"])
def test_a_run_that_draws_contexts_leaves_words_out_and_says_how_far_off_figures_may_be(name, folder_of, tmp_path):
    """The default tolerance holds for these models too, and figures lie within ``exact_within`` of the exact ones."""
    asked = {
        "model": str(folder_of(name)),
        "limit_groups": 3,
        "contexts": "gender-table8",
        "openings": "none",
        "words": {"male": ("he", "himself", "grandson"), "female": ("she", "actress", "stepmother")},
    }
    drawn = bvf.run(**asked, sample_contexts=12, out=str(tmp_path / "drawn"))
    assert drawn.tolerance == 1e-3
    loose, exact = (bvf.run(**asked, tolerance=value, out=str(tmp_path / str(value))) for value in (0.05, 0.0))
    assert (loose.tolerance, exact.tolerance, exact.exact_within) == (0.05, 0.0, {})
    assert not any("is not used" in note for note in (*drawn.notes, *loose.notes))
    for figure in ("R", "R_bias", "R_volatility"):
        assert abs(getattr(loose, figure) - getattr(exact, figure)) <= loose.exact_within[figure] + ROUNDING
    assert loose.R != exact.R
