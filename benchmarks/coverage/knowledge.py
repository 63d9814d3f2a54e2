"""How often intervals of knowledge hold: ``python -m benchmarks coverage.knowledge [SCENE ...] [--repetitions N]``.

Writes the tables of docs/evidence/knowledge.md and their raw figures; see `benchmarks.coverage.frame`.
"""

from functools import partial

import numpy as np
from bvf_knowledge.decompose import decompose_knowledge
from bvf_knowledge.stats.candidates import without_prior
from bvf_knowledge.stats.intervals import accuracy_ends, consistency_ends, ends_over_subjects
from bvf_knowledge.stats.knowledge import consistency, sampled_knowledge, top_answers

from benchmarks.coverage.answers import spoken
from benchmarks.coverage.frame import LEVEL, Rows, Simulation, Table, cells, held, of_each, samples, within
from benchmarks.coverage.populations import Rng
from bvf.arrays import FloatArray
from bvf.builtin.criteria import knowledge
from bvf.stats.comparing.comparison import differences
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


def over_wordings(name: str, n: int, repetitions: int, rng: Rng) -> Rows:

    def truth(source: FloatArray) -> dict[str, float]:
        return {figure: float(every.mean()) for figure, every in truth_of(source).items()}

    for source, known in samples(partial(model, name, SUBJECTS, WORDINGS), truth, repetitions, rng, SOURCES):
        p, sample = drawn(source, n, rng)
        found = sampled_knowledge(p, RIGHT, SCORE, sample).estimates(WEIGHTS, LEVEL)
        yield {
            **of_each(RISKS, found, known),
            "accuracy": within(*accuracy_ends(p, RIGHT, WEIGHTS, sample, LEVEL), known["accuracy"]),
            "consistency": within(*consistency_ends(p, WEIGHTS, sample, LEVEL), known["consistency"]),
        }


def corrected(name: str, n: int, repetitions: int, rng: Rng) -> Rows:
    """Measure the interval over wordings of mastery without the prior of answers, which is fitted in each wording."""
    right = np.arange(SUBJECTS) % ANSWERS

    def make(rng: Rng) -> FloatArray:
        turned = zip(model(name, SUBJECTS, FITTED, rng), right, strict=True)
        source = np.stack([np.roll(of_subject, shift, axis=-1) for of_subject, shift in turned])
        source *= np.exp(PREFERENCE * rng.normal(size=ANSWERS))
        return without_prior(source / source.sum(axis=2, keepdims=True), np.eye(ANSWERS, dtype=np.bool_)[right])

    def mastery(source: FloatArray) -> float:
        return float(decompose_knowledge(source, right, SCORE).mastery)

    for source, truth in samples(make, mastery, repetitions, rng, SOURCES):
        p, sample = drawn(source, n, rng)
        found = sampled_knowledge(p, right, SCORE, sample).estimates(WEIGHTS, LEVEL).of_mean
        yield {"corrected_mastery": within(found.low, found.high, truth)}


def over_subjects(name: str, n: int, repetitions: int, rng: Rng) -> Rows:
    """Measure the intervals over subjects, in 13 wordings."""

    def truth(p: FloatArray) -> dict[str, FloatArray]:
        return {**truth_of(p), "consistency": consistency(p)}

    for _, known in samples(partial(model, name, PEOPLE, 13), truth, repetitions, rng, SOURCES):
        some, weights = rng.choice(PEOPLE, n, replace=False), np.full(n, 1.0 / n)
        yield {
            figure: within(*ends_over_subjects(every[some], weights, LEVEL), float(every.mean()))
            for figure, every in known.items()
        }


def found_different(name: str, n: int, repetitions: int, rng: Rng) -> Rows:
    """Count how often two models that know every subject alike, in other wordings, are found to differ."""

    def make(rng: Rng) -> tuple[FloatArray, FloatArray]:
        first = model(name, SUBJECTS, WORDINGS, rng)
        return first, np.stack([of_subject[rng.permutation(WORDINGS)] for of_subject in first])

    for both, _ in samples(make, lambda _: None, repetitions, rng, SOURCES):
        wordings, sample = rng.choice(WORDINGS, n, replace=False), ContextSample(np.ones(n), "template")
        found = (sampled_knowledge(p[:, wordings], RIGHT, SCORE, sample) for p in both)
        yield of_each(RISKS, differences(*found, WEIGHTS, LEVEL), dict.fromkeys(RISKS, 0.0))


def drawn(source: FloatArray, n: int, rng: Rng) -> tuple[FloatArray, ContextSample]:
    return source[:, rng.choice(source.shape[1], n, replace=False)], ContextSample(np.ones(n), "template")


ALL = (*MODELS, "guessing")
CELLS = [
    *cells("wordings", over_wordings, {"model": ALL, "n": (10, 13, 30)}),
    *cells("corrected", corrected, {"model": ALL, "n": (10, 13, 30)}),
    *cells("subjects", over_subjects, {"model": ALL, "n": (24, 60)}),
    *cells("alike", found_different, {"model": ALL, "n": (10, 13, 30)}),
]
PRINTED = ("mastery", "expected_score", "confidence_gap", "accuracy", "consistency", "corrected_mastery")
TABLE = Table("wordings", {"model": "{model}"}, held(spoken(PRINTED)), beside="corrected")
main = Simulation(__doc__, "coverage/knowledge.json", CELLS, 400, {"knowledge.md": (TABLE,)})
