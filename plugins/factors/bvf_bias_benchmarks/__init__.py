"""Published bias benchmarks and sentences of one's own: items, factors and scores. Users bring the data."""

from functools import cache
from importlib.resources import files
from typing import Any

from bvf import Benchmark, Provider, hookimpl

BVF_API = 1
HERE = files(__package__)
PACKS = {
    "bbq": ("bbq:Bbq", "en", "who is meant, where the context does not say it and where it does"),
    "stereoset": ("stereoset:StereoSet", "en", "a stereotype, its opposite and something unrelated"),
    "crows-pairs": ("sentences:CrowSPairs", "en", "two sentences that differ in the group"),
    "crows-pairs-nl": ("sentences:DutchCrowSPairs", "nl", "two sentences that differ in the group"),
    "crows-pairs-fr": ("sentences:FrenchCrowSPairs", "fr", "two sentences that differ in the group"),
    "winogender": ("occupations:Winogender", "en", "he, she or they, for occupations with a known share of women"),
    "winobias": ("occupations:WinoBias", "en", "he or she, with the stereotype of an occupation and against it"),
    "ssqa": ("ssqa:SocialStigmaQa", "en", "advice about somebody with a stigma, and without"),
    "cbbq": ("questions:Cbbq", "zh", "BBQ's questions in Chinese, for fourteen categories"),
    "kobbq": ("questions:KoBbq", "ko", "BBQ's questions in Korean, for twelve categories"),
    "esbbq": ("bbq:EsBbq", "es", "BBQ's questions in Spanish, for stereotypes of Spain"),
    "cabbq": ("bbq:CaBbq", "ca", "BBQ's questions in Catalan, for stereotypes of Spain"),
    "mbbq": ("bbq:Mbbq", "en", "BBQ's questions for stereotypes of four languages, and a control set"),
    "mbbq-nl": ("bbq:DutchMbbq", "nl", "BBQ's questions for stereotypes of four languages, and a control set"),
    "mbbq-es": ("bbq:SpanishMbbq", "es", "BBQ's questions for stereotypes of four languages, and a control set"),
    "mbbq-tr": ("bbq:TurkishMbbq", "tr", "BBQ's questions for stereotypes of four languages, and a control set"),
    "mcbe": ("chinese:McBe", "zh", "sentences with a slot that several groups fill"),
    "corgi-pm": ("chinese:CorgiPm", "zh", "sentences with gender bias, and as annotators rewrote them"),
    "bold": ("writing:Bold", "en", "prompts about people and professions, which a model continues"),
    "honest": ("writing:Honest", "en", "honest:LEXICON: sentences about people, completed with hurtful words or not"),
    "sentences": ("sentences:Sentences", "en", "sentences of your own, in pairs or larger sets"),
}
"""The class that reads each pack, its language and its summary: the hook opens no file."""


@cache
def declared(name: str) -> dict[str, Any]:
    """Return the content of a TOML file of this package."""
    from bvf.files import parse_toml, read_text

    file = HERE / f"{name}.toml"
    return parse_toml(read_text(file), str(file))


@cache
def pack_named(name: str) -> dict[str, Any]:
    """Return what ``packs.toml`` says of a pack, and for what it does not say, of the one that it is ``like``."""
    own = declared("packs")[name]
    return {**declared("packs")[own.get("like", name)], **own}


@hookimpl
def bvf_benchmarks() -> list[Provider[Benchmark]]:
    return [
        Provider(name, f"bvf_bias_benchmarks.{pack}", summary, language=language)
        for name, (pack, language, summary) in PACKS.items()
    ]
