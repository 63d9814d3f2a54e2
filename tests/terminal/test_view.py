"""How results are shown, as options say it."""

import pytest

from bvf.errors import BvfError
from bvf.terminal.view import view_of


@pytest.mark.parametrize(
    ("rank", "show", "said"),
    [
        ("lean", "8", '--rank is "lean"'),
        (None, "0", '--show is "0"'),
        (None, "-1", '--show is "-1"'),
        (None, "many", "many"),
    ],
)
def test_a_view_that_there_is_not_is_refused(rank, show, said):
    with pytest.raises(BvfError, match=said):
        view_of(rank, show)
