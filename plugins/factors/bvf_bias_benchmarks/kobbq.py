"""KoBBQ: questions like BBQ's in Korean, for the stereotypes of Korean society."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bvf import BvfError
from bvf.files import Row
from bvf.interfaces import Answer, Item
from bvf_bias_benchmarks.pack import taken
from bvf_bias_benchmarks.questions import DiffBias
from bvf_bias_benchmarks.reading import group_called, list_in, one_of

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
    described = ("category", "condition", "polarity", "origin", "template")
    divisions = ((), ("category",), ("origin",))

    def read(self, file: Path) -> Iterator[Item]:
        for row in self.rows(file, COLUMNS):
            name = row.text("sample_id")
            split = name.split("-")
            if len(split) != PARTS_OF_ID or not split[1][:-1]:
                raise BvfError(f'{row.where}: the sample_id is "{name}"', "such as age-001a-002-amb-bsd")
            category, version, _, context, asked = split
            choices = _choices(row)
            groups = [index for index, choice in enumerate(choices) if choice != UNKNOWN]
            by_text = {choice: str(index) for index, choice in enumerate(choices)}
            biased, label = (one_of(row, column, by_text) for column in ("biased_answer", "answer"))
            if int(biased) not in groups:
                raise BvfError(f'{row.where}: the biased answer is "{UNKNOWN}"', "it should name a group")
            ids = Row(row.where, {**row.values, "question": asked, "context": context})
            polarity = one_of(ids, "question", POLARITIES)
            values = {
                "category": category,
                "condition": one_of(ids, "context", CONDITIONS),
                "polarity": polarity,
                "origin": one_of(ids, "label_annotation", ORIGINS),
                "template": f"{category} {version[:-1]}",
                "label": label,
                "unknown": by_text[UNKNOWN],
                "biased": biased,
            }
            target = int(biased) if polarity == "negative" else sum(groups) - int(biased)
            texts = {"context": row.text("context"), "question": row.text("question")}
            yield self.item(name, texts, choices, values, group_called(choices[target]))

    def published(self, file: Path, items: Sequence[Item]) -> Iterator[Answer]:
        known = {item.id: item for item in items}
        for row in self.rows(file, ("sample_id", "prediction")):
            item = taken(known, row.text("sample_id"), row)
            given = str(row.values["prediction"]).strip()
            yield Answer(item, tuple(float(choice == given) for choice in item.choices))


def _choices(row: Row) -> tuple[str, ...]:
    """The three choices, which a table has as a list in Python's notation."""
    listed = list_in(row.values["choices"])
    if listed is None or len(set(listed)) != 3 or UNKNOWN not in listed:
        raise BvfError(f'{row.where}: "choices" is not a list of two groups and "{UNKNOWN}"', "leave it as published")
    return tuple(each.strip() for each in listed)
