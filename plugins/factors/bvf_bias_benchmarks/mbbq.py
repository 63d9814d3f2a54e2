"""MBBQ: questions of BBQ in four languages, for stereotypes that they share, and a control set with first names."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bvf.files import Row
from bvf.interfaces import Answer, Item, Score
from bvf_bias_benchmarks.bbq import COLUMNS, bbq_item, labels_of
from bvf_bias_benchmarks.questions import CHOICES, DiffBias
from bvf_bias_benchmarks.reading import name_of

CONTROL = "control"
WOMEN = ("girl", "woman", "vrouw", "meisje", "k\u0131z", "kad\u0131n", "chica", "mujer", "maestra")
MEN = ("boy", "man", "jongen", "erkek çocuk", "adam", "chico", "hombre", "maestro")
GENDERS = dict.fromkeys(WOMEN, "F") | dict.fromkeys(MEN, "M")
"""What answers on gender call a group, where the question names it ``F`` or ``M``."""


class Mbbq(DiffBias):
    """Questions in the format of BBQ. Those of the control set ask the same of two people with first names.

    The control set measures how well a model answers questions in a language where no group is named. So it has
    accuracies only, and its items are about no group.
    """

    name = "mbbq"
    described = ("set", "category", "condition", "polarity", "template")
    divisions = (("set",), ("set", "category"))

    def read(self, file: Path) -> Iterator[Item]:
        of_set = CONTROL if f"_{CONTROL}_" in name_of(file) else "stereotypes"
        for row in self.rows(file, (*COLUMNS, *CHOICES)):
            labels = {column: labels_of(row, column) for column in CHOICES}
            info = {name: [*texts[:-1], GENDERS.get(texts[-1].lower(), texts[-1])] for name, texts in labels.items()}
            item = bbq_item(self, Row(row.where, {**row.values, "answer_info": info}))
            values = dict(item.values)
            target = values.pop("target")
            del values["names"]  # the control set has first names, the other none
            other = next(index for index in "012" if index not in (values["unknown"], target))
            biased = "" if not target else target if values["polarity"] == "negative" else other
            about = item.group if of_set != CONTROL else ""
            yield replace(
                item, id=f"{of_set}/{item.id}", group=about, values={**values, "set": of_set, "biased": biased}
            )

    def scores(self, answers: Sequence[Answer]) -> list[Score]:
        return [
            score for score in super().scores(answers) if score.of.get("set") != CONTROL or score.name.startswith("acc")
        ]


class DutchMbbq(Mbbq):
    """The questions in Dutch."""

    name = "mbbq-nl"


class SpanishMbbq(Mbbq):
    """The questions in Spanish."""

    name = "mbbq-es"


class TurkishMbbq(Mbbq):
    """The questions in Turkish."""

    name = "mbbq-tr"
