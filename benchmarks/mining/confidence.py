"""How often the miner is right at a confidence: ``python -m benchmarks mining.confidence SHARED``.

Of GAP development, pronouns with a link to one of the two names; of the labelled sentences, kept matches.
"""

from pathlib import Path

from bvf_stanza import Resolver
from bvf_stanza.lexicon import names_in

from benchmarks.mining.labelled import judge, right
from benchmarks.mining.miners import gap_pronouns, is_named, miner_of


def links(file: Path) -> list[tuple[float, str]]:
    """Return the confidence of every link to one of the two names of a text, and whether it is right."""
    miner, links = miner_of("en"), []
    for row, sentence, index in gap_pronouns(miner, file):
        belief = Resolver(miner.lexicon, names_in(row["Text"], miner.lexicon)).belief(sentence, index)
        is_right = is_named(miner, row, sentence, belief.meant) if belief else None
        if belief and is_right is not None:
            links.append((belief.confidence, "yes" if is_right else "no"))
    return links


def main(folder: str) -> None:
    shared = Path(folder)
    of_gap = links(shared / "data/gap/gap-development.tsv")
    for least in (0.0, 0.8, 0.93):
        sure = [label for confidence, label in of_gap if confidence >= least]
        judged = judge(miner_of("en", min_confidence=least), "en", shared)
        kept = [row["means_subject"] for row, is_kept in judged if is_kept]
        print(f"{least:.2f}: GAP development {right(sure)}; labelled {right(kept)}", flush=True)
