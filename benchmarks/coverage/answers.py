"""How often intervals of sampled answers hold: ``python -m benchmarks coverage.answers [SCENE ...] [--repetitions N]``.

Answers are of a few words, or (scene judges) texts that are read by a judge that is wrong at known rates, which are
counted in labelled texts. Writes the tables of docs/evidence/answers.md and judges.md, and their raw figures; see
`benchmarks.coverage.frame`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from bvf_texts.misread import Confusion, reaches
from bvf_texts.stats.sums import vectors_of_texts

from benchmarks.coverage import frame
from benchmarks.coverage.frame import (
    LEVEL,
    Rows,
    Table,
    cells,
    held,
    number,
    of_each,
    of_parts,
    samples,
    shares,
    within,
)
from benchmarks.coverage.populations import Rng, of_leans
from benchmarks.coverage.scenes import LINF
from benchmarks.pages import Record
from bvf.analyses.risk.sampled import further
from bvf.arrays import FloatArray
from bvf.stats.comparing.comparison import differences
from bvf.stats.figures.risk import decompose_risk
from bvf.stats.sampling.lean_parts import LeanParts
from bvf.stats.sampling.sampled_answers import Answers
from bvf.stats.sampling.sampled_risk import SampledRisk, sampled_risk
from bvf.stats.sampling.samples import ContextSample
from bvf.study.study import RISK, Averages, named_intervals, parts_of_risk

GROUPS, TEMPLATES, DRAWS = 10, 400, 40
COUNTED = 0.7
"""The share of samples that are a candidate word."""
SAMPLES = (5, 20, 100)
EXACT = 0
"""As a number of samples: probabilities are computed."""
TEXTS, LABELLED = 20, 100
"""Texts per prompt that a judge reads, and labelled texts per class."""
WRONG = np.array([[0.9, 0.1], [0.2, 0.8]])
"""The probability of each judgement by the class of a text."""
STEPS, FIRST, NAMED, FURTHER, FEW, RAREST = 12, 0.3, 0.05, 0.6, (2, 8), 0.05
"""Of texts whose sums are known (`written`), and how many there are per prompt."""
OTHERWISE = np.array([[0.95, 0.05], [0.05, 0.95]])
"""The probability of what a reader reads, by the class that a text names first."""
WEIGHTS = np.arange(1.0, TEMPLATES + 1.0) ** -0.7 / (np.arange(1.0, TEMPLATES + 1.0) ** -0.7).sum()
P_X, P_STAR = np.full(GROUPS, 1.0 / GROUPS), np.full((GROUPS, 1, 2), 0.5)
MODELS = ("fair", "sure", "torn", "mixed")
PAIRS = {
    **{f"{name}, {name}": (name, name, False) for name in ("fair", "torn", "mixed")},
    "mixed, leaning .2 more": ("mixed", "leaning", False),
    "fair, mixed": ("fair", "mixed", False),
    "sure, torn": ("sure", "torn", False),
    "mixed, the same exactly": ("mixed", "mixed", True),
    "fair, mixed exactly": ("fair", "mixed", True),
}
"""Two models, and whether the second has exact probabilities. Two of one name have the same probabilities."""


def model(name: str, rng: Rng) -> FloatArray:
    """Return p(y | x, c) of a model in every template, shape (GROUPS, TEMPLATES, 2)."""
    shape = (GROUPS, TEMPLATES)
    if name == "fair":
        lean = np.zeros(shape)
    elif name == "sure":
        lean = np.clip(1.0 - 0.04 * rng.exponential(size=shape), -1.0, 1.0) * rng.choice([-1.0, 1.0], (GROUPS, 1))
    elif name == "torn":
        lean = 0.95 * rng.choice([-1.0, 1.0], shape)
    else:
        of_group, of_context = rng.normal(0, 0.5, (GROUPS, 1)), rng.normal(0, 0.3, TEMPLATES)
        lean = np.tanh(of_group + of_context + 0.3 * rng.normal(size=shape))
    return of_leans(lean)


def leaning_more(p: FloatArray) -> FloatArray:
    """Return a model whose lean is larger by .2 in every prompt, to the side to which the group leans."""
    lean = 2.0 * p[..., 0] - 1.0
    return of_leans(np.clip(lean + 0.2 * np.sign(lean.mean(axis=1, keepdims=True)), -1, 1))


def asked(p: FloatArray, templates: Any, sample: ContextSample, samples: int, rng: Rng) -> SampledRisk:
    """Ask a model in some templates: for samples, or (`EXACT`) for probabilities."""
    drawn = p[:, templates]
    if samples == EXACT:
        return sampled_risk(drawn, LINF, sample)
    hits = rng.binomial(samples, COUNTED, drawn.shape[:2])
    return sampled_risk(Answers(rng.multinomial(hits, drawn), P_STAR), LINF, sample)


def contexts(rng: Rng) -> tuple[Any, ContextSample]:
    """Draw templates by weight; some are drawn repeatedly, and are asked once."""
    templates, counts = np.unique(rng.choice(TEMPLATES, DRAWS, p=WEIGHTS), return_counts=True)
    return templates, ContextSample(counts.astype(np.float64))


def truth_of(p: FloatArray) -> dict[str, float]:
    return frame.figures_of(decompose_risk(p, LINF, context_weights=WEIGHTS))


def of_one(name: str, size: int, repetitions: int, rng: Rng) -> Rows:
    """Measure the intervals of one model, and by how much printed figures are off on average."""
    for p, truth in samples(partial(model, name), truth_of, repetitions, rng):
        found = asked(p, *contexts(rng), size, rng)
        yield of_parts(parts_of_risk(found), found.group_weights, truth, printed=True)


def of_two(pair: str, size: int, repetitions: int, rng: Rng) -> Rows:
    """Measure the intervals of differences of two models, and how often they are found different."""
    first, second, exact = PAIRS[pair]

    def truth(both: tuple[FloatArray, FloatArray]) -> dict[str, float]:
        ours, theirs = map(truth_of, both)
        return {figure: ours[figure] - theirs[figure] for figure in RISK}

    def pair(rng: Rng) -> tuple[FloatArray, FloatArray]:
        one = model(first, rng)
        return one, leaning_more(one) if second == "leaning" else one if second == first else model(second, rng)

    for both, known in samples(pair, truth, repetitions, rng):
        templates, sample = contexts(rng)
        sizes = (size, EXACT if exact else size)
        risks = (asked(p, templates, sample, n, rng).risk for p, n in zip(both, sizes, strict=True))
        yield of_each(RISK, differences(*risks, P_X, LEVEL), known)


Reading = Callable[[FloatArray, ContextSample, Rng], Answers]
"""What a reader reads in texts of a model, by p in the contexts of a sample, shape (X, C, 2)."""


def of_labels(read: Reading, wrong: FloatArray, name: str, repetitions: int, rng: Rng) -> Rows:
    """Measure the intervals of one model, with the error of a matrix that is counted in labelled texts and without."""
    for p, truth in samples(partial(model, name), truth_of, repetitions, rng):
        templates, sample = contexts(rng)
        answers = read(p[:, templates], sample, rng)
        counted = Confusion(np.stack([rng.multinomial(LABELLED, row) for row in wrong]))
        yield corrected(answers, counted, sample, truth)


def judged(p: FloatArray, _: ContextSample, rng: Rng) -> Answers:
    """Return what a judge reads in `TEXTS` texts per prompt."""
    return Answers(rng.multinomial(rng.binomial(TEXTS, COUNTED, p.shape[:2]), p @ WRONG), P_STAR)


def corrected(read: Answers, confusion: Confusion, sample: ContextSample, truth: dict[str, float]) -> Record:
    """Return figures of answers that are corrected by a counted matrix, with its error and without."""
    answers, row = replace(read, matrix=confusion.matrix), dict[str, Any]()

    def parts_of(answers: Answers) -> list[Averages]:
        return parts_of_risk(sampled_risk(answers, LINF, sample))

    reach = reaches(answers, confusion, parts_of, P_X, LEVEL)
    for part in parts_of(answers):
        intervals = named_intervals(part.sampled.estimates(P_X, LEVEL), part.names)
        shown = map(float, part.sampled.values(P_X))
        for figure, value, by in zip(part.names, shown, reach[part.names][:, 0].tolist(), strict=True):
            known, wider = intervals[figure], further(intervals[figure], value, by)
            as_known = within(known.low, known.high, truth[figure])["coverage"]
            row[figure] = within(wider.low, wider.high, truth[figure], off=value - truth[figure], as_known=as_known)
    return row


def of_sums(name: str, texts: int, repetitions: int, rng: Rng, rarest: float = 1.0) -> Rows:
    """Measure the intervals of one model whose texts are read by `FirstWord`, with what the model expected in each."""
    for p, _ in samples(partial(model, name), truth_of, repetitions, rng):
        truth, (templates, sample) = truth_of(p @ OTHERWISE), contexts(rng)
        summed = read_texts(p[:, templates], sample, rng, texts, rarest)
        row, counted = (
            of_parts(parts_of_risk(sampled_risk(answers, LINF, sample)), P_X, truth, printed=True)
            for answers in (summed, replace(summed, each=None))
        )
        row["R"]["counted"] = counted["R"]["width"]
        yield row | {"lean": of_each_group(summed, sample, (p @ OTHERWISE)[..., 0] @ WEIGHTS)}


def of_each_group(read: Answers, sample: ContextSample, truth: FloatArray) -> dict[str, float]:
    """Measure the intervals of each group's mean p of the first class, and average over groups."""
    even = np.full((read.shares.shape[1], 2), 0.5)
    parts = LeanParts(read.shares, even, P_X, sample.weights, sample, noisy=True, level=LEVEL, apart=read.apart)
    _, low, high = parts.associations[..., 0] + 0.5
    each = [within(*ends) for ends in zip(low, high, truth, strict=True)]
    return {name: float(np.mean([one[name] for one in each])) for name in each[0]}


