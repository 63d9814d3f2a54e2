"""The Spanish language pack: wording rules, topics, context sets and openings."""

from importlib.resources import files

from bvf import ContextSet, Language, Provider, Topic, contexts_in, hookimpl, topics_in

BVF_API = 1


@hookimpl
def bvf_languages() -> list[Provider[Language]]:
    return [Provider("es", "bvf_es.rules:Spanish", "Spanish", language="es")]


@hookimpl
def bvf_topics() -> list[Provider[Topic]]:
    return topics_in(files(__package__) / "topics", language="es")


@hookimpl
def bvf_contexts() -> list[Provider[ContextSet]]:
    return contexts_in(files(__package__) / "contexts", language="es")
