"""What several workers of a machine have of the threads of their run."""

import pytest

from bvf import Share


@pytest.mark.parametrize(
    ("workers", "of_engine", "threads", "expected"),
    [(1, 0, 8, 8), (4, 0, 8, 2), (3, 0, 8, 2), (4, 0, 2, 1), (4, 1, 8, 1), (4, 2, 4, 1), (1, 4, 1, 1), (2, 3, 64, 3)],
)
def test_workers_divide_the_threads_and_keep_to_their_engine(workers, of_engine, threads, expected):
    assert Share(workers - 1, workers, of_engine).within(threads) == Share(workers - 1, workers, expected)
