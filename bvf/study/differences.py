"""Notes on compared measurements: harmless differences of how they were asked, and models with equal answers."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bvf.arrays import FloatArray
from bvf.domain.config import assignments
from bvf.domain.measurement import Measurement
from bvf.study.candidate_mass import warnings_of
from bvf.study.study import Study

NOTED_APART = {
    "system": "the system's turn of the chat says something else in some runs",
    "user": "the user's turn of the chat says something else in some runs",
    "start": "words with nothing left of them stand after another token in some runs (-B start)",
}
"""A note on runs that differ in a field of their models."""
SAME = 1e-6
"""Probabilities that differ by less than this count as equal."""


def noted_differences(measurements: Sequence[Measurement], models: Sequence[Study]) -> tuple[str, ...]:
    """Return notes on models that are compared: what makes figures doubtful, and where runs differ or are equal."""
    notes = list(models[0].predictions.notes)
    whole = {each.run_name: each for each in (replace(each, format="") for each in measurements)}
    for name, measurement in whole.items():
        notes += [f"{name}: {warning}" for warning in warnings_of(measurement, models[0].predictions.asked)]
    notes += _equal_models(models)
    scored = [each for each in measurements if each.answers.way != "texts"]
    if len({each.record.model.tolerance for each in scored}) > 1:
        tolerances = ", ".join(f"{each.record.model.tolerance:g} in {each.run_name}" for each in scored)
        notes.append(f"improbable words were left out by another tolerance: {tolerances}")
    for field, sentence in NOTED_APART.items():
        if len({getattr(each.record.model, field) for each in measurements}) > 1:
            notes.append(sentence)
    return (*notes, *_read_otherwise(measurements), *_other_templates(measurements))


def _read_otherwise(measurements: Sequence[Measurement]) -> list[str]:
    """Notes on models of one name that were read in different ways: quantised or not, by another library."""
    ways: dict[str, dict[str, str]] = {}
    for each in measurements:
        model = each.record.model
        ways.setdefault(model.name, {})[each.run_name] = model.read_as or "not recorded"
    return [
        f"{model} was not read in the same way: {'; '.join(f'{way} in {run}' for run, way in of_runs.items())}"
        for model, of_runs in ways.items()
        if len(set(of_runs.values())) > 1
    ]


def _other_templates(measurements: Sequence[Measurement]) -> list[str]:
    """Notes on runs whose chat templates have other variables, or another date though they are equal."""
    models, notes = [each.record.model for each in measurements], list[str]()
    variables = [assignments(model.chat_variables) for model in models]
    if len(set(variables)) > 1:
        of_each = (f"{its or 'none'} in {each.run_name}" for its, each in zip(variables, measurements, strict=True))
        notes.append(f"the chat template has other variables: {', '.join(of_each)}")
    if len({(model.settings, model.chat_date) for model in models}) > len({model.settings for model in models}):
        dates = [model.chat_date or "not recorded" for model in models]
        of_each = (f"{its} in {each.run_name}" for its, each in zip(dates, measurements, strict=True))
        notes.append(f"the chat template takes another date for today's: {', '.join(of_each)}")
    return notes


def _equal_models(models: Sequence[Study]) -> list[str]:
    """A note on each set of models that have the same probabilities for all prompts."""
    equal = list[list[Study]]()
    for model in models:
        p = model.predictions.probabilities
        for others in equal:
            if _alike(others[0].predictions.probabilities, p):
                others.append(model)
                break
        else:
            equal.append([model])
    several = [[model.measurement.run_name for model in each] for each in equal if len(each) > 1]
    asks = "" if models[0].measurement.format else ": are they the same model?"
    return [
        f"{', '.join(others)} and {last} {'all' if len(others) > 1 else 'both'} gave the same answers everywhere{asks}"
        for *others, last in several
    ]


def _alike(p: FloatArray, q: FloatArray) -> bool:
    """Whether two arrays p(y | x, c) are equal. Most models differ for the first group, so that is looked at first."""
    parts = ((p[rows], q[rows]) for rows in (slice(1), slice(1, None)))
    return all(np.allclose(one, other, rtol=0.0, atol=SAME, equal_nan=True) for one, other in parts)
