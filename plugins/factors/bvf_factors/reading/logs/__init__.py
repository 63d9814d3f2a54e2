"""Per-sample logs of evaluations, of bvf and of other programs, as rows of a table."""

from bvf_factors.reading.logs.reading import rows_of as rows_of
