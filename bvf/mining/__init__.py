"""From documents to contexts (Section 3.2): what a miner is, and what all miners over dependency trees share."""

from bvf.mining.match import Document, Match, Miner, Span
from bvf.mining.tree import Sentence, Word

__all__ = ["Document", "Match", "Miner", "Sentence", "Span", "Word"]
