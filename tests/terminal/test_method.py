"""How results are shown, as options say it."""

import pytest

from bvf.errors import BvfError
from bvf.terminal.method import view_of


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


@pytest.mark.parametrize(("show", "at_first", "in_tables"), [(None, 2, 6), ("8", 8, 8), ("all", 0, 0)])
def test_a_first_screen_has_few_groups_unless_the_user_says_how_many(show, at_first, in_tables):
    view = view_of(None, show)
    assert (view.at_first, view.show) == (at_first, in_tables)
