"""Kept matches that were read twice: ``python benchmarks/mining/readings.py SHARED``.

``languages/zh/tests/mining/kept.csv`` says where each sentence is (corpus, document, characters), and by two readings,
in different orders, whether the pronoun means the subject and nothing else tells its gender. Printed are the precision
by each reading of what the miner keeps today, where they disagree, and Cohen's kappa.
"""

import csv
import json
import sys
from pathlib import Path

import torch

from bvf.files.corpora import lines_in
from bvf.hooks.loader import load
from bvf.interfaces.miner import Document, MiningRequest

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "languages" / "zh" / "tests" / "mining" / "kept.csv"


def kappa(pairs: list[tuple[str, str]]) -> float:
    """Agreement of two readings beyond chance (Cohen 1960); 1 where both always say the same."""
    agreed = sum(first == second for first, second in pairs) / len(pairs)
    shares = [sum(reading == "yes" for reading in readings) / len(pairs) for readings in zip(*pairs, strict=True)]
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def main() -> None:
    corpora = Path(sys.argv[1]) / "data" / "corpora" / "zh"
    torch.set_num_threads(1)
    rows = list(csv.DictReader(FILE.read_text(encoding="utf-8").splitlines()))
    texts = {
        content["id"]: content["text"]
        for name in {row["corpus"] for row in rows}
        for content in map(json.loads, lines_in(corpora / f"{name}.jsonl.zst"))
    }
    plugins = load()
    miner = (
        plugins.miners.in_language("zh").find("zh").make(MiningRequest(plugins.topics.in_language("zh").make("gender")))
    )
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