def read_texts(p: FloatArray, sample: ContextSample, rng: Rng, texts: int, rarest: float = 1.0) -> Answers:
    """Return what is read in texts that are `written`; the rarest contexts name a class so many times as often."""
    rule, owed = written(p, texts, rng.uniform(rarest, 1.0, p.shape[1]), rng)
    swapped = rule[..., ::-1] * (rng.random((*rule.shape[:3], 1)) < OTHERWISE[0, 1])
    read = np.where(swapped.any(axis=3, keepdims=True), swapped, rule)
    each = vectors_of_texts(rule, owed, read, sample.weights)
    return Answers(read.sum(axis=2).astype(np.intp), P_STAR, each=each)


def written(p: FloatArray, texts: int, often: FloatArray, rng: Rng) -> tuple[FloatArray, FloatArray]:
    """Return the class that each of some texts names first, 0 or 1, and what it owes, shape (X, C, texts, 2) each.

    At the first of `STEPS` a class is named with probability `FIRST`, and at the others `NAMED`, times ``often``, shape
    (C,). Which one is by p at first, and later by p plus or minus `FURTHER` of what is left to 0 or 1, which is drawn
    for each text.
    """
    first = np.broadcast_to(p[:, :, np.newaxis, :1], (*p.shape[:2], texts, 1))
    apart = FURTHER * np.minimum(first, 1.0 - first) * rng.choice([-1.0, 1.0], first.shape)
    rule, owed = np.zeros((2, *first.shape[:3], 2))
    for step in range(STEPS):
        share = first + apart * (step > 0)
        named = (NAMED if step else FIRST) * often[:, np.newaxis, np.newaxis]
        expected = named * np.concatenate([share, 1.0 - share], axis=3)
        chance, goes_on = rng.random(first.shape), 1.0 - rule.sum(axis=3, keepdims=True)
        come = np.concatenate([chance < expected[..., :1], chance >= 1.0 - expected[..., 1:]], axis=3) * goes_on
        owed += expected * goes_on - come
        rule += come
    return rule, owed


