"""The interface of a backend whose model thinks before it answers."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from bvf.domain.generation import Generation
from bvf.domain.prompt import Prompt
from bvf.domain.thought import Thinking
from bvf.errors import ContractError
from bvf.interfaces.backend import Backend
from bvf.interfaces.texts import as_utf8, checked_samples


class Thought(NamedTuple):
    """A thought: its text without the marks around it, and whether the model ended it itself."""

    text: str
    ended: bool


class ThinkingBackend(ABC):
    """A backend whose model thinks before it answers. It declares ``Capabilities(thinks=True)``.

    A prompt with a `Prompt.thought` is scored as any other: the words follow the thought, which its marks close.
    """

    @abstractmethod
    def thoughts(self, prompts: Sequence[Prompt], generation: Generation) -> Sequence[Sequence[Thought]]:
        """Return ``generation.samples`` thoughts for each prompt, of ``generation.tokens`` tokens at most.

        As for texts, a thought depends on its prompt, its number and the generation alone: take random numbers from
        `bvf.interfaces.random_stream`.

        Raises:
            BvfError: A prompt is too long for the model.
        """


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
