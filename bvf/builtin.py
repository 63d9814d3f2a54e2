"""What the core itself offers, through the same hooks as everybody else."""

from bvf.backend import Backend
from bvf.criterion import Criterion, KnowledgeCriterion
from bvf.engine import Engine
from bvf.hookspecs import hookimpl
from bvf.provider import Provider


@hookimpl
def bvf_criteria() -> list[Provider[Criterion | KnowledgeCriterion]]:
    return [
        Provider("linf", "bvf.criteria:Linf", "linf: the most overrepresented class (Eq. 2)", default=True),
        Provider("lk", "bvf.criteria:Lk", "lk:k: the k-norm of the overrepresentation, k = 1, 2, ... (Eq. 10)"),
        Provider("direction", "bvf.criteria:Direction", "direction:class: the overrepresentation of one class"),
        Provider("tv", "bvf.divergences:TotalVariation", "total variation: half the sum of |p - p*|, any p*"),
        Provider("hellinger", "bvf.divergences:SquaredHellinger", "squared Hellinger distance of p and p*"),
        Provider("kl", "bvf.divergences:KullbackLeibler", "Kullback-Leibler divergence of p from p*"),
        Provider("js", "bvf.divergences:JensenShannon", "Jensen-Shannon divergence of p and p*"),
        Provider("chi2", "bvf.divergences:ChiSquared", "chi-squared divergence of p from p*"),
        Provider("released", "bvf.criteria:released", "released:a or released:b: the formulas of the authors' code"),
        Provider(
            "knowledge",
            "bvf.criteria:knowledge",
            "knowledge:sqrt, knowledge:log or knowledge:power=a: mastery of known answers",
        ),
    ]


@hookimpl
def bvf_backends() -> list[Provider[Backend]]:
    return [Provider("baseline", "bvf.baseline:Baseline", "reference models: baseline:unbiased, :stereotyped, :random")]


@hookimpl
def bvf_engines() -> list[Provider[Engine]]:
    return [
        Provider("local", "bvf.local:LocalEngine", "one shard after another in this process", default=True),
        Provider("processes", "bvf.processes:Processes", "processes:n: n shards at once; a process a core if not said"),
    ]
