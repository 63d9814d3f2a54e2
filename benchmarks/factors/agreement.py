"""Coverage of the interval of Kendall's tau-b over groups: ``python benchmarks/factors/agreement.py``."""

import json
import sys

import numpy as np

from bvf.stats.comparing.rank_agreement import rank_agreement

SIZES, CORRELATIONS, DRAWN = (6, 8, 10, 12, 15, 20, 40), (0.0, 0.5, 0.8, 0.95), 2000


def coverage(size: int, rho: float, drawn: int = DRAWN) -> float:
    """Return the share of intervals that hold the truth, for normal measures with this correlation.

    A draw whose order is the same in both measures has no interval, and counts as one that does not hold it.
    """
    rng, truth, held = np.random.default_rng(2), 2.0 / np.pi * np.arcsin(rho), 0
    for _ in range(drawn):
        x = rng.standard_normal(size)
        y = rho * x + np.sqrt(1.0 - rho**2) * rng.standard_normal(size)
        found = rank_agreement(x, y)
        held += found.low is not None and found.high is not None and found.low <= truth <= found.high
    return held / drawn


if __name__ == "__main__":
    json.dump(
        [
            {"groups": size, "rho": rho, "coverage": coverage(size, rho), "drawn": DRAWN}
            for size in SIZES
            for rho in CORRELATIONS
        ],
        sys.stdout,
        indent=1,
    )
