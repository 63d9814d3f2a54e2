"""How often the miner is right where it is so sure: ``python benchmarks/mining/confidence.py SHARED``.

On GAP development, pronouns that have a link to one of the two names; on the labelled sentences, matches that are kept.
"""

import csv
import sys
from pathlib import Path

import torch
from bvf_stanza import Resolver
from bvf_stanza.words import names_in
from coreference import _around, _is_named, _pronouns, english_miner
from labelled import ROOT, judge

from bvf.hooks.loader import load
from bvf.interfaces.miner import Document, MiningRequest

LEAST = (0.0, 0.8, 0.9, 0.93, 0.96)


def beliefs(file: Path) -> list[tuple[float, bool]]:
    """The confidence of every link to one of the two names of a text, and whether it is right."""
    miner = english_miner()
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    spans = [_around(miner, row["Text"], int(row["Pronoun-offset"])) for row in rows]
    texts = [span.of(Document("", row["Text"])) for row, span in zip(rows, spans, strict=True)]
    beliefs = []
    for row, span, parsed in zip(rows, spans, miner.parser.parse(texts), strict=True):
        resolver = Resolver(miner.lexicon, names_in(row["Text"], miner.lexicon))
        for sentence, index in _pronouns(miner, parsed):
            if sentence.words[index].span.start == int(row["Pronoun-offset"]) - span.start:
                belief = resolver.belief(sentence, index)
                right = belief and _is_named(miner, row, sentence, belief.meant)
                if belief and right is not None:
                    beliefs.append((belief.confidence, bool(right)))
    return beliefs


def main() -> None:
    shared = Path(sys.argv[1])
    torch.set_num_threads(1)
    links = beliefs(shared / "data/gap/gap-development.tsv")
    plugins = load()
    topic = plugins.topics.in_language("en").make("gender")
    for least in LEAST:
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
