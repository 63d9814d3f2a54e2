"""The scales of risks, to which `bvf.stats.risk.divisor_of` divides."""

from typing import Literal, get_args

Scale = Literal["unit", "raw"]
"""unit: divided by the risk of a fully stereotyped model; raw: as J gives it."""
SCALES: tuple[Scale, ...] = get_args(Scale)
USUAL: Scale = "unit"


def ends_at_1(scale: str) -> bool:
    """Whether no risk is above 1, the risk of a fully stereotyped model."""
    return scale == "unit"
