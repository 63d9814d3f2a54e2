"""Texts of backends: their random numbers, and what is refused of what they return."""

from dataclasses import replace

import numpy as np
import pytest
from bvf_texts.asking import written_texts

from bvf import Backend, Prompt
from bvf.domain.chat import Chat
from bvf.domain.generation import Generation
from bvf.errors import ContractError
from bvf.interfaces.texts import Writing, random_stream

PROMPT = Prompt("The nurse said that", "", "nurse", "The [X] said that [Y]")
GENERATION = Generation(samples=2, tokens=5, temperature=1.0, seed=0)


class Writer(Backend, Writing):
    def __init__(self, given):
        self.given = given

    def score(self, prompts, words, *, absolute):
        raise NotImplementedError

    def texts(self, prompts, generation):
        return self.given


def first(prompt=PROMPT, sample=0, **changed):
    return float(random_stream(prompt, sample, GENERATION.model_copy(update=changed)).random())


def test_random_numbers_depend_on_the_prompt_the_sample_and_the_seed_alone():
    """They are the same in every release, as shards of one measurement are written by machines that must agree.

    Numpy promises Philox' stream.
    """
    assert first() == pytest.approx(0.1122166585283888, abs=1e-15)
    assert first() == first(tokens=500, temperature=0.5, samples=1)
    cook = first(Prompt("The cook said that", "", "cook", "The [X] said that [Y]"))
    in_chat = first(replace(PROMPT, chat=Chat("user")))
    assert len({first(), first(sample=1), first(seed=1), cook, in_chat}) == 5
    streams = [random_stream(PROMPT, 0, GENERATION).random(4) for _ in range(2)]
    assert np.array_equal(*streams)


@pytest.mark.parametrize(
    ("backend", "message"),
    [
        (Writer([]), "other numbers of texts than 2 for each of 1 prompts"),
        (Writer([["a"]]), "other numbers of texts"),
        (Writer([["a", None]]), "a NoneType, not a text"),
        (type("Liar", (Backend,), {"score": None})(), "says that it writes texts"),
    ],
)
def test_what_is_no_text_is_refused(backend, message):
    with pytest.raises(ContractError, match=message):
        written_texts(backend, [PROMPT], GENERATION)


def test_half_a_character_is_replaced():
    assert written_texts(Writer([["a\ud83d", "b"]]), [PROMPT], GENERATION) == [("a?", "b")]
