"""The scales on which risks are given, and the usual one. A scale is a divisor: `bvf.stats.figures.risk.divisor_of`."""

from typing import Literal, get_args

Scale = Literal["unit", "raw"]
"""unit: divided by the risk of a fully stereotyped model; raw: as J gives it."""
SCALES: tuple[Scale, ...] = get_args(Scale)
USUAL: Scale = "unit"


def ends_at_1(scale: str) -> bool:
    """Whether the largest risk on this scale, that of a fully stereotyped model, is 1."""
    return scale == "unit"
