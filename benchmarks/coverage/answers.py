"""How often intervals of sampled answers hold: ``python benchmarks/coverage/answers.py [SCENE ...] [--repetitions N]``.

Scenes are answers and "pairs of answers"; all if none is named. Measured cells are kept in build/coverage, and are not
measured again with as many repetitions. Writes docs/evidence/coverage/answers.json, and the tables of
docs/evidence/answers.md.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from knowledge import Held
from one_page import measured_and_written
from scenes import LEVEL, Cell, Record
from tables import by_size, held, markdown, percent, section

from bvf.arrays import FloatArray
from bvf.builtin.criteria import Linf
from bvf.stats.comparing.comparison import differences
from bvf.stats.figures.risk import Risk, decompose_risk
from bvf.stats.sampling.sampled_answers import Answers
from bvf.stats.sampling.sampled_risk import SampledRisk, sampled_risk
from bvf.stats.sampling.samples import ContextSample
from bvf.study.averages import PARTICULAR, RISK, SHARED, parts_of_risk

REPETITIONS = 200
SOURCES = 10
"""Models that the repetitions of a cell are spread over, so that no figure depends on one."""
GROUPS, TEMPLATES, DRAWS = 10, 400, 40
COUNTED = 0.7
"""The share of samples that are a candidate word."""
SAMPLES = (5, 20, 100)
EXACT = 0
"""As a number of samples: probabilities are computed."""
WEIGHTS = np.arange(1.0, TEMPLATES + 1.0) ** -0.7 / (np.arange(1.0, TEMPLATES + 1.0) ** -0.7).sum()
FIGURES = (*RISK, *SHARED, *PARTICULAR)
SHOWN = ("R", "R_bias", "R_volatility", "shared", "shared_bias", "particular", "particular_bias")
MODELS = ("fair", "sure", "torn", "mixed")
PAIRS = {
    "fair, fair": ("fair", "fair", False),
    "torn, torn": ("torn", "torn", False),
    "mixed, mixed": ("mixed", "mixed", False),
    "mixed, leaning .2 more": ("mixed", "leaning", False),
    "fair, mixed": ("fair", "mixed", False),
    "sure, torn": ("sure", "torn", False),
    "mixed, the same exactly": ("mixed", "mixed", True),
    "fair, mixed exactly": ("fair", "mixed", True),
}
"""Two models, and whether the second has exact probabilities. Two of one name have the same probabilities."""


def model(name: str, rng: np.random.Generator) -> FloatArray:
    """Return p(y | x, c) of a model in every template, shape (GROUPS, TEMPLATES, 2)."""
    shape = (GROUPS, TEMPLATES)
    if name == "fair":
        lean = np.zeros(shape)
    elif name == "sure":
        lean = np.clip(1.0 - 0.04 * rng.exponential(size=shape), -1.0, 1.0) * rng.choice([-1.0, 1.0], (GROUPS, 1))
    elif name == "torn":
        lean = 0.95 * rng.choice([-1.0, 1.0], shape)
    else:
        of_group, of_context, of_both = rng.normal(0, 0.5, (GROUPS, 1)), rng.normal(0, 0.3, TEMPLATES), 0.3
        lean = np.tanh(of_group + of_context + of_both * rng.normal(size=shape))
    return np.stack([0.5 + lean / 2.0, 0.5 - lean / 2.0], axis=-1)


def leaning_more(p: FloatArray) -> FloatArray:
    """Return a model whose lean is larger by .2 in every prompt, to the side to which the group leans."""
    lean = np.clip(2.0 * p[..., :1] - 1.0 + 0.2 * np.sign((2.0 * p[..., :1] - 1.0).mean(axis=1, keepdims=True)), -1, 1)
    return np.concatenate([0.5 + lean / 2.0, 0.5 - lean / 2.0], axis=2)


def asked(p: FloatArray, templates: Any, sample: ContextSample, samples: int, rng: np.random.Generator) -> SampledRisk:
    """Ask a model in some templates: for samples, or (`EXACT`) for probabilities."""
    drawn = p[:, templates]
    if samples == EXACT:
        return sampled_risk(drawn, Linf(), sample)
    hits = rng.binomial(samples, COUNTED, drawn.shape[:2])
    return sampled_risk(Answers(rng.multinomial(hits, drawn), np.full((GROUPS, 1, 2), 0.5)), Linf(), sample)


def contexts(rng: np.random.Generator) -> tuple[Any, ContextSample]:
    """Draw templates by weight; some are drawn repeatedly, and are asked once."""
    templates, counts = np.unique(rng.choice(TEMPLATES, DRAWS, p=WEIGHTS), return_counts=True)
    return templates, ContextSample(counts.astype(np.float64))


def truth_of(p: FloatArray) -> dict[str, float]:
    """Return every figure of the source."""
    risk: Risk = decompose_risk(p, Linf(), context_weights=WEIGHTS)
    return {name: float(getattr(risk if name in RISK else risk.parts, name)) for name in FIGURES}


def of_figures(name: str, samples: int, repetitions: int, rng: np.random.Generator) -> Record:
    """Measure the intervals of one model, and by how much printed figures are off on average."""
    held, off = Held(), dict[str, list[float]]()
    for _ in range(SOURCES):
        p = model(name, rng)
        truth = truth_of(p)
        for _ in range(repetitions // SOURCES):
            found = asked(p, *contexts(rng), samples, rng)
            for part in parts_of_risk(found):
                estimates = part.sampled.estimates(found.group_weights, LEVEL)
                shown = part.sampled.values(found.group_weights)
                of_each = (estimates.total, estimates.of_mean, estimates.rest)
                for figure, estimate, value in zip(part.names, of_each, shown, strict=True):
                    held.add(figure, (float(estimate.low), float(estimate.high)), truth[figure])
                    off.setdefault(figure, []).append(float(value) - truth[figure])
    return {name: {**record, "off": float(np.mean(off[name]))} for name, record in held.record().items()}


def of_pairs(pair: str, samples: int, repetitions: int, rng: np.random.Generator) -> Record:
    """Measure the intervals of differences of two models, and how often they are found different."""
    held, decided = Held(), dict[str, list[bool]]()
    first, second, exact = PAIRS[pair]
    for _ in range(SOURCES):
        one = model(first, rng)
        other = leaning_more(one) if second == "leaning" else one if second == first else model(second, rng)
        ours, theirs = truth_of(one), truth_of(other)
        for _ in range(repetitions // SOURCES):
            templates, sample = contexts(rng)
            both = (asked(p, templates, sample, n, rng) for p, n in ((one, samples), (other, 0 if exact else samples)))
            risk, others = (each.risk for each in both)
            apart = differences(risk, others, np.full(GROUPS, 1.0 / GROUPS), LEVEL)
            for figure, each in zip(RISK, (apart.total, apart.of_mean, apart.rest), strict=True):
                held.add(figure, (float(each.low), float(each.high)), ours[figure] - theirs[figure])
                decided.setdefault(figure, []).append(bool(each.p_value < 1.0 - LEVEL))
    return {name: {**record, "found": float(np.mean(decided[name]))} for name, record in held.record().items()}


def cells() -> Iterator[Cell]:
    """Every cell of every scene."""
    for name, samples in product(MODELS, SAMPLES):
        yield Cell("answers", {"model": name, "samples": samples}, partial(of_figures, name, samples))
    for pair, samples in product(PAIRS, SAMPLES):
        yield Cell("pairs of answers", {"models": pair, "samples": samples}, partial(of_pairs, pair, samples))


def figures_table(records: list[Record]) -> str:
    """Return coverage, the mean width for R, and how far off the printed R is, by model and number of samples."""
    figures = [
        *held(*SHOWN),
        lambda cell: f"{cell['R']['width']:.3f}",
        lambda cell: f"{cell['R']['off']:+.3f}",
    ]
    names = ["", *(name.replace("_", " ") for name in SHOWN), "width of R", "printed R is off by"]
    of_models = by_size(records, lambda cell: (cell["model"],), figures)
    return markdown(list(map(list, zip(names, *of_models, strict=True))))


def pairs_table(records: list[Record]) -> str:
    """Return coverage and the share of differences that are found, by pair and number of samples."""
    titles = [f"{called}{name.replace('_', ' ')}" for called in ("", "found: ") for name in RISK]
    found = [lambda cell, name=name: percent(cell[name]["found"]) for name in RISK]
    return markdown([["models", *titles], *by_size(records, lambda cell: (cell["models"],), [*held(*RISK), *found])])


def page(records: dict[str, list[Record]]) -> str:
    """Return the tables as Markdown."""
    number = min(each["repetitions"] for of_scene in records.values() for each in of_scene)
    return "\n\n".join(
        (
            section(
                "One model",
                f"{GROUPS} groups in {DRAWS} draws from {TEMPLATES} templates; {COUNTED:.0%} of the samples count. "
                f"{number} samples of contexts and answers per row, of {SOURCES} models; percentages of intervals that "
                f"hold, with {', '.join(map(str, SAMPLES))} samples per prompt. *fair*: p is p* everywhere; *sure*: "
                "nearly certain everywhere; *torn*: nearly certain of one class or the other, by context; *mixed*: "
                "groups and contexts lean more or less.",
                figures_table(records["answers"]),
            ),
            section(
                "Two models",
                "Percentage of intervals of differences that hold, and of samples in which a difference is found at "
                "5 %. Two models of one name have the same probabilities; *exactly*: of the second, probabilities are "
                "computed.",
                pairs_table(records["pairs of answers"]),
            ),
        )
    )


if __name__ == "__main__":
    measured_and_written("answers", list(cells()), page, REPETITIONS, __doc__)
