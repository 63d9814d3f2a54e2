"""The interface of a backend that writes texts, and the random numbers with which it does so."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Protocol, TypeVar

import numpy as np

from bvf.domain.generation import Generation
from bvf.domain.prompt import Prompt
from bvf.errors import ContractError
from bvf.interfaces.backend import Backend

T = TypeVar("T")
Texts = tuple[str, ...]
"""The texts of one prompt, in the order of their samples."""


class NamedReader(Protocol):
    """What reads answers, by the name that ``--reader`` calls it; the kind of answers makes and uses it."""

    @property
    def name(self) -> str: ...


class Writing(ABC):
    """A backend that writes texts which continue a prompt, or answer it in a chat.

    It declares ``Capabilities(writes_texts=True)``.
    """

    @abstractmethod
    def texts(self, prompts: Sequence[Prompt], generation: Generation) -> Sequence[Sequence[str]]:
        """Return ``generation.samples`` texts for each prompt: what follows the text left of the slot, without it.

        A text depends on its prompt, the number of its sample and the generation alone, and not on what else is in the
        call: take random numbers from `random_stream`. A model on a server, whose random numbers are its own, sends
        the seed.

        Raises:
            BvfError: A prompt is too long, or the model cannot write so many texts.
        """

    def check_lengths(self, prompts: Sequence[Prompt], generation: Generation) -> None:  # noqa: B027, by default nothing
        """Check, before texts are written, that the model has positions for prompts and texts of so many tokens.

        ``prompts`` contain the group with the longest name in every context.

        Raises:
            BvfError: They are too long.
        """


def writing(backend: Backend) -> Writing:
    """Return a backend as one that writes texts. Raises `ContractError` if it does not, though it declares it."""
    if not isinstance(backend, Writing):
        raise ContractError(
            f"{backend.model_name} says that it writes texts, and {type(backend).__name__} is not a Writing",
            "derive its class from bvf.interfaces.Writing, or leave writes_texts out of its capabilities",
        )
    return backend


def written_texts(backend: Backend, prompts: Sequence[Prompt], generation: Generation) -> list[Texts]:
    """Return the texts that a backend writes, checked.

    Raises:
        ContractError: It writes none, returned another number of texts, or something that is no text.
    """
    given = writing(backend).texts(prompts, generation) if prompts else []
    texts = checked_samples(given, len(prompts), generation.samples, str, f"{type(backend).__name__}.texts", "text")
    return [tuple(map(as_utf8, of_prompt)) for of_prompt in texts]


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


def random_stream(prompt: Prompt, sample: int, generation: Generation) -> np.random.Generator:
    """Return the random numbers for one text: the same in every batch, shard, process and version of numpy's Philox.

    They depend on the seed, the number of the sample and what the model reads: the text left of the slot, the chat and
    the media. So texts of different prompts are independent, and a longer text begins as a shorter one does.
    """
    media = [[each.kind, each.digest] for each in prompt.media]
    read = [generation.seed, sample, prompt.left, str(prompt.chat or ""), media]
    digest = hashlib.sha256(json.dumps(read).encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "big")))
