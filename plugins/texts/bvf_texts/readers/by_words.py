"""Readers by the words of the classes: the class of the first one, or the class with most of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bvf import Language
from bvf.domain import Attribute
from bvf_texts.labelled import LabelledTexts
from bvf_texts.reader import GROUP, TEMPLATE, Read, Reader, ReadText, Unread
from bvf_texts.readers.words_in import OF_NO_CLASS, Prompt, finder


@dataclass(frozen=True)
class _ByWords(Reader):
    """Reads words of classes in texts that go on from a prompt."""

    labelled: LabelledTexts | None = None
    prompt: Prompt = Prompt()

    @classmethod
    def of(cls, file: str | None = None) -> Self:
        """Return ``NAME`` or ``NAME:FILE``, which names a table of labelled texts, in which its error is counted."""
        return cls(None if file is None else LabelledTexts(Path(file)))

    def in_context(self, columns: Mapping[str, str]) -> Self:
        """Return the reader for texts that go on from what a context says; labelled texts are read without it."""
        prompt = Prompt.of(columns.get(TEMPLATE, ""), columns.get(GROUP, ""))
        return self if self.labelled else type(self)(prompt=prompt)


class FirstWord(_ByWords):
    """The class of the first word of a class in the text: for gender, the first pronoun or noun that has one."""

    names_first = True

    def reading(self, classes: Sequence[Attribute], language: Language) -> ReadText:
        find = finder(classes, language, self.prompt)

        def read(text: str) -> Read:
            found = find(text)
            return found[0] if found else Unread(OF_NO_CLASS)

        return read


class MostWords(_ByWords):
    """The class that has most words in the text. With as many words of two classes none is read."""

    def reading(self, classes: Sequence[Attribute], language: Language) -> ReadText:
        find = finder(classes, language, self.prompt)

        def read(text: str) -> Read:
            most = Counter(find(text)).most_common(2)
            if not most:
                return Unread(OF_NO_CLASS)
            if len(most) > 1 and most[0][1] == most[1][1]:
                return Unread("as many words of two classes")
            return most[0][0]

        return read
