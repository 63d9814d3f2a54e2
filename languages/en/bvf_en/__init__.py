"""The English language pack: wording rules, topics, context sets and three small models."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from bvf import ContextSet, Language, ModelFolder, Provider, Topic, contexts_in, hookimpl, topics_in
from bvf.interfaces import Miner

BVF_API = 1
MODELS = {
    "en-causal": "small English model that continues a text",
    "en-masked": "small English model that fills a mask",
    "en-seq2seq": "small English model of encoder and decoder",
}
"""Models for trials and tests, not for conclusions."""
MODELS_WHEEL = ("bvf_en.models", "make wheels; pip install dist/bvf_en_models-0.1.0-py3-none-any.whl")
"""What brings the models and the parser, where bvf was not installed from its checkout."""


@hookimpl
def bvf_languages() -> list[Provider[Language]]:
    return [Provider("en", "bvf_en.rules:English", "English", language="en")]


@hookimpl
def bvf_topics() -> list[Provider[Topic]]:
    holisticbias: Provider[Topic] = Provider(
        "holisticbias",
        "bvf_en.holisticbias:read_topic",
        "holisticbias:FOLDER with -T axis=age: HolisticBias's own files",
        language="en",
        options="bvf_en.holisticbias:HolisticBiasOptions",
    )
    return [*topics_in(files(__package__) / "topics", language="en"), holisticbias]


@hookimpl
def bvf_contexts() -> list[Provider[ContextSet]]:
    holisticbias: Provider[ContextSet] = Provider(
        "holisticbias",
        "bvf_en.holisticbias:read_contexts",
        "the sentences of HolisticBias with a plural noun",
        language="en",
    )
    return [*contexts_in(files(__package__) / "contexts", language="en"), holisticbias]


@hookimpl
def bvf_miners() -> list[Provider[Miner]]:
    libraries = tuple((module, "pip install 'bvf[mining]'") for module in ("stanza", "lemminflect"))
    options = "bvf_stanza.options:StanzaOptions"
    summary = "contexts from English text"
    needs = (*libraries, MODELS_WHEEL)
    return [Provider("en", "bvf_en.mining:miner", summary, needs=needs, language="en", options=options)]


@hookimpl
def bvf_models() -> list[Provider[ModelFolder]]:
    folder, wheel = Path(__file__).resolve().parent / "models", (MODELS_WHEEL,)
    return [
        Provider(name, partial(ModelFolder, folder / name, summary, "en"), summary, needs=wheel, language="en")
        for name, summary in MODELS.items()
    ]
