"""How a model writes texts and thinks before it answers: how much, how long, and what became of it."""

from typing import ClassVar

from pydantic import Field

from bvf.domain.numbers import Amount, Count, Finite, Positive, Record, Share
from bvf.errors import BvfError

SAMPLES, TOKENS, TEMPERATURE = 20, 30, 1.0


def _each(way: "Generation | Thinking") -> str:
    """What the texts or thoughts of a prompt have in common: ``30 tokens at temperature 1, seed 0``."""
    tokens = f"{way.tokens} token{'' if way.tokens == 1 else 's'}"
    return f"{tokens} at temperature {str(way.temperature).removesuffix('.0')}, seed {way.seed}"


class Generation(Record):
    """How texts are generated, the same way for every prompt.

    Raises:
        BvfError: Several texts are asked for at temperature 0, where all are the same.
    """

    reading: ClassVar[str] = "generated"
    """How ``--reading`` calls such answers."""
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

    @classmethod
    def of(cls, samples: int | None, tokens: int | None, temperature: float | None, seed: int) -> "Generation":
        """Return how texts are generated, where the user chose some of it: 20 texts of 30 tokens at temperature 1."""
        temperature = TEMPERATURE if temperature is None else temperature
        samples = samples or (SAMPLES if temperature else 1)
        return cls(samples=samples, tokens=tokens or TOKENS, temperature=temperature, seed=seed)

    @property
    def described(self) -> str:
        """The fields as text: ``20 texts of 30 tokens at temperature 1, seed 0``."""
        return f"{self.samples} text{'' if self.samples == 1 else 's'} of {_each(self)}"


class ReadingError(Record):
    """The error of a reader, counted in texts that somebody labelled."""

    counts: dict[str, dict[str, Count]] = Field(description="Texts by their label, and by the class that was read")
    unread: Count = Field(description="Texts with a label from which no class was read")
    without_class: Count = Field(description="Texts that say no class")
    added: Count = Field(description="Those of them from which a class was read")
    by_group: dict[str, dict[str, tuple[Count, Count]]] = Field(
        {}, description="By group and label: how many texts were read wrongly, and how many rightly"
    )

    @property
    def rates(self) -> list[list[float]]:
        """The probability of each reading, by label; those of a label sum to 1."""
        return [[number / sum(read.values()) for number in read.values()] for read in self.counts.values()]

    @property
    def described(self) -> str:
        """The rates as text: ``of 200 labelled texts male was read wrongly in 12.0%, female in 6.0%``."""
        rates = [
            f"{label} {'was read wrongly ' if not index else ''}in {1 - read[label] / sum(read.values()):.1%}"
            for index, (label, read) in enumerate(self.counts.items())
        ]
        number = sum(sum(read.values()) for read in self.counts.values())
        return f"of {number:,} labelled texts {', '.join(rates)}"


class TextsRead(Record):
    """How many of the texts that a model wrote could be read."""

    written: Count
    read: Count = Field(description="A class was read from them")
    refused: Count = Field(description="They refuse to answer, by the expressions of the installed languages")
    filtered: Count = Field(0, description="A filter of the server took the answer, or refused the prompt")
    cut: Count = Field(0, description="They end within a thought, before an answer")
    unread: dict[str, Count] = Field(description="The others, by the reason that the reader gives")
    read_by: str = Field("", description="Digest of the file that the reader is, and what it names; empty: none")
    thoughts: Count = Field(0, description="Texts from which a thought was taken away, cut ones included")
    expected: dict[str, tuple[Finite, Finite]] = Field(
        {},
        description="By class: how probable it is that a text names it first, by the probabilities of words along the "
        "texts, and what the reader adds to that, over groups and contexts; empty: texts are counted",
    )
    error: ReadingError | None = Field(
        None, description="The error of the reader, for which shares are corrected; null: it was not measured"
    )

    @property
    def of_classes(self) -> dict[str, str]:
        """Both parts of ``expected`` as text, by class: ``41.7% (-0.9%)``."""
        return {name: f"{first:.1%} ({added:+.1%})" for name, (first, added) in self.expected.items()}

    @property
    def described(self) -> str:
        """The shares as text: ``of 3,200 texts 61.2% were read, 1.2% refused, 37.6% not read (no word of a class)``."""
        shares = [f"{self.read / self.written:.1%} were read", f"{self.refused / self.written:.1%} refused"]
        others = {"filtered by the server": self.filtered, "cut within a thought": self.cut}
        others |= {f"not read ({why})": number for why, number in self.unread.items()}
        shares += [f"{number / self.written:.1%} {what}" for what, number in others.items() if number]
        thoughts = f"; a thought was taken away from {self.thoughts / self.written:.1%}" if self.thoughts else ""
        corrected = f"; corrected for errors of reading: {self.error.described}" if self.error else ""
        return f"of {self.written:,} texts {', '.join(shares)}{thoughts}{corrected}"

    @property
    def in_full(self) -> str:
        """`described`, and both parts of ``expected`` where texts are not counted."""
        both = ", ".join(f"{name} {parts}" for name, parts in self.of_classes.items())
        said = "; named first by the probabilities of words, and in brackets what the reader adds: "
        return f"{self.described}{said if both else ''}{both}"


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
        return f"{self.thoughts} thoughts of up to {_each(self)}"


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
