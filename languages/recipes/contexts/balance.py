"""Let no template of a mined set count more often than a limit: ``python balance.py SET.csv 20 OUT.csv``.

Counts in the resamples of documents are limited in the same way, so intervals are those of the limited weights.
"""

import argparse
from pathlib import Path

import numpy as np
from rows import Row, read, write

from bvf.files import Replicates
from bvf.files.contexts.replicates import read_replicates
from bvf.files.contexts.sampling import replicates_of


def limited(rows: list[Row], most: int) -> list[Row]:
    """Return the rows of a context set with counts of at most ``most``, the heaviest first."""
    kept = [{**row, "count": str(min(int(row["count"]), most))} for row in rows]
    return sorted(kept, key=lambda row: -int(row["count"]))


def limited_replicates(whole: Replicates, most: int) -> Replicates:
    return Replicates(whole.templates, np.minimum(whole.counts, most), np.minimum(whole.redrawn, most))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("most", type=int)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    write(limited(read(args.set), args.most), args.out)
    whole = read_replicates(replicates_of(args.set))
    limited_replicates(whole, args.most).write(replicates_of(args.out))


if __name__ == "__main__":
    main()
