"""Readers by the words of the classes: the class of the first one, or the class with most of them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bvf import Language
from bvf.domain import Attribute
from bvf_texts.labelled import LabelledTexts
from bvf_texts.reader import GROUP, TEMPLATE, Read, Reader, ReadText, Unread
from bvf_texts.readers.words_in import OF_NO_CLASS, finder

SENTENCE_ENDS = re.compile(r"(?<!Dr)(?<!Mr)(?<!Mrs)(?<!Ms)[.]|[!?:\n\u3002\uff01\uff1f]")


@dataclass(frozen=True)
class FirstWord(Reader):
    """The class of the first word of a class in the text: for gender, the first pronoun or noun that has one."""

    labelled: LabelledTexts | None = None
    after: str = ""
    group: str = ""
    names_first = True

    @classmethod
    def of(cls, file: str | None = None) -> Self:
        """Return ``NAME`` or ``NAME:FILE``, which names a table of labelled texts, in which its error is counted."""
        return cls(None if file is None else LabelledTexts(Path(file)))

    def in_context(self, columns: Mapping[str, str]) -> Self:
        """Return the reader for texts that go on from what a context says; labelled texts are read without it."""
        after = SENTENCE_ENDS.split(columns.get(TEMPLATE, "").partition("[Y]")[0])[-1].rstrip()
        return self if self.labelled else type(self)(after=after, group=columns.get(GROUP, ""))

    def reading(self, classes: Sequence[Attribute], language: Language) -> ReadText:
        find = finder(classes, language, self.after, self.group)

        def read(text: str) -> Read:
            return self._of(find(text))

        return read

    def _of(self, found: Sequence[str]) -> Read:
        """The class that is read where words of these classes were found, in their order."""
        return found[0] if found else Unread(OF_NO_CLASS)


class MostWords(FirstWord):
    """The class that has most words in the text. With as many words of two classes none is read."""

    names_first = False

    def _of(self, found: Sequence[str]) -> Read:
        most = Counter(found).most_common(2)
        if len(most) > 1 and most[0][1] == most[1][1]:
            return Unread("as many words of two classes")
        return most[0][0] if most else Unread(OF_NO_CLASS)
