"""Words of tables: rounded digits, both ends of a list, and names that keep both their ends."""

import pytest
from bvf_report.pictures.compare import equal_to_p
from helpers.rendered import columns_of

from bvf.tables.words import decimals, ends, if_rounded, p_value, shortened


@pytest.mark.parametrize(("show", "seen"), [(2, "ad"), (3, "abd"), (4, "abcd"), (9, "abcd"), (0, "abcd"), (1, "a")])
def test_both_ends_are_shown(show, seen):
    first, last = ends("abcd", show)
    assert "".join([*first, *last]) == seen


@pytest.mark.parametrize(
    ("parts", "said"),
    [((0.1861, 0.0631), ""), ((0.1854, 0.0634), " before rounding"), ((0.5, 0.0), ""), ((0.1, 0.2), "")],
)
def test_it_is_said_where_rounded_digits_do_not_add_up(parts, said):
    assert if_rounded(*decimals(sum(parts), *parts, places=3)) == said


@pytest.mark.parametrize("name", ["a" * 40, "模" * 20])
def test_a_name_of_40_columns_stays_as_it_is(name):
    assert shortened(name) == name


@pytest.mark.parametrize("name", ["a" * 41, "模型" * 11, "a" + "模" * 20, "abc/" * 30, "模a" * 30])
def test_a_longer_name_loses_its_middle(name):
    short = shortened(name)
    begin, end = short.split("…")
    assert name.startswith(begin)
    assert name.endswith(end)
    assert 36 <= columns_of(short) <= 40


def test_no_p_value_is_printed_as_zero():
    assert [p_value(p) for p in (0.5, 0.0001, 0.00009, 0.0, None)] == ["0.5000", "0.0001", "<0.0001", "<0.0001", ""]
    assert [p_value(p, places=2) for p in (0.24, 0.01, 0.004)] == ["0.24", "0.01", "<0.01"]
    assert [equal_to_p(p) for p in (1 / 3, 1e-9)] == ["p = 0.3333", "p < 0.0001"]
