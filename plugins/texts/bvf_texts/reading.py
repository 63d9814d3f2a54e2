"""What was read in the texts that a model wrote: a class, a refusal, or nothing, and why."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from bvf import BvfError, Language, Measurement
from bvf.domain import Asked, Attribute, ReadingError, TextsRead, check_expression
from bvf.errors import ContractError
from bvf.hooks import Plugins
from bvf.stats import FloatArray
from bvf.study import AnswerKind
from bvf_texts.answers import Read, TextArray, Written
from bvf_texts.reader import REFUSED, ChosenReader, Reader, ReadText, Unread
from bvf_texts.reader import Read as ReadResult
from bvf_texts.stats.sums import vectors_of_texts

FEWEST_PER_CLASS = 10
"""The fewest labelled texts of a class."""
LETTER = r"[^\W\u2e80-\u9fff]"
"""A letter that goes on with a word; Chinese writes words without spaces."""
MOST_OTHERWISE = 0.2
"""Texts are counted if the reader reads more of them, of those that name a class, otherwise than their first word."""
WEAKEST = 0.1
"""The smallest singular value of M at which shares are corrected: below it, their noise grows tenfold."""


def chosen_reader(name: str, asked: Asked, plugins: Plugins) -> ChosenReader:
    """Return the reader called ``name``, or the default one.

    Raises:
        BvfError: There is no such reader, or it does not fit the classes.
    """
    named = name or plugins.readers.choose("", ()).provider.name
    language: Language = plugins.languages.find(asked.language).make()
    reader = plugins.readers.make(named)
    if not isinstance(reader, Reader):
        raise ContractError(f"reader {named}: its plugin made a {type(reader).__name__}, not a bvf.Reader")
    chosen = ChosenReader(named, reader, language, refusals_of(plugins))
    chosen.readings(asked.attributes, [each.columns for each in asked.in_order])
    return chosen


def refusals_of(plugins: Plugins) -> tuple[str, ...]:
    """Return the expressions of all installed languages: a model may refuse in another one than it is asked in."""
    expressions = list[str]()
    for entry in plugins.languages:
        language: Language = entry.make()
        for each in language.refusals():
            try:
                check_expression(each)
            except ValueError as error:
                raise ContractError(f"language {language.code}: refusals: {error}") from error
            expressions.append(each)
    return tuple(dict.fromkeys(expressions))


def as_read(measurement: Measurement, reader: ChosenReader | None, words: Mapping[str, tuple[str, ...]]) -> Measurement:
    """Return a measurement whose p(y | x, c) are the shares of classes among the texts that were read.

    ``words`` are the words of each class that count; classes without an entry keep all. A measurement without texts is
    returned unchanged, and so is one that was read already.

    Raises:
        BvfError: A word was not asked for, or nothing could be read in any text.
    """
    written = measurement.answers
    if not isinstance(written, Written):
        return measurement
    if reader is None:
        raise ContractError("texts are analysed without a reader", "bvf_texts.reading.chosen_reader returns one")
    record = measurement.record
    asked = record.asked.with_words(words)
    reader.prepare(chain.from_iterable(written.texts.ravel().tolist()), asked.attributes, measurement.folder)
    readings = reader.readings(asked.attributes, [each.columns for each in asked.in_order])
    found, told = _read(written.texts, readings, asked.classes)
    counts = found.sum(axis=2)
    hits = counts.sum(axis=2)
    if not hits.any():
        raise BvfError(
            f"{measurement.folder or record.model.name}: the reader {reader.name} reads no class in any text: "
            f"{told.described}",
            "look at the texts, or read them by another: bvf analyse DIR --reader NAME, see bvf readers",
        )
    error = reader.error(asked.attributes)
    if error is not None:
        refuse_weak(error, reader.name)
        told = told.model_copy(update={"error": error})
    vectors = None
    with np.errstate(invalid="ignore"):
        shares: FloatArray = counts / hits[..., np.newaxis]
    rule, _ = _read(written.texts, [_first_named(asked.attributes)] * found.shape[1], asked.classes)
    otherwise = (found != rule).any(axis=3).sum() / (found + rule).any(axis=3).sum()
    known = asked is record.asked and asked.samples > 1 and not np.isnan(written.owed).any()
    if known and reader.reader.names_first and otherwise <= MOST_OTHERWISE:
        vectors = vectors_of_texts(rule, written.owed, found, asked.context_weights)
        both = np.einsum("pxcky,c->yp", (rule + written.owed, found - rule), asked.context_weights)
        parts = dict(zip(asked.classes, map(tuple, (both / rule[:, 0, :, 0].size).tolist()), strict=True))
        shares, told = vectors[:, :, :-1].mean(axis=2), told.model_copy(update={"expected": parts})
    weights = np.tile(asked.context_weights / len(hits), len(hits))
    mass = AnswerKind.candidate_mass((hits / asked.samples).ravel(), weights, asked.in_order * len(hits))
    check = record.check.model_copy(update={"candidate_mass": mass})
    return replace(
        measurement,
        record=record.model_copy(update={"asked": asked, "check": check}),
        probabilities=shares,
        answers=Read(hits.astype(np.float64), told, vectors=vectors),
    )


def refuse_weak(error: ReadingError, name: str) -> None:
    """Raise `BvfError` if a reader's error was counted in too few texts, or is too large to be corrected."""
    fewest = min(error.counts, key=lambda label: sum(error.counts[label].values()))
    number = sum(error.counts[fewest].values())
    if number < FEWEST_PER_CLASS:
        message = f"--reader {name}: {number} labelled texts of {fewest} were read as a class"
        raise BvfError(message, f"label {FEWEST_PER_CLASS} of each class or more")
    if np.linalg.svd(np.array(error.rates), compute_uv=False).min() < WEAKEST:
        raise BvfError(
            f"--reader {name}: it reads hardly better than chance: {error.described}",
            "another question, or another model, may tell the classes apart",
        )


def _read(written: TextArray, readings: Sequence[ReadText], classes: tuple[str, ...]) -> tuple[FloatArray, TextsRead]:
    """Which class was read in each text of each prompt, 0 or 1, shape (X, C, K, Y), and what was read in all.

    ``readings`` read the texts of each context, length C.
    """
    place = {name: y for y, name in enumerate(classes)}
    each = np.zeros((*written.shape, max(len(texts) for texts in written.ravel()), len(classes)))
    refused, unread, known = 0, Counter[str](), dict[tuple[ReadText, str], ReadResult]()
    for prompt, texts in np.ndenumerate(written):
        read = readings[prompt[1]]
        for k, text in enumerate(texts):
            if (read, text) not in known:
                known[read, text] = read(text)
            found = known[read, text]
            if isinstance(found, str):
                each[(*prompt, k, place[found])] = 1.0
            elif found.why == REFUSED:
                refused += 1
            else:
                unread[found.why] += 1
    number = int(each.sum())
    of_all = number + refused + unread.total()
    return each, TextsRead(written=of_all, read=number, refused=refused, unread=dict(sorted(unread.items())))


def _first_named(attributes: Sequence[Attribute]) -> ReadText:
    """Return what reads the class of the first word of any class in a text, whatever the text says of it."""
    class_of = {word.lower(): each.name for each in attributes for word in each.words}
    longest_first = "|".join(map(re.escape, sorted(class_of, key=len, reverse=True)))
    first = re.compile(f"(?<!{LETTER})(?:{longest_first})(?!{LETTER})", re.IGNORECASE)
    return lambda text: class_of[found[0].lower()] if (found := first.search(text)) else Unread("")
