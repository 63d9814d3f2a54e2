"""How often subgroups that do not differ are found to differ: ``python -m benchmarks factors.nulls [--repetitions N]``.

Templates have 4 to 10 prompts each, in one scene 60, and deviate more or less often than others (a random effect of
standard deviation 0, 0.3 or 1). A factor of three levels has no effect; a template has one level, or each prompt has
its own. Compares errors by template, as bvf takes them where a cluster is declared, with those of independent prompts.
Writes docs/evidence/factors/nulls.json; see `benchmarks.coverage.frame`.
"""

from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import product

import numpy as np
from bvf_factors.rates.subgroups import subgroups
from bvf_factors.reading.table import FactorColumn, Table
from scipy.special import expit

from benchmarks.coverage.frame import Cell, Simulation, means
from benchmarks.pages import Record

LEVELS = 3
INTERCEPT = -0.8
ALPHA = 0.05


@dataclass(frozen=True)
class Scene:
    """Templates, the standard deviation of their log odds, and whether the level is the same in all their prompts.

    A template has ``fewest`` to ``most`` prompts.
    """

    templates: int
    spread: float
    of_templates: bool
    fewest: int = 4
    most: int = 10

    def drawn(self, rng: np.random.Generator) -> Table:
        """A table of answers that do not depend on the factor."""
        template = np.repeat(np.arange(self.templates), rng.integers(self.fewest, self.most + 1, self.templates))
        own = rng.integers(LEVELS, size=len(template))
        level = rng.permutation(self.templates)[template] % LEVELS if self.of_templates else own
        deviates = rng.random(len(template)) < expit(INTERCEPT + rng.normal(0.0, self.spread, self.templates)[template])
        factor = FactorColumn("level", "prompt", tuple(map(str, range(LEVELS))), 0, level)
        return Table("null", (factor,), {}, deviates.astype(np.float64), False, template, "template")


def measured(scene: Scene, repetitions: int, rng: np.random.Generator) -> Record:
    """The share of subgroups with p below .05, and of tables in which an adjusted p is."""
    rows: dict[str, list[Record]] = {"by_template": [], "independent": []}
    for _ in range(repetitions):
        table = scene.drawn(rng)
        alone = replace(table, cluster="", clusters=np.arange(table.rows))
        for way, each in (("by_template", table), ("independent", alone)):
            tested = [group for group in subgroups(each).found if group.adjusted_p is not None]
            is_found = any(group.adjusted_p < ALPHA for group in tested)
            rows[way].append({"p": np.mean([group.p_value < ALPHA for group in tested]), "adjusted_p": is_found})
    return {way: means(of_way) for way, of_way in rows.items()}


SCENES = [
    *(Scene(*each) for each in product((20, 60, 100), (0.0, 0.3, 1.0), (True, False))),
    Scene(100, 1.0, True, fewest=60, most=60),
]
CELLS = [
    Cell(
        "nulls",
        asdict(scene),
        partial(measured, scene),
        seed=(1, scene.templates, int(10 * scene.spread), int(scene.of_templates)),
    )
    for scene in SCENES
]
main = Simulation(__doc__, "factors/nulls.json", CELLS, 2000)
