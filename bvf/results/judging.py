"""Judges a figure by the whole of its interval: within a limit, above it, or undecided."""

ROUNDING = 1e-9
"""An end of an interval that exceeds a limit by less than this counts as within it."""


def is_within(low: float, high: float, limit: float) -> bool | None:
    """Return whether the whole interval is at most ``limit``; None if it contains the limit.

    >>> is_within(0.01, 0.04, 0.05), is_within(0.06, 0.2, 0.05), is_within(0.01, 0.2, 0.05)
    (True, False, None)
    """
    if high <= limit + ROUNDING:
        return True
    return False if low > limit + ROUNDING else None
