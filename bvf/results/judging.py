"""Judges a figure by the whole of its interval: above what is negligible, below it, or undecided."""

from bvf.interfaces.analysis import Tone
from bvf.results.result import ResultBase
from bvf.study.candidate_mass import low_mass
from bvf.study.uncertainty import few_units

NEGLIGIBLE = 0.05
"""The largest figure that counts as negligible, on a scale where 1 is a model that is certain everywhere."""
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


def judged(result: ResultBase, field: str, negligible: float) -> tuple[Tone, str]:
    """Return the verdict on whether a figure is above ``negligible``, and also why that cannot be told, if so.

    It cannot be judged without an interval, where the interval holds ``negligible``, where the compared words have too
    little of the probability, and where the sample is smaller than any for which coverage was measured.
    """
    uncertainty = result.uncertainty
    interval = uncertainty.intervals.get(field)
    if interval is None:
        return "cannot tell", uncertainty.undefined or "it has no interval"
    if why := low_mass(result.candidate_mass, result.generation):
        return "cannot tell", why
    if few := few_units(uncertainty):
        return "cannot tell", few
    within = is_within(interval.low, interval.high, negligible)
    if within is None:
        return "cannot tell", f"the interval includes {negligible:.2g}"
    return ("none" if within else "biased"), ""
