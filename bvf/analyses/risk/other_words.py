"""Whether groups are further apart by the words of the topic than by other words in the same prompts."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import Field

from bvf.arrays import FloatArray
from bvf.domain.measurement import RECORD, Measurement
from bvf.domain.numbers import Count, Finite, Record
from bvf.errors import BvfError
from bvf.files.digests import digest_of
from bvf.files.folder import OTHER_WORDS, Folder, run_at
from bvf.interfaces.section import Section
from bvf.results.contribution import NOTHING, Contribution
from bvf.stats.comparing.other_words import FEWEST_SETS, WORDS_PER_CLASS, InPrompts, sets_of_words
from bvf.study.candidate_mass import mass_of_words
from bvf.study.found import read_measurement
from bvf.study.sample import sample_of
from bvf.study.study import Study
from bvf.study.uncertainty import Interval
from bvf.tables.columns import Column, table
from bvf.tables.words import between, decimals, in_a_list, percent, these

TINY = 1e-30
OF_OTHER_WORDS = ("other_words", "place_among_words", "ratio_to_words")
"""The fields of a result that are null where other words were not asked."""
SHOWN = 3
LEGEND = (
    "apart: mean distance of groups from their mean (total variation, 0 to 1). ratio: to that by the middle one of "
    "sets of other words, one per class, in the same prompts. further than: by what share of sets. Groups are further "
    "apart if that share is surely 95% or more. Sets share words: they are no independent tests."
)
OUTCOMES = {
    "further apart": "Groups are further apart by {topic} than by other words",
    "not further apart": "Groups are not further apart by {topic} than by other words",
    "cannot tell": "It is open whether groups are further apart by {topic} than by other words",
}
FURTHER_APART = {"further apart": "yes", "not further apart": "no", "cannot tell": "cannot tell"}
OF_TOPIC = ("words", "tolerance", "draws")
"""Of the identity of a measurement, what other words have their own of."""


class WordSet(Record):
    """Other words, one per class, and how far apart groups are by them."""

    words: tuple[str, ...]
    apart: Finite = Field(
        description="As ``OtherWords.apart``, at the probability mass of the topic's words; 0 for an estimate below"
    )


class OtherWords(Record):
    """How far apart groups are by the topic's words and by sets of other words, in the same prompts.

    The distance is the mean total variation between the mean prediction of a group and that of all groups, 0 to 1;
    where contexts are a sample, its estimate is cross-fit over halves of them.
    """

    measurement: str = Field(description="Digest of the identity of the measurement of other words")
    words: Count = Field(description="How many other words: sets share them")
    number_of_contexts: Count
    apart: Finite = Field(description="Of the topic's words")
    median: Finite = Field(description="Of the set in the middle")
    place: Finite = Field(description="Share of sets by which groups are less far apart, 0 to 1")
    place_ends: tuple[Finite, Finite] | None = Field(
        description="Ends of its interval over contexts; null: they are no sample"
    )
    ratio: Finite | None = Field(description="``apart`` over ``median``; null: the latter is 0")
    ratio_ends: tuple[Finite, Finite] | None = Field(description="Ends of its interval; null: no sample, or unbounded")
    sets: tuple[WordSet, ...] = Field(description="The furthest apart first")
    outcome: Literal["further apart", "not further apart", "cannot tell"] = Field(
        description="By whether ``place`` is surely .95 or more, surely less, or neither"
    )

    def sentence(self, topic: str, level: float) -> str:
        """Return a sentence on whether groups are further apart by a topic than by other words."""
        number, classes = len(self.sets), len(self.sets[0].words)
        one, many = ("pair", "pairs") if classes == 2 else (f"set of {classes}", f"sets of {classes}")
        further = f"further than by {round(self.place * number)} of {number}"
        surely = f" (surely by {round(self.place_ends[0] * number)})" if self.place_ends else ""
        if self.ratio is not None:
            interval = f" ({percent(level)}: {between(*self.ratio_ends, 1)})" if self.ratio_ends else ""
            further = f"{self.ratio:.1f} times as far{interval} as by the median {one}, {further}"
        where = "" if self.place_ends else f" (in {these(self.number_of_contexts, 'context')})"
        outcome = f"{OUTCOMES[self.outcome].format(topic=topic)}{where}"
        return f"{outcome}: {further} {many}{surely} of {self.words} words that fit there."


def among_other_words(study: Study) -> tuple[Contribution, dict[str, Interval]]:
    """Return the place of a study among sets of other words, and the intervals of its place and its ratio.

    Nothing is returned if other words were not asked; a note says why those that were asked cannot be compared.
    """
    folder = run_at(study.measurement.folder).sub(OTHER_WORDS) if study.measurement.folder else None
    if folder is None or not folder.exists(RECORD) or len(study.predictions.groups) < 2:
        return NOTHING, {}
    try:
        return _compared(study, _read(folder, study.measurement))
    except BvfError as error:
        return Contribution(notes=(f"other words not compared: {error.message}",)), {}


def _read(folder: Folder, measurement: Measurement) -> Measurement:
    drawn = measurement.record.asked.draws
    others = read_measurement(folder).first_draws(None if drawn is None else drawn.number)
    ours, theirs = ({**each.record.identity, **dict.fromkeys(OF_TOPIC, "")} for each in (measurement, others))
    if digest_of(ours) != digest_of(theirs):
        raise BvfError(f"{folder.path} is of another model, or of other groups or contexts")
    return others


def _compared(study: Study, others: Measurement) -> tuple[Contribution, dict[str, Interval]]:
    predictions, record = study.predictions, others.record
    rows = [record.asked.row_of[group] for group in predictions.group_names]
    place_of = {key: place for place, key in enumerate(predictions.contexts)}
    keys = [each.context.key for each in record.asked.in_order]
    known = np.asarray(np.isfinite(predictions.probabilities).all(axis=(0, 2))).tolist()
    kept = np.array([key in place_of and known[place_of[key]] for key in keys])
    columns = [place_of[key] for key, stays in zip(keys, kept, strict=True) if stays]
    q = np.maximum(others.probabilities[rows][:, kept], TINY)
    sample = None if study.sample is None else sample_of(others, study.choices)
    sample = None if sample is None else sample.only(kept)
    weights: FloatArray = record.asked.context_weights[kept] if sample is None else sample.weights
    weights = weights / weights.sum()
    shares = predictions.group_weights @ np.einsum("xcn,c->xn", q, weights)
    sets = sets_of_words(shares, len(predictions.classes))
    masses = [mass_of_words(study.measurement, predictions.asked), record.check.candidate_mass]
    words = record.asked.words
    if len(words) < (fewest := WORDS_PER_CLASS * len(predictions.classes)):
        raise BvfError(f"there are {len(words)}, and a standard for {len(predictions.classes)} classes takes {fewest}")
    if len(sets) < FEWEST_SETS or None in masses or not columns:
        raise BvfError(f"of {len(words)}, too few are equally probable for {FEWEST_SETS} sets of one per class")
    ours, theirs = (each.mean for each in masses if each is not None)
    p, mass = predictions.probabilities[:, columns], ours / max(theirs, TINY)
    place = InPrompts(p, q, sets, predictions.group_weights, weights, mass).place(sample, study.choices.level)
    found = OtherWords(
        measurement=record.digest,
        words=len(words),
        number_of_contexts=len(columns),
        apart=place.apart,
        median=float(np.median(place.of_sets)),
        sets=tuple(
            WordSet(words=tuple(words[n] for n in sets[s]), apart=max(float(place.of_sets[s]), 0.0))
            for s in np.argsort(-place.of_sets, kind="stable")
        ),
        outcome=place.outcome,
        place=place.place,
        place_ends=place.place_ends,
        ratio=place.ratio,
        ratio_ends=place.ratio_ends,
    )
    _, of_place, of_ratio = OF_OTHER_WORDS
    ends = {of_place: place.place_ends, of_ratio: place.ratio_ends}
    intervals = {name: Interval(low=each[0], high=each[1]) for name, each in ends.items() if each is not None}
    return Contribution(dict(zip(OF_OTHER_WORDS, (found, place.place, place.ratio), strict=True))), intervals


def other_words_section(title: str, rows: Sequence[tuple[str, OtherWords]], level: float) -> Section:
    """Return a table of models (or one) beside other words, and of the words by which groups are furthest apart."""
    columns: list[Column[tuple[str, OtherWords]]] = [
        Column("model", lambda row: row[0]),
        Column("apart", lambda row: decimals(row[1].apart)[0]),
        Column("ratio", lambda row: decimals(row[1].ratio, places=1)[0]),
        Column(
            f"interval of {percent(level)}",
            lambda row: between(*row[1].ratio_ends, 1) if row[1].ratio_ends else "",
            optional=True,
        ),
        Column("further than", lambda row: f"{row[1].place:.0%}"),
        Column("surely", lambda row: f"{row[1].place_ends[0]:.0%}" if row[1].place_ends else "", optional=True),
        Column("further apart?", lambda row: FURTHER_APART[row[1].outcome]),
    ]
    furthest = ((name, [f"{'/'.join(each.words)} {each.apart:.3f}" for each in its.sets[:SHOWN]]) for name, its in rows)
    notes = [f"Furthest apart by other words, {name}: {in_a_list(sets)}" for name, sets in furthest]
    return table(title, columns, rows, subtitle=[LEGEND], notes=notes)
