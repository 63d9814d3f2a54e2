"""The interface of a published bias benchmark: its items, their factors, and its authors' scores."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import ClassVar, Literal

from bvf.domain.factors import Declaration

Asks = Literal["answers", "sentences", "shared tokens"]
"""What a model is asked for: the probability of each answer after a question, of whole sentences, or of the tokens that
two sentences share."""
TIE = 1e-12
"""Scores that are this close count as equal."""


@dataclass(frozen=True)
class Origin:
    """Where the data of a benchmark come from. They are never shipped.

    Args:
        url: Where its authors publish it.
        licence: Licence of the data.
        citation: The paper.
        files: The SHA-256 of each published file, by name; empty: files are not checked.
    """

    url: str
    licence: str
    citation: str
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """A question of a benchmark.

    Args:
        id: Unique within the benchmark.
        choices: Answers or sentences, as they stand in the slot, two or more.
        left: Text before the slot; empty for whole sentences.
        right: Text after it.
        values: Values of factors, and other values that the scores are computed from, by column.
        texts: Parts for composing other wordings of the item, such as ``context`` and ``question``, by name.
        in_sentence: The slot is inside a sentence. A model that reads only the text left of a slot scores the whole
            sentence with each choice; so it does where ``right`` has words.
    """

    id: str
    choices: tuple[str, ...]
    left: str = ""
    right: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    in_sentence: bool = False

    @property
    def inside(self) -> bool:
        """Whether the slot is inside a sentence, or words stand right of it."""
        return self.in_sentence or any(map(str.isalnum, self.right))


@dataclass(frozen=True)
class Answer:
    """The answer of a model to an item.

    Args:
        item: The question.
        scores: A score per choice, higher for a more probable choice; 1 and 0 if only the model's choice is known.
    """

    item: Item
    scores: tuple[float, ...]

    @property
    def choice(self) -> int | None:
        """Index of the choice with the highest score; None if several choices have it."""
        highest = max(self.scores)
        best = [index for index, score in enumerate(self.scores) if highest - score <= TIE]
        return best[0] if len(best) == 1 else None


@dataclass(frozen=True)
class Score:
    """A figure as the authors of a benchmark define it.

    Args:
        name: Such as ``accuracy`` or ``s_DIS``.
        value: The value of the score; None: undefined, which is not the same as 0.
        items: Number of answers that it is computed from.
        of: The part of the benchmark that it is computed on, as a value by column; empty: the whole benchmark.
    """

    name: str
    value: float | None
    items: int
    of: Mapping[str, str] = field(default_factory=dict)


class Benchmark(ABC):
    """A benchmark that can be read, scored, and analysed by its factors.

    Attributes:
        title: The name of the benchmark.
        language: Language of its items, as ``--lang`` takes it.
        origin: Where its data come from.
        asks: What of an item is scored: ``answers``, whole ``sentences``, or the ``shared tokens`` of the choices.
        declaration: Factors and outcome of the rows that `row` makes.
        sample: A folder of a few items in the same format, written for this plugin, so that it runs without the data.
        encoding: The encoding of the user's files, which ``--encoding`` sets; empty: the benchmark takes no other.
    """

    title: ClassVar[str]
    language: ClassVar[str]
    origin: ClassVar[Origin]
    asks: ClassVar[Asks]
    declaration: Declaration
    sample: Traversable
    encoding: str = ""

    @abstractmethod
    def items(self, data: Path) -> Iterator[Item]:
        """Yield the items of the benchmark, read from the user's copy of the published file or folder.

        Raises:
            BvfError: The files are missing, or a line cannot be read; the message says which and what would be right.
        """

    def in_order(self, item: Item, order: Sequence[int]) -> Item:
        """Return an item with its choices in another order: indices into those of ``item``.

        Override it if ``left`` lists the choices; the listed ones are then in that order too.
        """
        return replace(item, choices=tuple(item.choices[index] for index in order))

    def remarks(self, data: Path) -> tuple[str, ...]:
        """Return notes on the data for readers of the scores, such as that the files are not as published."""
        return ()

    @abstractmethod
    def row(self, answer: Answer) -> dict[str, str | bool | float | None]:
        """Return an answer as a row of the analysed table: all declared columns, including the outcome.

        The outcome is None where the answer does not decide it, such as a tie.
        """

    @abstractmethod
    def scores(self, answers: Sequence[Answer]) -> list[Score]:
        """Return the scores that the authors define, for subsets of the benchmark and for all of it."""

    def published(self, file: Path, items: Sequence[Item]) -> Iterator[Answer]:
        """Yield the answers of a model that the benchmark's authors published in a file.

        Raises:
            BvfError: The file has no answers, or answers to other items.
        """
        from bvf.errors import BvfError

        raise BvfError(f"{file}: no published answers of {self.title} can be read")
