"""The interface of a backend that writes texts, and the random numbers with which it does so."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.generation import Generation
from bvf.domain.prompt import Prompt


class NamedReader(Protocol):
    """What reads answers, by the name that ``--reader`` calls it; the kind of answers makes and uses it."""

    @property
    def name(self) -> str: ...


class Writing(ABC):
    """A backend that writes texts which continue a prompt, or answer it in a chat.

    It declares ``Capabilities(writes_texts=True)``.

    Attributes:
        REFUSAL: In a text: its server says that it refuses to answer.
        FILTERED: In a text: a filter of its server took the answer away, or refused the prompt.
    """

    REFUSAL: ClassVar[str] = "<|refusal|>"
    FILTERED: ClassVar[str] = "<|content_filter|>"

    @abstractmethod
    def texts(self, prompts: Sequence[Prompt], generation: Generation) -> Sequence[Sequence[str]]:
        """Return ``generation.samples`` texts for each prompt: what follows the text left of the slot, without it.

        A text depends on its prompt, the number of its sample and the generation alone, and not on what else is in the
        call: take random numbers from `random_stream`. A model on a server, whose random numbers are its own, sends
        the seed.

        A text is whole, with the model's thoughts (``<think>...</think>`` if they come apart from it) and the marks of
        its turn: they are taken away before it is read.

        Raises:
            BvfError: A prompt is too long, or the model cannot write so many texts.
        """

    def texts_owing(
        self, prompts: Sequence[Prompt], generation: Generation, classes: Sequence[Sequence[str]]
    ) -> tuple[Sequence[Sequence[str]], FloatArray | None]:
        """Return `texts`, and how many words of each class were expected in each and did not come; None: not known.

        Up to the first word of a class, it is summed how probable the next token was, by the law that it is drawn from,
        to complete a word of the class, less 1 where it did. So it is 0 on average over all texts that might be drawn.
        ``classes`` are the words of each class; the shape is (prompts, samples, classes).
        """
        return self.texts(prompts, generation), None

    def check_lengths(self, prompts: Sequence[Prompt], generation: Generation) -> None:  # noqa: B027, by default nothing
        """Check, before texts are written, that the model has positions for prompts and texts of so many tokens.

        ``prompts`` contain the group with the longest name in every context.

        Raises:
            BvfError: They are too long.
        """


def random_stream(prompt: Prompt, sample: int, generation: Generation) -> np.random.Generator:
    """Return the random numbers for one text: the same in every batch, shard, process and version of numpy's Philox.

    They depend on the seed, the number of the sample and what the model reads: the text left of the slot, the chat
    and media. So texts of different prompts are independent, and a longer text begins as a shorter one does.
    """
    media = [[each.kind, each.digest] for each in prompt.media]
    read = [generation.seed, sample, prompt.left, f"{prompt.chat or ''}{prompt.before}", media]
    digest = hashlib.sha256(json.dumps(read).encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "big")))