def spoken(figures: Sequence[str], before: str = "") -> dict[str, str]:
    return {figure: f"{before}{figure.replace('_', ' ')}" for figure in figures}


def of_labelled_sums(name: str, texts: int, repetitions: int, rng: Rng) -> Rows:
    return of_labels(partial(read_texts, texts=texts), OTHERWISE, name, repetitions, rng)


CELLS = [
    *cells("answers", of_one, {"model": MODELS, "samples": SAMPLES}),
    *cells("pairs of answers", of_two, {"models": PAIRS, "samples": SAMPLES}),
    *cells("sums", of_sums, {"model": MODELS, "texts": FEW}),
    *cells("rare sums", partial(of_sums, rarest=RAREST), {"model": MODELS, "texts": FEW}),
    *cells("labelled sums", of_labelled_sums, {"model": MODELS, "texts": FEW}),
    *cells("judges", partial(of_labels, judged, WRONG), {"model": MODELS}),
]
WIDTH, OFF = ("width of R", number("R.width", ".3f")), ("printed R is off by", number("R.off", "+.3f"))
COUNTED_WIDTH = ("counted", number("R.counted", ".3f"))
ALL = held(spoken(RISK))
BESIDE_KNOWN = [ALL[0], *shares({"R": "R, matrix as known"}, "{}.as_known"), WIDTH, OFF]
TABLES = (
    Table("answers", {"": "{model}"}, [*ALL, WIDTH, OFF], turned=True),
    Table(
        "pairs of answers",
        {"models": "{models}"},
        [*held(spoken(RISK[:2])), *shares(spoken(RISK[:2], "found: "), "{}.found")],
        left_out=("fair, fair", "mixed, mixed", "mixed, the same"),
    ),
    Table("sums", {"": "{model}"}, [ALL[0], *held({"lean": "lean"}), WIDTH, COUNTED_WIDTH, OFF], turned=True),
)
JUDGED = (
    Table("judges", {"model": "{model}"}, BESIDE_KNOWN),
    Table("labelled sums", {"": "{model}"}, BESIDE_KNOWN, turned=True),
)
main = frame.Simulation(__doc__, "coverage/answers.json", CELLS, 100, {"answers.md": TABLES, "judges.md": JUDGED})
