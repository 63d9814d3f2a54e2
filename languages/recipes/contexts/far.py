"""Keep the templates of a set in which a model leans far from its mean: ``python far.py SET.csv 0.3 OUT.csv``.

A template stays if one of its columns ``lean_NAME`` is further than that from the weighted mean of the column.
"""

import argparse
from pathlib import Path

import numpy as np
from rows import Row, read, write


def far(rows: list[Row], distance: float) -> list[Row]:
    """Return the rows in which a lean is more than ``distance`` from the mean of its column, weighted by counts."""
    leans = np.array([[float(row[name]) for name in row if name.startswith("lean_")] for row in rows])
    mean = np.average(leans, axis=0, weights=[int(row["count"]) for row in rows])
    return [row for row, furthest in zip(rows, np.abs(leans - mean).max(axis=1), strict=True) if furthest > distance]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", type=Path)
    parser.add_argument("distance", type=float)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    write(far(read(args.set), args.distance), args.out)


if __name__ == "__main__":
    main()
