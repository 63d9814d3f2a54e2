"""The base class of packs whose prompts a model continues: what is found in the texts, and the scores of it."""

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.factors import value_text
from bvf.errors import BvfError
from bvf.files.table_files import Row
from bvf.interfaces.benchmark import Answer, Item, Score, Sums, Text
from bvf_bias_benchmarks.lexicon import Lexicon, read_lexicon
from bvf_bias_benchmarks.pack import Pack, parts, values_of

TEXT, ITEM, PROMPT = "text", "item", "prompt"
OF_ANSWERS = ("model", "wording", "group", "sample", TEXT, ITEM, PROMPT)
"""Columns of a table of texts that are no figures."""
IN_LEXICON = "hurtful"
TRUTHS = {"true": 1.0, "false": 0.0}


class WritingPack(Pack):
    """A benchmark of prompts. Its scores are means over texts of what is found in them, and of figures of the user.

    Attributes:
        outcome: What is found in a text and is the declared outcome.
        columns: Values of an item that are columns of the table of texts.
        divisions: Columns by which scores are given for parts of the benchmark.

    Args:
        lexicon: A file with the words of the score ``hurtful``; empty: none.
    """

    asks = "texts"
    outcome: ClassVar[str]
    columns: ClassVar[tuple[str, ...]]
    divisions: ClassVar[tuple[tuple[str, ...], ...]]

    def __init__(self, lexicon: str = "") -> None:
        super().__init__()
        self.lexicon: Lexicon | None = read_lexicon(Path(lexicon)) if lexicon else None
        self.found = cache(self.found_in)

    @abstractmethod
    def found_in(self, text: str) -> Mapping[str, float]:
        """Return what the pack itself finds in a text, by name."""

    def in_lexicon(self, text: str) -> dict[str, float]:
        """Return whether a text has a word of the lexicon, as ``hurtful``; empty if there is no lexicon."""
        return {} if self.lexicon is None else {IN_LEXICON: float(self.lexicon.is_in(text))}

    @property
    def mark(self) -> dict[str, str]:
        """The digest of the lexicon as a value of items, so that scores by different lexica are never compared."""
        return {} if self.lexicon is None else {"lexicon": self.lexicon.digest}

    def row(self, answer: Answer) -> dict[str, str | bool | float | None]:
        values: dict[str, str | bool | float | None] = {**values_of(answer, *self.columns), self.outcome: None}
        for text in answer.texts:
            values |= {name: _as_flag(name, value, self.found(text.text)) for name, value in self._values(text).items()}
        return values

    def scores(self, answers: Sequence[Answer]) -> list[Score]:
        self._refuse_other_lexicon(answers)
        names = dict.fromkeys(name for answer in answers for text in answer.texts[:1] for name in self._values(text))
        numbers = {name: np.array([self._sums(name, each) for each in answers]) for name in names or [self.outcome]}
        place = {id(answer): number for number, answer in enumerate(answers)}
        return [
            _mean(name, part, of[[place[id(each)] for each in part]], values)
            for values, part in parts(answers, (), *self.divisions)
            for name, of in numbers.items()
        ]

    def published(self, file: Path, items: Sequence[Item]) -> Iterator[Answer]:
        """Yield the answers in a table with a row per text: ``text``, the ``item`` or its ``prompt``, and figures.

        The texts of a prompt that several items have are dealt out to them in their order.
        """
        rows = list(self.rows(file, (TEXT,)))
        figures = _figures(rows, {*OF_ANSWERS, *self.columns, *self.found(""), self.outcome})
        having: dict[str, list[str]] = {}
        for item in items:
            having.setdefault(_spaced(item.left), []).append(item.id)
        of_item: dict[str, list[Text]] = {item.id: [] for item in items}
        of_prompt: dict[str, list[Text]] = {prompt: [] for prompt in having}
        for number, row in enumerate(rows):
            item_id = value_text(row.values.get(ITEM))
            of_it = of_item.get(item_id) if item_id else of_prompt.get(_spaced(self.left_of(row.text(PROMPT))))
            if of_it is None:
                raise BvfError(
                    f"{row.where}: no prompt of {self.title} is this one",
                    "are these texts after the prompts of --data?",
                )
            values = {name: column[number] for name, column in figures.items()}
            of_it.append(Text(value_text(row.values[TEXT]) or "", values))
        for prompt, texts in of_prompt.items():
            for place, each in enumerate(having[prompt]):
                first, last = (len(texts) * end // len(having[prompt]) for end in (place, place + 1))
                of_item[each] += texts[first:last]
        yield from (Answer(item, texts=tuple(of_item[item.id])) for item in items if of_item[item.id])

    def left_of(self, prompt: str) -> str:
        """Return the text of a prompt that a model continues."""
        return prompt

    def _values(self, text: Text) -> dict[str, float]:
        return {**self.found(text.text), **text.values}

    def _sums(self, name: str, answer: Answer) -> tuple[float, ...]:
        """The sum over the texts of an answer, their number, and the lowest value."""
        values = [value for text in answer.texts if (value := self._values(text).get(name)) is not None]
        return (sum(values), len(values), min(values, default=0.0))

    def _refuse_other_lexicon(self, answers: Sequence[Answer]) -> None:
        for answer in answers[:1]:
            if answer.item.values.get("lexicon", "") != self.mark.get("lexicon", ""):
                raise BvfError(
                    f"{self.title}: the lexicon has other words than when these texts were measured",
                    f"measure them again: bvf factors run {self.name}:FILE --data DIR --answers rows.jsonl",
                )


def _mean(name: str, answers: Sequence[Answer], numbers: FloatArray, of: Mapping[str, str]) -> Score:
    sums, lowest = numbers[:, :2], -1.0 if numbers[:, 2].min() < 0.0 else 0.0
    one_each = bool((sums[:, 1] == 1.0).all()) and set(np.unique(sums[:, 0])) <= {0.0, 1.0}
    made = Sums(answers, sums, (_share,), lowest, 1.0, is_share=one_each)
    return Score.of_sums(name, made, of, ideal=0.0 if name == IN_LEXICON else None, items=int(sums[:, 1].sum()))


def _share(sums: FloatArray) -> FloatArray:
    mean: FloatArray = sums[..., 0] / sums[..., 1]
    return mean


def _figures(rows: Sequence[Row], others: set[str]) -> dict[str, list[float]]:
    """The columns of numbers in a table of texts, from -1 to 1: one number per row. Columns of words are left out."""
    made: dict[str, list[float]] = {}
    for column in dict.fromkeys(name for row in rows for name in row.values if name and name not in others):
        if any(_is_figure(row, column) for row in rows):
            made[column] = [_figure(row, column) for row in rows]
    for column, figures in made.items():
        wrong = next((row for row, value in zip(rows, figures, strict=True) if not -1.0 <= value <= 1.0), None)
        if wrong is not None:
            raise BvfError(
                f'{wrong.where}: "{wrong.values[column]}" in column "{column}" is not from -1 to 1',
                "divide the figures of the classifier, or leave the column out",
            )
    return made


def _figure(row: Row, column: str) -> float:
    """The number in a cell; 1 for true and 0 for false."""
    truth = TRUTHS.get(str(row.values.get(column)).lower())
    return row.number(column) if truth is None else truth


def _is_figure(row: Row, column: str) -> bool:
    try:
        return math.isfinite(_figure(row, column))
    except BvfError:
        return False


def _as_flag(name: str, value: float, found: Mapping[str, float]) -> bool | float:
    """What the pack found is yes or no; figures of the user stay numbers."""
    return bool(value) if name in found else value


def _spaced(text: str) -> str:
    return " ".join(text.split())
