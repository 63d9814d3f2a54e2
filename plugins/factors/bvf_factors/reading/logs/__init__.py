"""Per-sample logs of evaluations, by bvf and other programs, as rows of a table."""

from bvf_factors.reading.logs.recognising import rows_of as rows_of
