"""Facts and the wordings that ask for them: what a model knows, and how firmly."""

from importlib.resources import files

from bvf.context import ContextSet
from bvf.contextfile import contexts_in
from bvf.hookspecs import hookimpl
from bvf.provider import Provider
from bvf.topic import Topic, topics_in

BVF_API = 1
LANGUAGES = ("en", "zh")


@hookimpl
def bvf_topics() -> list[Provider[Topic]]:
    folder = files(__package__) / "topics"
    own = [provider for language in LANGUAGES for provider in topics_in(folder / language, language=language)]
    pararel: Provider[Topic] = Provider(
        "pararel", "bvf_knowledge.pararel:read_topic", "pararel:FOLDER with --relation P36: ParaRel's own files"
    )
    return [*own, pararel]


@hookimpl
def bvf_contexts() -> list[Provider[ContextSet]]:
    folder = files(__package__) / "contexts"
    own = [provider for language in LANGUAGES for provider in contexts_in(folder / language, language=language)]
    return [*own, Provider("pararel", "bvf_knowledge.pararel:read_contexts", "the patterns of a ParaRel relation")]
