"""Results of sampled answers: what they say, what their intervals hold, and what is refused."""

from bvf.analysing.interval_rows import with_intervals  # noqa: F401
