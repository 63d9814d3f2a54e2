"""How often intervals hold where openings are drawn: ``python -m benchmarks coverage.openings [--repetitions N]``.

Writes a table of docs/evidence/coverage.md and its raw figures; see `benchmarks.coverage.frame`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product

import numpy as np

from benchmarks.coverage.frame import Cell, Simulation, Table, Tally, figures_of, held, samples
from benchmarks.coverage.populations import Rng, leans, zipf
from benchmarks.pages import Record
from bvf.arrays import FloatArray, IntArray
from bvf.builtin.criteria import Linf
from bvf.stats.figures.risk import decompose_risk
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample, DrawnFrom
from bvf.study.averages import PARTICULAR, RISK, SHARED, parts_of_risk
from bvf.study.sample import sample_of_openings

GROUPS, TEMPLATES, OPENINGS = 20, 300, 400
OCCURRENCES = 400
FIGURES = (*RISK, SHARED[1], PARTICULAR[1])
SYMBOLS = dict(zip(FIGURES, ("R", "R^b", "R^v", "shared R^b", "particular R^b"), strict=True))


@dataclass(frozen=True)
class Source:
    """Logits of the first of two classes in every template after every opening, shape (X, T, O)."""

    logits: FloatArray
    template_weights: FloatArray

    @cached_property
    def p(self) -> FloatArray:
        first = 1.0 / (1.0 + np.exp(-self.logits))
        return np.stack([first, 1.0 - first], axis=-1)

    def truth(self) -> Record:
        """Figures over every template and opening."""
        weights = np.outer(self.template_weights, np.full(OPENINGS, 1.0 / OPENINGS)).ravel()
        return figures_of(decompose_risk(self.p.reshape(GROUPS, -1, 2), Linf(), context_weights=weights))


def source(templates: int, shared: float, apart: float, of_openings: float, rng: Rng) -> Source:
    """Return a source whose groups lean by ``shared`` on average; openings move all groups by ``of_openings``."""
    logits = 2.0 * np.arctanh(np.clip(leans(GROUPS, shared, apart), -0.9, 0.9))[:, np.newaxis, np.newaxis]
    logits = logits + 0.6 * rng.normal(size=(1, templates, 1)) + of_openings * rng.normal(size=(1, 1, OPENINGS))
    logits = logits + 0.3 * rng.normal(size=(GROUPS, templates, 1)) + 0.2 * rng.normal(size=(GROUPS, 1, OPENINGS))
    logits = logits + 0.3 * rng.normal(size=(GROUPS, templates, OPENINGS))
    return Source(logits, zipf(templates) if templates == TEMPLATES else np.full(templates, 1.0 / templates))


def drawn(rng: Rng, n: int) -> tuple[IntArray, IntArray, ContextSample]:
    """Draw openings, and templates of a mined set, which is a sample of the source itself."""
    of_set = rng.multinomial(OCCURRENCES, zipf(TEMPLATES))
    pairs, times = np.unique(
        np.stack([rng.choice(TEMPLATES, n, p=of_set / OCCURRENCES), rng.choice(OPENINGS, n)]),
        axis=1,
        return_counts=True,
    )
    counts = of_set[pairs[0]].astype(np.float64)
    whole = DrawnFrom(float(OCCURRENCES), counts)
    return pairs[0], pairs[1], ContextSample(times.astype(np.float64), drawn_from=whole)


def in_turn(rng: Rng, n: int, templates: int) -> tuple[IntArray, IntArray, ContextSample]:
    """Ask templates in turn, each after an opening."""
    both = np.stack([np.arange(n) % templates, rng.choice(OPENINGS, n)])
    pairs, times = np.unique(both, axis=1, return_counts=True)
    weights = times / np.bincount(pairs[0], times)[pairs[0]] / templates
    return pairs[0], pairs[1], sample_of_openings(times, pairs[0], weights)


def coverage(
    make: partial[Source], draw: partial[tuple[IntArray, IntArray, ContextSample]], n: int, rng: Rng
) -> Record:
    """How often intervals hold the figures of the whole source."""
    tally, p_x = Tally(), np.full(GROUPS, 1.0 / GROUPS)
    for each, truth in samples(make, Source.truth, n, rng, sources=5):
        templates, openings, sample = draw(rng)
        found = sampled_risk(each.p[:, templates, openings], Linf(), sample, group_weights=p_x)
        tally.add_parts(parts_of_risk(found), p_x, {name: truth[name] for name in FIGURES})
    return tally.record()


def cells() -> Iterator[Cell]:
    leaning = {"alike, no lean": (0.0, 0.0), "apart, no lean": (0.0, 0.3), "apart, a lean": (0.3, 0.3)}
    for (called, lean), spread in product(leaning.items(), (0.2, 0.8)):
        facts = {"groups": called, "spread": spread}
        mined = partial(source, TEMPLATES, *lean, spread)
        yield Cell("openings", {"contexts": "drawn", **facts}, partial(coverage, mined, partial(drawn, n=80)))
        written = partial(source, 12, *lean, spread)
        turns = partial(in_turn, n=80, templates=12)
        yield Cell("openings", {"contexts": "12 in turn", **facts}, partial(coverage, written, turns))


ROWS = {"contexts": "{contexts}", "groups": "{groups}", "openings move logits by": "{spread:g}"}
TABLE = Table("openings", ROWS, held(SYMBOLS))
main = Simulation(__doc__, "coverage/openings.json", list(cells()), 200, {"coverage.md": (TABLE,)})
