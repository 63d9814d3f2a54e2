"""Asks backends for texts and thoughts, checked."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from bvf import Backend, Prompt
from bvf.domain import Generation, Thinking
from bvf.errors import ContractError
from bvf.interfaces import ThinkingBackend, Thought, Writing
from bvf.stats import FloatArray

T = TypeVar("T")


def thoughts_of(backend: Backend, prompts: Sequence[Prompt], thinking: Thinking) -> list[tuple[Thought, ...]]:
    """Return the thoughts of a backend, checked.

    Raises:
        ContractError: It is none that thinks, returned another number of thoughts, or something that is no thought.
    """
    if not isinstance(backend, ThinkingBackend):
        raise ContractError(
            f"{backend.model_name} says that it thinks, and {type(backend).__name__} is not a ThinkingBackend",
            "derive its class from bvf.interfaces.ThinkingBackend, or leave thinks out of its capabilities",
        )
    given = backend.thoughts(prompts, thinking.generation) if prompts else []
    called = f"{type(backend).__name__}.thoughts"
    found = checked_samples(given, len(prompts), thinking.thoughts, Thought, called, "Thought")
    return [tuple(each._replace(text=as_utf8(each.text)) for each in of_prompt) for of_prompt in found]


def written_texts(backend: Backend, prompts: Sequence[Prompt], generation: Generation) -> list[tuple[str, ...]]:
    """Return the texts that a backend writes, checked; see `texts_owing`."""
    return texts_owing(backend, prompts, generation, ())[0]


def texts_owing(
    backend: Backend, prompts: Sequence[Prompt], generation: Generation, classes: Sequence[Sequence[str]]
) -> tuple[list[tuple[str, ...]], FloatArray | None]:
    """Return the texts that a backend writes, and what they owe to the words of classes (`Writing.texts_owing`).

    Raises:
        ContractError: It writes none, returned another number of texts, or something that is no text.
    """
    if not isinstance(backend, Writing):
        raise ContractError(
            f"{backend.model_name} says that it writes texts, and {type(backend).__name__} is not a Writing",
            "derive its class from bvf.interfaces.Writing, or leave writes_texts out of its capabilities",
        )
    called, shape = f"{type(backend).__name__}.texts", (len(prompts), generation.samples, len(classes))
    given, owed = backend.texts_owing(prompts, generation, classes) if prompts else ([], None)
    texts = checked_samples(given, len(prompts), generation.samples, str, called, "text")
    if owed is not None and (owed.shape != shape or not np.isfinite(owed).all()):
        raise ContractError(
            f"{called}_owing gave numbers of shape {owed.shape} that should be finite, of shape {shape}"
        )
    return [tuple(map(as_utf8, of_prompt)) for of_prompt in texts], owed


def checked_samples(
    given: Iterable[Iterable[Any]], prompts: int, samples: int, kind: type[T], called: str, one: str
) -> list[tuple[T, ...]]:
    """Return the samples that a method of a backend, ``called``, gave for each of ``prompts`` prompts, checked.

    Raises:
        ContractError: They are not ``samples`` per prompt, or something among them is not of ``kind``, as ``one`` is.
    """
    found = [tuple(each) for each in given]
    if [len(each) for each in found] != [samples] * prompts:
        raise ContractError(
            f"{called} gave other numbers of {one.lower()}s than {samples} for each of {prompts} prompts"
        )
    for sample in chain.from_iterable(found):
        if not isinstance(sample, kind):
            raise ContractError(f"{called} gave a {type(sample).__name__}, not a {one}")
    return found


def as_utf8(text: str) -> str:
    """Return the text with a replacement character for what UTF-8 cannot write: half a character of 16 bits."""
    return text.encode("utf-8", "replace").decode()


def share_of_others(alone: Iterable[Sequence[object]], together: Iterable[Sequence[object]]) -> float:
    """Return the share of texts or thoughts of prompts that were asked alone that are others in a batch.

    Rounding may choose another token where two are almost as probable; more than a few other ones are a fault.
    """
    pairs = list(zip(chain.from_iterable(alone), chain.from_iterable(together), strict=False))
    return sum(one != other for one, other in pairs) / len(pairs)
