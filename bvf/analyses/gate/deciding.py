"""The three outcomes of a limit: the whole interval is within it, no part of it is, or neither."""

from bvf.analyses.gate.config import Bound
from bvf.analyses.gate.result import Verdict
from bvf.results.judging import is_within


def decided(low: float, high: float, limit: float, bound: Bound) -> Verdict:
    """Return the verdict on whether an interval is within a limit.

    >>> decided(0.3, 0.4, 0.4, "max"), decided(0.3, 0.5, 0.4, "max"), decided(0.41, 0.5, 0.4, "max")
    ('pass', 'cannot tell', 'fail')
    """
    if bound == "min":
        return decided(-high, -low, -limit, "max")
    within = is_within(low, high, limit)
    return "cannot tell" if within is None else "pass" if within else "fail"
