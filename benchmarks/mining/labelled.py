"""Sentences of corpora that were labelled by hand: ``python -m benchmarks mining.labelled SHARED``.

``languages/LANG/tests/mining/labelled.csv`` has the place of each sentence (corpus, document, characters) and whether a
pronoun of a later clause means the subject of the main clause, who is one person, with no other cue of gender. Some
were drawn among the sentences that an early version of the miner kept, some among those that it parsed and dropped;
recall is weighted by both. 60 of each language, drawn by chance, have a second label, of a reader who had not seen the
first one. Printed are the precision and the recall of what is kept, and the agreement of both labels (Cohen's kappa).
"""

from collections import Counter
from pathlib import Path

from benchmarks.mining.miners import miner_of, rows_in, texts_in
from benchmarks.pages import ROOT
from bvf.interfaces.miner import Document, Miner

STRATA = {
    "en": {"drawn among the kept": 382, "drawn among the dropped": 8566},
    "zh": {"drawn among the kept": 94, "drawn among the dropped": 4214},
}
CONTEXT = 300
Judged = list[tuple[dict[str, str], bool]]
"""Rows of labels, each with whether the miner keeps its sentence."""


def judge(miner: Miner, language: str, shared: Path) -> Judged:
    """Say which labelled sentences a miner keeps."""
    judged: Judged = []
    rows = rows_in(ROOT / "languages" / language / "tests" / "mining" / "labelled.csv")
    corpora = shared / "data" / "corpora" / language
    texts = {name: texts_in(corpora / f"{name}.jsonl.zst") for name in {row["corpus"] for row in rows}}
    for row in rows:
        text, start = texts[row["corpus"]][row["document"]], int(row["start"])
        begun = max(0, start - CONTEXT)
        mined = miner([Document("labelled", text[begun : int(row["stop"])])])
        judged.append((row, any(match.sentence.start + begun >= start for match in mined.matches)))
    return judged


def right(labels: list[str]) -> str:
    """Say how many labels are yes, and their share."""
    return f"{labels.count('yes')} of {len(labels)} right ({labels.count('yes') / max(1, len(labels)):.3f})"


def recall(judged: Judged, strata: dict[str, int]) -> float:
    """Return the share of the sentences labelled yes that are kept, weighted by the size of their stratum."""
    drawn = Counter(row["drawn"] for row, _ in judged)
    weights = {True: 0.0, False: 0.0}
    for row, kept in judged:
        weights[kept] += (row["means_subject"] == "yes") * strata[row["drawn"]] / drawn[row["drawn"]]
    return weights[True] / (weights[True] + weights[False])


def kappa(pairs: list[tuple[str, str]]) -> float:
    """Return the agreement of two readings beyond chance (Cohen 1960); 1 where both are always the same."""
    agreed = sum(first == second for first, second in pairs) / len(pairs)
    shares = [sum(reading == "yes" for reading in readings) / len(pairs) for readings in zip(*pairs, strict=True)]
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def main(folder: str) -> None:
    for language, strata in STRATA.items():
        judged = judge(miner_of(language), language, Path(folder))
        kept = [row["means_subject"] for row, is_kept in judged if is_kept]
        print(f"{language}: {len(judged)} read; of the kept ones {right(kept)}, recall {recall(judged, strata):.2f}")
        pairs = [(row["means_subject"], row["second"]) for row, _ in judged if row["second"]]
        same = sum(first == second for first, second in pairs)
        print(f"read twice: {same} of {len(pairs)} labels agree, kappa {kappa(pairs):.2f}")
