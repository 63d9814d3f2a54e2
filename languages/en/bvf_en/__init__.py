"""The English language pack: wording rules, topics, context sets and three small models."""

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
INSTALL_MINING = "pip install 'bvf[mining]'"
MINING = (("stanza", INSTALL_MINING), ("lemminflect", INSTALL_MINING))


@hookimpl
def bvf_languages() -> list[Provider[Language]]:
    return [Provider("en", "bvf_en.rules:English", "English", language="en")]


@hookimpl
def bvf_topics() -> list[Provider[Topic]]:
    return topics_in(files(__package__) / "topics", language="en")


@hookimpl
def bvf_contexts() -> list[Provider[ContextSet]]:
    return contexts_in(files(__package__) / "contexts", language="en")


@hookimpl
def bvf_miners() -> list[Provider[Miner]]:
    return [
        Provider(
            "en", "bvf_en.mining:miner", "contexts from English text", needs=MINING, language="en", options=OPTIONS
        )
    ]


@hookimpl
def bvf_models() -> list[Provider[ModelFolder]]:
    return [
        Provider("en-causal", "bvf_en.bundled:causal", "small English model that continues a text", language="en"),
        Provider("en-masked", "bvf_en.bundled:masked", "small English model that fills a mask", language="en"),
        Provider("en-seq2seq", "bvf_en.bundled:seq2seq", "small English model of encoder and decoder", language="en"),
    ]
