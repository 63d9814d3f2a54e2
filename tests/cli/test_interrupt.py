"""Which commands go on where they were interrupted."""

import pytest

from bvf.cli.interrupt import farewell


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "--system", 'You are "x"'], "go on with: bvf run --system 'You are \"x\"'"),
        (["mine", "a b.txt", "-o", "c.csv"], "go on with: bvf mine 'a b.txt' -o c.csv"),
        (["topics", "show", "run"], "interrupted"),
        ([], "interrupted"),
    ],
)
def test_only_a_command_that_goes_on_is_told(arguments, said):
    assert farewell(arguments).endswith(said)
