"""How often intervals hold where a model thinks: ``python benchmarks/coverage/thoughts.py [SCENE ...]``.

Scenes are thoughts and "pairs of thoughts"; all if none is named. ``--repetitions N``: samples per cell. Measured cells
are kept in build/coverage, and are not measured again with as many repetitions. Writes
docs/evidence/coverage/thoughts.json, and the tables of docs/evidence/thoughts.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from answers import GROUPS, TEMPLATES, WEIGHTS, contexts
from knowledge import Held
from one_page import measured_and_written
from scenes import LEVEL, Cell, Record
from tables import by_size, held, markdown, percent, section
from tables import page as tables_of

from bvf.arrays import FloatArray
from bvf.builtin.criteria import Linf
from bvf.stats.comparing.comparison import differences
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.thoughts import AfterThoughts
from bvf.study.averages import CONTEXT_VOLATILITY, RISK, THOUGHT_VOLATILITY, parts_of_risk, parts_of_volatility

REPETITIONS = 200
SOURCES = 10
"""Models that the repetitions of a cell are spread over, so that no figure depends on one."""
THOUGHTS = (4, 16)
PARTS = (CONTEXT_VOLATILITY, THOUGHT_VOLATILITY)
SHOWN = (*RISK, *PARTS)
MODELS = ("fair", "balanced", "sure", "torn", "mixed")
PAIRS = (
    *((name, name) for name in MODELS),
    ("fair", "balanced"),
    ("balanced", "mixed"),
    ("fair", "torn"),
    ("sure", "torn"),
)
"""Two models that are compared. Two of one name have the same probabilities, and thoughts of their own."""


@dataclass(frozen=True)
class Thinker:
    """A model that thinks: after a thought, a group in a template has one of two leans 2 p - 1.

    ``first``, ``second`` and ``share`` (the probability of the first) have the shape (GROUPS, TEMPLATES).
    """

    first: FloatArray
    second: FloatArray
    share: FloatArray

    @property
    def truth(self) -> dict[str, float]:
        """Every figure of the source."""
        means = self.share * self.first + (1.0 - self.share) * self.second
        of_thoughts = (self.share * np.abs(self.first) + (1.0 - self.share) * np.abs(self.second)) @ WEIGHTS
        R, of_contexts, of_mean = (
            float(each.mean()) for each in (of_thoughts, np.abs(means) @ WEIGHTS, abs(means @ WEIGHTS))
        )
        return dict(zip(SHOWN, (R, of_mean, R - of_mean, of_contexts - of_mean, R - of_contexts), strict=True))

    def after(self, templates: FloatArray, thoughts: int, rng: np.random.Generator) -> AfterThoughts:
        """Let it think a number of times in some templates."""
        first, second, share = (each[:, templates, np.newaxis] for each in (self.first, self.second, self.share))
        lean = np.where(rng.random((*first.shape[:2], thoughts)) < share, first, second)
        return AfterThoughts(np.stack([(1.0 + lean) / 2.0, (1.0 - lean) / 2.0], axis=-1), np.full((GROUPS, 1, 2), 0.5))


def model(name: str, rng: np.random.Generator) -> Thinker:
    """Return a model: see `page` for what the names mean."""
    shape, half = (GROUPS, TEMPLATES), np.full((GROUPS, TEMPLATES), 0.5)
    if name == "torn":
        certain = np.full(shape, 0.95)
        return Thinker(certain, -certain, rng.uniform(0.1, 0.9, shape))
    if name == "fair":
        means, apart = np.zeros(shape), 0.4
    elif name == "balanced":
        means, apart = 0.1 * np.clip(rng.normal(size=shape), -2.0, 2.0), 0.3
        means -= (means @ WEIGHTS)[:, np.newaxis]
    elif name == "sure":
        means, apart = 0.8 * rng.choice([-1.0, 1.0], (GROUPS, 1)) + 0.03 * rng.normal(size=shape), 0.05
    else:
        means = 0.7 * np.tanh(
            rng.normal(0, 0.5, (GROUPS, 1)) + rng.normal(0, 0.3, TEMPLATES) + 0.3 * rng.normal(size=shape)
        )
        apart = 0.25
    return Thinker(means + apart, means - apart, half)


def of_figures(name: str, thoughts: int, repetitions: int, rng: np.random.Generator) -> Record:
    """Measure the intervals of one model, and by how much its two volatilities are off on average."""
    held, off = Held(), dict[str, list[float]]()
    for _ in range(SOURCES):
        thinker = model(name, rng)
        truth = thinker.truth
        for _ in range(repetitions // SOURCES):
            templates, sample = contexts(rng)
            found = sampled_risk(thinker.after(templates, thoughts, rng), Linf(), sample)
            for part in (parts_of_risk(found)[0], *parts_of_volatility(found)):
                estimates = part.sampled.estimates(found.group_weights, LEVEL)
                of_each = (estimates.total, estimates.of_mean, estimates.rest)
                for figure, estimate in zip(part.names, of_each, strict=True):
                    if figure:
                        held.add(figure, (float(estimate.low), float(estimate.high)), truth[figure])
                        off.setdefault(figure, []).append(float(estimate.value) - truth[figure])
    return {name: {**record, "off": float(np.mean(off[name]))} for name, record in held.record().items()}


def of_pairs(first: str, second: str, thoughts: int, repetitions: int, rng: np.random.Generator) -> Record:
    """Measure the intervals of differences of both volatilities, and how often they are found different."""
    held, found = Held(), dict[str, list[bool]]()
    for _ in range(SOURCES):
        one = model(first, rng)
        other = one if first == second else model(second, rng)
        for _ in range(repetitions // SOURCES):
            templates, sample = contexts(rng)
            risks = (sampled_risk(each.after(templates, thoughts, rng), Linf(), sample) for each in (one, other))
            for figure, ours, theirs in zip(PARTS, *map(parts_of_volatility, risks), strict=True):
                apart = differences(ours.sampled, theirs.sampled, np.full(GROUPS, 1.0 / GROUPS), LEVEL).rest
                held.add(figure, (float(apart.low), float(apart.high)), one.truth[figure] - other.truth[figure])
                found.setdefault(figure, []).append(bool(apart.p_value < 1.0 - LEVEL))
    return {name: {**record, "found": float(np.mean(found[name]))} for name, record in held.record().items()}


def cells() -> Iterator[Cell]:
    """Every cell of both scenes."""
    for name, thoughts in product(MODELS, THOUGHTS):
        yield Cell("thoughts", {"model": name, "thoughts": thoughts}, partial(of_figures, name, thoughts))
    for (first, second), thoughts in product(PAIRS, THOUGHTS):
        facts = {"models": f"{first}, {second}", "thoughts": thoughts}
        yield Cell("pairs of thoughts", facts, partial(of_pairs, first, second, thoughts))


def table(records: list[Record]) -> str:
    """Return coverage by model and thoughts, widths, and by how much the printed volatility of thoughts is off."""
    names = ["", *(name.replace("_", " ") for name in SHOWN), "width of the last", "the last is printed off by"]
    figures = [
        *held(*SHOWN),
        lambda cell: f"{cell[THOUGHT_VOLATILITY]['width']:.3f}",
        lambda cell: f"{cell[THOUGHT_VOLATILITY]['off']:+.3f}",
    ]
    return markdown(list(map(list, zip(names, *by_size(records, lambda cell: (cell["model"],), figures), strict=True))))


def pairs_table(records: list[Record]) -> str:
    """Return coverage and the share of differences that are found, by pair and number of thoughts."""
    titles = [f"{called}{name.replace('_', ' ')}" for called in ("", "found: ") for name in PARTS]
    found = [lambda cell, name=name: percent(cell[name]["found"]) for name in PARTS]
    return markdown([["models", *titles], *by_size(records, lambda cell: (cell["models"],), [*held(*PARTS), *found])])


def of_one(records: list[Record]) -> str:
    """Return the section of single models."""
    return section(
        "One model",
        f"{GROUPS} groups in 40 draws from {TEMPLATES} templates, {' and '.join(map(str, THOUGHTS))} thoughts per "
        f"prompt; {records[0]['repetitions']} samples of contexts and thoughts per figure, of {SOURCES} models. "
        "*fair*: a lean of .4 to either side after each thought, none on average in any context; *balanced*: contexts "
        "lean by .1 or so, thoughts move that by .3, and there is no lean on average; *sure*: leans by .8, which "
        "thoughts move by .05; *torn*: nearly certain of one class or the other, by thought; *mixed*: groups and "
        "contexts lean more or less, and thoughts move that by .25.",
        table(records),
    )


def of_two(records: list[Record]) -> str:
    """Return the section of pairs of models."""
    return section(
        "Two models",
        "Percentage of intervals of differences that hold, and of samples in which a difference is found at 5 %; "
        f"{records[0]['repetitions']} samples per figure. Two models of one name have the same probabilities.",
        pairs_table(records),
    )


def page(records: dict[str, list[Record]]) -> str:
    """Return the tables of the scenes that were measured as Markdown."""
    return tables_of(records, {"thoughts": of_one, "pairs of thoughts": of_two})


if __name__ == "__main__":
    measured_and_written("thoughts", list(cells()), page, REPETITIONS, __doc__)
