"""How often intervals hold where a model thinks: ``python -m benchmarks coverage.thoughts [SCENE ...]``.

Writes the tables of docs/evidence/thoughts.md and their raw figures; see `benchmarks.coverage.frame`.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from bvf_texts.stats.thoughts import AfterThoughts

from benchmarks.coverage.answers import GROUPS, P_STAR, P_X, TEMPLATES, WEIGHTS, contexts, spoken
from benchmarks.coverage.frame import LEVEL, Rows, Simulation, Table, cells, held, number, of_each, of_parts, samples
from benchmarks.coverage.populations import Rng, of_leans
from benchmarks.coverage.scenes import LINF
from benchmarks.pages import Record
from bvf.arrays import FloatArray
from bvf.stats.comparing.comparison import differences
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.study.study import CONTEXT_VOLATILITY, RISK, THOUGHT_VOLATILITY, parts_of_risk, parts_of_volatility

THOUGHTS = (4, 16)
PARTS = (CONTEXT_VOLATILITY, THOUGHT_VOLATILITY)
SHOWN = (*RISK, *PARTS)
MODELS = ("fair", "balanced", "sure", "torn", "mixed")
PAIRS = [(name, name) for name in MODELS]
PAIRS += [("fair", "balanced"), ("balanced", "mixed"), ("fair", "torn"), ("sure", "torn")]
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
        means = self.share * self.first + (1.0 - self.share) * self.second
        of_thoughts = (self.share * np.abs(self.first) + (1.0 - self.share) * np.abs(self.second)) @ WEIGHTS
        of_each = (of_thoughts, np.abs(means) @ WEIGHTS, abs(means @ WEIGHTS))
        R, of_contexts, of_mean = (float(each.mean()) for each in of_each)
        return dict(zip(SHOWN, (R, of_mean, R - of_mean, of_contexts - of_mean, R - of_contexts), strict=True))

    def after(self, templates: FloatArray, thoughts: int, rng: Rng) -> AfterThoughts:
        """Let it think a number of times in some templates."""
        first, second, share = (each[:, templates, np.newaxis] for each in (self.first, self.second, self.share))
        lean = np.where(rng.random((*first.shape[:2], thoughts)) < share, first, second)
        return AfterThoughts(of_leans(lean), P_STAR)


def model(name: str, rng: Rng) -> Thinker:
    """Return a model: see the text of the first section for what the names mean."""
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
        of_group, of_context = rng.normal(0, 0.5, (GROUPS, 1)), rng.normal(0, 0.3, TEMPLATES)
        means, apart = 0.7 * np.tanh(of_group + of_context + 0.3 * rng.normal(size=shape)), 0.25
    return Thinker(means + apart, means - apart, half)


def of_one(name: str, thoughts: int, repetitions: int, rng: Rng) -> Rows:
    """Measure the intervals of one model, and by how much its two volatilities are off on average."""
    for thinker, truth in samples(partial(model, name), lambda thinker: thinker.truth, repetitions, rng):
        templates, sample = contexts(rng)
        risk = sampled_risk(thinker.after(templates, thoughts, rng), LINF, sample)
        yield of_parts((parts_of_risk(risk)[0], *parts_of_volatility(risk)), risk.group_weights, truth)


def of_two(models: str, thoughts: int, repetitions: int, rng: Rng) -> Rows:
    """Measure the intervals of differences of both volatilities, and how often they are found different."""
    first, second = models.split(", ")

    def make(rng: Rng) -> tuple[Thinker, Thinker]:
        one = model(first, rng)
        return one, one if first == second else model(second, rng)

    def truth(both: tuple[Thinker, Thinker]) -> dict[str, float]:
        return {figure: both[0].truth[figure] - both[1].truth[figure] for figure in PARTS}

    for both, known in samples(make, truth, repetitions, rng):
        templates, sample = contexts(rng)
        risks = [sampled_risk(each.after(templates, thoughts, rng), LINF, sample) for each in both]
        row: Record = {}
        for ours, theirs in zip(*map(parts_of_volatility, risks), strict=True):
            row |= of_each(ours.names, differences(ours.sampled, theirs.sampled, P_X, LEVEL), known)
        yield row


CELLS = [
    *cells("thoughts", of_one, {"model": MODELS, "thoughts": THOUGHTS}),
    *cells("pairs of thoughts", of_two, {"models": map(", ".join, PAIRS), "thoughts": THOUGHTS}),
]
OFF = [
    ("width of the last", number(f"{THOUGHT_VOLATILITY}.width", ".3f")),
    ("the last is printed off by", number(f"{THOUGHT_VOLATILITY}.off", "+.3f")),
]
TABLE = Table("thoughts", {"": "{model}"}, [*held(spoken(("R", *PARTS))), *OFF], turned=True)
main = Simulation(__doc__, "coverage/thoughts.json", CELLS, 200, {"thoughts.md": (TABLE,)})
