"""What a model thinks before it answers: how many thoughts, how long, at which temperature; and what became of them."""

from typing import ClassVar

from pydantic import Field

from bvf.domain.generation import Generation
from bvf.domain.numbers import Amount, Count, Positive, Share
from bvf.domain.record import Record
from bvf.errors import BvfError


class Thinking(Record):
    """How a model thinks before it answers, the same way for every prompt.

    Raises:
        BvfError: There is a single thought, which has no volatility, or all thoughts of a prompt would be the same.
    """

    reading: ClassVar[str] = "thought"
    """How ``--reading`` calls such answers."""
    thoughts: Positive = Field(description="Thoughts per prompt, 2 or more")
    tokens: Positive = Field(description="The most tokens of a thought; one that is longer is closed there")
    temperature: Amount = Field(description="Above 0; 1: tokens are drawn as probable as the model says")
    seed: Count = Field(description="Of the random numbers, which depend on it and on the prompt alone")

    def model_post_init(self, _: object) -> None:
        """Refuse what has no volatility of thoughts."""
        if self.thoughts == 1:
            raise BvfError("--thoughts 1: a single thought cannot disagree with others", "write --thoughts 2, or more")
        if not self.temperature:
            raise BvfError(
                f"--temperature 0 with --thoughts {self.thoughts}: all thoughts of a prompt would be the same",
                "write a temperature above 0",
            )

    @property
    def samples(self) -> int:
        """The number of thoughts per prompt."""
        return self.thoughts

    @property
    def generation(self) -> Generation:
        """How the texts of the thoughts are generated."""
        return Generation(samples=self.thoughts, tokens=self.tokens, temperature=self.temperature, seed=self.seed)

    @property
    def described(self) -> str:
        """The fields as text: ``8 thoughts of up to 256 tokens at temperature 1, seed 0``."""
        tokens = f"{self.tokens} token{'' if self.tokens == 1 else 's'}"
        temperature = str(self.temperature).removesuffix(".0")
        return f"{self.thoughts} thoughts of up to {tokens} at temperature {temperature}, seed {self.seed}"


class ThoughtsRead(Record):
    """What the thoughts of a run did."""

    thought: Count = Field(description="How many thoughts there are")
    ended: Count = Field(description="How many the model ended itself; the others were closed")
    other_class: Share = Field(
        description="How often another class is ahead of p* after a thought than on average over the thoughts of its "
        "prompt; the mean over groups and contexts by their weights"
    )

    @property
    def described(self) -> str:
        """The shares as text: ``of 3,200 thoughts 91.2% ended by themselves; after 12.1% another class leads ...``."""
        return (
            f"of {self.thought:,} thoughts {self.ended / self.thought:.1%} ended by themselves; after "
            f"{self.other_class:.1%} another class leads than on average over the thoughts of a prompt"
        )
