"""From documents to contexts (Section 3.2): what a miner is, and what all miners over dependency trees share."""

from bvf.mining.lexicon import Lexicon, read_lexicon
from bvf.mining.match import Document, Found, Match, Miner, MiningRequest, Span
from bvf.mining.parser import Parser
from bvf.mining.resolver import Resolver
from bvf.mining.tree import Sentence, Word
from bvf.mining.tree_miner import Draft, Grammar, TreeMiner, Unfit

__all__ = [
    "Document",
    "Draft",
    "Found",
    "Grammar",
    "Lexicon",
    "Match",
    "Miner",
    "MiningRequest",
    "Parser",
    "Resolver",
    "Sentence",
    "Span",
    "TreeMiner",
    "Unfit",
    "Word",
    "read_lexicon",
]
