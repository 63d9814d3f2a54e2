"""Probabilities of words by a plain computation, as they are compared with those of a backend."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from bvf.stats import FloatArray


def own_probabilities(begun: ArrayLike, tokens: Sequence[Sequence[int]]) -> FloatArray:
    """Return p of the texts that begin with each word and with no longer one of the words, shape (..., W).

    >>> own_probabilities([0.5, 0.2, 0.1], [[7], [7, 8], [9]]).round(6).tolist()
    [0.3, 0.2, 0.1]

    Args:
        begun: p of the texts that begin with each word, by the chain rule, shape (..., W).
        tokens: The token ids of each word, length W.
    """
    whole = np.asarray(begun, dtype=np.float64)
    own: FloatArray = whole.copy()
    for longer, ids in enumerate(tokens):
        shorter = [w for w, word in enumerate(tokens) if len(word) < len(ids) and list(ids[: len(word)]) == list(word)]
        if shorter:
            own[..., max(shorter, key=lambda w: len(tokens[w]))] -= whole[..., longer]
    return own
