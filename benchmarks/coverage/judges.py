"""How often intervals of judged texts hold: ``python benchmarks/coverage/judges.py [--repetitions N]``.

Texts of models whose figures are known are read by a judge that is wrong at known rates, which are counted in labelled
texts. Measured cells are kept in build/coverage, and are not measured again with as many repetitions. Writes
docs/evidence/coverage/judges.json, and the table of docs/evidence/judges.md.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
from answers import COUNTED, FIGURES, GROUPS, MODELS, SHOWN, SOURCES, contexts, model, truth_of
from knowledge import Held
from one_page import measured_and_written
from scenes import LEVEL, Cell, Record
from tables import markdown, percent, section

from bvf.analyses.risk.misread import further, reaches
from bvf.builtin.criteria import Linf
from bvf.stats.sampling.reading_error import Confusion
from bvf.stats.sampling.sampled_answers import Answers
from bvf.stats.sampling.sampled_risk import SampledRisk, sampled_risk
from bvf.stats.sampling.samples import ContextSample
from bvf.study.averages import named_intervals, parts_of_risk

REPETITIONS = 100
SAMPLES, LABELLED = 20, 100
"""Texts per prompt, and labelled texts per class."""
WRONG = np.array([[0.9, 0.1], [0.2, 0.8]])
"""The probability of each judgement by the class of a text."""


def of_judge(name: str, repetitions: int, rng: np.random.Generator) -> Record:
    """Measure the intervals of one model, with the error of the counted matrix and without, and what is printed."""
    held, without, off = Held(), Held(), dict[str, list[float]]()
    for _ in range(SOURCES):
        p = model(name, rng)
        truth = truth_of(p)
        for _ in range(repetitions // SOURCES):
            templates, sample = contexts(rng)
            confusion = Confusion(np.stack([rng.multinomial(LABELLED, row) for row in WRONG]))
            hits = rng.binomial(SAMPLES, COUNTED, p[:, templates].shape[:2])
            judged, p_star = rng.multinomial(hits, p[:, templates] @ WRONG), np.full((GROUPS, 1, 2), 0.5)

            def risk_of(answers: Answers, sample: ContextSample = sample) -> SampledRisk:
                return sampled_risk(answers, Linf(), sample)

            answers = Answers(judged, p_star, matrix=confusion.matrix)
            found, reach = risk_of(answers), reaches(answers, confusion, risk_of, LEVEL)
            for part in parts_of_risk(found):
                intervals = named_intervals(part.sampled.estimates(found.group_weights, LEVEL), part.names)
                shown = map(float, part.sampled.values(found.group_weights))
                for figure, value, by in zip(part.names, shown, reach[part.names][:, 0].tolist(), strict=True):
                    wider = further(intervals[figure], value, by)
                    held.add(figure, (wider.low, wider.high), truth[figure])
                    without.add(figure, (intervals[figure].low, intervals[figure].high), truth[figure])
                    off.setdefault(figure, []).append(value - truth[figure])
    known = without.record()
    return {
        figure: {**record, "off": float(np.mean(off[figure])), "as_known": known[figure]["coverage"]}
        for figure, record in held.record().items()
        if figure in FIGURES
    }


def cells() -> Iterator[Cell]:
    """Every cell."""
    for name in MODELS:
        yield Cell("judges", {"model": name}, partial(of_judge, name))


def page(records: dict[str, list[Record]]) -> str:
    """Return the table as Markdown."""
    titles = [name.replace("_", " ") for name in SHOWN]
    lines = [["model", *titles, "R, matrix as known", "R bias, as known", "width of R", "printed R is off by"]]
    for cell in records["judges"]:
        held = [percent(cell[figure]["coverage"]) for figure in SHOWN]
        known = [percent(cell[figure]["as_known"]) for figure in ("R", "R_bias")]
        lines.append([cell["model"], *held, *known, f"{cell['R']['width']:.3f}", f"{cell['R']['off']:+.3f}"])
    number = min(each["repetitions"] for each in records["judges"])
    return section(
        "Texts read by a judge",
        f"Models as above, {SAMPLES} texts per prompt; the judge takes {WRONG[0, 1]:.0%} of the first class for the "
        f"second and {WRONG[1, 0]:.0%} the other way round, as counted in {LABELLED} labelled texts of each. {number} "
        "samples of contexts, texts and labels per row; percentages of intervals that hold. *As known*: intervals that "
        "take the counted error as exact.",
        markdown(lines),
    )


if __name__ == "__main__":
    measured_and_written("judges", list(cells()), page, REPETITIONS, __doc__)
