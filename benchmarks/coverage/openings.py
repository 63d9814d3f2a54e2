"""How often intervals hold where openings are drawn: ``python -m benchmarks coverage.openings [SCENE ...]``.

Writes tables of docs/evidence/coverage.md and their raw figures; see `benchmarks.coverage.frame`. A source is made of
random numbers, or is what SmolLM2 answers after every opening in every template (see `measured`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.coverage.frame import Rows, Simulation, Table, cells, figures_of, held, of_parts, samples, within
from benchmarks.coverage.lean_parts import FIGURES as PARTS
from benchmarks.coverage.lean_parts import ends_of
from benchmarks.coverage.populations import Rng, leans, of_first, zipf
from benchmarks.pages import PAGES, Record
from bvf.arrays import FloatArray, IntArray
from bvf.builtin.criteria import Linf
from bvf.stats.figures.risk import decompose_risk
from bvf.stats.sampling.lean_parts import LeanParts
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample, DrawnFrom
from bvf.study.sample import sample_of_openings
from bvf.study.study import PARTICULAR, RISK, SHARED, parts_of_risk

GROUPS, TEMPLATES, OPENINGS = 20, 300, 400
OCCURRENCES, DRAWS = 400, 80
FIGURES = (*RISK, SHARED[1], PARTICULAR[1])
SYMBOLS = dict(zip(FIGURES, ("R", "R^b", "R^v", "shared R^b", "particular R^b"), strict=True))


@dataclass(frozen=True)
class Source:
    """Answers in every template after every opening.

    Args:
        first: p of the first of two classes, shape (X, T, O).
        template_weights: P of each template, shape (T,).
        neutral: As ``first``, of neutral subjects, shape (T, O); None: there are none.
    """

    first: FloatArray
    template_weights: FloatArray
    neutral: FloatArray | None = None

    def parts(
        self, templates: IntArray, openings: IntArray, weights: FloatArray, sample: ContextSample | None
    ) -> dict[str, FloatArray]:
        """Return each part of the lean with the ends of its interval in contexts, shape (3,); none without neutral."""
        if self.neutral is None:
            return {}
        p, neutral = (of_first(each[..., templates, openings]) for each in (self.first, self.neutral))
        return ends_of(LeanParts(p, neutral, shares(len(p)), weights, sample))

    def truth(self) -> Record:
        """Figures over every template and opening."""
        templates, openings = (each.ravel() for each in np.indices(self.first.shape[1:]))
        weights = (self.template_weights / self.first.shape[2])[templates]
        p = of_first(self.first[:, templates, openings])
        parts = self.parts(templates, openings, weights, None)
        leans = {name: float(each[0]) for name, each in parts.items()}
        return leans | figures_of(decompose_risk(p, Linf(), context_weights=weights))


def shares(n: int) -> FloatArray:
    return np.full(n, 1.0 / n)


def source(templates: int | None, shared: float, apart: float, of_openings: float, rng: Rng) -> Source:
    """Return a source whose groups lean by ``shared`` on average; openings move all groups by ``of_openings``.

    Its templates have equal weights; None: there are `TEMPLATES`, by Zipf's law.
    """
    of_each = (GROUPS, templates or TEMPLATES, 1)
    logits = 2.0 * np.arctanh(np.clip(leans(GROUPS, shared, apart), -0.9, 0.9))[:, np.newaxis, np.newaxis]
    logits = logits + 0.6 * rng.normal(size=(1, *of_each[1:])) + of_openings * rng.normal(size=(1, 1, OPENINGS))
    logits = logits + 0.3 * rng.normal(size=of_each) + 0.2 * rng.normal(size=(GROUPS, 1, OPENINGS))
    logits = logits + 0.3 * rng.normal(size=(*of_each[:2], OPENINGS))
    return Source(1.0 / (1.0 + np.exp(-logits)), shares(templates) if templates else zipf(TEMPLATES))


def measured(rng: Rng, templates: int | None = None) -> Source:
    """Return what SmolLM2 answers of 24 occupations in 100 templates of gender-no-cues after each of 30 openings.

    Args:
        rng: Not used: the answers are what they are.
        templates: So many of the heaviest templates, with equal weights; None: all, by their counts.
    """
    with np.load(PAGES / "coverage/smollm2-after-openings.npz") as kept:
        first, neutral, counts = (kept[name].astype(np.float64) for name in ("first", "neutral", "counts"))
    heaviest = np.argsort(-counts, kind="stable")[:templates]
    weights = counts / counts.sum() if templates is None else shares(templates)
    return Source(first[:, heaviest], weights if templates else weights[heaviest], neutral[heaviest])


def drawn(rng: Rng, of: Source) -> tuple[IntArray, IntArray, ContextSample]:
    """Draw openings, and templates of a mined set, which is a sample of the source itself."""
    of_set = rng.multinomial(OCCURRENCES, of.template_weights)
    _, templates, openings = of.first.shape
    asked = np.stack([rng.choice(templates, DRAWS, p=of_set / OCCURRENCES), rng.choice(openings, DRAWS)])
    pairs, times = np.unique(asked, axis=1, return_counts=True)
    counts = of_set[pairs[0]].astype(np.float64)
    whole = DrawnFrom(float(OCCURRENCES), counts)
    return pairs[0], pairs[1], ContextSample(times.astype(np.float64), drawn_from=whole)


def in_turn(rng: Rng, of: Source) -> tuple[IntArray, IntArray, ContextSample]:
    """Ask templates in turn, each after an opening."""
    _, templates, openings = of.first.shape
    both = np.stack([np.arange(DRAWS) % templates, rng.choice(openings, DRAWS)])
    pairs, times = np.unique(both, axis=1, return_counts=True)
    weights = times / np.bincount(pairs[0], times)[pairs[0]] / templates
    return pairs[0], pairs[1], sample_of_openings(times, pairs[0], weights)


def coverage(make: Callable[..., Source], templates: int | None, n: int, rng: Rng) -> Rows:
    """How often intervals hold the figures of the whole source, of which some templates are asked, or all are drawn."""
    for each, truth in samples(make, Source.truth, n, rng, sources=5):
        asked, openings, sample = (in_turn if templates else drawn)(rng, each)
        p, p_x = of_first(each.first[:, asked, openings]), shares(len(each.first))
        found = sampled_risk(p, Linf(), sample, group_weights=p_x)
        of_lean = each.parts(asked, openings, sample.weights, sample)
        yield {
            **of_parts(parts_of_risk(found), p_x, {name: truth[name] for name in FIGURES}),
            **{name: within(low, high, truth[name]) for name, (_, low, high) in of_lean.items()},
        }


WAYS = {"drawn": None, "12 in turn": 12}
LEANING = {"alike, no lean": (0.0, 0.0), "apart, no lean": (0.0, 0.3), "apart, a lean": (0.3, 0.3)}


def of_sources(contexts: str, groups: str, spread: float, n: int, rng: Rng) -> Rows:
    return coverage(partial(source, WAYS[contexts], *LEANING[groups], spread), WAYS[contexts], n, rng)


def of_a_model(contexts: str, n: int, rng: Rng) -> Rows:
    return coverage(partial(measured, templates=WAYS[contexts]), WAYS[contexts], n, rng)


CELLS = [
    *cells("openings", of_sources, {"contexts": WAYS, "groups": LEANING, "spread": (0.2, 0.8)}),
    *cells("openings of a model", of_a_model, {"contexts": WAYS}),
]
TABLE = Table("openings of a model", {"contexts": "{contexts}"}, held(SYMBOLS | {name: name for name in PARTS}))
main = Simulation(__doc__, "coverage/openings.json", CELLS, 200, {"coverage.md": (TABLE,)})
