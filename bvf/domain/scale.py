"""The scales of risks."""

from typing import Literal

Scale = Literal["unit", "raw"]
"""unit: divided by the risk of a fully stereotyped model; raw: as J gives it."""
