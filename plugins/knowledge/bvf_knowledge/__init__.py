"""Whether a model knows facts in every phrasing: analysis, pictures, criterion, topics of facts, sets of phrasings."""

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bvf import ContextSet, Provider, Topic, contexts_in, hookimpl, topics_in

if TYPE_CHECKING:
    from bvf import Analysis, PictureKind

BVF_API = 1
LANGUAGES = ("en", "zh")


@hookimpl
def bvf_topics() -> list[Provider[Topic]]:
    folder = files(__package__) / "topics"
    packaged = [provider for language in LANGUAGES for provider in topics_in(folder / language, language=language)]
    pararel: Provider[Topic] = Provider(
        "pararel",
        "bvf_knowledge.pararel:read_topic",
        "pararel:FOLDER with --relation P36: ParaRel's own files",
        options="bvf_knowledge.pararel:ParaRelOptions",
    )
    return [*packaged, pararel]


@hookimpl
def bvf_contexts() -> list[Provider[ContextSet]]:
    folder = files(__package__) / "contexts"
    packaged = [provider for language in LANGUAGES for provider in contexts_in(folder / language, language=language)]
    return [*packaged, Provider("pararel", "bvf_knowledge.pararel:read_contexts", "the patterns of a ParaRel relation")]


@hookimpl
def bvf_analyses() -> "list[Provider[Analysis[Any]]]":
    return [Provider("knowledge", "bvf_knowledge.analysis:KnowledgeAnalysis", "mastery, for criteria of knowledge")]


@hookimpl
def bvf_functions() -> list[Provider[Any]]:
    return [
        Provider("KnowledgeResult", "bvf_knowledge.result:KnowledgeResult", "what a model knows of a topic"),
        Provider("decompose_knowledge", "bvf_knowledge.decompose:decompose_knowledge", "split mastery into its parts"),
    ]


@hookimpl
def bvf_pictures() -> "list[Provider[PictureKind]]":
    home = "bvf_knowledge.pictures.kinds"
    return [
        Provider("mastery", f"{home}:MasteryKind"),
        Provider("confidence", f"{home}:ConfidenceKind"),
        Provider("subjects", f"{home}:SubjectsKind"),
        Provider("certainty", f"{home}:CertaintyKind"),
        Provider("wordings", f"{home}:WordingsKind"),
    ]
