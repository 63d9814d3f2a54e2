"""The answers of a model to the items of a benchmark."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from typing import Any

from bvf.interfaces.benchmark import Answer
from bvf_factors.benchmarks.asking import Asked
from bvf_factors.benchmarks.wordings import order_text

AS_PUBLISHED = "as published"


@dataclass(frozen=True)
class Answered:
    """The answers of a model to the items of a benchmark, and where they are stored.

    Args:
        model: Name of the model.
        path: The model as given by ``--model``, or the files of published answers.
        folder: Folder with the answers.
        answers: The answers to all items, by wording.
        whole: Sentences with a slot were scored whole, as the model reads only from left to right.
    """

    asked: Asked
    model: str
    path: str
    folder: Path
    answers: Mapping[str, tuple[Answer, ...]]
    whole: bool = False

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row per answer: factors, outcome, model, item, prompt wording, and order of choices if it varies."""
        orders = {wording.name: wording for wording in self.asked.wordings if wording.order is not None}
        for name, answers in self.answers.items():
            for answer in answers:
                order = {"order": order_text(orders[name].order_of(answer.item))} if name in orders else {}
                row = self.asked.benchmark.row(answer)
                group = {"group": answer.item.group} if answer.item.group else {}
                yield {"model": self.model, "item": answer.item.id, "wording": name, **order, **group, **row}


def answers_of(asked: Asked, known: Mapping[int, list[tuple[float, ...]]]) -> dict[str, tuple[Answer, ...]]:
    """Return the answers of all parts, by wording, with scores in the order of the data."""
    of_wordings: dict[str, list[Answer]] = {wording.name: [] for wording in asked.wordings}
    for part in asked.parts():
        items, wording = asked.items[part.start : part.stop], asked.wordings[part.wording]
        scores = starmap(_as_in_data, zip(map(wording.order_of, items), known[part.index], strict=True))
        of_wordings[wording.name] += map(Answer, items, scores)
    return {name: tuple(answers) for name, answers in of_wordings.items()}


def _as_in_data(order: Sequence[int], scores: Sequence[float]) -> tuple[float, ...]:
    """The scores of choices that were asked in an order, in the order of the data."""
    return tuple(score for _, score in sorted(zip(order, scores, strict=True)))
