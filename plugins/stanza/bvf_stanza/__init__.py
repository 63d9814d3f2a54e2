"""What miners over dependency trees share: trees, parsers, word lists, pronoun resolution, grammar interface."""

from bvf_stanza.lexicon import Lexicon, read_lexicon
from bvf_stanza.resolver import Resolver
from bvf_stanza.tree import Draft, Grammar, Parser, Sentence, Unfit, Word, note_matches
from bvf_stanza.tree_miner import ParsingMiner, TreeMiner

__all__ = [
    "Draft",
    "Grammar",
    "Lexicon",
    "Parser",
    "ParsingMiner",
    "Resolver",
    "Sentence",
    "TreeMiner",
    "Unfit",
    "Word",
    "note_matches",
    "read_lexicon",
]
