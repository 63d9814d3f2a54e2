"""How often the place among other words is right: ``python -m benchmarks coverage.other_words [--repetitions N]``.

Writes a table of docs/evidence/decisions.md and its raw figures; see `benchmarks.coverage.frame`.
"""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from benchmarks.coverage.frame import Rows, Simulation, cells, samples
from benchmarks.coverage.populations import Rng, occurrences, of_logits, zipf
from bvf.arrays import FloatArray
from bvf.stats.comparing.other_words import FURTHER, InPrompts, Place, sets_of_words

GROUPS, TEMPLATES, MASS = 30, 1000, 0.01
HALVINGS = 18
"""Steps in which the strength of a topic is found that gives it a place."""
OUTCOMES = ("further apart", "not further apart", "cannot tell")


@dataclass(frozen=True)
class Source:
    """Logits of a topic's first class, (X, T), and log p of other words, (X, T, N), in every template of a source."""

    logits: FloatArray
    words: FloatArray

    @cached_property
    def weights(self) -> FloatArray:
        return zipf(TEMPLATES)

    @cached_property
    def prompts(self) -> InPrompts:
        q, p_x = np.exp(self.words), np.full(GROUPS, 1.0 / GROUPS)
        q /= q.sum(axis=2, keepdims=True)
        sets = sets_of_words(p_x @ np.einsum("xtn,t->xn", q, self.weights), 2)
        return InPrompts(of_logits(self.logits), q, sets, p_x, self.weights, MASS)

    def truth(self) -> Place:
        return self.prompts.place()

    def at_place(self, place: float) -> "Source":
        """The source with mean logits of groups stretched until the topic has a place."""
        means = (self.logits @ self.weights)[:, np.newaxis]
        goal, one_set = float(np.quantile(self.truth().of_sets, place)), self.prompts.sets[:1]

        def stretched(times: float) -> FloatArray:
            return self.logits + (times - 1.0) * (means - means.mean())

        low, high = 0.0, 4.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2.0
            topic = replace(self.prompts, topic=of_logits(stretched(middle)), sets=one_set)
            low, high = (middle, high) if topic.place().apart < goal else (low, middle)
        return replace(self, logits=stretched(high))


def source(topic: float, words: float, number: int, place: float, rng: Rng) -> Source:
    """Return a source in which groups are apart by a topic and by other words: standard deviations of mean logits."""
    strength = words * np.exp(rng.normal(0.0, 0.4, number))
    of_words = rng.normal(-6.0, 1.0, number) + strength * rng.normal(size=(GROUPS, 1, number))
    of_words = of_words + 0.6 * rng.normal(size=(1, TEMPLATES, number))
    of_words = of_words + 0.4 * rng.normal(size=(GROUPS, TEMPLATES, number))
    logits = topic * rng.normal(size=(GROUPS, 1)) + 0.84 * rng.normal(size=(1, TEMPLATES))
    made = Source(logits + 0.56 * rng.normal(size=(GROUPS, TEMPLATES)), of_words)
    return made.at_place(place) if place else made


SCENES = {
    "apart by both": (0.35, 0.35, 60, 0.0),
    "apart by the topic alone": (0.5, 0.0, 60, 0.0),
    "apart by other words alone": (0.0, 0.4, 60, 0.0),
    "alike by both": (0.0, 0.0, 60, 0.0),
    "far further apart": (1.2, 0.35, 60, 0.0),
    "a place of .94": (0.35, 0.35, 60, 0.94),
    "a place of .96": (0.35, 0.35, 60, 0.96),
    "a place of .90, 12 words": (0.35, 0.35, 12, 0.90),
}


def placed(scene: str, n: int, repetitions: int, rng: Rng) -> Rows:
    """How often the intervals hold and the outcome is wrong, and how often there is each outcome."""
    for each, truth in samples(partial(source, *SCENES[scene]), Source.truth, repetitions, rng, sources=4):
        drawn, whole = occurrences(n, rng, each.weights), each.prompts
        found = replace(
            whole,
            topic=whole.topic[:, drawn.templates],
            others=whole.others[:, drawn.templates],
            context_weights=drawn.sample.weights,
        ).place(drawn.sample)
        low, high = found.place_ends or (0.0, 1.0)
        least, most = found.ratio_ends or (0.0, np.inf)
        is_further = truth.place >= FURTHER
        wrong = {"further apart": not is_further, "not further apart": is_further}.get(found.outcome, False)
        held = {"place": low <= truth.place <= high, "ratio": least <= (truth.ratio or 0.0) <= most}
        outcomes = {name: found.outcome == name for name in OUTCOMES}
        yield {"true_place": truth.place, **held, **outcomes, "wrong": wrong}


CELLS = [*cells("other words", placed, {"groups": SCENES, "n": (20, 80)})]
main = Simulation(__doc__, "coverage/other_words.json", CELLS, 100, {"decisions.md": ()})
