"""Sentences of corpora that were labelled by hand: ``python benchmarks/mining/labelled.py SHARED``.

``languages/LANG/tests/mining/labelled.csv`` has the place of each sentence (corpus, document, characters) and whether a
pronoun of a later clause means the subject of the main clause, who is one person, with no other cue of gender. Some
were drawn among the sentences that an early version of the miner kept, some among those that it parsed and dropped;
recall is weighted by both. 60 of each language, drawn by chance, have a second label, of a reader who had not seen the
first one. Printed are the precision of what is kept by both labels, and their agreement (Cohen's kappa).
"""

import csv
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import torch
from bvf_mining.corpora import lines_in

from bvf.hooks.loader import load
from bvf.interfaces.miner import Document, Miner, MiningRequest

ROOT = Path(__file__).resolve().parents[2]
STRATA = {
    "en": {"drawn among the kept": 382, "drawn among the dropped": 8566},
    "zh": {"drawn among the kept": 94, "drawn among the dropped": 4214},
}
CONTEXT = 300


@dataclass
class Labels:
    """Counts of (drawn, label, kept) and of (label, second label, kept), and sentences that were kept wrongly."""

    counts: Counter[tuple[str, str, bool]] = field(default_factory=Counter)
    twice: Counter[tuple[str, str, bool]] = field(default_factory=Counter)
    mistakes: list[str] = field(default_factory=list)

    @property
    def kept(self) -> int:
        """The number of sentences that the miner keeps."""
        return sum(count for (_, _, kept), count in self.counts.items() if kept)

    @property
    def precision(self) -> float:
        """Share of the kept sentences that are labelled yes."""
        right = sum(count for (_, label, kept), count in self.counts.items() if kept and label == "yes")
        return right / max(1, self.kept)

    @property
    def read_twice(self) -> str:
        """A line on the sentences with two labels."""
        pairs = [(first, second) for first, second, _ in self.twice.elements()]
        kept = [(first, second) for first, second, is_kept in self.twice.elements() if is_kept]
        right = [sum(label == "yes" for label in labels) for labels in zip(*kept, strict=True)]
        same = sum(first == second for first, second in pairs)
        return (
            f"read twice: {same} of {len(pairs)} labels agree, kappa {kappa(pairs):.2f}; of {len(kept)} kept ones "
            f"{right[0]} are right by the first reader and {right[1]} by the second"
        )

    def recall(self, strata: dict[str, int]) -> float:
        """Share of the sentences labelled yes that are kept, weighted by the size of their stratum."""
        drawn = Counter[str]()
        for (stratum, _, _), count in self.counts.items():
            drawn[stratum] += count
        weights = {True: 0.0, False: 0.0}
        for (stratum, label, kept), count in self.counts.items():
            if label == "yes":
                weights[kept] += count * strata[stratum] / drawn[stratum]
        return weights[True] / (weights[True] + weights[False])


def judge(miner: Miner, file: Path, corpora: Path) -> Labels:
    """Count the labelled sentences that a miner keeps."""
    labels = Labels()
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    texts = {name: texts_in(corpora / f"{name}.jsonl.zst") for name in {row["corpus"] for row in rows}}
    for row in rows:
        text = texts[row["corpus"]][row["document"]]
        start, stop = int(row["start"]), int(row["stop"])
        begun = max(0, start - CONTEXT)
        mined = miner([Document("labelled", text[begun:stop])])
        kept = any(match.sentence.start + begun >= start for match in mined.matches)
        labels.counts[row["drawn"], row["means_subject"], kept] += 1
        if row["second"]:
            labels.twice[row["means_subject"], row["second"], kept] += 1
        if kept and row["means_subject"] == "no":
            labels.mistakes.append(text[start:stop])
    return labels


def kappa(pairs: list[tuple[str, str]]) -> float:
    """Return the agreement of two readings beyond chance (Cohen 1960); 1 where both are always the same."""
    agreed = sum(first == second for first, second in pairs) / len(pairs)
    shares = [sum(reading == "yes" for reading in readings) / len(pairs) for readings in zip(*pairs, strict=True)]
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def texts_in(file: Path) -> dict[str, str]:
    """Read the texts of a corpus by their names."""
    return {row["id"]: row["text"] for row in map(json.loads, lines_in(file))}


def main() -> None:
    shared = Path(sys.argv[1])
    torch.set_num_threads(1)
    plugins = load()
    for code, strata in STRATA.items():
        topic = plugins.topics.in_language(code).make("gender")
        miner = plugins.miners.in_language(code).find(code).make(MiningRequest(topic))
        file = ROOT / "languages" / code / "tests" / "mining" / "labelled.csv"
        labels = judge(miner, file, shared / "data" / "corpora" / code)
        sys.stdout.write(
            f"{code}: {labels.kept} of {sum(labels.counts.values())} kept, precision {labels.precision:.3f}, "
            f"recall {labels.recall(strata):.2f} of what an early version parsed\n{labels.read_twice}\n"
        )
        for mistake in labels.mistakes:
            sys.stdout.write(f"  {' '.join(mistake.split())}\n")


if __name__ == "__main__":
    main()
