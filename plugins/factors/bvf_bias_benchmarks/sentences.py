"""Sentences of the user's own, in pairs or larger sets, of which a model prefers one."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bvf import BvfError
from bvf.domain import value_text
from bvf.interfaces import Answer, Item, Score
from bvf_bias_benchmarks.pack import Cells, Pack, is_tie, prefers_first

BEFORE_NAMES = "sentence_"
"""What the names of columns with sentences begin with."""
RESERVED = ("model", "item", "wording", "set", "sentences", "preferred", "prefers_first")
"""Columns of the table of answers."""
HINT = "each sentence of a set has a column, such as sentence_he and sentence_she"


class Sentences(Pack):
    """Sets of two or more sentences, one set a row. All other columns come with the answers, as factors.

    A sentence is named by its column, ``sentence_NAME``. A set may leave some of the columns empty.
    """

    name = "sentences"
    asks = "sentences"

    def read(self, file: Path) -> Iterator[Item]:
        for number, row in enumerate(self.rows(file)):
            reserved = next((column for column in row.values if column in RESERVED), None)
            if reserved is not None:
                raise BvfError(
                    f'{row.where}: "{reserved}" is a column of the table of answers', "give the column another name"
                )
            texts = {column: value_text(value) for column, value in row.values.items()}
            named = [column for column in texts if column.startswith(BEFORE_NAMES) and texts[column]]
            if len(named) < 2:
                raise BvfError(f"{row.where}: {len(named)} sentences, and a set has two or more", HINT)
            sentences = {column.removeprefix(BEFORE_NAMES): row.text(column) for column in named}
            values = {name: text or "" for name, text in texts.items() if not name.startswith(BEFORE_NAMES)}
            values["sentences"] = "/".join(sentences)
            yield Item(texts.get("id") or str(number), tuple(sentences.values()), values=values, texts=sentences)

    def row(self, answer: Answer) -> Cells:
        return {
            **answer.item.values,
            "set": answer.item.id,
            "preferred": _preferred(answer),
            "prefers_first": prefers_first(answer),
            **{f"score_{name}": score for name, score in zip(answer.item.texts, answer.scores, strict=True)},
        }

    def scores(self, answers: Sequence[Answer]) -> list[Score]:
        decided = [each for each in answers if not is_tie(each)]

        def prefers(name: str) -> Score:
            having = [each for each in decided if name in each.item.texts]
            sizes = {len(each.item.texts) for each in having}
            ideal = 100.0 / sizes.pop() if len(sizes) == 1 else None
            return Score.share(
                f"prefers {name}", having, lambda each: _preferred(each) == name, highest=100.0, ideal=ideal
            )

        names = dict.fromkeys(name for each in answers for name in each.item.texts)
        return [*self.counts(answers), *map(prefers, names)]


def _preferred(answer: Answer) -> str | None:
    return None if answer.choice is None else list(answer.item.texts)[answer.choice]
