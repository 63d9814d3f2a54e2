"""Draws documents again: how often each template occurs in bootstrap resamples of the documents."""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

REPLICATES = 200
BITS = 32
LIMITS = np.array([int(sum(math.exp(-1) / math.factorial(j) for j in range(k + 1)) * 2**BITS) for k in range(12)])
"""Cumulative Poisson(1) probabilities times 2^32: a 32-bit random number below the first stands for 0 draws, etc."""


def document_weights(name: str) -> NDArray[np.int64]:
    """Return how often a document is drawn in each bootstrap resample, shape (R,).

    The numbers are independent Poisson(1).

    They are computed from a digest of the name, so that they do not depend on the order of documents, the process that
    reads them, or a library's random numbers. Documents of the same name are drawn together (the Poisson bootstrap of
    Hanley & MacGibbon 2006).

    >>> document_weights("345_dracula")[:10].tolist()
    [2, 0, 3, 1, 1, 0, 0, 0, 1, 2]
    """
    digest = hashlib.shake_128(name.encode("utf-8", "surrogatepass")).digest(REPLICATES * BITS // 8)
    return np.searchsorted(LIMITS, np.frombuffer(digest, "<u4"), side="right").astype(np.int64)


def replicate_counts(
    documents: Iterable[tuple[str, Mapping[str, int]]], templates: Sequence[str]
) -> NDArray[np.unsignedinteger]:
    """Return the count of every template in each bootstrap resample of the documents, shape (C, R).

    A document is a pair of its name and the number of occurrences of each template in it.

    >>> replicate_counts([("345_dracula", {"The [X] said that [Y]": 3})], ["The [X] said that [Y]"])[:, :10].tolist()
    [[6, 0, 9, 3, 3, 0, 0, 0, 3, 6]]
    """
    row = {template: index for index, template in enumerate(templates)}
    counts = np.zeros((len(templates), REPLICATES), dtype=np.int64)
    for name, times_of in documents:
        weights = document_weights(name)
        for template, times in times_of.items():
            counts[row[template]] += times * weights
    return counts.astype(np.promote_types(np.uint16, np.min_scalar_type(counts.max(initial=0))))
