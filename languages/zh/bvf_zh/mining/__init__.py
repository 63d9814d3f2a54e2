"""The Chinese miners, for topics whose words are pronouns and for other topics."""

from importlib.resources import files
from pathlib import Path

from bvf_stanza import TreeMiner, read_lexicon
from bvf_stanza.options import options_of
from bvf_stanza.stanza import StanzaParser

from bvf import BvfError
from bvf.interfaces import Miner, MiningRequest
from bvf_zh.mining.grammar import Chinese
from bvf_zh.mining.miner import ChainMiner

PROCESSORS = ("tokenize", "pos", "lemma", "depparse")
MODELS = Path(__file__).resolve().parent.parent / "models" / "stanza"


def miner(request: MiningRequest) -> Miner:
    """Return the Chinese miner of a request. Its Stanza models are those of the options, else the pack's."""
    if options_of(request).coref:
        raise BvfError("-M coref=stanza: Stanza has no coref model of Chinese", "leave it out")
    lexicon = read_lexicon(files(__package__))
    parser = StanzaParser("zh", options_of(request).stanza or MODELS, PROCESSORS, request.share)
    words = {word for listed in request.topic.counted_words().values() for word in listed}
    pronouns = frozenset(words & lexicon.subject_pronouns)
    if pronouns:
        return ChainMiner(request, parser, lexicon, pronouns)
    return TreeMiner(request, parser, lexicon, Chinese(lexicon))
