"""Measurements of several models in the same contexts, made from probabilities."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from bvf_testing.measurements import measurement_of

from bvf.domain.answers import Samples
from bvf.domain.asked import AskedSampling, AskedTemplate, Draws

GROUPS = ("nurse", "pilot", "poet", "judge")


def probabilities(seed, groups=4, contexts=12):
    """p of two classes, drawn."""
    p = np.random.default_rng(seed).uniform(0.05, 0.95, size=(groups, contexts))
    return np.stack([p, 1 - p], axis=2)


def measured(name, p, groups=GROUPS, **asked):
    """A measurement of a mined set: its counts are 3, 4, 5, ... occurrences."""
    made = measurement_of(p, groups=groups, classes=("male", "female"))
    templates = tuple(AskedTemplate(template=f"The [X] {c} [Y]", count=c + 3) for c in range(p.shape[1]))
    total = sum(each.count for each in templates)
    fields = {"templates": templates, "sampling": AskedSampling(occurrences=total), **asked}
    record = made.record.model_copy(
        update={
            "asked": made.record.asked.model_copy(update=fields),
            "model": made.record.model.model_copy(update={"name": name}),
            "digest": name,
        }
    )
    return replace(made, record=record, folder=Path(name))


def drawn(name, p, number, seed=0):
    """The same with so many contexts drawn; p is that of the whole set."""
    whole = measured(name, p)
    asked = whole.record.asked.with_draws(Draws(seed=seed, rounds=(number,)))
    columns = [int(each.template.split()[2]) for each in asked.in_order]
    cells = np.ix_(range(len(p)), columns)
    record = whole.record.model_copy(update={"asked": asked})
    logp = whole.word_logprobs[cells]
    return replace(
        whole, record=record, probabilities=p[:, columns], bounds=whole.bounds[:, columns], word_logprobs=logp
    )


def with_model(measurement, **changes):
    """The measurement with something else said of its model."""
    model = measurement.record.model.model_copy(update=changes)
    return replace(measurement, record=measurement.record.model_copy(update={"model": model}))


def with_asked(measurement, **changes):
    """The measurement with something else said of what was asked."""
    asked = measurement.record.asked.model_copy(update=changes)
    return replace(measurement, record=measurement.record.model_copy(update={"asked": asked}))


def asked_in_wordings(name, true_p):
    """A measurement of knowledge in wordings of equal weight: p of the true answer is given, shape (X, C)."""
    made = measured(name, np.stack([true_p, 1.0 - true_p], axis=2))
    equal = tuple(each.model_copy(update={"count": 1.0}) for each in made.record.asked.templates)
    truth = dict.fromkeys(made.record.asked.group_names, "male")
    return with_asked(
        made, templates=equal, sampling=AskedSampling(written=True), truth=truth, criterion="knowledge:sqrt"
    )


def by_samples(name, p, seed=0, samples=24):
    """What would be measured of a model of these probabilities by samples, of which some are no word."""
    rng = np.random.default_rng((seed, 5))
    hits = rng.binomial(samples, 0.7, size=p.shape[:2])
    counts = rng.multinomial(hits, p)
    with np.errstate(invalid="ignore"):
        shares = counts / hits[..., np.newaxis]
    measurement = with_model(measured(name, shares), samples=samples)
    return replace(measurement, answers=Samples(hits.astype(float)), word_logprobs=None)
