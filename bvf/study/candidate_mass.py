"""Sentences on whether figures can be trusted, from candidate mass, text that was not read, and rounding errors."""

import numpy as np

from bvf.domain.asked import Asked
from bvf.domain.generation import Generation
from bvf.domain.measurement import CandidateMass, Measurement, MeasurementRecord


def mass_of_words(measurement: Measurement, asked: Asked) -> CandidateMass | None:
    """Return the candidate mass of the words of ``asked``: that of all measured words, times their mean share of it."""
    mass, every = measurement.record.check.candidate_mass, measurement.record.asked
    if mass is None or measurement.word_logprobs is None or asked.words == every.words:
        return mass
    p = np.exp(measurement.word_logprobs, dtype=np.float64)
    total, counting = p.sum(axis=2), p[..., np.isin(every.words, asked.words)].sum(axis=2)
    known, weights = total > 0.0, np.broadcast_to(every.context_weights, total.shape)
    return mass.times(float(np.average(counting[known] / total[known], weights=weights[known])) if known.any() else 0.0)


def warnings_of(measurement: Measurement, asked: Asked | None = None) -> list[str]:
    """Return what makes figures doubtful: too little candidate mass of the words of ``asked``, and text not read."""
    record = measurement.record
    mass, generation = mass_of_words(measurement, asked or record.asked), record.asked.generation
    low, unread = low_mass(mass, generation), unread_warning(record)
    what = "words that this model would hardly say here" if generation is None else "the few texts that tell a class"
    warnings = [f"{low}: the figures describe {what}"] if low else _in_formats(mass, what)
    return [*warnings, unread] if unread else warnings


def _in_formats(mass: CandidateMass | None, what: str) -> list[str]:
    """A sentence on the formats whose candidate mass is too small where that of all formats together is not."""
    small = {name: its for name, its in mass.by_format.items() if its < mass.FLOOR} if mass else {}
    named = ", ".join(f"{name} ({CandidateMass.in_percent(its)})" for name, its in small.items())
    return [f"hardly any candidate mass in the format {named}: figures of it describe {what}"] if named else []


def low_mass(mass: CandidateMass | None, generation: Generation | None) -> str:
    """Return a phrase on the small probability mass of candidate words; empty if it is large enough.

    If texts were generated, it is on the small share of them that was read.
    """
    if mass is None or mass.mean >= mass.FLOOR:
        return ""
    if generation is not None:
        return f"a class was read from {mass.in_percent(mass.mean)} of the texts on average"
    return f"the compared words have {mass.in_percent(mass.mean)} of the probability on average"


def notes_of(record: MeasurementRecord) -> list[str]:
    """Return notes on text not read, and on the backend's rounding error if that was measured."""
    unread, rounding = unread_note(record), record.check.rounding
    notes = [unread] if unread else []
    if rounding is None:
        return notes
    apart = f"on a handful of prompts class probabilities differ by {rounding:.2g} at most from float32"
    tolerance = record.model.tolerance
    return [*notes, f"{apart}, more than --tolerance {tolerance:g}" if 0 < tolerance < rounding else apart]


def unread_warning(record: MeasurementRecord) -> str:
    """Return a warning if words are not read that differ between contexts; empty if there are none."""
    texts = _unread(record)
    if len(set(texts)) < 2:
        return ""
    weights = record.asked.context_weights.tolist()
    share = sum(weight for weight, text in zip(weights, texts, strict=True) if text)
    return (
        f"in {_shown(share) if '' in texts else 'all'} of the contexts words stand right of the slot and the group, "
        "and this model does not read them: contexts that differ only there are the same to it"
    )


def unread_note(record: MeasurementRecord) -> str:
    """Return a note if the same words are not read in all contexts; empty if there are none."""
    texts = set(_unread(record))
    text = texts.pop() if len(texts) == 1 else ""
    return f'"{text}" right of the slot and the group is not read by this model' if text else ""


def _shown(share: float) -> str:
    if share < 0.01:
        return "less than 1%"
    return "more than 99%" if share > 0.99 else f"{share:.0%}"


def _unread(record: MeasurementRecord) -> list[str]:
    """The text right of both slots in each context, if the model did not read it; empty without letters or digits."""
    if not record.model.left_only:
        return []
    texts = [_right_of_both(each.template).strip() for each in record.asked.in_order]
    return [text if any(map(str.isalnum, text)) else "" for text in texts]


def _right_of_both(template: str) -> str:
    """The text right of the slot and, if no group stands left of it, of the first group."""
    before, _, after = template.partition("[Y]")
    return after if "[X" in before else after.partition("[X]")[2]
