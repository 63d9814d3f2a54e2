"""The Spanish language pack: wording rules, topics, context sets, openings and a miner."""

from importlib.resources import files

from bvf import ContextSet, Language, Provider, Topic, contexts_in, hookimpl, topics_in
from bvf.interfaces import Miner

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


@hookimpl
def bvf_miners() -> list[Provider[Miner]]:
    return [Provider("es", "bvf_es.miner:RuleMiner", "contexts from Spanish text, by rules", language="es")]
