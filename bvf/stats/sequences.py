"""Intervals of a mean that stay right however often one looks, and whenever one stops."""

import numpy as np
from numpy.typing import ArrayLike

from bvf.arrays import FloatArray
from bvf.errors import BvfError

MEANS = 1000
"""Steps between 0 and 1 at which a mean is tried."""
MOST_STAKED = 0.5
"""The largest share of the capital that is bet on one value."""


def confidence_sequence(values: ArrayLike, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Return the ends of intervals of a mean after every value, by betting (Waudby-Smith & Ramdas 2024, JRSSB 86).

    All of them together hold the mean with probability ``level``: one may look after every value and stop when a
    question is decided, which an ordinary interval does not allow. It is not needed to stop at a width, for which
    ordinary intervals do, and it is of a mean: of R, but neither of R^b nor of R^v. No command uses it yet.

    Args:
        values: Independent draws from one source, in their order, 0 to 1, shape (N,).
        level: Such as 0.95.

    Returns:
        Lower and upper ends, shape (N,) each.

    Raises:
        BvfError: A value is not between 0 and 1.

    >>> low, high = confidence_sequence([0.5] * 100)
    >>> bool(low[-1] < 0.5 < high[-1] and high[-1] - low[-1] < high[9] - low[9])
    True
    """
    drawn = np.asarray(values, dtype=np.float64)
    if not bool(((drawn >= 0) & (drawn <= 1)).all()):
        raise BvfError("values are between 0 and 1", "divide them by the largest that there can be")
    means = np.linspace(0.0, 1.0, MEANS + 1)
    stands = np.maximum.accumulate(log_capital(drawn, means, level), axis=0) < -np.log1p(-level)
    low = np.where(stands.any(axis=1), means[stands.argmax(axis=1)], drawn.mean())
    high = np.where(stands.any(axis=1), means[MEANS - stands[:, ::-1].argmax(axis=1)], drawn.mean())
    step = 1.0 / MEANS
    return np.maximum(low - step, 0.0), np.minimum(high + step, 1.0)


def log_capital(values: FloatArray, means: FloatArray, level: float) -> FloatArray:
    """Return the log capital of a gambler who bets against each mean, half on a higher and half on a lower one.

    Where a mean is right the capital is a fair game: it is 1 / (1 - level) at some time with probability 1 - level at
    most. The stakes are those for a variable of the variance that was seen before (predictable plug-in).

    Args:
        values: Shape (N,), 0 to 1.
        means: Shape (M,), 0 to 1.
        level: The level for which the stakes are best.

    Returns:
        After every value, shape (N, M).
    """
    t = np.arange(1, len(values) + 1)
    centre = (0.5 + np.cumsum(values)) / (t + 1)
    variance = (0.25 + np.cumsum((values - centre) ** 2)) / (t + 1)
    before = np.concatenate([[0.25], variance[:-1]])
    stake = np.sqrt(2 * (np.log(2) - np.log1p(-level)) / (before * t * np.log(t + 1)))[:, np.newaxis]
    with np.errstate(divide="ignore"):
        on_more, on_less = (np.minimum(stake, MOST_STAKED / end) for end in (means, 1.0 - means))
    apart = values[:, np.newaxis] - means
    more, less = (np.cumsum(np.log1p(bet), axis=0) for bet in (on_more * apart, -on_less * apart))
    capital: FloatArray = np.maximum(more, less) - np.log(2)
    return capital
