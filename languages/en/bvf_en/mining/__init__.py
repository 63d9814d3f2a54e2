"""The English miner: word lists, a parser and a grammar."""

from importlib.resources import files
from pathlib import Path

from bvf_stanza import TreeMiner, read_lexicon
from bvf_stanza.options import options_of
from bvf_stanza.stanza import StanzaParser

from bvf.interfaces import MiningRequest

PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse")
MODELS = Path(__file__).resolve().parent.parent / "models" / "stanza"


def miner(request: MiningRequest) -> TreeMiner:
    """Return the English miner of a request. Its Stanza models are those of the options, else the pack's."""
    from bvf_en.mining.grammar import English

    lexicon = read_lexicon(files(__package__))
    processors = (*PROCESSORS, "coref") if options_of(request).coref else PROCESSORS
    parser = StanzaParser("en", options_of(request).stanza or MODELS, processors, request.share)
    return TreeMiner(request, parser, lexicon, English(lexicon))
