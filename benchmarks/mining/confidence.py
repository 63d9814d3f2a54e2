"""How often the miner is right at a confidence: ``python benchmarks/mining/confidence.py SHARED``.

Of GAP development, pronouns with a link to one of the two names; of the labelled sentences, kept matches.
"""

import sys
from pathlib import Path

import torch
from bvf_stanza import Resolver
from bvf_stanza.words import names_in
from coreference import english_miner, gap_pronouns, is_named
from labelled import ROOT, judge

from bvf.hooks.loader import load
from bvf.interfaces.miner import MiningRequest


def beliefs(file: Path) -> list[tuple[float, bool]]:
    """Return the confidence of every link to one of the two names of a text, and whether it is right."""
    miner = english_miner()
    beliefs = []
    for row, sentence, index in gap_pronouns(miner, file):
        resolver = Resolver(miner.lexicon, names_in(row["Text"], miner.lexicon))
        belief = resolver.belief(sentence, index)
        right = is_named(miner, row, sentence, belief.meant) if belief else None
        if belief and right is not None:
            beliefs.append((belief.confidence, right))
    return beliefs


def main() -> None:
    shared = Path(sys.argv[1])
    torch.set_num_threads(1)
    links = beliefs(shared / "data/gap/gap-development.tsv")
    plugins = load()
    topic = plugins.topics.in_language("en").make("gender")
    for least in (0.0, 0.8, 0.9, 0.93, 0.96):
        sure = [right for confidence, right in links if confidence >= least]
        miner = plugins.miners.find("en").make(MiningRequest(topic, min_confidence=least))
        file = ROOT / "languages" / "en" / "tests" / "mining" / "labelled.csv"
        labels = judge(miner, file, shared / "data" / "corpora" / "en")
        sys.stdout.write(
            f"{least:.2f}: GAP development {len(sure)} links, {sum(sure) / len(sure):.3f} right; "
            f"labelled {labels.kept} kept, {labels.precision:.3f} right\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
