"""Texts that somebody labelled with their class, in which the error of a reader is counted."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bvf import BvfError
from bvf.domain import ReadingError
from bvf.errors import nearest
from bvf.files import digest_of, read_rows
from bvf_texts.around import answer_in, plain


class Labelled(NamedTuple):
    """A text with its label, the name of a class or empty if it says none, and the group that it is about, if known."""

    text: str
    label: str
    group: str


class LabelledTexts:
    """The labelled texts of a table, which has the columns text, label and, if you like, group.

    Raises:
        BvfError: The file is no such table.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.each = tuple(_labelled_in(file))
        self.texts = [each.text for each in self.each]

    @property
    def digest(self) -> str:
        """The digest of texts, labels and groups."""
        return digest_of([*self.each])

    def check(self, classes: Sequence[str]) -> None:
        """Raise `BvfError` if a label is not one of the classes."""
        for each in self.each:
            if each.label and each.label not in classes:
                message = f'{self.file.name}: the label "{each.label}" is not a class'
                raise BvfError(message, f"{nearest(each.label, list(classes))}; leave it empty where a text has none")

    def error(self, read: Sequence[str], classes: Sequence[str]) -> ReadingError:
        """Return how often texts were read as which class, where ``read`` has the class of each; empty: none."""
        counts = {label: dict.fromkeys(classes, 0) for label in classes}
        groups, unread, of_none, added = dict[str, dict[str, list[int]]](), 0, 0, 0
        for each, found in zip(self.each, read, strict=True):
            if not each.label:
                of_none, added = of_none + 1, added + bool(found)
            elif not found:
                unread += 1
            else:
                counts[each.label][found] += 1
                if each.group:
                    of_label = groups.setdefault(each.group, {}).setdefault(each.label, [0, 0])
                    of_label[found == each.label] += 1
        by_group = {
            group: {label: (one, two) for label, (one, two) in groups[group].items()} for group in sorted(groups)
        }
        return ReadingError(counts=counts, unread=unread, without_class=of_none, added=added, by_group=by_group)


def _labelled_in(file: Path) -> Iterator[Labelled]:
    for row in read_rows(file):
        label, group = (str(row.values.get(column) or "").strip() for column in ("label", "group"))
        yield Labelled(plain(answer_in(row.text("text")).text), label, group)
