"""The commands, criteria, backends, analyses and engines of the core, offered through the hooks of plugins."""

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl

if TYPE_CHECKING:
    from bvf.interfaces.backend import Backend
    from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
    from bvf.interfaces.engine import Engine

LISTED = {
    **{name: name for name in ("languages", "backends", "engines", "miners", "criteria", "analyses")},
    "benchmarks": "bias benchmarks that `bvf factors run` takes",
    "readers": "readers of generated texts",
}
"""The kinds of entries of plugins that a command of that name lists, in words."""


@hookimpl
def bvf_criteria() -> "list[Provider[Criterion | KnowledgeCriterion]]":
    return [
        Provider("linf", "bvf.builtin.criteria:Linf", "linf: the most overrepresented class (Eq. 2)", default=True),
        Provider("lk", "bvf.builtin.criteria:Lk", "lk:k: the k-norm of the overrepresentation, k = 1, 2, ... (Eq. 10)"),
        Provider("direction", "bvf.builtin.criteria:Direction", "direction:class: the overrepresentation of one class"),
        Provider("tv", "bvf.builtin.criteria:TotalVariation", "total variation: half the sum of |p - p*|, any p*"),
        Provider("hellinger", "bvf.builtin.criteria:SquaredHellinger", "squared Hellinger distance of p and p*"),
        Provider("kl", "bvf.builtin.criteria:KullbackLeibler", "Kullback-Leibler divergence of p from p*"),
        Provider("js", "bvf.builtin.criteria:JensenShannon", "Jensen-Shannon divergence of p and p*"),
        Provider("chi2", "bvf.builtin.criteria:ChiSquared", "chi-squared divergence of p from p*"),
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
def bvf_backends() -> "list[Provider[Backend]]":
    return [
        Provider(
            "baseline",
            "bvf.builtin.reference_models:Baseline",
            "reference models: baseline:unbiased, :stereotyped, :random",
            describe="bvf.builtin.reference_models:described",
        )
    ]


@hookimpl
def bvf_analyses() -> "list[Provider[Any]]":
    return [
        Provider(
            "risk", "bvf.analyses.risk.analysis:RiskAnalysis", "bias and volatility, for criteria of risk", default=True
        )
    ]


@hookimpl
def bvf_engines() -> "list[Provider[Engine]]":
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
def bvf_answers() -> list[Provider[Any]]:
    return [Provider("probable", "bvf.measuring.probable:Probable", "the probabilities of the words")]


@hookimpl
def bvf_commands() -> list[Provider[Any]]:
    commands = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))
    listings = {
        name: {
            "make": f"bvf.cli.plugins.listings:{name}",
            "summary": f"List the {what}, and the plugin each one comes from.",
        }
        for name, what in LISTED.items()
    }
    return [Provider(name, **fields) for name, fields in (commands["first"] | listings | commands["last"]).items()]
