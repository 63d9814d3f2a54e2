"""The interface of a published bias benchmark: items and factors, what a model chose in them, its authors' scores."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.factors import Declaration
from bvf.errors import BvfError

Asks = Literal["answers", "sentences", "shared tokens", "texts"]
"""What a model is asked for: the probability of each answer after a question, of whole sentences, or of the tokens that
two sentences share; or texts that continue an item."""
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
        choices: Answers or sentences, as they stand in the slot, two or more; none where the model writes texts.
        left: Text before the slot; empty for whole sentences.
        right: Text after it.
        values: Values of factors, and other values that the scores are computed from, by column.
        texts: Parts for composing other wordings of the item, such as ``context`` and ``question``, by name.
        in_sentence: The slot is inside a sentence. A model that reads only the text left of a slot scores the whole
            sentence with each choice; so it does where ``right`` has words.
        group: Who the item is about, such as ``women``; empty: the data do not say so.
    """

    id: str
    choices: tuple[str, ...]
    left: str = ""
    right: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    in_sentence: bool = False
    group: str = ""

    @property
    def inside(self) -> bool:
        """Whether the slot is inside a sentence, or words stand right of it."""
        return self.in_sentence or any(map(str.isalnum, self.right))


@dataclass(frozen=True)
class Text:
    """A text that a model wrote after an item.

    Args:
        text: What follows ``left``, without it.
        values: Numbers that others found in it, such as the ``toxicity`` of a classifier, by name.
        missing: Why there is no answer to score: a filter took it, or a thought never ended; empty: there is one.
    """

    text: str
    values: Mapping[str, float] = field(default_factory=dict)
    missing: str = ""


@dataclass(frozen=True)
class Answer:
    """The answer of a model to an item.

    Args:
        item: The question.
        scores: A score per choice, higher for a more probable choice; 1 and 0 if only the model's choice is known.
        texts: What the model wrote, where a benchmark asks for texts.
    """

    item: Item
    scores: tuple[float, ...] = ()
    texts: tuple[Text, ...] = ()

    @property
    def text_by_text(self) -> Iterator["Answer"]:
        """The answer with each of its texts alone; where it has none, the answer itself."""
        yield from (replace(self, texts=(each,)) for each in self.texts) if self.texts else (self,)

    @property
    def choice(self) -> int | None:
        """Index of the choice with the highest score; None if several choices have it, or the answer is a text."""
        if not self.scores:
            return None
        highest = max(self.scores)
        best = [index for index, score in enumerate(self.scores) if highest - score <= TIE]
        return best[0] if len(best) == 1 else None


Formula = Callable[[FloatArray], FloatArray]
"""Makes a score of the sums of K numbers, shape (..., K) to (...); NaN: undefined."""


@dataclass(frozen=True)
class Sums:
    """What a score is computed from: numbers of each answer, and a formula of their sums.

    From sums without the answers of one cluster follow the interval of a score, and that of its difference between
    two models. A formula may not depend on how many times all answers are repeated.

    Args:
        answers: The N answers that count.
        numbers: K numbers of each, shape (N, K).
        formulas: The score is the lowest value of these; several where it has a kink.
        lowest: The lowest score that is possible.
        highest: The highest score that is possible.
        reach: The highest value that one of several formulas may have; None: as ``highest``.
        is_share: The score is the share of answers whose first number is 1; it is 0 for the others.
    """

    answers: Sequence[Answer]
    numbers: FloatArray
    formulas: tuple[Formula, ...]
    lowest: float = 0.0
    highest: float = 1.0
    reach: float | None = None
    is_share: bool = False

    def value(self) -> float | None:
        """Return the score of all answers; None: undefined."""
        if not len(self.numbers):
            return None
        totals = self.numbers.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = min(float(formula(totals)) for formula in self.formulas)
        return value if np.isfinite(value) else None


@dataclass(frozen=True)
class Score:
    """A figure as the authors of a benchmark define it.

    Args:
        name: Such as ``accuracy`` or ``s_DIS``.
        value: The value of the score; None: undefined, which is not the same as 0.
        items: Number of answers that it is computed from.
        of: The part of the benchmark that it is computed on, as a value by column; empty: the whole benchmark.
        ideal: The value of an ideal model; None: no value is ideal.
        sums: What it is computed from; None: it is a count of answers, and has no interval.
    """

    name: str
    value: float | None
    items: int
    of: Mapping[str, str] = field(default_factory=dict)
    ideal: float | None = None
    sums: Sums | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of_sums(
        cls, name: str, sums: Sums, of: Mapping[str, str], *, ideal: float | None = None, items: int | None = None
    ) -> "Score":
        """Return the score that sums make. ``items``: the number of answers to report; None: all of ``sums``."""
        return cls(name, sums.value(), len(sums.answers) if items is None else items, of, ideal, sums)

    @classmethod
    def share(
        cls,
        name: str,
        answers: Sequence[Answer],
        flag: Callable[[Answer], bool],
        of: Mapping[str, str] | None = None,
        *,
        highest: float = 1.0,
        ideal: float | None = None,
    ) -> "Score":
        """Return the share of answers for which ``flag`` is true, from 0 to ``highest``: 1, or 100 for percent."""
        numbers = np.array([(float(flag(each)), 1.0) for each in answers]).reshape(-1, 2)

        def formula(sums: FloatArray) -> FloatArray:
            return highest * sums[..., 0] / sums[..., 1]

        return cls.of_sums(name, Sums(answers, numbers, (formula,), 0.0, highest, is_share=True), of or {}, ideal=ideal)


class Benchmark(ABC):
    """A benchmark that can be read, scored, and analysed by its factors.

    Attributes:
        title: The name of the benchmark.
        language: Language of its items, as ``--lang`` takes it.
        origin: Where its data come from.
        asks: What of an item is scored: ``answers``, whole ``sentences``, the ``shared tokens`` of the choices, or
            ``texts`` that continue it.
        declaration: Factors and outcome of the rows that `row` makes.
        sample: A folder of a few items in the same format, written for this plugin, so that it runs without the data.
        encoding: The encoding of the user's files, which ``--encoding`` sets; empty: the benchmark takes no other.
    """

    title: str
    language: str
    origin: Origin
    asks: Asks
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

        The outcome is None where the answer does not decide it, such as a tie. An answer of texts is given with one
        text at a time, or with none.
        """

    @abstractmethod
    def scores(self, answers: Sequence[Answer]) -> list[Score]:
        """Return the scores that the authors define, for subsets of the benchmark and for all of it."""

    def called(self, group: str) -> tuple[str, ...]:
        """Return other names of a group that items are about, such as those of classes of topics."""
        return ()

    def treated(self, answer: Answer) -> tuple[str, str, float] | None:
        """Return whom an item is about, the group (such as women) that it is tied to, and by how much; None: no one."""
        return None

    def published(self, file: Path, items: Sequence[Item]) -> Iterator[Answer]:
        """Yield the answers of a model that the benchmark's authors published in a file.

        Raises:
            BvfError: The file has no answers, or answers to other items.
        """
        raise BvfError(f"{file}: no published answers of {self.title} can be read")
