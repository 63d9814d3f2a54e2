"""Questions about stored results: what drives a figure, what goes with it, what more it needs, what others measure."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bvf import Provider, hookimpl

if TYPE_CHECKING:
    from bvf import PictureKind
    from bvf.results import PageParts
    from bvf.tables import Finding

BVF_API = 1


@hookimpl
def bvf_commands() -> list[Provider[Any]]:
    return [
        Provider(
            "explain",
            "bvf_insights.commands:explain",
            "Say where figures come from: groups or subjects, properties of contexts, single contexts. "
            "No model is loaded.",
            example="bvf explain runs/NAME --group nurse",
            common="--group --threshold --criterion --groups --words --level --plugin --show --format",
        ),
        Provider(
            "regress",
            "bvf_insights.commands:regress",
            "Regress risks, leans or mastery of groups on wages, education, the share of women, word frequency or "
            "a table.",
            example="bvf regress runs/NAME --against wages --weights employment",
            common="--against --weights --of --corpus --criterion --groups --words --level --plugin --show --format",
        ),
        Provider(
            "plan",
            "bvf_insights.commands:plan",
            "Say how many contexts must be drawn for a given precision. A finished run is the pilot.",
            example="bvf plan runs/NAME --precision 0.01",
            common="--precision --detect --against --criterion --groups --words --level --plugin --format",
        ),
    ]


@hookimpl
def bvf_functions() -> list[Provider[Callable[..., Any]]]:
    return [
        Provider("explain", "bvf_insights.explain.analysis:explain", "what drives the figures of a result"),
        Provider("plan", "bvf_insights.plan:plan", "how many contexts a wanted precision needs"),
        Provider("regress", "bvf_insights.regress.analysis:regress", "figures of groups on a table about groups"),
    ]


@hookimpl
def bvf_comparisons() -> "list[Provider[Finding]]":
    return [
        Provider("contexts", "bvf_insights.contexts:compare_contexts", "models over several context sets"),
        Provider("language", "bvf_insights.languages:compare_languages", "runs in two languages, by concept"),
        Provider("asking", "bvf_insights.asking:compare_asking", "runs, benchmarks and statistics by group"),
    ]


@hookimpl
def bvf_findings() -> "list[Provider[Finding]]":
    home = "bvf_insights"
    return [
        Provider("bvf.explanation/1", f"{home}.explain.result:Explanation", "what `bvf explain` prints"),
        Provider("bvf.regressions/1", f"{home}.regress.result:Regressions", "what `bvf regress` prints"),
        Provider(
            "bvf.context-comparison/2", f"{home}.contexts:ContextComparison", "what `bvf compare --by contexts` prints"
        ),
        Provider("bvf.languages/1", f"{home}.languages:LanguageComparison", "what `bvf compare --by language` prints"),
        Provider("bvf.asking/1", f"{home}.asking:AskingComparison", "what `bvf compare --by asking` prints"),
    ]


@hookimpl
def bvf_page_parts() -> "list[Provider[PageParts]]":
    home = "bvf_insights.page"
    return [
        Provider("causes", f"{home}:CauseParts", "what drives the figures of a result"),
        Provider("contexts", f"{home}:ContextParts", "models over several context sets"),
        Provider(
            "social",
            f"{home}:SocialParts",
            "figures of groups on a table about groups",
            options="bvf_insights.regress.config:OptionalRegressConfig",
        ),
    ]


@hookimpl
def bvf_pictures() -> "list[Provider[PictureKind]]":
    home = "bvf_insights.pictures"
    return [
        Provider("variance", f"{home}:VarianceKind"),
        Provider("frames", f"{home}:FramesKind"),
        Provider("contexts", f"{home}:ContextsKind"),
        Provider("asking", f"{home}:AskingKind"),
        Provider("regression", f"{home}:RegressionKind", options="bvf_insights.regress.config:OptionalRegressConfig"),
    ]
