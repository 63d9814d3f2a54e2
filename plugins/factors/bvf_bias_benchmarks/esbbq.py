"""EsBBQ and CaBBQ: questions like BBQ's in Spanish and in Catalan, for the stereotypes of Spain."""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from bvf import BvfError
from bvf.files import Row
from bvf.interfaces import Item
from bvf_bias_benchmarks.bbq import CONDITIONS, POLARITIES, labels_of, texts_in
from bvf_bias_benchmarks.groups import group_called
from bvf_bias_benchmarks.questions import CHOICES, LAST, DiffBias, biased_answer, index_text, label_of
from bvf_bias_benchmarks.reading import finite, one_of

COLUMNS = (
    *("instance_id", "template_id", "question_polarity", "context_condition", "category", "answer_info"),
    *("stereotyped_groups", "context", "question", "question_type", "label"),
)
GROUPS = CHOICES[:2]
TYPES = {"pro-stereo": "agrees", "anti-stereo": "contradicts", "n/a": ""}
"""Whether the right answer agrees with the stereotype, by the type of a question; empty: it is "unknown"."""


class EsBbq(DiffBias):
    """Questions with two groups and "unknown" to choose from.

    The data have the English word "unknown" as the third answer; a model is offered it in the language of the question.
    """

    name = "esbbq"
    unknown: ClassVar[str] = "No se sabe"

    def read(self, file: Path) -> Iterator[Item]:
        for row in self.rows(file, (*COLUMNS, *CHOICES)):
            category, condition = row.text("category"), one_of(row, "context_condition", CONDITIONS)
            polarity, label = one_of(row, "question_polarity", POLARITIES), label_of(row, condition)
            named = texts_in(row.values["stereotyped_groups"])
            if not named:
                raise BvfError(f'{row.where}: "stereotyped_groups" is not a list of groups', "name the groups there")
            targets = [index for index, column in enumerate(GROUPS) if _group(row, column) in named]
            target = targets[0] if len(targets) == 1 else None
            kind = TYPES[one_of(row, "question_type", {each: each for each in TYPES})]
            biased = biased_answer(target, polarity) if not kind else label if kind == "agrees" else 1 - label
            values = {
                "category": category,
                "condition": condition,
                "polarity": polarity,
                "template": f"{category} {finite(row, 'template_id'):.0f}",
                "label": str(label),
                "unknown": LAST,
                "biased": index_text(biased),
            }
            texts = {"context": row.text("context"), "question": row.text("question")}
            group = "" if target is None else group_called(_group(row, CHOICES[target]))
            choices = [*(row.text(column) for column in GROUPS), self.unknown]
            yield self.item(f"{category}/{finite(row, 'instance_id'):.0f}", texts, choices, values, group)


class CaBbq(EsBbq):
    """The same questions in Catalan."""

    name = "cabbq"
    unknown = "No se sap"


def _group(row: Row, column: str) -> str:
    """The group of an answer: the last text about it, after its last comma."""
    return labels_of(row, column)[-1].split(",")[-1].strip()
