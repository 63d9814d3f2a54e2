"""Miners of the language packs, what they make of a text, and trees that a test writes in a line."""

from functools import cache

import bvf_en.mining
import bvf_zh.mining
from bvf_stanza import Sentence, Word
from bvf_stanza.options import StanzaOptions
from bvf_stanza.stanza import StanzaParser

from bvf.hooks.loader import load
from bvf.interfaces.miner import Document, MiningRequest, Span

KEPT = StanzaOptions(cues="keep")
bvf_en.mining.StanzaParser = bvf_zh.mining.StanzaParser = cache(StanzaParser)  # miners of a test share loaded models


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


def tree(text):
    """Build a tree from ``word/TAG/relation/head`` per word. Heads count from 0, -1 is the root; ``TAG*``: plural."""
    words, place = [], 0
    for part in text.split():
        word, tag, relation, head = part.rsplit("/", 3)
        features = frozenset({"Number=Plur"} if tag.endswith("*") else ())
        lemma = word if tag == "PROPN" else word.lower()
        words.append(Word(word, lemma, tag.rstrip("*"), features, int(head), relation, Span(place, place + len(word))))
        place += len(word) + 1
    return Sentence(tuple(words))
