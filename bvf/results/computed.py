"""Computes the result of an analysis of a measurement."""

import math
from typing import Any

import numpy as np
from pydantic import BaseModel

from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.interfaces.analysis import Analysis, Choices
from bvf.results.result import ResultBase


def computed(analysis: Analysis[Any], measurement: Measurement, choices: Choices) -> Any:
    """Compute the result of an analysis of a measurement, including intervals. The result is not stored.

    Raises:
        BvfError: The analysis is undefined for these probabilities, or a figure is infinite or NaN (not valid in JSON).
    """
    with np.errstate(invalid="ignore", over="ignore"):
        result: ResultBase = analysis.run(measurement, choices)
    parts: list[tuple[str, BaseModel]] = [(f' of "{group.group}"', group) for group in result.groups]
    for whose, part in [*parts, ("", result)]:
        for name, value in part:
            if isinstance(value, float) and not math.isfinite(value):
                raise BvfError(
                    f"the criterion {result.criterion} gives {value} as {name}{whose}",
                    "choose another criterion; what is scored is kept",
                )
    return result
