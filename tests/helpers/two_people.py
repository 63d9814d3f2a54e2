"""Measurements of two people in one text, from log odds of the first class."""

from itertools import permutations

import numpy as np
from bvf_testing import measurement_of

from bvf import Group
from bvf.domain.asked import AskedSampling
from helpers.made_alike import with_asked

NAMES = ("nurse", "pilot", "clerk")


def two_people(odds, names=NAMES, about=(), classes=("first", "second"), **changes):
    """A measurement of all ordered pairs; ``odds`` are log odds by first and second person and context, (G, G, C)."""
    pairs = list(permutations(range(len(names)), 2))
    p = 1.0 / (1.0 + np.exp(-np.array([odds[g][h] for g, h in pairs], dtype=float)))
    groups = [Group(name=f"{names[g]} & {names[h]}", factors={"first": names[g], "second": names[h]}) for g, h in pairs]
    return asked(p, [each.name for each in groups], classes, groups=tuple(groups), about=about, **changes)


def people(factors):
    """Groups with the factors of each, by its name."""
    return tuple(Group(name=name, factors=its) for name, its in factors.items())


def asked(p, names, classes, about=(), counts=(), **changes):
    """A measurement of written contexts, of equal weight unless counted, with p of the first of two classes, (X, C)."""
    p = np.asarray(p, dtype=float)
    made = measurement_of(np.stack([p, 1.0 - p], axis=2), groups=list(names), classes=classes)
    columns = [{"about": each} for each in about] or [{}] * p.shape[1]
    weighted = zip(made.record.asked.templates, counts or [1.0] * p.shape[1], strict=True)
    templates = [each.model_copy(update={"count": count}) for each, count in weighted]
    templates = [each.model_copy(update={"columns": its}) for each, its in zip(templates, columns, strict=True)]
    fields = {"templates": tuple(templates), "sampling": AskedSampling(written=True), **changes}
    return with_asked(made, **fields)
