"""Computes the result of an analysis of a measurement."""

from typing import Any

import numpy as np
from pydantic import ValidationError

from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.interfaces.analysis import Analysis, Choices


def computed(analysis: Analysis[Any], measurement: Measurement, choices: Choices) -> Any:
    """Compute the result of an analysis of a measurement, including intervals. The result is not stored.

    Raises:
        BvfError: The analysis is undefined for these probabilities, or a figure is infinite or NaN (not valid in JSON).
    """
    try:
        with np.errstate(invalid="ignore", over="ignore"):
            return analysis.run(measurement, choices)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] != "finite_number":
            raise
        figure = ".".join(map(str, first["loc"]))
        raise BvfError(
            f"the criterion {choices.criterion_name} gives {first['input']} as {figure}",
            "choose another criterion; what is scored is kept",
        ) from error
