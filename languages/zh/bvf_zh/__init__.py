"""The Chinese language pack: wording rules, topics, context sets and two small models."""

from importlib.resources import files

from bvf.backend import ModelFolder
from bvf.context import ContextSet
from bvf.contextfile import contexts_in
from bvf.hookspecs import hookimpl
from bvf.language import Language
from bvf.mining.match import Miner
from bvf.provider import Provider
from bvf.topic import Topic, topics_in

BVF_API = 1
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
    return [Provider("zh", "bvf_zh.mining:miner", "contexts from Chinese text", needs=MINING, language="zh")]


@hookimpl
def bvf_models() -> list[Provider[ModelFolder]]:
    return [
        Provider("zh-causal", "bvf_zh.bundled:causal", "small Chinese model that continues a text", language="zh"),
        Provider("zh-masked", "bvf_zh.bundled:masked", "small Chinese model that fills a mask", language="zh"),
    ]
