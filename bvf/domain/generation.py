"""How a model writes texts: how many per prompt, how long, at which temperature, by which seed."""

from typing import Literal

from pydantic import Field

from bvf.domain.numbers import Amount, Count, Positive
from bvf.domain.record import Record
from bvf.errors import BvfError

Reading = Literal["probable", "generated", "thought"]
"""What is read of a model: probabilities of words, the texts that it writes, or probabilities after it has thought."""


class Generation(Record):
    """How texts are generated, the same way for every prompt.

    Raises:
        BvfError: Several texts are asked for at temperature 0, where all are the same.
    """

    samples: Positive = Field(description="Texts per prompt")
    tokens: Positive = Field(description="The most tokens of a text")
    temperature: Amount = Field(description="0: always the most probable token; 1: as probable as the model says")
    seed: Count = Field(description="Of the random numbers, which depend on it and on the prompt alone")

    def model_post_init(self, _: object) -> None:
        """Refuse several samples without chance."""
        if self.samples > 1 and not self.temperature:
            raise BvfError(
                f"--temperature 0 with --samples {self.samples}: all texts of a prompt would be the same",
                "write --samples 1, or a temperature above 0",
            )

    @property
    def described(self) -> str:
        """The fields as text: ``20 texts of 30 tokens at temperature 1, seed 0``."""
        tokens = f"{self.tokens} token{'' if self.tokens == 1 else 's'}"
        texts = f"{self.samples} text{'' if self.samples == 1 else 's'}"
        return f"{texts} of {tokens} at temperature {str(self.temperature).removesuffix('.0')}, seed {self.seed}"


class TextsRead(Record):
    """How many of the texts that a model wrote could be read."""

    written: Count
    read: Count = Field(description="A class was read from them")
    refused: Count = Field(description="They refuse to answer, by the expressions of the installed languages")
    unread: dict[str, Count] = Field(description="The others, by the reason that the reader gives")

    @property
    def described(self) -> str:
        """The shares as text: ``of 3,200 texts 61.2% were read, 1.2% refused, 37.6% not read (no word of a class)``."""
        shares = [f"{self.read / self.written:.1%} were read", f"{self.refused / self.written:.1%} refused"]
        shares += [f"{number / self.written:.1%} not read ({why})" for why, number in self.unread.items()]
        return f"of {self.written:,} texts {', '.join(shares)}"
