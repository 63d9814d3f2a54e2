"""How often intervals of impact ratios and cues hold: ``python -m benchmarks coverage.impact``; see `coverage.frame`.

Candidates are selected at known rates. Names of a category, or documents, are drawn; the other of both stays.
"""

from itertools import combinations

import numpy as np
from bvf_decisions.ratios import Units, difference_ends, impact_ends, largest_ends, names_as_units
from scipy.optimize import brentq
from scipy.special import expit

from benchmarks.coverage.frame import LEVEL, ROUNDING, Rows, Simulation, Table, cells, number, percent
from benchmarks.coverage.populations import Rng, mean_rates
from bvf.arrays import FloatArray
from bvf.stats.comparing.adjusting import holm
from bvf.stats.sampling.samples import ContextSample

RATES = ("0.5, 0.5", "0.5, 0.4", "0.5, 0.5, 0.5, 0.4", ", ".join(["0.5"] * 8), "0.1, 0.08")
NAMES, DOCUMENTS, PRECISION, SPREAD = 9, 20, 24.0, 3.0
CONTRASTS, SPREADS = np.array([[0.2, 0.2, 0.1, 0.0], [0.05, 0.1, 0.1, 0.2]])
PAIRS = np.array([np.eye(4)[k] - np.eye(4)[j] for k, j in combinations(range(4), 2)])


def of_names(rates: FloatArray, n: int, rng: Rng) -> tuple[FloatArray, Units]:
    """Draw ``n`` names per category, whose own rates vary; all are asked in the same documents."""
    own = rng.beta(PRECISION * rates, PRECISION * (1.0 - rates), (n, len(rates))).T.ravel()
    answers, cells = rng.binomial(DOCUMENTS, own) / DOCUMENTS, np.repeat(range(len(rates)), n)
    shares = np.eye(len(rates))[cells].T / n
    return shares @ answers, names_as_units(answers, shares, cells)


def of_documents(rates: FloatArray, n: int, rng: Rng) -> tuple[FloatArray, Units]:
    """Draw ``n`` documents; in a good one, all names are selected more often."""
    good = SPREAD * rng.normal(size=n)
    selected = rng.binomial(NAMES, expit(np.array([logit_of(rate) for rate in rates])[:, np.newaxis] + good)) / NAMES
    return of_contexts(selected)


def of_contexts(values: FloatArray) -> tuple[FloatArray, Units]:
    """Return means over contexts that were drawn, and these."""
    found, sample = values.mean(axis=1), ContextSample(np.ones(values.shape[1]), "template")
    scores = sample.scores(values - found[:, np.newaxis])
    return found, Units(scores, np.zeros(values.shape[1], dtype=np.intp), np.array([sample.freedom]))


def logit_of(rate: float) -> float:
    """Return the logit in a document of middle quality with which the mean over documents is ``rate``."""
    return float(brentq(lambda logit: mean_rates(np.array([logit]), SPREAD)[0] - rate, -20, 20))


def measured(draw: str, rates: str, n: int, repetitions: int, rng: Rng) -> Rows:
    """How often the interval of the first and of the last ratio holds, and both ends of that of the lowest."""
    true_rates = np.array(list(map(float, rates.split(", "))))
    truth, pairs = true_rates / true_rates.max(), len(true_rates) * (len(true_rates) - 1)
    for _ in range(repetitions):
        found, units = (of_names if draw == "names" else of_documents)(true_rates, n, rng)
        if found.any():
            low, high = impact_ends(found, units, LEVEL)
            least, most = low.min(), impact_ends(found, units, LEVEL, pairs)[1].min()
            held = (low - ROUNDING <= truth) & (truth <= high + ROUNDING)
            ends = {"below": truth.min() < least - ROUNDING, "above": truth.min() > most + ROUNDING}
            yield {"first": held[0], "last": held[-1], **ends, "width": most - least}


def of_cues(draw: str, n: int, rng: Rng) -> tuple[FloatArray, Units]:
    """Draw ``n`` groups per cue and level, or ``n`` contexts with skewed contrasts; return differences of cues."""
    if draw == "contexts":
        apart = PAIRS @ (CONTRASTS + SPREADS * (rng.exponential(size=(n, 4)) - 1.0)).T
        return of_contexts(apart)
    cue, first = np.arange(8 * n) // (2 * n), np.arange(8 * n) // n % 2 == 0
    p = CONTRASTS[cue] * first + SPREADS[cue] * rng.normal(size=8 * n)
    weights = PAIRS[:, cue] * np.where(first, 1.0, -1.0) / n
    return weights @ p, names_as_units(p, weights, np.arange(8 * n) // n)


def measured_cues(draw: str, n: int, repetitions: int, rng: Rng) -> Rows:
    """How often the intervals of all differences hold, and a true difference of 0 is found with p by Holm."""
    truth = PAIRS @ CONTRASTS
    for _ in range(repetitions):
        found, units = of_cues(draw, n, rng)
        low, high, p = difference_ends(found, units, LEVEL)
        least, most = largest_ends(found, units, LEVEL)
        row = {"holds": np.mean((low <= truth) & (truth <= high)), "found": holm(p)[truth == 0].min() < 1.0 - LEVEL}
        yield row | {"below": least > 0.2, "above": most < 0.2, "width": most - least}


CELLS = [
    *cells("cues", measured_cues, {"drawn": ["groups"], "n": (2, 3, 8)}),
    *cells("cues", measured_cues, {"drawn": ["contexts"], "n": (10, 20, 100)}),
    *cells("impact ratios", measured, {"drawn": ["names"], "rates": RATES, "n": (5, 9, 20)}),
    *cells("impact ratios", measured, {"drawn": ["documents"], "rates": RATES, "n": (20, 100, 400)}),
]
HELD = [("first holds", percent("first")), ("last holds", percent("last"))]
LOWEST = [("lowest: truth is below", percent("below")), ("above", percent("above")), ("width", number("width", ".2f"))]
ROWS = {"drawn": "{drawn}", "true rates": "{rates}"}
TABLE = Table("impact ratios", ROWS, [*HELD, *LOWEST], left_out=("0.5, 0.5, 0.5", "0.1"))
OF_CUES = [("holds", percent("holds")), ("0 is found", percent("found")), ("largest: truth is below", LOWEST[0][1])]
CUES = Table("cues", {"drawn": "{drawn}"}, [*OF_CUES, *LOWEST[1:]])
main = Simulation(__doc__, "coverage/impact.json", CELLS, 1000, {"coverage.md": (TABLE, CUES)})
