"""Checks of readers, which turn texts into classes."""

from collections.abc import Sequence

from bvf_texts.reader import ReadText, Unread

from bvf import BvfError, Language, Prompt, Reader, Template
from bvf.domain import BETWEEN, OPTIONS, Attribute
from bvf_testing.check import Check, checks_of, require

CLASSES = (Attribute(name="male", words=("he", "his")), Attribute(name="female", words=("she", "her")))
PLAIN_TEXTS = (" he was late.", " She said so.", " her work", "He or she", "他")
ODD_TEXTS = ("", "\n\n", "…", "a" * 20_000, "\x00 \U0001f600")


class _Plain(Language):
    """A language without rules of its own."""

    code, default_topic, default_model = "en", "", ""

    def render(self, template: Template, group: str) -> Prompt:
        raise NotImplementedError


def reader_checks(
    reader: Reader,
    classes: Sequence[Attribute] = CLASSES,
    language: Language | None = None,
    labelled: Sequence[tuple[str, str]] = (),
) -> list[Check]:
    """Return the checks of a reader.

    From any text it reads a class or an `Unread` with a short reason, the same each time, and whatever it read before;
    the order of the classes changes nothing; and what it reads from ``labelled`` texts is the label.

    A reader that goes by the context gets one that offers the classes as options, in their order.

    Args:
        reader: The reader.
        classes: Two or more classes with words that it takes; default: two English ones.
        language: The language of the texts; default: one without rules.
        labelled: Texts, each with the name of the class that is to be read, or an empty one if none is.
    """
    in_context = reader.in_context({OPTIONS: BETWEEN.join(each.name for each in classes)})
    given = (in_context, tuple(classes), language or _Plain())
    checks = checks_of(READER_CHECKS, *given)
    return [*checks, *(checks_of([labels_are_read], *given, tuple(labelled)) if labelled else [])]


def _all_texts(classes: Sequence[Attribute]) -> list[str]:
    return [*PLAIN_TEXTS, *ODD_TEXTS, *(f" {word}." for each in classes for word in each.words)]


def _reading(reader: Reader, classes: Sequence[Attribute], language: Language) -> ReadText:
    try:
        return reader.reading(classes, language)
    except BvfError as error:
        names = ", ".join(each.name for each in classes)
        raise AssertionError(
            f"it refuses the classes {names}: {error}; give the check classes that it takes"
        ) from error


def any_text_is_read(reader: Reader, classes: Sequence[Attribute], language: Language) -> None:
    """Every text gives the name of a class or an `Unread`, whose reason is a short phrase in one line."""
    read, names = _reading(reader, classes, language), {each.name for each in classes}
    for text in _all_texts(classes):
        found = read(text)
        if isinstance(found, Unread):
            one_line = isinstance(found.why, str) and found.why == " ".join(found.why.split()) and found.why
            require(one_line, f"the reason {found.why!r} is not a phrase in one line")
        else:
            require(found in names, f"from {text!r:.40} it reads {found!r}, which is neither a class nor an Unread")


def it_forgets_what_it_read(reader: Reader, classes: Sequence[Attribute], language: Language) -> None:
    """The same text gives the same, whatever was read before."""
    read, texts = _reading(reader, classes, language), _all_texts(classes)
    first = [read(text) for text in texts]
    again = [read(text) for text in texts[::-1]][::-1]
    fresh = [_reading(reader, classes, language)(text) for text in texts]
    for text, one, *others in zip(texts, first, again, fresh, strict=True):
        require(all(one == each for each in others), f"from {text!r:.40} it reads {one}, and then {others}")


def the_order_of_classes_does_not_matter(reader: Reader, classes: Sequence[Attribute], language: Language) -> None:
    """With the classes in another order it reads the same."""
    read, other = _reading(reader, classes, language), _reading(reader, classes[::-1], language)
    for text in _all_texts(classes):
        require(read(text) == other(text), f"from {text!r:.40} it reads {read(text)}, or by their order {other(text)}")


def labels_are_read(
    reader: Reader, classes: Sequence[Attribute], language: Language, labelled: Sequence[tuple[str, str]]
) -> None:
    """What is read from labelled texts is the label."""
    read = _reading(reader, classes, language)
    for text, label in labelled:
        found = read(text)
        name = "" if isinstance(found, Unread) else found
        require(name == label, f"from {text!r:.60} it reads {name or 'no class'}, and the label is {label or 'none'}")


READER_CHECKS = (any_text_is_read, it_forgets_what_it_read, the_order_of_classes_does_not_matter)
