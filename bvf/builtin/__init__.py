"""The criteria, backends, analyses and engines of the core, offered through the hooks of plugins."""

from typing import TYPE_CHECKING, Any

from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl
from bvf.interfaces.backend import Backend
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.interfaces.engine import Engine
from bvf.interfaces.reader import Reader

if TYPE_CHECKING:
    from bvf.interfaces.analysis import Analysis


@hookimpl
def bvf_criteria() -> list[Provider[Criterion | KnowledgeCriterion]]:
    return [
        Provider("linf", "bvf.builtin.criteria:Linf", "linf: the most overrepresented class (Eq. 2)", default=True),
        Provider("lk", "bvf.builtin.criteria:Lk", "lk:k: the k-norm of the overrepresentation, k = 1, 2, ... (Eq. 10)"),
        Provider("direction", "bvf.builtin.criteria:Direction", "direction:class: the overrepresentation of one class"),
        Provider("tv", "bvf.builtin.divergences:TotalVariation", "total variation: half the sum of |p - p*|, any p*"),
        Provider("hellinger", "bvf.builtin.divergences:SquaredHellinger", "squared Hellinger distance of p and p*"),
        Provider("kl", "bvf.builtin.divergences:KullbackLeibler", "Kullback-Leibler divergence of p from p*"),
        Provider("js", "bvf.builtin.divergences:JensenShannon", "Jensen-Shannon divergence of p and p*"),
        Provider("chi2", "bvf.builtin.divergences:ChiSquared", "chi-squared divergence of p from p*"),
        Provider(
            "released", "bvf.builtin.criteria:released", "released:a or released:b: the formulas of the authors' code"
        ),
        Provider(
            "knowledge",
            "bvf.builtin.criteria:knowledge",
            "knowledge:sqrt, knowledge:log or knowledge:power=a: mastery of known answers",
        ),
    ]


@hookimpl
def bvf_backends() -> list[Provider[Backend]]:
    return [
        Provider(
            "baseline",
            "bvf.builtin.reference_models:Baseline",
            "reference models: baseline:unbiased, :stereotyped, :random",
            describe="bvf.builtin.reference_models:described",
        )
    ]


@hookimpl
def bvf_analyses() -> "list[Provider[Analysis[Any]]]":
    return [
        Provider(
            "risk", "bvf.analyses.risk.analysis:RiskAnalysis", "bias and volatility, for criteria of risk", default=True
        ),
    ]


@hookimpl
def bvf_engines() -> list[Provider[Engine]]:
    return [
        Provider(
            "local", "bvf.builtin.engines.local:LocalEngine", "one shard after another in this process", default=True
        ),
        Provider(
            "processes",
            "bvf.builtin.engines.processes:Processes",
            "processes:n: n shards at once; one process per core if n is not given",
        ),
    ]


@hookimpl
def bvf_readers() -> list[Provider[Reader]]:
    home = "bvf.builtin.readers"
    return [
        Provider("first-word", f"{home}.by_words:FirstWord", "the class of the first word of a class", default=True),
        Provider("share", f"{home}.by_words:MostWords", "the class with most words"),
        Provider("letter", f"{home}.by_letter:Letter", "the class of the chosen option, for contexts with [options]"),
        Provider("judge", "bvf.asking.judge:Judge", "judge:FILE.toml: the class that another model finds"),
        Provider("pattern", f"{home}.by_pattern:Pattern", "pattern:FILE.toml: the class whose expression is found"),
    ]
