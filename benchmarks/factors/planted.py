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
from itertools import product
from typing import Any

import numpy as np
import statsmodels.api as sm
from bvf_factors.reading.table import Table
from bvf_factors.regressing.importance import importance
from scipy.special import expit
from scipy.stats import f as fisher
from scipy.stats import t as student

from benchmarks.coverage.frame import Rows, Simulation, cells
from benchmarks.coverage.populations import mean_rates
from benchmarks.factors.nulls import table_of
from benchmarks.pages import Record

STYLES, WORDS = 3, 20
INTERCEPT, OF_STYLE, OF_GENDER = -1.0, np.array([0.0, 0.6, -0.4]), np.array([0.0, 0.5])
SPREAD = 1.0
"""Standard deviation of log odds over templates."""
ALPHA = 0.05


def truth_of(templates: int, others: int, slopes: float) -> dict[str, float]:
    """The coefficients of a regression on infinitely many templates, by name of the level."""
    style, gender = np.divmod(np.arange(STYLES * 2), 2)
    spread = np.sqrt(SPREAD**2 + slopes**2 * (style > 0))
    eta = INTERCEPT + OF_STYLE[style] + OF_GENDER[gender]
    p = mean_rates(eta, spread)
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
    outcome = (rng.random(len(eta)) < expit(eta)).astype(np.float64)
    return table_of(outcome, template, style=style, word=word, gender=gender)


def measured(templates: int, others: int, slopes: float, repetitions: int, rng: np.random.Generator) -> Rows:
    """The share of intervals that contain the truth, and of joint tests of words that reject."""
    truth = truth_of(templates, others, slopes)
    quantile = student.ppf(1.0 - ALPHA / 2.0, templates - 1)
    for _ in range(repetitions):
        table = drawn(templates, others, slopes, rng)
        found, alone = importance(table), importance(replace(table, cluster="", clusters=np.arange(table.rows)))
        words = next(test for test in found.tests if test.term == "word")
        wald = fisher.sf(words.statistic * (templates - 1) / words.freedom, words.levels, templates - 1)
        yield {
            "clustered": held(found.effects, truth, lambda effect: effect.high - effect.coefficient),
            "clustered_t_g_1": held(found.effects, truth, lambda effect: quantile * effect.error),
            "naive": held(alone.effects, truth, lambda effect: effect.high - effect.coefficient),
            "joint_test": {"hotelling": words.p_value < ALPHA, "wald": wald < ALPHA},
        }


def held(effects: Sequence[Any], truth: dict[str, float], reach: Callable[[Any], float]) -> Record:
    """Whether the interval of each level contains the truth; of words, on average."""
    within: dict[str, list[bool]] = {}
    for effect in effects:
        name = f"{effect.term}={effect.level}" if effect.term != "word" else "words"
        within.setdefault(name, []).append(abs(effect.coefficient - truth.get(name, 0.0)) <= reach(effect))
    return {name: np.mean(each) for name, each in within.items()}


CELLS = [
    cell
    for templates, others in ((100, 22), (37, 8), (37, 4))
    for cell in cells(
        "planted",
        measured,
        {"templates": [templates], "of_other_gender": [others], "slopes": (0.0, 0.5)},
        lambda templates, others, slopes: (1, templates, others, int(10 * slopes)),
    )
]
main = Simulation(__doc__, "factors/planted.json", CELLS, 1000)
