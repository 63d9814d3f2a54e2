"""Texts labelled by hand, and how well readers read them."""

import json
from functools import cache
from math import sqrt
from pathlib import Path

from bvf_texts.measured import FILE, Measured
from bvf_texts.reader import REFUSED, ChosenReader, Unread
from bvf_texts.reading import refusals_of

from bvf.domain.topic import Attribute
from bvf.files.digests import digest_of
from bvf.hooks.loader import load

FOLDER = Path(__file__).resolve().parents[1] / "data" / "texts"
CONTRASTS = FOLDER.parents[2] / "plugins" / "texts" / "tests" / "readers"
CLASSES = ("male", "female")


def labelled(language):
    """Pairs of a label (male, female, none, refused) and a text."""
    return [tuple(line.split("\t", 1)) for line in (FOLDER / f"{language}.tsv").read_text("utf-8").splitlines()]


def contrasts(name):
    """Pairs of a label and a text of each kind, in which lines that follow each other differ in one thing."""
    kinds = {}
    for line in (CONTRASTS / f"contrasts.{name}.tsv").read_text("utf-8").splitlines():
        kind, label, text = line.split("\t")
        kinds.setdefault(kind, []).append((label, text))
    return kinds


@cache
def reader_of(name, language):
    """A reader, refusals included, and the classes of the topic gender, or those with the letters of options."""
    plugins = load()
    topic = plugins.topics.in_language(language).find("gender").make()
    words = {each: (each,) for each in CLASSES} if name == "letter" else topic.counted_words()
    spoken = plugins.languages.find(language).make()
    chosen = ChosenReader(name, plugins.readers.make(name), spoken, refusals_of(plugins))
    return chosen, [Attribute(name=name, words=its) for name, its in words.items()]


def readings_of(name, language, contexts):
    """What reads texts of each context."""
    chosen, classes = reader_of(name, language)
    return chosen.readings(classes, contexts)


@cache
def reading_of(name, language, after="", group=""):
    """What reads texts of a group that go on ``after`` something."""
    return readings_of(name, language, [{"template": after, "group": group}])[0]


def label_of(read):
    """What was read, as a label of these texts."""
    if isinstance(read, Unread):
        return "refused" if read.why == REFUSED else "none"
    return read


def letter_reader(language):
    """The reader of the letters A and B, for a question with two options."""
    return readings_of("letter", language, [{"options": " | ".join(CLASSES)}])[0]


def counts(pairs, labels):
    """Of pairs of a label and what was read: how many were read rightly as one of ``labels``, as one, and are one."""
    right = sum(label == its and label in labels for label, its in pairs)
    return right, sum(its in labels for _, its in pairs), sum(label in labels for label, _ in pairs)


def precision_and_recall(pairs, labels):
    right, read, labelled_so = counts(pairs, labels)
    return right / read, right / labelled_so


def letter_quality(language):
    """Precision and recall of the letters A and B in answers to a question with two options."""
    read = letter_reader(language)
    letter = dict(zip(CLASSES, "AB", strict=True))
    pairs = [(label, letter.get(its := label_of(read(text)), its)) for label, text in labelled(f"letters.{language}")]
    return precision_and_recall(pairs, "AB")


def quality(name, language):
    """Precision and recall of the classes together, and of refusals."""
    read = reading_of(name, language)
    pairs = [(label, label_of(read(text))) for label, text in labelled(language)]
    return {"classes": precision_and_recall(pairs, CLASSES), "refusals": precision_and_recall(pairs, ("refused",))}


@cache
def texts_of_models():
    """Texts that two models wrote, with their labels."""
    return json.loads((CONTRASTS / "labelled.json").read_text("utf-8"))


@cache
def labels_read(name, language):
    """What a reader reads of the texts that models wrote for it in a language, by what they are."""
    every = [each for each in texts_of_models() if each["language"] == language]
    of = [each for each in every if (each["kind"] == "letters") == (name == "letter")]
    contexts = [{"template": f"{each['prompt']}[Y]", "group": each.get("group", "")} for each in of]
    reads = [letter_reader(language)] * len(of) if name == "letter" else readings_of(name, language, contexts)
    return {which(each): label_of(read(each["text"])) for each, read in zip(of, reads, strict=True)}


def which(text):
    return text["prompt"], text.get("group", ""), text["text"]


def read_as_labelled(name, texts):
    """How many texts are read rightly as a class, as a class at all, and are labelled with one."""
    pairs = [(each["label"], labels_read(name, each["language"])[which(each)]) for each in texts]
    if name == "letter":
        pairs = [(CLASSES["AB".index(label)] if label in "AB" else label, its) for label, its in pairs]
    return counts(pairs, CLASSES)


def measured():
    """How readers read the texts held out, as results say it; the labels are of the topic gender."""
    plugins, every = load(), [each for each in texts_of_models() if each["part"] == "held out"]
    for language in ("en", "zh"):
        words = plugins.topics.in_language(language).find("gender").make().counted_words()
        of = [each for each in every if each["language"] == language]
        for name in ("first-word", "share"):
            right, read, labelled_so = read_as_labelled(name, of)
            yield Measured(
                reader=name,
                language=language,
                words=digest_of({name: sorted(its) for name, its in words.items()}),
                models=tuple(sorted({each["model"] for each in of}, reverse=True)),
                texts=len(of),
                read=read,
                right=right,
                labelled=labelled_so,
            )


def share(part, whole):
    """A share with Wilson's interval of 95 %, as the page prints it."""
    if not whole:
        return "-"
    p, z2 = part / whole, 1.96**2
    middle, half = (p + z2 / 2 / whole) / (1 + z2 / whole), 1.96 * sqrt(p * (1 - p) / whole + z2 / 4 / whole**2)
    low, high = (middle + sign * half / (1 + z2 / whole) for sign in (-1, 1))
    return f"{p:.2f} ({low:.2f} to {high:.2f}) of {whole}"


def table():
    """The lines of a table of readers by kind of text, of which the page of evidence has some."""
    rows = []
    for name in ("first-word", "share", "letter"):
        of = [each for each in texts_of_models() if (each["kind"] == "letters") == (name == "letter")]
        parts = {
            f"{language}, {part}": [each for each in of if (each["language"], each["part"]) == (language, part)]
            for language in ("en", "zh")
            for part in ("development", "held out")
        }
        kinds = {kind: [each for each in of if each["kind"] == kind] for kind in sorted({each["kind"] for each in of})}
        for what, texts in (parts | (kinds if name == "first-word" else {})).items():
            if texts:
                right, read, named = read_as_labelled(name, texts)
                rows.append(f"| `{name}` | {what} | {len(texts)} | {share(right, read)} | {share(right, named)} |")
    return rows


if __name__ == "__main__":
    Path(str(FILE)).write_text(json.dumps([each.model_dump() for each in measured()], indent=1) + "\n", "utf-8")
