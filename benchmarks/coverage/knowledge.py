"""How often intervals of knowledge hold: ``python benchmarks/coverage/knowledge.py [SCENE ...] [--repetitions N]``.

Scenes are wordings, corrected, subjects and alike; all if none is named. Measured cells are kept in
build/coverage, and are not measured again with as many repetitions. Writes docs/evidence/coverage/knowledge.json, and
the tables of docs/evidence/knowledge.md.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from bvf_knowledge.stats.answer_priors import without_prior
from bvf_knowledge.stats.answers import accuracy_ends, consistency_ends, ends_over_subjects
from one_page import measured_and_written
from scenes import LEVEL, Cell, Record
from tables import by_size, markdown, percent, section, values

from bvf.arrays import FloatArray
from bvf.builtin.criteria import knowledge
from bvf.stats.comparing.comparison import differences
from bvf.stats.figures.knowledge import consistency, decompose_knowledge, sampled_knowledge, top_answers
from bvf.stats.sampling.samples import ContextSample

REPETITIONS = 400
SOURCES = 20
"""Models that the repetitions of a cell are spread over, so that no figure depends on one."""
SUBJECTS, ANSWERS, WORDINGS, PEOPLE = 30, 12, 1500, 1500
SCORE = knowledge("sqrt")
FIGURES = ("mastery", "expected_score", "confidence_gap", "accuracy", "consistency", "corrected_mastery")
MODELS = {"sure": (7.0, 1.5, 0.7, 1.0), "torn": (2.5, 2.0, 1.5, 2.5), "mixed": (3.0, 4.0, 1.0, 1.0)}
"""Mean and deviation over subjects of the logit of the true answer, its deviation over wordings, and that of all."""
FITTED = 600
"""Wordings of a source in each of which the prior of answers is fitted."""
PREFERENCE = 1.5
"""The deviation of the logits of answers that a model prefers whatever the subject, where it is to be corrected."""
GUESSING = 3.0
"""The deviation of the logits of a model that knows nothing."""


def model(name: str, subjects: int, wordings: int, rng: np.random.Generator) -> FloatArray:
    """Return p(y | x, c) of a model, shape (subjects, wordings, ANSWERS). Answer 0 is the true one."""
    if name == "guessing":
        logits = GUESSING * rng.normal(size=(subjects, wordings, ANSWERS))
    else:
        mean, apart, of_wordings, of_both = MODELS[name]
        logits = of_both * rng.normal(size=(subjects, wordings, ANSWERS))
        logits += rng.normal(size=(subjects, 1, ANSWERS))  # answers that a subject brings to mind
        logits[..., 0] += rng.normal(mean, apart, (subjects, 1)) + of_wordings * rng.normal(size=wordings)
    p = np.exp(logits - logits.max(axis=2, keepdims=True))
    return p / p.sum(axis=2, keepdims=True)


def truth_of(p: FloatArray) -> dict[str, FloatArray]:
    """Return every figure of every subject in all wordings, shape (X,) each."""
    known, tops = decompose_knowledge(p, np.zeros(len(p), dtype=np.intp), SCORE), top_answers(p)
    shares = [np.bincount(answers, minlength=ANSWERS) / p.shape[1] for answers in tops]
    return {
        "mastery": known.x_mastery,
        "expected_score": known.x_expected_score,
        "confidence_gap": known.x_confidence_gap,
        "accuracy": (top_answers(p.mean(axis=1)) == 0).astype(np.float64),
        "consistency": np.array([(share**2).sum() for share in shares]),
    }


def over_wordings(name: str, n: int, repetitions: int, rng: np.random.Generator) -> Record:
    """Measure the intervals over wordings."""
    held = Held()
    for of_source in shared_out(repetitions):
        source = model(name, SUBJECTS, WORDINGS, rng)
        truth = {figure: float(of.mean()) for figure, of in truth_of(source).items()}
        for _ in range(of_source):
            p, sample = drawn(source, n, rng)
            weights, right = np.full(SUBJECTS, 1.0 / SUBJECTS), np.zeros(SUBJECTS, dtype=np.intp)
            found = sampled_knowledge(p, right, SCORE, sample).estimates(weights, LEVEL)
            for figure, estimate in zip(FIGURES[:3], (found.of_mean, found.total, found.rest), strict=True):
                held.add(figure, (float(estimate.low), float(estimate.high)), truth[figure])
            held.add("accuracy", accuracy_ends(p, right, weights, sample, LEVEL), truth["accuracy"])
            held.add("consistency", consistency_ends(p, weights, sample, LEVEL), truth["consistency"])
    return held.record()


def corrected(name: str, n: int, repetitions: int, rng: np.random.Generator) -> Record:
    """Measure the interval over wordings of mastery without the prior of answers, which is fitted in each wording."""
    held, right = Held(), np.arange(SUBJECTS) % ANSWERS
    for of_source in shared_out(repetitions):
        turned = model(name, SUBJECTS, FITTED, rng)
        source = np.stack([np.roll(of, shift, axis=-1) for of, shift in zip(turned, right, strict=True)])
        source *= np.exp(PREFERENCE * rng.normal(size=ANSWERS))
        without = without_prior(source / source.sum(axis=2, keepdims=True), right)
        assert without is not None
        truth = decompose_knowledge(without, right, SCORE).mastery
        for _ in range(of_source):
            p, sample = drawn(without, n, rng)
            found = sampled_knowledge(p, right, SCORE, sample).estimates(np.full(SUBJECTS, 1.0 / SUBJECTS), LEVEL)
            held.add("corrected_mastery", (float(found.of_mean.low), float(found.of_mean.high)), truth)
    return held.record()


def over_subjects(name: str, n: int, repetitions: int, rng: np.random.Generator) -> Record:
    """Measure the intervals over subjects, in 13 wordings."""
    held = Held()
    for of_source in shared_out(repetitions):
        p = model(name, PEOPLE, 13, rng)
        of_all = {**truth_of(p), "consistency": consistency(p)}
        for _ in range(of_source):
            some, weights = rng.choice(PEOPLE, n, replace=False), np.full(n, 1.0 / n)
            for figure, of_each in of_all.items():
                held.add(figure, ends_over_subjects(of_each[some], weights, LEVEL), float(of_each.mean()))
    return held.record()


def found_different(name: str, n: int, repetitions: int, rng: np.random.Generator) -> Record:
    """Count how often two models that know every subject alike, in other wordings, are found to differ."""
    found = list[tuple[bool, ...]]()
    for of_source in shared_out(repetitions):
        first = model(name, SUBJECTS, WORDINGS, rng)
        second = np.stack([of[rng.permutation(WORDINGS)] for of in first])
        for _ in range(of_source):
            wordings, sample = rng.choice(WORDINGS, n, replace=False), ContextSample(np.ones(n), "template")
            right = np.zeros(SUBJECTS, dtype=np.intp)
            both = (sampled_knowledge(p[:, wordings], right, SCORE, sample) for p in (first, second))
            apart = differences(*both, np.full(SUBJECTS, 1.0 / SUBJECTS), LEVEL)
            found.append(tuple(bool(each.p_value < 1.0 - LEVEL) for each in (apart.of_mean, apart.total, apart.rest)))
    return dict(zip(FIGURES, np.mean(found, axis=0).tolist(), strict=False))


def shared_out(repetitions: int) -> Iterator[int]:
    """Yield how many repetitions each model has: `SOURCES` models, or one each if repetitions are fewer."""
    for number in range(min(SOURCES, repetitions)):
        yield len(range(number, repetitions, SOURCES))


def drawn(source: FloatArray, n: int, rng: np.random.Generator) -> tuple[FloatArray, ContextSample]:
    """Draw wordings from a source."""
    return source[:, rng.choice(source.shape[1], n, replace=False)], ContextSample(np.ones(n), "template")


class Held:
    """Counts how often intervals hold the truth."""

    def __init__(self) -> None:
        self.rows: dict[str, list[tuple[bool, float]]] = {}

    def add(self, figure: str, ends: tuple[float, float] | None, truth: float) -> None:
        """Add an interval; rounding is no miss."""
        assert ends is not None
        low, high = ends
        self.rows.setdefault(figure, []).append((low - 1e-9 <= truth <= high + 1e-9, high - low))

    def record(self) -> Record:
        """Return coverage and mean width of every figure."""
        means = {figure: np.mean(np.array(rows, dtype=float), axis=0).tolist() for figure, rows in self.rows.items()}
        return {figure: {"coverage": coverage, "width": width} for figure, (coverage, width) in means.items()}


def cells() -> Iterator[Cell]:
    """Every cell of every scene."""
    scenes: dict[str, tuple[Callable[..., Record], tuple[int, ...]]] = {
        "wordings": (over_wordings, (10, 13, 30)),
        "corrected": (corrected, (10, 13, 30)),
        "subjects": (over_subjects, (24, 60)),
        "alike": (found_different, (10, 13, 30)),
    }
    for scene, (measured, sizes) in scenes.items():
        for name, n in product((*MODELS, "guessing"), sizes):
            yield Cell(scene, {"model": name, "n": n}, partial(measured, name, n))


def table_of(*scenes: list[Record]) -> str:
    """Return a table with a line per model, and the figures of all sizes of each scene."""
    parts = [(records, [figure for figure in FIGURES if figure in records[0]]) for records in scenes]
    heads = [figure.replace("_", " ") for _, figures in parts for figure in figures]
    of_scenes = [
        by_size(
            records, lambda cell: (cell["model"],), [lambda cell, name=name: _shown(cell[name]) for name in figures]
        )
        for records, figures in parts
    ]
    lines = (
        [first[0], *(figure for line in (first, *others) for figure in line[1:])]
        for first, *others in zip(*of_scenes, strict=True)
    )
    return markdown([["model", *heads], *lines])


def _shown(figure: Any) -> str:
    return percent(figure["coverage"] if isinstance(figure, dict) else figure)


def page(records: dict[str, list[Record]]) -> str:
    """Return the tables as Markdown."""
    number = min(each["repetitions"] for of_scene in records.values() for each in of_scene)
    return "\n\n".join(
        (
            section(
                "Other wordings",
                f"{SUBJECTS} subjects, {ANSWERS} answers, {number} samples per row or more, of {SOURCES} models; "
                f"percentages of intervals that hold with {values(records['wordings'], 'n')} wordings. "
                "*sure*: the true answer is on top nearly everywhere; *torn*: what is on top changes with the wording; "
                "*mixed*: some subjects are known and others are not; *guessing*: nothing is known. Corrected mastery "
                "is of models that prefer some answers whatever the subject.",
                table_of(records["wordings"], records["corrected"]),
            ),
            section(
                "Other subjects",
                f"The same models in 13 wordings; {values(records['subjects'], 'n')} subjects are drawn.",
                table_of(records["subjects"]),
            ),
            section(
                "Two models that know alike",
                "The second model has the same probabilities for every subject, in other wordings. Percentage of "
                f"samples in which a figure is found different at 5 %, with {values(records['alike'], 'n')} wordings.",
                table_of(records["alike"]),
            ),
        )
    )


if __name__ == "__main__":
    measured_and_written("knowledge", list(cells()), page, REPETITIONS, __doc__)
