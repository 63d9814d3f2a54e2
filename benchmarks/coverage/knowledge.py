"""How often intervals of knowledge hold: ``python -m benchmarks coverage.knowledge [SCENE ...] [--repetitions N]``.

Writes the tables of docs/evidence/knowledge.md and their raw figures; see `benchmarks.coverage.frame`.
"""

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np
from bvf_knowledge.stats.candidates import without_prior
from bvf_knowledge.stats.intervals import accuracy_ends, consistency_ends, ends_over_subjects

from benchmarks.coverage.answers import spoken
from benchmarks.coverage.frame import LEVEL, Cell, Simulation, Table, Tally, held, samples, shares
from benchmarks.coverage.populations import Rng
from benchmarks.pages import Record
from bvf.arrays import FloatArray
from bvf.builtin.criteria import knowledge
from bvf.stats.comparing.comparison import differences
from bvf.stats.figures.knowledge import consistency, decompose_knowledge, sampled_knowledge, top_answers
from bvf.stats.sampling.samples import ContextSample

SOURCES = 20
"""Models that the samples of a cell are spread over, so that no figure depends on one."""
SUBJECTS, ANSWERS, WORDINGS, PEOPLE = 30, 12, 1500, 1500
WEIGHTS, RIGHT = np.full(SUBJECTS, 1.0 / SUBJECTS), np.arange(ANSWERS) == np.zeros((SUBJECTS, 1))
SCORE = knowledge("sqrt")
RISKS = ("expected_score", "mastery", "confidence_gap")
"""In the order of a total, the part of its mean, and their difference."""
SURE = (7.0, 1.5, 0.7, 1.0)
MODELS = {"sure": SURE, "torn": (2.5, 2.0, 1.5, 2.5), "mixed": (3.0, 4.0, 1.0, 1.0), "sure in 85 %": SURE}
"""Mean and deviation over subjects of the logit of the true answer, its deviation over wordings, and that of all."""
FITTED = 600
"""Wordings of a source in each of which the prior of answers is fitted."""
PREFERENCE = 1.5
"""The deviation of the logits of answers that a model prefers whatever the subject, where it is to be corrected."""
GUESSING = 3.0
"""The deviation of the logits of a model that knows nothing."""
PARTLY, NOT_UNDERSTOOD = list(MODELS)[-1], 0.15
"""The model that is sure, but for the share of wordings that it does not understand: there, all answers are alike."""


def model(name: str, subjects: int, wordings: int, rng: Rng) -> FloatArray:
    """Return p(y | x, c) of a model, shape (subjects, wordings, ANSWERS). Answer 0 is the true one."""
    if name == "guessing":
        logits = GUESSING * rng.normal(size=(subjects, wordings, ANSWERS))
    else:
        mean, apart, of_wordings, of_both = MODELS[name]
        logits = of_both * rng.normal(size=(subjects, wordings, ANSWERS))
        logits += rng.normal(size=(subjects, 1, ANSWERS))  # answers that a subject brings to mind
        true = rng.normal(mean, apart, (subjects, 1)) + of_wordings * rng.normal(size=wordings)
        logits[..., 0] += true * (rng.random(wordings) >= NOT_UNDERSTOOD) if name == PARTLY else true
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


def over_wordings(name: str, n: int, repetitions: int, rng: Rng) -> Record:

    def truth(source: FloatArray) -> dict[str, float]:
        return {figure: float(of_each.mean()) for figure, of_each in truth_of(source).items()}

    tally, make = Tally(), partial(model, name, SUBJECTS, WORDINGS)
    for source, known in samples(make, truth, repetitions, rng, SOURCES):
        p, sample = drawn(source, n, rng)
        found = sampled_knowledge(p, RIGHT, SCORE, sample).estimates(WEIGHTS, LEVEL)
        tally.add_each(RISKS, found, known)
        tally.add("accuracy", *accuracy_ends(p, RIGHT, WEIGHTS, sample, LEVEL), known["accuracy"])
        tally.add("consistency", *consistency_ends(p, WEIGHTS, sample, LEVEL), known["consistency"])
    return tally.record()


