"""The overview of factors: figures of the result, in at most 30 lines. The details lack none of them."""

import io

import pytest
from bvf_factors.run import analyse_table
from bvf_factors.tables import overview, result_sections
from helpers.factor_tables import table_of
from rich.cells import cell_len
from rich.console import Console

from bvf.tables.terminal import Drawn

MOST_LINES, WIDTH = 30, 80


def made(factors):
    """A result in which every third prompt of the first factor's first level deviates, and no other prompt."""
    rows = []
    for number in range(240):
        levels = {name: f"{name}{number % (2 + place)}" for place, name in enumerate(factors)}
        rows.append({**levels, "d": levels[factors[0]].endswith("0") and number % 3 == 0})
    return analyse_table(table_of(rows, outcome="d", factors={name: {} for name in factors}))


@pytest.fixture(scope="module")
def result():
    return made(["who", "how"])


def printed(sections, width=WIDTH):
    out = io.StringIO()
    Console(file=out, width=width, highlight=False, emoji=False).print(Drawn(sections), crop=False)
    return out.getvalue().splitlines()


def test_the_figures_are_those_of_the_result(result):
    first, groups = overview("T", result, 6, is_number=False)
    assert first.title == f"T: 240 prompts, rate {result.rate:.4f}"
    covered, spread = first.subtitle
    (pair,) = result.coverage.pairs
    assert covered == (
        f"Covered worst: who x how, {pair.filled} of {pair.possible} combinations have a prompt "
        f"(CP {pair.possible_proportion:.3f})"
    )
    assert spread.startswith(f"DM {result.spread.distance:.3f} (95%: {result.spread.low:.3f} to ")
    assert sorted(row[:4] for row in first.rows) == [("how", "3", "80", "80"), ("who", "2", "120", "120")]
    tests = {each.term: each for each in result.importance.tests}
    assert [row[4] for row in first.rows] == [f"{tests[row[0]].statistic:.2f}" for row in first.rows]
    assert [row[0] for row in groups.rows] == ["how=how0", "who=who0", "how=how1", "how=how2", "who=who1"]
    assert groups.notes[-1] == "details: the same command with --details"


def test_factors_stand_in_the_order_of_their_p(result):
    first, _ = overview("T", result, 6, is_number=False)
    tests = {each.term: each.p_value for each in result.importance.tests}
    order = [tests[row[0]] for row in first.rows]
    assert order == sorted(order)


@pytest.mark.parametrize("number", [1, 2, 9])
def test_it_is_read_at_one_glance(number):
    result = made([f"factor{place}" for place in range(number)])
    lines = printed(overview("A title of a benchmark", result, 6, is_number=False))
    assert len(lines) <= MOST_LINES
    assert max(map(cell_len, lines)) <= WIDTH
    assert max(map(cell_len, printed(overview("T", result, 6, is_number=False), 50))) <= 50
    assert len(printed(result_sections("T", result, 8, is_number=False))) > len(lines)


def test_where_no_regression_can_tell_there_is_no_column_of_it(result):
    unknown = result.model_copy(update={"importance": None, "importance_refused": "two levels have the same rows"})
    first, _ = overview("T", unknown, 6, is_number=False)
    assert first.columns == ("factor", "levels", "fewest", "most")
    assert not first.notes


def test_an_interaction_that_cannot_be_tested_says_why():
    rows = [
        {"who": who, "how": how, "d": number % 3 == 0}
        for number in range(60)
        for who, how in (("w0", "h0"), ("w1", "h0"), ("w0", "h1"))
    ]
    declared = {"who": {"reference": "w0"}, "how": {"reference": "h0"}}
    table = table_of(rows, outcome="d", factors=declared)
    first, _ = overview("T", analyse_table(table, interactions=[("who", "how")]), 6, is_number=False)
    assert [row[0] for row in first.rows][-1] == "who : how"
    assert any(note.startswith("who : how: no row has a level of each") for note in first.notes)
