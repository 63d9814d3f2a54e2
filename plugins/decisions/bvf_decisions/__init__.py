"""People in the same contexts: who is selected in documents (impact ratios), and which mention of a person tells."""

from typing import TYPE_CHECKING, Any

from bvf import Provider, hookimpl

if TYPE_CHECKING:
    from collections.abc import Callable

    from bvf import Analysis, ContextSet, Criterion

BVF_API = 1


@hookimpl
def bvf_contexts() -> "list[Provider[ContextSet]]":
    published = "bvf_decisions.pairs.published"
    return [
        Provider("documents", "bvf_decisions.documents:read_documents", "documents:FOLDER: a document per .txt"),
        Provider("winogender", f"{published}:read_winogender", "winogender:FOLDER: its sentences on two people"),
        Provider("winobias", f"{published}:read_winobias", "winobias:FOLDER: its sentences on two people"),
    ]


@hookimpl
def bvf_criteria() -> "list[Provider[Criterion]]":
    return [
        Provider("impact", "bvf_decisions.selection:Selection", "who is selected: impact, impact:top=10%"),
        Provider("cues", "bvf_decisions.cues:CueRule", "people by label, name or pronoun: cues, cues:by=sex"),
        Provider(
            "pairs", "bvf_decisions.pairs.analysis:Paired", "two people in one text: pairs, pairs:RUN of each alone"
        ),
    ]


@hookimpl
def bvf_analyses() -> "list[Provider[Analysis[Any]]]":
    return [
        Provider("impact", "bvf_decisions.analysis:Impact", "impact ratios, for the criterion impact"),
        Provider("cues", "bvf_decisions.cues:Cues", "differences by each cue, for the criterion cues"),
        Provider("pairs", "bvf_decisions.pairs.analysis:Pairs", "who of two people is meant, for the criterion pairs"),
    ]


@hookimpl
def bvf_commands() -> list[Provider[Any]]:
    return [
        Provider(
            "impact",
            "bvf_decisions.command:impact",
            "Say whom a model selects in documents: rates and impact ratios by sex and ethnicity.",
            example="bvf impact runs/NAME --select top=10%",
        ),
        Provider(
            "cues",
            "bvf_decisions.command:cues",
            "Say by which cue a difference comes: the same people by a label, a name, a pronoun or a hint.",
            example="bvf cues runs/NAME --rule by=sex",
        ),
        Provider(
            "pairs",
            "bvf_decisions.command:pairs",
            "Say who of two people in one text is meant, by group and place, and what each alone says.",
            example="bvf pairs runs/TWO runs/ALONE",
        ),
    ]


@hookimpl
def bvf_functions() -> "list[Provider[Callable[..., Any]]]":
    return [Provider("cues", "bvf_decisions.cues:cues", "how much of a difference each cue brings, such as a name")]
