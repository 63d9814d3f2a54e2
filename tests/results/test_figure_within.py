"""A figure is judged by the whole of its interval."""

from hypothesis import given
from hypothesis import strategies as st

from bvf.results.figure import is_within

ends = st.floats(0, 1)


@given(ends, ends, ends)
def test_the_whole_interval_is_on_one_side_or_the_verdict_is_open(one, other, limit):
    low, high = sorted((one, other))
    within = is_within(low, high, limit)
    if within is not None:
        assert (high <= limit + 1e-9) if within else (low > limit)
    else:
        assert low <= limit + 1e-9 < high + 1e-9
