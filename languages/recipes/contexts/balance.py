"""Let no template of a mined set count more often than a limit: ``python balance.py SET.csv 20 OUT.csv``.

Counts in the resamples of documents are limited in the same way, so intervals are those of the limited weights.
"""

import argparse
import csv
from pathlib import Path

import numpy as np

from bvf.files import Replicates, write_replicates
from bvf.files.contexts.replicates import read_replicates

BESIDE = ".replicates.parquet"


def limited(rows: list[dict[str, str]], most: int) -> list[dict[str, str]]:
    """Return the rows of a context set with counts of at most ``most``, the heaviest first."""
    kept = [{**row, "count": str(min(int(row["count"]), most))} for row in rows]
    return sorted(kept, key=lambda row: -int(row["count"]))


def limited_replicates(whole: Replicates, most: int) -> Replicates:
    """Return replicates with counts of at most ``most``."""
    return Replicates(whole.templates, np.minimum(whole.counts, most), np.minimum(whole.redrawn, most))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("most", type=int)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    rows = limited(list(csv.DictReader(args.set.read_text(encoding="utf-8").splitlines())), args.most)
    with args.out.open("w", encoding="utf-8", newline="") as out:
        table = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    whole = read_replicates(args.set.with_name(args.set.stem + BESIDE))
    write_replicates(args.out.with_name(args.out.stem + BESIDE), limited_replicates(whole, args.most))


if __name__ == "__main__":
    main()
