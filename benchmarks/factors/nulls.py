"""How often subgroups that do not differ are found to differ: ``python -m benchmarks factors.nulls [--repetitions N]``.

Templates have 4 to 10 prompts each, in one scene 60, and deviate more or less often than others (a random effect of
standard deviation 0, 0.3 or 1). A factor of three levels has no effect; a template has one level, or each prompt has
its own. Compares errors by template, as bvf takes them where a cluster is declared, with those of independent prompts.
In other scenes templates have very unequal numbers of prompts, and half or 15 % of them have the first of two levels.
Writes docs/evidence/factors/nulls.json; see `benchmarks.coverage.frame`.
"""

from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import product, starmap

import numpy as np
from bvf_factors.rates.spread import spread
from bvf_factors.rates.subgroups import subgroups
from bvf_factors.reading.table import FactorColumn, Table
from bvf_factors.regressing.importance import importance
from scipy.special import expit

from benchmarks.coverage import frame
from benchmarks.coverage.frame import Cell, Rows, Simulation, cells, number, percent
from benchmarks.coverage.populations import mean_rates
from benchmarks.pages import Record
from bvf.arrays import FloatArray, IntArray
from bvf.stats import student_tail

LEVELS = 3
INTERCEPT = -0.8
ALPHA = 0.05
INTERCEPT_OF_SPREAD, SPREAD_OF_TEMPLATES = -1.2, 0.5
STEPS = np.linspace(-1.0, 1.0, 6) / np.linspace(-1.0, 1.0, 6).std()


def table_of(outcome: FloatArray, template: IntArray, **levels: IntArray) -> Table:
    """A table whose cluster is the template, with a factor per column of levels."""
    factors = (FactorColumn(name, tuple(map(str, range(int(of.max()) + 1))), 0, of) for name, of in levels.items())
    return Table("simulated", tuple(factors), {}, outcome, False, template, "template")


def answered(template: IntArray, level: IntArray, spread: float, rng: np.random.Generator) -> Table:
    """A table of answers that do not depend on the level."""
    of_templates = rng.normal(0.0, spread, int(template.max()) + 1)
    deviates = (rng.random(len(template)) < expit(INTERCEPT + of_templates[template])).astype(np.float64)
    return table_of(deviates, template, level=level)


@dataclass(frozen=True)
class Scene:
    """Templates of ``fewest`` to ``most`` prompts, the deviation of their log odds, and whether all have one level."""

    templates: int
    spread: float
    of_templates: bool
    fewest: int = 4
    most: int = 10


def measured(scene: Scene, repetitions: int, rng: np.random.Generator) -> Rows:
    """The share of subgroups with p below .05, and of tables in which an adjusted p is."""
    for _ in range(repetitions):
        template = np.repeat(np.arange(scene.templates), rng.integers(scene.fewest, scene.most + 1, scene.templates))
        own = rng.integers(LEVELS, size=len(template))
        level = rng.permutation(scene.templates)[template] % LEVELS if scene.of_templates else own
        table, row = answered(template, level, scene.spread, rng), Record()
        alone = replace(table, cluster="", clusters=np.arange(table.rows))
        for way, each in (("by_template", table), ("independent", alone)):
            tested = [group for group in subgroups(each).found if group.adjusted_p is not None]
            is_found = any(group.adjusted_p < ALPHA for group in tested)
            row[way] = {"p": np.mean([group.p_value < ALPHA for group in tested]), "adjusted_p": is_found}
        yield row


def unequal(templates: int, share: float, repetitions: int, rng: np.random.Generator) -> Rows:
    """The share of tests with p below .05 of a level that a share of templates has, and the templates by Kish's number.

    A test that is not defined, as one template has most prompts of a side, does not count. ``by_number``: with one
    degree of freedom less than the templates of the level, or of the other.
    """
    for _ in range(repetitions):
        sizes = unequal_sizes(templates, 152, rng)
        level = (np.arange(templates) >= round(share * templates)).astype(np.intp)
        table = answered(np.repeat(np.arange(templates), sizes), np.repeat(level, sizes), 1.0, rng)
        (subgroup,) = (group for group in subgroups(table).found if group.levels == ("0",))
        (effect,) = importance(table).effects
        tested = {"subgroups": subgroup.p_value, "importance": effect.p_value, "by_number": None}
        if effect.p_value is not None:
            t, fewest = effect.coefficient / effect.error, min(effect.clusters, templates - effect.clusters)
            tested["by_number"] = 2.0 * student_tail(abs(t), fewest - 1)
        known = {way: np.nan if p is None else p < ALPHA for way, p in tested.items()}
        yield known | {"kish": table.effective, "untested": effect.p_value is None}


def of_spread(apart: float, templates: int, target: float | str, repetitions: int, rng: np.random.Generator) -> Rows:
    """The share of intervals of DM that hold it: 6 subgroups, each with 3 prompts per template.

    Subgroups are ``apart`` in their log odds (standard deviation), evenly. The target is a number, or the mean rate.
    """
    eta = INTERCEPT_OF_SPREAD + apart * STEPS
    true_rates = mean_rates(eta, SPREAD_OF_TEMPLATES)
    wanted = float(true_rates.mean()) if isinstance(target, str) else target
    truth = float(np.abs(true_rates - wanted).mean())
    template, level = np.divmod(np.arange(templates * len(eta) * 3), len(eta))
    template = template // 3
    for _ in range(repetitions):
        p = expit(eta[level] + rng.normal(0.0, SPREAD_OF_TEMPLATES, templates)[template])
        outcome = (rng.random(len(p)) < p).astype(np.float64)
        found = spread(table_of(outcome, template, level=level), 1, target=wanted)
        yield {"held": found.low <= truth <= found.high}


def unequal_sizes(clusters: int, most: int, rng: np.random.Generator) -> IntArray:
    """Of each cluster, its number of rows: a few have most of them."""
    return np.clip(np.round(2.0 * (1.0 + rng.pareto(0.8, clusters))), 2, most).astype(np.intp)


SCENES = [*starmap(Scene, product((20, 60, 100), (0.0, 0.3, 1.0), (True, False))), Scene(100, 1.0, True, 60, 60)]
CELLS = [
    Cell(
        "nulls",
        asdict(scene),
        partial(measured, scene),
        seed=(1, scene.templates, int(10 * scene.spread), int(scene.of_templates)),
    )
    for scene in SCENES
]
CELLS += cells("unequal templates", unequal, {"templates": (40, 100), "share": (0.5, 0.15)})
CELLS += cells("DM", of_spread, {"apart": (0.0, 0.15, 0.45), "templates": (40, 100), "target": ["the mean rate"]})
CELLS += cells("DM", of_spread, {"apart": [0.15], "templates": (40, 100), "target": [0.0]})
TABLE = frame.Table(
    "unequal templates",
    {"templates": "{templates}", "with the level": "{share:.0%}"},
    [
        ("Kish's number of all", number("kish", ".1f")),
        ("subgroups", percent("subgroups")),
        ("importance", percent("importance")),
        ("if templates are counted", percent("by_number")),
        ("not tested", percent("untested")),
    ],
)
main = Simulation(__doc__, "factors/nulls.json", CELLS, 2000, {"factors.md": (TABLE,)})
