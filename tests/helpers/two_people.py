"""Measurements of two people in one text, from log odds of the first class."""

from dataclasses import replace
from itertools import permutations

import numpy as np
from bvf_testing import measurement_of

from bvf import Group
from bvf.domain.measurement import AskedSampling

NAMES = ("nurse", "pilot", "clerk")


def two_people(odds, names=NAMES, about=(), classes=("first", "second"), **changes):
    """A measurement of all ordered pairs; ``odds`` are log odds by first and second person and context, (G, G, C)."""
    pairs = list(permutations(range(len(names)), 2))
    p = 1.0 / (1.0 + np.exp(-np.array([odds[g][h] for g, h in pairs], dtype=float)))
    groups = [Group(name=f"{names[g]} & {names[h]}", factors={"first": names[g], "second": names[h]}) for g, h in pairs]
    return asked(p, [each.name for each in groups], classes, groups=tuple(groups), about=about, **changes)


def asked(p, names, classes, about=(), **changes):
    """A measurement of contexts of equal weight with p of the first of two classes, (X, C)."""
    made = measurement_of(np.stack([p, 1.0 - p], axis=2), groups=names, classes=classes)
    columns = [{"about": each} for each in about] or [{}] * p.shape[1]
    templates = [each.model_copy(update={"count": 1.0}) for each in made.record.asked.templates]
    templates = [each.model_copy(update={"columns": its}) for each, its in zip(templates, columns, strict=True)]
    fields = {"templates": tuple(templates), "sampling": AskedSampling(written=True), **changes}
    return replace(made, record=made.record.model_copy(update={"asked": made.record.asked.model_copy(update=fields)}))
