"""The answers of a model to the items of a benchmark."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
        """Yield a row per answer: factors, outcome, model, item, prompt wording, and order of choices if it varies.

        Where the answers are texts, each text has a row.
        """
        orders = {wording.name: wording for wording in self.asked.wordings if wording.order is not None}
        for name, answers in self.answers.items():
            for answer in answers:
                order = {"order": order_text(orders[name].order_of(answer.item))} if name in orders else {}
                group = {"group": answer.item.group} if answer.item.group else {}
                named = {"model": self.model, "item": answer.item.id, "wording": name, **order, **group}
                for number, alone in enumerate(answer.text_by_text, start=1):
                    text = {"sample": number, "text": alone.texts[0].text} if alone.texts else {}
                    yield {**named, **text, **self.asked.benchmark.row(alone)}


def answers_of(asked: Asked, known: Mapping[int, list[Answer]]) -> dict[str, tuple[Answer, ...]]:
    """Return the answers of all parts, by wording, with scores in the order of the data."""
    of_wordings: dict[str, list[Answer]] = {wording.name: [] for wording in asked.wordings}
    for part in asked.parts():
        wording = asked.wordings[part.wording]
        of_wordings[wording.name] += [
            replace(each, scores=_as_in_data(wording.order_of(each.item), each.scores)) for each in known[part.index]
        ]
    return {name: tuple(answers) for name, answers in of_wordings.items()}


def _as_in_data(order: Sequence[int], scores: Sequence[float]) -> tuple[float, ...]:
    """The scores of choices that were asked in an order, in the order of the data."""
    return tuple(score for _, score in sorted(zip(order, scores, strict=True)))
