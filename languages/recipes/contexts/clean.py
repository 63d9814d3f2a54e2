"""Leave out of a mined set what tells of Y: ``python clean.py SET.csv MATCHES.jsonl MARKS.csv OUT.csv [--strict]``.

The set is mined with ``-M cues=keep``: its column ``cue`` has what the miner would drop (the Spanish miner always drops
it). MARKS.csv has what two readers say of each other template; what both refuse is left out too, with ``--strict`` what
one refuses. Weights are the natural counts. Printed are the sizes after each step, the words that refused most, the
readers' agreement, and the spread of each column ``lean_NAME``.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rows import Row, read, write_set

from bvf.files.contexts.replicates import read_replicates
from bvf.files.contexts.sampling import replicates_of

WORDS_SHOWN = 20


def steps(rows: list[Row], marks: list[Row], strict: bool) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows that each step leaves: all, those without a cue, and those that the readers do not refuse."""
    yield "mined", rows
    rows = [row for row in rows if not row.get("cue")]
    yield "without cues and second persons", rows
    needed = 2 if strict else 1
    refused = {mark["template"] for mark in marks if (mark["first"], mark["second"]).count("ok") < needed}
    yield "without what the readers refuse", [row for row in rows if row["template"] not in refused]


def agreement(marks: list[Row]) -> tuple[float, float]:
    """Return the share of templates that two readers mark alike, and Cohen's kappa."""
    pairs = [(mark["first"], mark["second"]) for mark in marks]
    alike = float(np.mean([first == second for first, second in pairs]))
    one, other = (Counter(reader) for reader in zip(*pairs, strict=True))
    chance = sum(one[mark] * other[mark] for mark in one) / len(pairs) ** 2
    return alike, (alike - chance) / (1 - chance)


def sizes(rows: list[Row], documents: dict[str, set[str]]) -> str:
    """Return how many templates, matches and documents rows have, and the weighted spread of each lean."""
    counts = np.array([int(row["count"]) for row in rows])
    seen = set().union(*(documents[row["template"]] for row in rows))
    size = f"{len(rows)} templates, {counts.sum()} matches, {len(seen)} documents"
    for name in (name for name in rows[0] if name.startswith("lean_")):
        lean = np.array([float(row[name]) for row in rows])
        mean = np.average(lean, weights=counts)
        spread = np.sqrt(np.average((lean - mean) ** 2, weights=counts))
        size += f"; {name}: mean {mean:.3f}, sd {spread:.3f}, {lean.min():.2f} to {lean.max():.2f}"
    return size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("set", "matches", "marks", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--strict", action="store_true")
    args = parser.parse_args()
    rows, marks, documents = read(args.set), read(args.marks), defaultdict(set)
    for match in map(json.loads, args.matches.read_text(encoding="utf-8").splitlines()):
        documents[match["template"]].add(match["document"])
    for step, kept in steps(rows, marks, args.strict):
        print(f"{step}: {sizes(kept, documents)}")
    cues = Counter({row["cue"]: 0 for row in rows if row.get("cue")})
    cues.update({cue: sum(int(row["count"]) for row in rows if row["cue"] == cue) for cue in cues})
    print("cues:", ", ".join(f"{cue} {count}" for cue, count in cues.most_common(WORDS_SHOWN)))
    print("marked alike: {:.3f}, kappa {:.2f}".format(*agreement(marks)))
    rows = [{name: value for name, value in row.items() if name != "cue"} for row in kept]
    write_set(rows, read_replicates(replicates_of(args.set)), args.out)


if __name__ == "__main__":
    main()
