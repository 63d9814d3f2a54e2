"""The Chinese language pack: wording rules, topics, context sets and two small models."""

from importlib.resources import files

from bvf.domain.context import ContextSet
from bvf.domain.topic import Topic
from bvf.files.contexts import contexts_in
from bvf.files.topics import topics_in
from bvf.hooks.provider import Provider
from bvf.hooks.specs import hookimpl
from bvf.interfaces.backend import ModelFolder
from bvf.interfaces.language import Language
from bvf.interfaces.miner import Miner

BVF_API = 1
OPTIONS = "bvf_stanza.options:StanzaOptions"
MINING = (("stanza", "pip install 'bvf[mining]'"),)


@hookimpl
def bvf_languages() -> list[Provider[Language]]:
    return [Provider("zh", "bvf_zh.rules:Chinese", "Chinese", language="zh")]


@hookimpl
def bvf_topics() -> list[Provider[Topic]]:
    return topics_in(files(__package__) / "topics", language="zh")


@hookimpl
def bvf_contexts() -> list[Provider[ContextSet]]:
    return contexts_in(files(__package__) / "contexts", language="zh")


@hookimpl
def bvf_miners() -> list[Provider[Miner]]:
    return [
        Provider(
            "zh", "bvf_zh.mining:miner", "contexts from Chinese text", needs=MINING, language="zh", options=OPTIONS
        )
    ]


@hookimpl
def bvf_models() -> list[Provider[ModelFolder]]:
    return [
        Provider("zh-causal", "bvf_zh.bundled:causal", "small Chinese model that continues a text", language="zh"),
        Provider("zh-masked", "bvf_zh.bundled:masked", "small Chinese model that fills a mask", language="zh"),
    ]
