"""The commands, criteria, backends, analyses and engines of the core, offered through the hooks of plugins."""

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


COMMANDS: tuple[Provider[Any], ...] = (
    Provider(
        "run",
        "bvf.cli.measuring.run:run",
        "Measure how biased and how volatile a model is.",
        example="bvf run --model bundled:en-causal --model bundled:en-masked",
        common="--model --chat-turn --topic --lang --groups --words --contexts --limit-groups --controls "
        "--plugin --out --details",
    ),
    Provider(
        "merge",
        "bvf.cli.results.analyse:merge",
        "Check that all parts of each run are there, and show its result as `bvf run` does. No model is loaded.",
        example="bvf run --part 1/2; bvf run --part 2/2; bvf merge runs/NAME",
        common="--criterion --groups --words --level --plugin --rank --show --details --format --quiet",
    ),
    Provider(
        "analyse",
        "bvf.cli.results.analyse:analyse",
        "Analyse stored probabilities by another criterion, scale, p* or weights. No model is loaded.",
        example="bvf analyse runs/NAME --criterion lk:2",
        common="--analysis --criterion --scale --reference --group-weights --groups --words --level "
        "--plugin --save-as --details --format",
    ),
    Provider(
        "compare",
        "bvf.cli.results.compare:compare",
        "Compare models in the same prompts: differences with intervals, and the ranks that they may have.",
        example="bvf compare runs/NAME runs/OTHER --level 0.9",
        common="--criterion --groups --words --level --by --plugin --show --format",
    ),
    Provider(
        "show",
        "bvf.cli.results.analyse:show",
        "Print the results of runs. Those with the same questions and analysis share a table.",
        common="--analysis --criterion --groups --words --level --plugin --rank --show --details --format",
    ),
    Provider(
        "gate",
        "bvf.cli.results.gate:gate",
        "Check figures against limits, by their intervals. Exit codes: 0 all pass, 1 one fails, 3 cannot tell.",
        example="bvf gate runs/NAME --max R=0.5 --max R_volatility=0.05",
        common="--max --min --baseline --no-worse --as-is --allow-low-mass --config --criterion --words "
        "--plugin --junit --format",
    ),
    Provider(
        "verify",
        "bvf.cli.results.analyse:verify",
        "Compute every digest and every figure of a run again; exit with 1 if one is not as it was written.",
    ),
    Provider(
        "doctor",
        "bvf.cli.plugins.doctor:doctor",
        "Show versions, devices, what is missing and the command that fixes it.",
    ),
    Provider("topics", "bvf.cli.inputs.topics:topics", "List the topics; `bvf topics show NAME` shows one."),
    Provider(
        "contexts",
        "bvf.cli.inputs.contexts:contexts",
        "List the context sets; `bvf contexts show NAME` shows one; the other commands work on files too.",
    ),
    Provider(
        "openings",
        "bvf.cli.inputs.openings:openings",
        "List the openings of a language, which stand before templates; `bvf openings NAME` shows a pool.",
    ),
    *(
        Provider(name, f"bvf.cli.plugins.listings:{name}", f"List the {what}, and the plugin each one comes from.")
        for name, what in LISTED.items()
    ),
    Provider(
        "models",
        "bvf.cli.inputs.models:models",
        "List the bundled models and those in Python packages; `bvf models show NAME` shows one.",
    ),
    Provider(
        "plugins",
        "bvf.cli.plugins.listings:plugins",
        "List the plugins; `bvf plugins show NAME` shows what one offers.",
    ),
)


@hookimpl
def bvf_commands() -> list[Provider[Any]]:
    return [*COMMANDS]
