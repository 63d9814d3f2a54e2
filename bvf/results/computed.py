"""What an analysis finds in stored answers."""

import math
from typing import Any

import numpy as np
from pydantic import BaseModel

from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.interfaces.analysis import Analysis, Choices
from bvf.results.result import ResultBase


def computed(analysis: Analysis[Any], measurement: Measurement, choices: Choices) -> Any:
    """Return what an analysis finds in the answers of a measurement; nothing is stored.

    Raises:
        BvfError: The analysis is undefined for these answers.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        result = analysis.run(measurement, choices)
    _refuse_what_is_no_number(result)
    return result


def _refuse_what_is_no_number(result: ResultBase) -> None:
    """JSON has neither infinity nor NaN, and the criterion is wrong."""
    parts: list[tuple[str, BaseModel]] = [(f' of "{group.group}"', group) for group in result.groups]
    for whose, part in [*parts, ("", result)]:
        for name, value in part:
            if isinstance(value, float) and not math.isfinite(value):
                raise BvfError(
                    f"the criterion {result.criterion} gives {value} as {name}{whose}",
                    "choose another criterion; what is scored is kept",
                )
