"""Small drawings within a line of a table, as SVG."""

from collections.abc import Sequence
from itertools import groupby

WIDTH, HEIGHT = 120, 22


def spark(shares: Sequence[float]) -> str:
    """Return a filled outline of shares in bins of equal width from 0 to 1, as the attribute ``d`` of a path.

    >>> spark([0.0, 1.0])
    'M0 22V22h60V0h60V22Z'
    """
    most, step = max(shares) or 1.0, WIDTH // len(shares)
    heights = groupby(round(HEIGHT * (1 - share / most)) for share in shares)
    steps = "".join(f"V{height}h{step * len(list(bins))}" for height, bins in heights)
    return f"M0 {HEIGHT}{steps}V{HEIGHT}Z"
