"""Miners of the language packs, and what they make of a text."""

from bvf_stanza.options import StanzaOptions

from bvf.hooks.loader import load
from bvf.interfaces.miner import Document, MiningRequest

KEPT = StanzaOptions(cues="keep")


def made(code, topic="gender", words=(), options=KEPT, **limits):
    """The miner of a language for a topic of its pack, whose first class may have other words."""
    plugins = load()
    asked = plugins.topics.in_language(code).make(topic)
    asked = asked.with_words({asked.attribute_names[0]: words}) if words else asked
    return plugins.miners.in_language(code).find(code).make(MiningRequest(asked, options=options, **limits))


def mined(miner, text):
    """The templates that a text gives, and why its other sentences were dropped."""
    outcome = miner([Document("text", text)])
    return [match.template.text for match in outcome.matches], list(outcome.dropped)
