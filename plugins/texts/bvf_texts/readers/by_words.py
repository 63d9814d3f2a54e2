"""Readers by the words of the classes: the class of the first one, or the class with most of them."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bvf import Language
from bvf.domain import Attribute
from bvf_texts.labelled import LabelledTexts
from bvf_texts.reader import Read, Reader, ReadText, Unread
from bvf_texts.readers.words_in import OF_NO_CLASS, finder


class ByWords(Reader):
    """A reader by words; ``NAME:FILE`` names a table of labelled texts, in which its error is counted."""

    def __init__(self, file: str | None = None) -> None:
        self.labelled = None if file is None else LabelledTexts(Path(file))


class FirstWord(ByWords):
    """The class of the first word of a class in the text: for gender, the first pronoun or noun that has one."""

    names_first = True

    def reading(self, classes: Sequence[Attribute], language: Language) -> ReadText:
        find = finder(classes, language)

        def read(text: str) -> Read:
            found = find(text)
            return found[0] if found else Unread(OF_NO_CLASS)

        return read


class MostWords(ByWords):
    """The class that has most words in the text. With as many words of two classes none is read."""

    def reading(self, classes: Sequence[Attribute], language: Language) -> ReadText:
        find = finder(classes, language)

        def read(text: str) -> Read:
            most = Counter(find(text)).most_common(2)
            if not most:
                return Unread(OF_NO_CLASS)
            if len(most) > 1 and most[0][1] == most[1][1]:
                return Unread("as many words of two classes")
            return most[0][0]

        return read
