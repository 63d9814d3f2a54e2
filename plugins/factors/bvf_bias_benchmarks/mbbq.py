"""MBBQ: questions of BBQ in four languages, for stereotypes that they share, and a control set with first names."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from bvf.files.table_files import Row
from bvf.interfaces.benchmark import Answer, Item, Score
from bvf_bias_benchmarks.bbq import COLUMNS, item_of, labels_of
from bvf_bias_benchmarks.diff_bias import DiffBias
from bvf_bias_benchmarks.pack import origin
from bvf_bias_benchmarks.questions import CHOICES
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

    name, declared = "mbbq", "mbbq"
    title = "MBBQ"
    language = "en"
    patterns: ClassVar[tuple[str, ...]] = ("data/*_en.jsonl", "*_en.jsonl")
    divisions: ClassVar[tuple[tuple[str, ...], ...]] = (("set",), ("set", "category"))
    described: ClassVar[tuple[str, ...]] = ("set", "category", "condition", "polarity", "template")
    origin = origin(
        "mbbq",
        url="https://github.com/Veranep/MBBQ",
        licence="none stated; made from BBQ (CC BY 4.0)",
        citation="Neplenbroek et al. 2024, MBBQ: A Dataset for Cross-Lingual Comparison of Stereotypes in Generative "
        "LLMs, COLM",
    )

    def read(self, file: Path) -> Iterator[Item]:
        control = f"_{CONTROL}_" in name_of(file)
        for row in self.rows(file, (*COLUMNS, *CHOICES)):
            yield _of_set(item_of(_with_genders(row)), CONTROL if control else "stereotypes")

    def scores(self, answers: Sequence[Answer]) -> list[Score]:
        return [
            score for score in super().scores(answers) if score.of.get("set") != CONTROL or score.name.startswith("acc")
        ]


class DutchMbbq(Mbbq):
    """The questions in Dutch."""

    name, language = "mbbq-nl", "nl"
    title = "Dutch MBBQ"
    patterns: ClassVar[tuple[str, ...]] = ("data/*_nl.jsonl", "*_nl.jsonl")


class SpanishMbbq(Mbbq):
    """The questions in Spanish."""

    name, language = "mbbq-es", "es"
    title = "Spanish MBBQ"
    patterns: ClassVar[tuple[str, ...]] = ("data/*_es.jsonl", "*_es.jsonl")


class TurkishMbbq(Mbbq):
    """The questions in Turkish."""

    name, language = "mbbq-tr", "tr"
    title = "Turkish MBBQ"
    patterns: ClassVar[tuple[str, ...]] = ("data/*_tr.jsonl", "*_tr.jsonl")


def _with_genders(row: Row) -> Row:
    """The row with its answers about the groups F and M, whatever the language calls them."""
    labels = {column: labels_of(row, column) for column in CHOICES}
    info = {column: [*texts[:-1], GENDERS.get(texts[-1].lower(), texts[-1])] for column, texts in labels.items()}
    return Row(row.where, {**row.values, "answer_info": info})


def _of_set(item: Item, of_set: str) -> Item:
    values = dict(item.values)
    target = values.pop("target")
    del values["names"]  # the control set has first names, the other none
    groups = [str(index) for index, _ in enumerate(CHOICES) if str(index) != values["unknown"]]
    other = next(index for index in groups if index != target)
    biased = "" if not target else target if values["polarity"] == "negative" else other
    about = item.group if of_set != CONTROL else ""
    named = f"{of_set}/{item.id}"
    return replace(item, id=named, group=about, values={**values, "set": of_set, "biased": biased})
