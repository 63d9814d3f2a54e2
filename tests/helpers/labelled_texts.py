"""Texts labelled by hand, and how well readers read them."""

from pathlib import Path

from bvf_texts.reader import REFUSED, ChosenReader, Unread
from bvf_texts.readers.by_letter import Letter
from bvf_texts.reading import refusals_of

from bvf.domain.topic import Attribute
from bvf.hooks.loader import load

FOLDER = Path(__file__).resolve().parents[1] / "data" / "texts"
CONTRASTS = FOLDER.parents[2] / "plugins" / "texts" / "tests" / "readers"
CLASSES = ("male", "female")


def labelled(language):
    """Pairs of a label (male, female, none, refused) and a text."""
    lines = (FOLDER / f"{language}.tsv").read_text("utf-8").splitlines()
    return [tuple(line.split("\t", 1)) for line in lines]


def contrasts(name):
    """Pairs of a label and a text of each kind, in which lines that follow each other differ in one thing."""
    kinds = {}
    for line in (CONTRASTS / f"contrasts.{name}.tsv").read_text("utf-8").splitlines():
        kind, label, text = line.split("\t")
        kinds.setdefault(kind, []).append((label, text))
    return kinds


def reading_of(name, language, reader=None):
    """The reader called ``name`` for the topic gender of a language, refusals included."""
    plugins = load()
    topic = plugins.topics.in_language(language).find("gender").make()
    spoken = plugins.languages.find(language).make()
    chosen = ChosenReader(name, reader or plugins.readers.make(name), spoken, refusals_of(plugins))
    classes = [Attribute(name=name, words=words) for name, words in topic.counted_words().items()]
    return chosen.readings(classes, [{}])[0]


def label_of(read):
    """What was read, as a label of these texts."""
    if isinstance(read, Unread):
        return "refused" if read.why == REFUSED else "none"
    return read


def letter_quality(language):
    """Precision and recall of the letters A and B in answers to a question with two options."""
    plugins = load()
    spoken = plugins.languages.find(language).make()
    chosen = ChosenReader("letter", Letter(), spoken, refusals_of(plugins))
    classes = [Attribute(name=name, words=(name,)) for name in CLASSES]
    (read,) = chosen.readings(classes, [{"options": " | ".join(CLASSES)}])
    letter = dict(zip(CLASSES, "AB", strict=True))
    pairs = [(label, letter.get(its := label_of(read(text)), its)) for label, text in labelled(f"letters.{language}")]
    right = sum(label == its and label in "AB" for label, its in pairs)
    return right / sum(its in "AB" for _, its in pairs), right / sum(label in "AB" for label, _ in pairs)


def quality(name, language):
    """Precision and recall of the classes together, and of refusals."""
    read = reading_of(name, language)
    pairs = [(label, label_of(read(text))) for label, text in labelled(language)]
    found = {}
    for what, labels in (("classes", CLASSES), ("refusals", ("refused",))):
        right = sum(label == its and label in labels for label, its in pairs)
        found[what] = (
            right / sum(its in labels for _, its in pairs),
            right / sum(label in labels for label, _ in pairs),
        )
    return found