def corrected(name: str, n: int, repetitions: int, rng: Rng) -> Record:
    """Measure the interval over wordings of mastery without the prior of answers, which is fitted in each wording."""
    right = np.arange(SUBJECTS) % ANSWERS

    def make(rng: Rng) -> FloatArray:
        turned = zip(model(name, SUBJECTS, FITTED, rng), right, strict=True)
        source = np.stack([np.roll(of_subject, shift, axis=-1) for of_subject, shift in turned])
        source *= np.exp(PREFERENCE * rng.normal(size=ANSWERS))
        return without_prior(source / source.sum(axis=2, keepdims=True), np.eye(ANSWERS, dtype=np.bool_)[right])

    def mastery(source: FloatArray) -> float:
        return float(decompose_knowledge(source, right, SCORE).mastery)

    tally = Tally()
    for source, truth in samples(make, mastery, repetitions, rng, SOURCES):
        p, sample = drawn(source, n, rng)
        found = sampled_knowledge(p, right, SCORE, sample).estimates(WEIGHTS, LEVEL).of_mean
        tally.add("corrected_mastery", found.low, found.high, truth)
    return tally.record()


def over_subjects(name: str, n: int, repetitions: int, rng: Rng) -> Record:
    """Measure the intervals over subjects, in 13 wordings."""

    def truth(p: FloatArray) -> dict[str, FloatArray]:
        return {**truth_of(p), "consistency": consistency(p)}

    tally = Tally()
    for _, known in samples(partial(model, name, PEOPLE, 13), truth, repetitions, rng, SOURCES):
        some, weights = rng.choice(PEOPLE, n, replace=False), np.full(n, 1.0 / n)
        for figure, of_each in known.items():
            tally.add(figure, *ends_over_subjects(of_each[some], weights, LEVEL), float(of_each.mean()))
    return tally.record()


def found_different(name: str, n: int, repetitions: int, rng: Rng) -> Record:
    """Count how often two models that know every subject alike, in other wordings, are found to differ."""

    def make(rng: Rng) -> tuple[FloatArray, FloatArray]:
        first = model(name, SUBJECTS, WORDINGS, rng)
        return first, np.stack([of_subject[rng.permutation(WORDINGS)] for of_subject in first])

    tally = Tally()
    for both, _ in samples(make, lambda _: None, repetitions, rng, SOURCES):
        wordings, sample = rng.choice(WORDINGS, n, replace=False), ContextSample(np.ones(n), "template")
        found = (sampled_knowledge(p[:, wordings], RIGHT, SCORE, sample) for p in both)
        tally.add_each(RISKS, differences(*found, WEIGHTS, LEVEL), dict.fromkeys(RISKS, 0.0))
    return tally.record()


def drawn(source: FloatArray, n: int, rng: Rng) -> tuple[FloatArray, ContextSample]:
    return source[:, rng.choice(source.shape[1], n, replace=False)], ContextSample(np.ones(n), "template")


SCENES: dict[str, tuple[Callable[..., Record], tuple[int, ...]]] = {
    "wordings": (over_wordings, (10, 13, 30)),
    "corrected": (corrected, (10, 13, 30)),
    "subjects": (over_subjects, (24, 60)),
    "alike": (found_different, (10, 13, 30)),
}
CELLS = [
    Cell(scene, {"model": name, "n": n}, partial(measured, name, n))
    for scene, (measured, sizes) in SCENES.items()
    for name, n in product((*MODELS, "guessing"), sizes)
]
PRINTED = ("mastery", "expected_score", "confidence_gap", "accuracy", "consistency")
MODEL = {"model": "{model}"}
WORDED = Table("wordings", MODEL, held(spoken((*PRINTED, "corrected_mastery"))), beside="corrected")
OTHERS = (
    Table("subjects", MODEL, held(spoken(PRINTED))),
    Table("alike", MODEL, shares(spoken(PRINTED[:3]), "{}.found")),
)
main = Simulation(__doc__, "coverage/knowledge.json", CELLS, 400, {"knowledge.md": (WORDED,)}, OTHERS)
