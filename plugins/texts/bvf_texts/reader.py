"""The interface of a reader, which turns a text that a model wrote into a class, or into a reason why not."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from bvf import Language
from bvf.domain import Attribute, ReadingError, is_found
from bvf.errors import ContractError
from bvf.files import digest_of
from bvf_texts.around import REFUSED, plain
from bvf_texts.kept import Readings, keep, kept_in
from bvf_texts.labelled import LabelledTexts


@dataclass(frozen=True)
class Unread:
    """A text that no class could be read from. ``why`` is a short phrase, the same for all texts of the kind."""

    why: str


Read = str | Unread
"""The name of a class, or why none could be read."""
TEMPLATE, GROUP = "template", "group"
"""The columns of a prompt that have what the text goes on from, and the group that is asked about."""
ReadText = Callable[[str], Read]
"""Reads one text."""


class Reader(ABC):
    """A way to read texts. Implement `reading`.

    A reader gets the answer in a text alone, without thoughts and the like, and none that refuses to answer.

    Attributes:
        names_first: It mostly reads the class of the first word of a class. Where a model says how probable such words
            were, shares come from that, and its readings correct them (`bvf_texts.stats.sums`).
        labelled: Labelled texts in which its error is counted, so that shares are corrected; None: there are none.
    """

    names_first: bool = False
    labelled: LabelledTexts | None = None

    def in_context(self, columns: Mapping[str, str]) -> "Reader":
        """Return the reader for the texts of one context, by what the context file says of it; the same by default.

        ``columns`` are those of the context, such as the order in which it offers options, its ``template``, and the
        ``group`` that is asked about. Readers that are equal read alike.
        """
        return self

    def prepare(  # noqa: B027, by default nothing
        self, texts: Sequence[str], classes: Sequence[Attribute], language: Language, folder: Path | None
    ) -> None:
        """Look at all texts before they are read one by one, for a reader that does so faster; nothing by default.

        ``folder`` is that of the measurement, where the reader may keep what it found; None: it has none.
        """

    def by(self, classes: Sequence[Attribute], language: Language) -> Mapping[str, Any]:
        """Return what the readings of a reader with a parameter depend on, but for its name: values of JSON."""
        return {"labelled": self.labelled.digest} if self.labelled else {}

    def remember(  # noqa: B027, by default nothing
        self, before: Readings, classes: Sequence[Attribute], language: Language
    ) -> None:
        """Take what a reader of the same name read before in these texts, where it depends on the same."""

    def error(self, classes: Sequence[Attribute], language: Language) -> ReadingError | None:
        """Return how often texts of each class are read as which one, if that is not counted in ``labelled``."""
        return None

    @abstractmethod
    def reading(self, classes: Sequence[Attribute], language: Language) -> ReadText:
        """Return the function that reads a text: the name of one of ``classes``, or an `Unread` with the reason.

        The function returns the same for the same text, whatever it read before.

        Args:
            classes: The classes Y with the words that count for each.
            language: The language that the prompts are in, with its longer words that mean no class.

        Raises:
            BvfError: The reader does not fit these classes.
        """


@dataclass(frozen=True)
class ChosenReader:
    """The reader of an analysis, the language of the texts, and what tells a refusal.

    Args:
        name: The value of ``--reader``.
        reader: The reader.
        language: The language of the prompts.
        refusals: Regular expressions of texts that refuse, of all installed languages.
        kept: The digest of what read before; empty: it reads now.
    """

    name: str
    reader: Reader
    language: Language
    refusals: tuple[str, ...]
    kept: str = ""

    def readings(self, classes: Sequence[Attribute], contexts: Sequence[Mapping[str, str]]) -> list[ReadText]:
        """Return the function that reads the texts of each context or prompt, or tells that they refuse.

        ``contexts`` are their columns. Those that are read alike have one function.
        """
        readers = [self.reader.in_context(columns) for columns in contexts]
        reading = {reader: self._reading(reader, classes) for reader in dict.fromkeys(readers)}
        return [reading[reader] for reader in readers]

    def prepare(self, texts: Iterable[str], classes: Sequence[Attribute], folder: Path | None) -> None:
        """Let the reader look at all answers that do not refuse, if it does so. What a file reads is kept."""
        keeps = None if self.kept or not self._has_parameter else folder
        if keeps is None and type(self.reader).prepare is Reader.prepare:
            return
        read = [written for text in dict.fromkeys(texts) if not self._refuses(written := plain(text))]
        before = [] if keeps is None else [each for each in kept_in(keeps) if each.by["reader"] == self._called]
        for each in before:
            self.reader.remember(each, classes, self.language)
        self.reader.prepare(read, classes, self.language, folder)
        if keeps is not None:
            digest, now = self.read_by(classes), self._readings(read, classes)
            keep(keeps, digest, now.with_those_of(each for each in before if digest_of(each.by) == digest))

    def read_by(self, classes: Sequence[Attribute]) -> str:
        """Return the digest of what read, for a reader with a parameter; empty: one that is installed."""
        return self.kept or (digest_of(self._by(classes)) if self._has_parameter else "")

    @property
    def _has_parameter(self) -> bool:
        by_text = self.reader.labelled is not None or type(self.reader).in_context is Reader.in_context
        return ":" in self.name and by_text

    def _by(self, classes: Sequence[Attribute]) -> dict[str, Any]:
        return {"reader": self._called, **self.reader.by(classes, self.language)}

    @property
    def _called(self) -> str:
        """What its readings are kept under: its name, without the file where that says what they depend on."""
        return self.name if type(self.reader).by is Reader.by else self.name.partition(":")[0]

    def _readings(self, texts: Sequence[str], classes: Sequence[Attribute]) -> Readings:
        read = self.reader.reading(classes, self.language)
        labelled = self.reader.labelled.texts if self.reader.labelled else ()
        found = {text: read(text) for text in dict.fromkeys([*texts, *labelled])}
        return Readings(
            reader=self.name,
            by=self._by(classes),
            read={text: each for text, each in found.items() if isinstance(each, str)},
            unread={text: each.why for text, each in found.items() if isinstance(each, Unread)},
            error=self.error(classes),
            names_first=self.reader.names_first,
        )

    def error(self, classes: Sequence[Attribute]) -> ReadingError | None:
        """Return the error of the reader; None: it was not measured."""
        labelled = self.reader.labelled
        if labelled is None:
            return self.reader.error(classes, self.language)
        read = map(self._reading(self.reader, classes), labelled.texts)
        return labelled.error([each if isinstance(each, str) else "" for each in read], [each.name for each in classes])

    @cached_property
    def _refuses(self) -> Callable[[str], bool]:
        """Whether a text refuses. Each is searched once: it is read again for every analysis of it."""
        joined = "|".join(f"(?:{each})" for each in self.refusals)
        return cache(lambda written: bool(joined) and is_found(f"(?is){joined}", written, "a refusal"))

    def _reading(self, reader: Reader, classes: Sequence[Attribute]) -> ReadText:
        names = [each.name for each in classes]
        if reader.labelled:
            reader.labelled.check(names)
        read = reader.reading(classes, self.language)

        @cache
        def read_text(text: str) -> Read:
            written = plain(text)
            if self._refuses(written):
                return Unread(REFUSED)
            found: object = read(written)
            if isinstance(found, Unread) or (isinstance(found, str) and found in names):
                return found
            raise ContractError(
                f"reader {self.name}: it read {found!r:.60}, which is not a class",
                f"the classes are {', '.join(sorted(names))}",
            )

        return read_text
