"""Servers that list only the most probable tokens. p of the others stays within its bounds."""

import numpy as np
import pytest
from asked_of_servers import HE_AND_SHE, PROMPTS, answers_within, check_within, classes_by
from bvf_openai_backend.bounds import deviation_of_any_classes, deviation_within, middle_of
from bvf_openai_backend.dialects import Row
from bvf_openai_backend.most_probable import Completions
from hypothesis import given
from hypothesis import strategies as st
from loopback import FOLDER

from bvf.errors import ScoringError
from bvf.stats.figures.probabilities import class_probabilities

TOKENIZER = {"tokenizer": str(FOLDER)}


@pytest.mark.parametrize(
    ("speaks", "fault"),
    [("completions", ""), ("completions", "letters"), ("completions of texts", ""), ("ollama", ""), ("tgi", "")],
)
@pytest.mark.parametrize("top", [20, 5])
def test_the_bounds_hold_the_exact_value(speaks, fault, top, serve, connect, local):
    found = classes_by(connect(serve(speaks, fault, top=top), **TOKENIZER), 0.999)
    check_within(found, classes_by(local)[0])
    assert found[1].min() > 0
    assert found[1].max() < 0.9


def test_bounds_above_the_tolerance_are_refused_with_what_would_do(serve, connect):
    backend = connect(serve("completions"))
    with pytest.raises(ScoringError, match="known only to within") as error:
        classes_by(backend)
    reached = float(error.value.hint.split()[1])
    answers = answers_within(backend, reached)
    assert 0 < answers.bounds.max() <= reached
    assert answers.remarks[0].startswith("the server names the 20 most probable tokens")


def test_the_note_says_how_many_tokens_came(serve, connect):
    """A server that is asked for 20 tokens, and lists 6."""
    loopback = serve("completions")

    def fewer(path, answer):
        if "ompletion" in path and answer[0] == 200:
            for choice in answer[1]["choices"]:
                top = choice["logprobs"]["top_logprobs"]
                top[0] = dict(list(top[0].items())[:6])
        return answer

    loopback.twist = fewer
    (remark,) = connect(loopback).score(PROMPTS, HE_AND_SHE, absolute=False).remarks
    assert remark.startswith("the server names the 6 most probable tokens after each text, where it is asked for 20:")


def test_in_a_chat_the_words_begin_the_answer(serve, connect, model):
    backend = connect(serve("chat"), **TOKENIZER)
    assert backend.capabilities.wording == "chat"
    answers = answers_within(backend, 0.999, PROMPTS[:2])
    logp = model.logp(model.tokenizer(PROMPTS[0].left + "\nA:")["input_ids"])
    word = model.tokenizer("he", add_special_tokens=False)["input_ids"]
    if len(word) == 1 and logp[word[0]] >= sorted(logp)[-20]:
        assert answers.logp[0, 0] == pytest.approx(logp[word[0]], abs=1e-6)
    assert (answers.bounds <= 1).all()


PROBABILITIES = st.lists(st.floats(1e-6, 1.0), min_size=4, max_size=9)


@given(PROBABILITIES, st.data())
def test_deviations_of_classes_hold_whatever_the_untold_words_have(values, data):
    p = np.array(values) / sum(values)
    words = len(p)
    told = np.array(data.draw(st.lists(st.booleans(), min_size=words, max_size=words)))
    least = np.where(told, p, p * data.draw(st.floats(0.0, 1.0)))
    most = np.where(told, p, p + data.draw(st.floats(0.0, 0.5)))
    classes = np.array([0, 1, *data.draw(st.lists(st.integers(0, 2), min_size=words - 2, max_size=words - 2))])
    with np.errstate(divide="ignore"):
        lowest, highest, exact = np.log(least)[None], np.log(most)[None], np.log(p)[None]
    number = classes.max() + 1
    truth = class_probabilities(exact, classes, number)
    estimate = class_probabilities(middle_of(lowest, highest), classes, number)
    deviation = deviation_within(lowest, highest, classes)
    assert np.nan_to_num(np.abs(estimate - truth).max()) <= deviation[0] + 1e-9
    assert deviation[0] <= deviation_of_any_classes(lowest, highest)[0] + 1e-9


LETTERS = {0: " he", 1: "he", 2: " she", 3: "she", 4: "\u8bf4", 5: None, 6: " ", 7: " a", 8: "b"}


@given(PROBABILITIES, st.integers(2, 9), st.sampled_from(["whole", "stripped", "by id"]), st.integers(0, 9))
def test_what_a_server_tells_of_a_token_bounds_its_probability(values, top, naming, drawn):
    """The bounds hold for tokens named by id or by string. Of two stripped strings, both may be equal.

    The sampled token may be listed in addition to the most probable ones.
    """
    p = dict(enumerate(np.array(values) / sum(values)))
    best = sorted(p, key=lambda token: -p[token])[: min(top, len(p))]
    name = {
        "whole": lambda token: LETTERS[token] or "\ufffd",
        "stripped": lambda token: (LETTERS[token] or "\ufffd").strip(),
        "by id": lambda token: token,
    }[naming]
    row = Row((0,), tuple(p))
    told_tokens = [*best, *([drawn] if drawn in p and drawn not in best else [])]
    named = [(name(token), float(np.log(p[token]))) for token in told_tokens]
    told = Completions("m", letters=LETTERS.get).row_answer(row, named)
    for token, truth in p.items():
        if token in told.logp:
            assert np.exp(told.logp[token]) == pytest.approx(truth) or naming == "stripped"  # those the probe refuses
        else:
            assert truth <= max(told.most_unlisted, told.doubtful.get(token, 0.0)) + 1e-9


def test_a_blank_string_is_no_word_whose_letters_are_known():
    """A line break and the end of the text are often among the most probable, and named by blank strings."""
    listed = [("\n", np.log(0.5)), ("", np.log(0.3)), (" he", np.log(0.1)), (" a", np.log(0.01)), (" b", np.log(0.01))]
    told = Completions("m", letters=LETTERS.get).row_answer(Row((0,), (2, 5)), listed)
    assert told.doubtful == {5: pytest.approx(0.8)}  # part of a letter
    assert told.most_unlisted == pytest.approx(0.01)
