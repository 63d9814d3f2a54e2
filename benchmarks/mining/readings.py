"""Kept matches that were read twice: ``python benchmarks/mining/readings.py SHARED``.

``languages/zh/tests/mining/kept.csv`` has the place of each sentence (corpus, document, characters) and two readings,
in different orders: does the pronoun mean the subject, and does nothing else tell its gender? Printed are the precision
of the kept sentences by each reading, the disagreements, and Cohen's kappa.
"""

import csv
import sys
from pathlib import Path

import torch
from labelled import ROOT, kappa, texts_in

from bvf.hooks.loader import load
from bvf.interfaces.miner import Document, MiningRequest

FILE = ROOT / "languages" / "zh" / "tests" / "mining" / "kept.csv"


def main() -> None:
    corpora = Path(sys.argv[1]) / "data" / "corpora" / "zh"
    torch.set_num_threads(1)
    rows = list(csv.DictReader(FILE.read_text(encoding="utf-8").splitlines()))
    texts: dict[str, str] = {}
    for name in {row["corpus"] for row in rows}:
        texts |= texts_in(corpora / f"{name}.jsonl.zst")
    plugins = load()
    topic = plugins.topics.in_language("zh").make("gender")
    miner = plugins.miners.in_language("zh").find("zh").make(MiningRequest(topic))
    sentences = [texts[row["document"]][int(row["start"]) : int(row["stop"])] for row in rows]
    kept = [bool(miner([Document("kept", sentence)]).matches) for sentence in sentences]
    judged = [row for row, is_kept in zip(rows, kept, strict=True) if is_kept]
    pairs = [(row["first"], row["second"]) for row in judged]
    for name, readings in zip(("first", "second"), zip(*pairs, strict=True), strict=True):
        sys.stdout.write(f"{name} reading: {readings.count('yes')} of {len(judged)} kept are right\n")
    sys.stdout.write(f"kappa {kappa(pairs):.2f}\n")
    for row, sentence in zip(rows, sentences, strict=True):
        if (row["first"], row["second"]) != ("yes", "yes"):
            sys.stdout.write(f"  {row['first']} / {row['second']}: {sentence}\n")


if __name__ == "__main__":
    main()
