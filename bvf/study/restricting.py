"""Restricts a measurement to some of its groups and contexts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bvf.domain.measurement import Asked, Measurement

T = TypeVar("T", bound=np.generic)


def restricted(measurement: Measurement, asked: Asked, rows: Sequence[int], columns: Sequence[int]) -> Measurement:
    """Return the answers of some groups (``rows``) and contexts (``columns``), in this order.

    ``asked`` are the questions to these groups in these contexts.
    """
    logp, replicates, hits = measurement.word_logprobs, measurement.replicates, measurement.hits
    return replace(
        measurement,
        record=measurement.record.model_copy(update={"asked": asked}),
        probabilities=_cells(measurement.probabilities, rows, columns),
        bounds=_cells(measurement.bounds, rows, columns),
        word_logprobs=None if logp is None else _cells(logp, rows, columns),
        replicates=None if replicates is None else replicates[columns],
        hits=None if hits is None else _cells(hits, rows, columns),
        texts=None if measurement.texts is None else _cells(measurement.texts, rows, columns),
        thoughts=None
        if measurement.thoughts is None
        else measurement.thoughts.each(lambda values: _cells(values, rows, columns)),
    )


def _cells(values: NDArray[T], rows: Sequence[int], columns: Sequence[int]) -> NDArray[T]:
    """The values, shape (X, C, ...), at these rows and columns; the same array if these are all of them, in order."""
    whole = [list(range(length)) for length in values.shape[:2]]
    return values if [rows, columns] == whole else values[np.ix_(rows, columns)]
