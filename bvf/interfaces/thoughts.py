"""The interface of a backend whose model thinks before it answers."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from bvf.domain.generation import Generation
from bvf.domain.prompt import Prompt


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
