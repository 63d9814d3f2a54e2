"""Dependency trees that a test writes in a line, independent of any parser."""

from bvf_stanza import Sentence, Word

from bvf.interfaces.miner import Span


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
