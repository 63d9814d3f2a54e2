"""How often intervals of levels contain planted effects: ``python benchmarks/factors/planted.py [--repetitions N]``.

Every template is asked in 3 styles with 20 words; some templates are of another gender. Style and gender have effects,
words have none. Templates deviate more or less than others (a random effect, SD 1), and in some scenes what style does
differs between them (SD 0.5). The truth is the average over templates, not the effect in a single one, which is larger:
probabilities of every cell by Gauss-Hermite integration, then the coefficients that a regression on infinitely many
templates would have. Compares errors clustered by template, as bvf takes them, with t on templates - 1 for every level
and with errors of rows alone, and the joint test of all words by Hotelling's F, as bvf has it, with Wald's over its
levels. Writes docs/evidence/factors/planted.json.
"""

from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
import statsmodels.api as sm
from bvf_factors.reading.table import FactorColumn, Table
from bvf_factors.regressing.importance import importance
from numpy.polynomial.hermite_e import hermegauss
from scene_figures import Record, measure_scenes, percent
from scipy.special import expit
from scipy.stats import f as fisher
from scipy.stats import t as student

from bvf.arrays import FloatArray

OUT = Path(__file__).resolve().parents[2] / "docs/evidence/factors/planted.json"
STYLES, WORDS = 3, 20
INTERCEPT, OF_STYLE, OF_GENDER = -1.0, np.array([0.0, 0.6, -0.4]), np.array([0.0, 0.5])
SPREAD = 1.0
"""Standard deviation of log odds over templates."""
NODES, WEIGHTS = hermegauss(60)
ALPHA = 0.05


@dataclass(frozen=True)
class Scene:
    """The size of a design, and how much styles differ between templates.

    Args:
        templates: How many templates there are.
        others: How many of them are of the other gender.
        slopes: Standard deviation over templates of the effect of each style but the first.
    """

    templates: int
    others: int
    slopes: float

    def design(self) -> tuple[FloatArray, ...]:
        """Style, word, gender and template of each row."""
        cells = np.array(list(product(range(self.templates), range(STYLES), range(WORDS))))
        template, style, word = cells.T
        return style, word, (template < self.others).astype(np.intp), template

    def truth(self) -> dict[str, float]:
        """The coefficients of a regression on infinitely many templates, by name of the level."""
        style, gender = np.divmod(np.arange(STYLES * 2), 2)
        spread = np.sqrt(SPREAD**2 + self.slopes**2 * (style > 0))
        eta = INTERCEPT + OF_STYLE[style] + OF_GENDER[gender]
        p = expit(eta[:, np.newaxis] + spread[:, np.newaxis] * NODES) @ (WEIGHTS / WEIGHTS.sum())
        share = np.where(gender, self.others, self.templates - self.others) / self.templates * 1e6
        columns = np.stack([np.ones(6), style == 1, style == 2, gender], axis=1).astype(float)
        fit = sm.GLM(np.stack([p * share, (1 - p) * share], axis=1), columns, family=sm.families.Binomial()).fit()
        return dict(zip(("style=1", "style=2", "gender=1"), fit.params[1:].tolist(), strict=True))

    def drawn(self, rng: np.random.Generator) -> Table:
        """A table of answers."""
        style, word, gender, template = self.design()
        of_templates = rng.normal(0.0, SPREAD, self.templates)
        of_styles = rng.normal(0.0, self.slopes, (self.templates, STYLES)) * (np.arange(STYLES) > 0)
        eta = INTERCEPT + OF_STYLE[style] + OF_GENDER[gender] + of_templates[template] + of_styles[template, style]
        outcome = (rng.random(len(eta)) < expit(eta)).astype(np.float64)
        factors = tuple(
            FactorColumn(name, "prompt", tuple(map(str, range(size))), 0, codes)
            for name, size, codes in (("style", STYLES, style), ("word", WORDS, word), ("gender", 2, gender))
        )
        return Table("planted", factors, {}, outcome, False, template, "template")


SCENES = [Scene(*cell, slopes) for cell in ((100, 22), (37, 8), (37, 4)) for slopes in (0.0, 0.5)]


def measured(scene: Scene, repetitions: int, seed: int) -> Record:
    """Percentages of intervals that contain the truth, and of joint tests of words that reject."""
    rng, truth = np.random.default_rng([seed, scene.templates, scene.others, int(10 * scene.slopes)]), scene.truth()
    held = {way: dict.fromkeys([*truth, "words"], 0.0) for way in ("clustered", "clustered_t_g_1", "naive")}
    rejected = {"hotelling": 0, "wald": 0}
    for _ in range(repetitions):
        table = scene.drawn(rng)
        alone = replace(table, cluster="", clusters=np.arange(table.rows))
        for way, each in (("clustered", table), ("naive", alone)):
            importances = importance(each)
            for effect in importances.effects:
                name = f"{effect.term}={effect.level}" if effect.term != "word" else "words"
                share = 1.0 if name in truth else 1.0 / (WORDS - 1)
                away = abs(effect.coefficient - truth.get(name, 0.0))
                held[way][name] += share * (away <= effect.high - effect.coefficient)
                if way == "clustered":
                    reach = student.ppf(1.0 - ALPHA / 2.0, scene.templates - 1) * effect.error
                    held["clustered_t_g_1"][name] += share * (away <= reach)
            if way == "clustered":
                words = next(test for test in importances.tests if test.term == "word")
                rejected["hotelling"] += words.p_value < ALPHA
                wald = words.statistic * (scene.templates - 1) / words.freedom
                rejected["wald"] += fisher.sf(wald, words.levels, scene.templates - 1) < ALPHA
    return {
        "templates": scene.templates,
        "of_other_gender": scene.others,
        "slopes": scene.slopes,
        "repetitions": repetitions,
        "truth": truth,
        "coverage": {way: percent(counts, repetitions) for way, counts in held.items()},
        "joint_test_of_19_words_rejects": percent(rejected, repetitions),
    }


if __name__ == "__main__":
    measure_scenes(__doc__, SCENES, measured, OUT, repetitions=1000, level=95)
