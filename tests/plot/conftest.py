"""Views made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from bvf.views.grid import Grid
from bvf.views.leanings import Leaning, Leanings
from bvf.views.values import Value


def leaning(name, lean, classes=2, changes=False, leads=None):
    values = [lean, -lean] + [0.01] * (classes - 2)
    leads = (0 if lean >= 0 else 1) if leads is None else leads
    figure = Value(abs(lean))
    return Leaning(
        group=name,
        gloss="",
        weight=0.1,
        lean=tuple(Value(value, value - 0.02, value + 0.03) for value in values),
        leads=leads,
        p_star=(1 / classes,) * classes,
        r=figure,
        r_bias=figure,
        r_volatility=Value(0.0),
        particular=None,
        spread=0.0,
        changes_sides=changes,
    )


@pytest.fixture
def leans():
    """A function of names: leans from 0.4 to -0.4."""

    def make(names, **fields):
        ends = np.linspace(0.4, -0.4, len(names)) if len(names) > 1 else [0.3]
        groups = tuple(
            leaning(name, float(lean), changes=name == names[0]) for name, lean in zip(names, ends, strict=True)
        )
        view = Leanings("made", "made", ("male", "female"), groups, len(groups), 10, "uniform", 0.95, "")
        return replace(view, **fields)

    return make


@pytest.fixture
def cells():
    """A grid of two classes, with one prompt that was not answered."""
    values = np.array([[0.4, 0.1, -0.2], [0.0, np.nan, -0.3]])
    leads = np.where(np.isnan(values), -1, values < 0).astype(np.intp)
    contexts = ("The [X] said [Y]", "The [X] ran as [Y]", "The [X] was [Y]")
    return Grid(
        "made", "made", ("male", "female"), ("captain", "nurse"), values, leads, contexts, np.full(3, 1 / 3),
        np.ones(3, np.intp), 3, 2, 1,
    )  # fmt: skip
