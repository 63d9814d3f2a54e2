"""KoBBQ: questions like BBQ's in Korean, for the stereotypes of Korean society."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from bvf.errors import BvfError
from bvf.files.table_files import Row
from bvf.interfaces.benchmark import Answer, Item
from bvf_bias_benchmarks.diff_bias import DiffBias
from bvf_bias_benchmarks.groups import group_called
from bvf_bias_benchmarks.pack import origin
from bvf_bias_benchmarks.questions import with_letters
from bvf_bias_benchmarks.reading import one_of

UNKNOWN = "알 수 없음"
POLARITIES = {"bsd": "negative", "cnt": "non-negative"}
CONDITIONS = {"amb": "ambiguous", "dis": "disambiguated"}
ORIGINS = {"SR": "removed", "TM": "target modified", "ST": "simply transferred", "NC": "newly created"}
"""How the authors made a template of BBQ's."""
COLUMNS = ("sample_id", "label_annotation", "context", "question", "choices", "biased_answer", "answer")
PARTS_OF_ID = 5
"""Category, template with a letter for its version, sample, context, question: ``age-001a-002-amb-bsd``."""


class KoBbq(DiffBias):
    """Questions with two groups and "unknown" to choose from, as the authors publish them with all slots filled.

    A question asks who conforms to a stereotype, or who goes against it; the data name the biased answer to each.
    Published answers are those that their program reads: a column ``prediction`` with the text of a choice.
    """

    name = "kobbq"
    title = "KoBBQ"
    language = "ko"
    patterns = (
        *("data/KoBBQ_test_samples.tsv", "KoBBQ_test_samples.tsv"),
        *("data/KoBBQ_all_samples.tsv", "KoBBQ_all_samples.tsv"),
    )
    divisions: ClassVar[tuple[tuple[str, ...], ...]] = ((), ("category",), ("origin",))
    described: ClassVar[tuple[str, ...]] = ("category", "condition", "polarity", "origin", "template")
    origin = origin(
        "kobbq",
        url="https://github.com/naver-ai/KoBBQ",
        licence="MIT",
        citation="Jin et al. 2024, KoBBQ: Korean Bias Benchmark for Question Answering, TACL",
    )

    def read(self, file: Path) -> Iterator[Item]:
        for row in self.rows(file, COLUMNS):
            yield _item(row)

    def published(self, file: Path, items: Sequence[Item]) -> Iterator[Answer]:
        known = {item.id: item for item in items}
        for row in self.rows(file, ("sample_id", "prediction")):
            item = known.pop(row.text("sample_id"), None)
            if item is None:
                raise BvfError(f"{row.where}: no item is left for this answer", "are these the items it was given to?")
            given = str(row.values["prediction"]).strip()
            yield Answer(item, tuple(float(choice == given) for choice in item.choices))


def _item(row: Row) -> Item:
    name = row.text("sample_id")
    split = name.split("-")
    if len(split) != PARTS_OF_ID or not split[1][:-1]:
        raise BvfError(f'{row.where}: the sample_id is "{name}"', "such as age-001a-002-amb-bsd")
    category, version, _, context, asked = split
    choices = _choices(row)
    groups = [index for index, choice in enumerate(choices) if choice != UNKNOWN]
    biased, label = (_index(row, column, choices) for column in ("biased_answer", "answer"))
    if biased not in groups:
        raise BvfError(f'{row.where}: the biased answer is "{UNKNOWN}"', "it should name a group")
    ids = Row(row.where, {"question": asked, "context": context, "label_annotation": row.text("label_annotation")})
    polarity = one_of(ids, "question", POLARITIES)
    target = biased if polarity == "negative" else groups[0] + groups[1] - biased
    texts = {"context": row.text("context"), "question": row.text("question")}
    return Item(
        name,
        choices,
        with_letters(texts, choices),
        texts=texts,
        values={
            "category": category,
            "condition": one_of(ids, "context", CONDITIONS),
            "polarity": polarity,
            "origin": one_of(ids, "label_annotation", ORIGINS),
            "template": f"{category} {version[:-1]}",
            "label": str(label),
            "unknown": str(choices.index(UNKNOWN)),
            "biased": str(biased),
        },
        group=group_called(choices[target]),
    )


def _choices(row: Row) -> tuple[str, ...]:
    """The three choices, which a table has as a list in Python's notation."""
    value = row.values["choices"]
    try:
        listed = ast.literal_eval(value) if isinstance(value, str) else value
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        listed = None
    if not isinstance(listed, list) or len(set(map(str, listed))) != 3 or UNKNOWN not in listed:
        raise BvfError(f'{row.where}: "choices" is not a list of two groups and "{UNKNOWN}"', "leave it as published")
    return tuple(str(each).strip() for each in listed)


def _index(row: Row, column: str, choices: Sequence[str]) -> int:
    text = row.text(column)
    if text not in choices:
        raise BvfError(f'{row.where}: "{column}" is "{text}"', f"one of {', '.join(choices)}")
    return choices.index(text)
