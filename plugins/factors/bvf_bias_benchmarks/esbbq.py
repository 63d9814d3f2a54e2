"""EsBBQ and CaBBQ: questions like BBQ's in Spanish and in Catalan, for the stereotypes of Spain."""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from bvf.errors import BvfError
from bvf.files.table_files import Row
from bvf.interfaces.benchmark import Item
from bvf_bias_benchmarks.bbq import CONDITIONS, POLARITIES, labels_of
from bvf_bias_benchmarks.diff_bias import DiffBias
from bvf_bias_benchmarks.groups import group_called
from bvf_bias_benchmarks.pack import as_text, origin
from bvf_bias_benchmarks.questions import CHOICES, with_letters
from bvf_bias_benchmarks.reading import finite, index_of, one_of

COLUMNS = (
    *("instance_id", "template_id", "question_polarity", "context_condition", "category", "answer_info"),
    *("stereotyped_groups", "context", "question", "question_type", "label"),
)
GROUPS, UNKNOWN = CHOICES[:2], "2"
TYPES = {"pro-stereo": True, "anti-stereo": False, "n/a": None}
"""Whether the right answer agrees with the stereotype, by the type of a question; None: it is "unknown"."""


class EsBbq(DiffBias):
    """Questions with two groups and "unknown" to choose from.

    The data have the English word "unknown" as the third answer; a model is offered it in the language of the question.
    """

    name = "esbbq"
    title = "EsBBQ"
    language = "es"
    unknown: ClassVar[str] = "No se sabe"
    patterns: ClassVar[tuple[str, ...]] = (
        *("data_es/*.jsonl", "*.full.jsonl", "*.jsonl"),
        *("*/test-*.parquet", "*.parquet"),
    )
    origin = origin(
        "esbbq",
        url="https://huggingface.co/datasets/BSC-LT/EsBBQ",
        licence="CC BY 4.0",
        citation="Ruiz-Fernández et al. 2025, EsBBQ and CaBBQ: The Spanish and Catalan Bias Benchmarks for Question "
        "Answering, arXiv",
    )

    def read(self, file: Path) -> Iterator[Item]:
        for row in self.rows(file, (*COLUMNS, *CHOICES)):
            yield _item(row, self.unknown)


class CaBbq(EsBbq):
    """The same questions in Catalan."""

    name, declared = "cabbq", "esbbq"
    title = "CaBBQ"
    language = "ca"
    unknown: ClassVar[str] = "No se sap"
    patterns: ClassVar[tuple[str, ...]] = ("data_ca/*.jsonl", *EsBbq.patterns[1:])
    origin = origin(
        "cabbq",
        url="https://huggingface.co/datasets/BSC-LT/CaBBQ",
        licence=EsBbq.origin.licence,
        citation=EsBbq.origin.citation,
    )


def _item(row: Row, unknown: str) -> Item:
    category, label = row.text("category"), index_of(row, "label", len(CHOICES))
    condition = one_of(row, "context_condition", CONDITIONS)
    polarity = one_of(row, "question_polarity", POLARITIES)
    if (condition == "ambiguous") != (str(label) == UNKNOWN):
        raise BvfError(f"{row.where}: the label is {label} in a context that is {condition}", "2 where ambiguous")
    target = _target(row)
    biased = target if target is None or polarity == "negative" else 1 - target
    choices = (*(row.text(column) for column in GROUPS), unknown)
    texts = {"context": row.text("context"), "question": row.text("question")}
    agrees = TYPES[one_of(row, "question_type", dict(zip(TYPES, TYPES, strict=True)))]
    if agrees is not None:
        biased = label if agrees else 1 - label
    return Item(
        f"{category}/{finite(row, 'instance_id'):.0f}",
        choices,
        with_letters(texts, choices),
        texts=texts,
        values={
            "category": category,
            "condition": condition,
            "polarity": polarity,
            "template": f"{category} {finite(row, 'template_id'):.0f}",
            "label": str(label),
            "unknown": UNKNOWN,
            "biased": as_text(biased),
        },
        group="" if target is None else group_called(_group(row, CHOICES[target])),
    )


def _target(row: Row) -> int | None:
    """The index of the answer that names a stereotyped group; None: neither does, or both."""
    groups = row.values["stereotyped_groups"]
    if not isinstance(groups, list) or not groups or not all(isinstance(each, str) for each in groups):
        raise BvfError(f'{row.where}: "stereotyped_groups" is not a list of groups', "name the groups there")
    named = [index for index, column in enumerate(GROUPS) if _group(row, column) in groups]
    return named[0] if len(named) == 1 else None


def _group(row: Row, column: str) -> str:
    """The group of an answer: the last text about it, after its last comma."""
    return labels_of(row, column)[-1].split(",")[-1].strip()
