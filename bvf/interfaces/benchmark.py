"""A published bias benchmark: its items, their factors, and the scores that its authors defined."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
    """Where the data of a benchmark come from; they are never shipped.

    Args:
        url: Where its authors publish it.
        licence: Licence of the data.
        citation: The paper.
        files: The SHA-256 of each file as published, by name; empty: any file is taken.
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
        values: Values of factors, and what the scores need, by column.
        texts: Parts of which other wordings can be made, such as ``context`` and ``question``, by name.
    """

    id: str
    choices: tuple[str, ...]
    left: str = ""
    right: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """The answer of a model to an item.

    Args:
        item: The question.
        scores: One per choice, higher for a more probable one; 1 and 0 if only the choice is known.
    """

    item: Item
    scores: tuple[float, ...]

    @property
    def choice(self) -> int | None:
        """Index of the choice with the highest score; None for a tie."""
        highest = max(self.scores)
        best = [index for index, score in enumerate(self.scores) if highest - score <= TIE]
        return best[0] if len(best) == 1 else None


@dataclass(frozen=True)
class Score:
    """A figure as the authors of a benchmark define it.

    Args:
        name: Such as ``accuracy`` or ``s_DIS``.
        value: None: it is undefined, which is not the same as 0.
        items: How many answers it rests on.
        of: The part of the benchmark that it covers, as a value by column; empty: all of it.
    """

    name: str
    value: float | None
    items: int
    of: Mapping[str, str] = field(default_factory=dict)


class Benchmark(ABC):
    """A benchmark that can be read, scored, and analysed by its factors.

    Attributes:
        title: What it is called.
        language: Language of its items, as ``--lang`` takes it.
        origin: Where its data come from.
        asks: What a model is asked for.
        declaration: Factors and outcome of the rows that `row` makes.
        sample: A folder of a few items in the same format, written for this plugin, so that it runs without the data.
    """

    title: ClassVar[str]
    language: ClassVar[str]
    origin: ClassVar[Origin]
    asks: ClassVar[Asks]
    declaration: Declaration
    sample: Traversable

    @abstractmethod
    def items(self, data: Path) -> Iterator[Item]:
        """Yield the items in a folder or a file of the user's, laid out as published.

        Raises:
            BvfError: Nothing of the benchmark is there, or a line cannot be read; says which and what would be right.
        """

    def remarks(self, data: Path) -> tuple[str, ...]:
        """Return what a reader of the scores should know about the data, such as that they are not as published."""
        return ()

    @abstractmethod
    def row(self, answer: Answer) -> dict[str, str | bool | float | None]:
        """Return the row of an answer in the table that is analysed: all columns of the declaration, outcome included.

        The outcome is None where the answer does not decide it, such as a tie.
        """

    @abstractmethod
    def scores(self, answers: Sequence[Answer]) -> list[Score]:
        """Return the scores that the authors define, of parts of the benchmark and of the whole."""

    def published(self, file: Path, items: Sequence[Item]) -> Iterator[Answer]:
        """Yield answers of a model as the benchmark's authors publish them.

        Raises:
            BvfError: The file holds no answers, or answers to other items.
        """
        from bvf.errors import BvfError

        raise BvfError(f"{file}: no published answers of {self.title} can be read")
