"""The Chinese language pack: wording rules, topics, context sets and two small models."""

from functools import partial
from importlib.resources import files
from pathlib import Path

from bvf import ContextSet, Language, ModelFolder, Provider, Topic, contexts_in, hookimpl, topics_in
from bvf.interfaces import Miner

BVF_API = 1
MODELS = {
    "zh-causal": "small Chinese model that continues a text",
    "zh-masked": "small Chinese model that fills a mask",
}
"""Models for trials and tests, not for conclusions."""
MODELS_WHEEL = ("bvf_zh.models", "make wheels; pip install dist/bvf_zh_models-0.1.0-py3-none-any.whl")
"""What brings the models and the parser, where bvf was not installed from its checkout."""


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
    needs = (("stanza", "pip install 'bvf[mining]'"), MODELS_WHEEL)
    options = "bvf_stanza.options:StanzaOptions"
    summary = "contexts from Chinese text"
    return [Provider("zh", "bvf_zh.mining:miner", summary, needs=needs, language="zh", options=options)]


@hookimpl
def bvf_models() -> list[Provider[ModelFolder]]:
    folder, wheel = Path(__file__).resolve().parent / "models", (MODELS_WHEEL,)
    return [
        Provider(name, partial(ModelFolder, folder / name, summary, "zh"), summary, needs=wheel, language="zh")
        for name, summary in MODELS.items()
    ]
