"""How often intervals of levels contain planted effects: ``python -m benchmarks factors.planted [--repetitions N]``.

Every template is asked in 3 styles with 20 words; some templates are of another gender. Style and gender have effects,
words have none. Templates deviate more or less than others (a random effect, SD 1), and in some scenes what style does
differs between them (SD 0.5). The truth is the average over templates, not the effect in a single one, which is larger:
probabilities of every cell by Gauss-Hermite integration, then the coefficients that a regression on infinitely many
templates would have. Compares errors clustered by template, as bvf takes them, with t on templates - 1 for every level
and with errors of rows alone, and the joint test of all words by Hotelling's F, as bvf has it, with Wald's over its
levels. Writes docs/evidence/factors/planted.json; see `benchmarks.coverage.frame`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import statsmodels.api as sm
from bvf_factors.reading.table import FactorColumn, Table
from bvf_factors.regressing.importance import importance
from numpy.polynomial.hermite_e import hermegauss
from scipy.special import expit
from scipy.stats import f as fisher
from scipy.stats import t as student

from benchmarks.coverage.frame import Cell, Simulation, means
from benchmarks.pages import Record

STYLES, WORDS = 3, 20
INTERCEPT, OF_STYLE, OF_GENDER = -1.0, np.array([0.0, 0.6, -0.4]), np.array([0.0, 0.5])
SPREAD = 1.0
"""Standard deviation of log odds over templates."""
NODES, WEIGHTS = hermegauss(60)
ALPHA = 0.05


def truth_of(templates: int, others: int, slopes: float) -> dict[str, float]:
    """The coefficients of a regression on infinitely many templates, by name of the level."""
    style, gender = np.divmod(np.arange(STYLES * 2), 2)
    spread = np.sqrt(SPREAD**2 + slopes**2 * (style > 0))
    eta = INTERCEPT + OF_STYLE[style] + OF_GENDER[gender]
    p = expit(eta[:, np.newaxis] + spread[:, np.newaxis] * NODES) @ (WEIGHTS / WEIGHTS.sum())
    share = np.where(gender, others, templates - others) / templates * 1e6
    columns = np.stack([np.ones(6), style == 1, style == 2, gender], axis=1).astype(float)
    fit = sm.GLM(np.stack([p * share, (1 - p) * share], axis=1), columns, family=sm.families.Binomial()).fit()
    return dict(zip(("style=1", "style=2", "gender=1"), fit.params[1:].tolist(), strict=True))


def drawn(templates: int, others: int, slopes: float, rng: np.random.Generator) -> Table:
    template, style, word = np.array(list(product(range(templates), range(STYLES), range(WORDS)))).T
    gender = (template < others).astype(np.intp)
    of_templates = rng.normal(0.0, SPREAD, templates)
    of_styles = rng.normal(0.0, slopes, (templates, STYLES)) * (np.arange(STYLES) > 0)
    eta = INTERCEPT + OF_STYLE[style] + OF_GENDER[gender] + of_templates[template] + of_styles[template, style]
    factors = tuple(
        FactorColumn(name, tuple(map(str, range(size))), 0, codes)
        for name, size, codes in (("style", STYLES, style), ("word", WORDS, word), ("gender", 2, gender))
    )
    outcome = (rng.random(len(eta)) < expit(eta)).astype(np.float64)
    return Table("planted", factors, {}, outcome, False, template, "template")


def measured(templates: int, others: int, slopes: float, repetitions: int, rng: np.random.Generator) -> Record:
    """The share of intervals that contain the truth, and of joint tests of words that reject."""
    truth = truth_of(templates, others, slopes)
    rows: dict[str, list[Record]] = {"clustered": [], "clustered_t_g_1": [], "naive": [], "joint_test": []}
    quantile = student.ppf(1.0 - ALPHA / 2.0, templates - 1)
    for _ in range(repetitions):
        table = drawn(templates, others, slopes, rng)
        alone = importance(replace(table, cluster="", clusters=np.arange(table.rows)))
        found = importance(table)
        rows["clustered"].append(held(found.effects, truth, lambda effect: effect.high - effect.coefficient))
        rows["clustered_t_g_1"].append(held(found.effects, truth, lambda effect: quantile * effect.error))
        rows["naive"].append(held(alone.effects, truth, lambda effect: effect.high - effect.coefficient))
        words = next(test for test in found.tests if test.term == "word")
        wald = fisher.sf(words.statistic * (templates - 1) / words.freedom, words.levels, templates - 1)
        rows["joint_test"].append({"hotelling": words.p_value < ALPHA, "wald": wald < ALPHA})
    return {"truth": truth, **{way: means(of_way) for way, of_way in rows.items()}}


def held(effects: Sequence[Any], truth: dict[str, float], reach: Callable[[Any], float]) -> Record:
    """Whether the interval of each level contains the truth; of words, on average."""
    within: dict[str, list[bool]] = {}
    for effect in effects:
        name = f"{effect.term}={effect.level}" if effect.term != "word" else "words"
        within.setdefault(name, []).append(abs(effect.coefficient - truth.get(name, 0.0)) <= reach(effect))
    return {name: np.mean(each) for name, each in within.items()}


CELLS = [
    Cell(
        "planted",
        {"templates": templates, "of_other_gender": others, "slopes": slopes},
        partial(measured, templates, others, slopes),
        seed=(1, templates, others, int(10 * slopes)),
    )
    for (templates, others), slopes in product(((100, 22), (37, 8), (37, 4)), (0.0, 0.5))
]
main = Simulation(__doc__, "factors/planted.json", CELLS, 1000)
