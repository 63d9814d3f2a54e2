"""What was read in the texts that a model wrote: a class, a refusal, or nothing, and why."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from bvf import BvfError, Language, Measurement
from bvf.domain import Asked, ReadingError, TextsRead, check_expression
from bvf.errors import ContractError
from bvf.hooks import Plugins
from bvf.stats import FloatArray
from bvf.study import AnswerKind
from bvf_texts.answers import Read, TextArray, Written
from bvf_texts.around import CUT, FILTERED, REFUSED, answers_in, without_prompt
from bvf_texts.reader import GROUP, TEMPLATE, ChosenReader, Reader, ReadText, Unread
from bvf_texts.readers.as_kept import AsKept
from bvf_texts.stats.sums import vectors_of_texts

FEWEST_PER_CLASS = 10
"""The fewest labelled texts of a class."""
LETTER = r"[^\W\u2e80-\u9fff]"
"""A letter that goes on with a word; Chinese writes words without spaces."""
MOST_OTHERWISE = 0.25
"""Texts are counted if the reader reads more of them, of those that name a class, otherwise than their first word."""
WEAKEST = 0.1
"""The smallest singular value of M at which shares are corrected: below it, their noise grows tenfold."""


def chosen_reader(name: str, asked: Asked, plugins: Plugins) -> ChosenReader:
    """Return the reader called ``name``, or the default one.

    Raises:
        BvfError: There is no such reader, or it does not fit the classes.
    """
    named = name or plugins.readers.name_of(plugins.readers.choose("", ()))
    language: Language = plugins.languages.find(asked.language).make()
    reader = plugins.readers.make(named)
    if not isinstance(reader, Reader):
        raise ContractError(f"reader {named}: its plugin made a {type(reader).__name__}, not a bvf.Reader")
    shown, kept = (reader.named, reader.digest) if isinstance(reader, AsKept) else (named, "")
    chosen = ChosenReader(shown, reader, language, refusals_of(plugins), kept)
    chosen.readings(asked.attributes, _columns(asked))
    return chosen


def refusals_of(plugins: Plugins) -> tuple[str, ...]:
    """Return the expressions of all installed languages: a model may refuse in another one than it is asked in."""
    expressions = list[str]()
    for _, language in plugins.languages.made():
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
    answers = _answers(written.texts, asked, reader.language)
    every = chain.from_iterable(answers.ravel().tolist())
    reader.prepare((each.text for each in every if not each.why), asked.attributes, measurement.folder)
    found, told = _read(answers, reader.readings(asked.attributes, _columns(asked)), asked)
    counts = found.sum(axis=2)
    hits = counts.sum(axis=2)
    if not hits.any():
        hint = "look at the texts, or read them by another: bvf analyse DIR --reader NAME, see bvf readers"
        if 2 * told.filtered > told.written:
            hint = "its server filters these prompts: ask other contexts or groups, or another server"
        raise BvfError(
            f"{measurement.folder or record.model.name}: the reader {reader.name} reads no class in any text: "
            f"{told.described}",
            hint,
        )
    error = reader.error(asked.attributes)
    if error is not None:
        refuse_weak(error, reader.name)
        told = told.model_copy(update={"error": error})
    told = told.model_copy(update={"read_by": reader.read_by(asked.attributes)})
    vectors = None
    with np.errstate(invalid="ignore"):
        shares: FloatArray = counts / hits[..., np.newaxis]
    known = asked is record.asked and asked.samples > 1 and bool(np.isfinite(written.owed).all())
    rule = _named_first(written.texts, asked) if known and reader.reader.names_first else None
    if rule is not None and (found != rule).any(axis=3).sum() <= MOST_OTHERWISE * (found + rule).any(axis=3).sum():
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


def _columns(asked: Asked) -> list[dict[str, str]]:
    """The columns of each prompt, length X * C."""
    return [{**each.columns, TEMPLATE: each.template, GROUP: x.name} for x in asked.groups for each in asked.in_order]


def _answers(written: TextArray, asked: Asked, language: Language) -> NDArray[np.object_]:
    """The answers in the texts of each prompt, shape (X, C): tuples of `Answer`, without what repeats the prompt."""
    found, answers = answers_in(chain.from_iterable(written.ravel().tolist())), np.empty_like(written)
    for (x, c), texts in np.ndenumerate(written):
        group = asked.groups[x]
        left = language.agree(asked.in_order[c].context, group.name, group.features).left
        answers[x, c] = tuple(found[each]._replace(text=without_prompt(found[each].text, left)) for each in texts)
    return answers


def _read(answers: NDArray[np.object_], readings: Sequence[ReadText], asked: Asked) -> tuple[FloatArray, TextsRead]:
    """Which class was read in each answer to each prompt, 0 or 1, shape (X, C, K, Y), and what was read in all.

    ``readings`` read the answers to each prompt, length X * C.
    """
    place = {name: y for y, name in enumerate(asked.classes)}
    each = np.zeros((*answers.shape, asked.samples, len(asked.classes)))
    unread, thoughts = Counter[str](), 0
    for read, (prompt, of_prompt) in zip(readings, np.ndenumerate(answers), strict=True):
        for k, answer in enumerate(of_prompt):
            thoughts += bool(answer.thought.strip())
            found = Unread(answer.why) if answer.why else read(answer.text)
            if isinstance(found, str):
                each[(*prompt, k, place[found])] = 1.0
            else:
                unread[found.why] += 1
    number = int(each.sum())
    kept = {name: unread.pop(why, 0) for name, why in (("refused", REFUSED), ("filtered", FILTERED), ("cut", CUT))}
    of_all = number + sum(kept.values()) + unread.total()
    told = TextsRead(written=of_all, read=number, **kept, unread=dict(sorted(unread.items())), thoughts=thoughts)
    return each, told


def _named_first(written: TextArray, asked: Asked) -> FloatArray:
    """Whether each class is that of the first word of any class in each text, whatever the text says of it, 0 or 1.

    Shape (X, C, K, Y).
    """
    class_of = {word.lower(): y for y, each in enumerate(asked.attributes) for word in each.words}
    longest_first = "|".join(map(re.escape, sorted(class_of, key=len, reverse=True)))
    first = re.compile(f"(?<!{LETTER})(?:{longest_first})(?!{LETTER})", re.IGNORECASE)
    named = np.zeros((*written.shape, asked.samples, len(asked.classes)))
    for prompt, texts in np.ndenumerate(written):
        for k, text in enumerate(texts):
            found = first.search(text)
            if found and (y := class_of.get(found[0].lower())) is not None:  # not of an old s or a Turkish i
                named[(*prompt, k, y)] = 1.0
    return named
