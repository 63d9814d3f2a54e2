"""What the papers print, as data: each cell against the stored texts, sums, slips and statements of the text."""

import re
from itertools import groupby

import pytest
from bvf_paper.tables import RISKS, Row, off_in_sum, printed_table, printed_tables

from bvf.errors import BvfError

OF_RISK = [table for table in printed_tables().values() if table.is_of_risk]
PAPER, FACTORS, SLIDES = "000_b267163092942e3f.txt", "001_b70f479b184e0852.txt", "002_9dd2c760c7e40391.txt"
MARKUP = re.compile(r"[*_$]|</?[biu]>")
CYRILLIC = {"\u0422": "T"}
"""Letters that the stored text of a table has in place of those that they look like."""


def lines_of(shared, file):
    """The cells of each line of a stored text, without markup."""
    text = (shared / "seeds" / file).read_text("utf-8")
    plain = MARKUP.sub("", text).translate(str.maketrans(CYRILLIC))
    return [[cell.strip() for cell in line.rstrip().split("\t")] for line in plain.splitlines()]


def in_the_text(lines, rows):
    """Whether rows stand in a text one after another; tables beside each other share a line."""
    beside = [[*each[0].cells.values(), *(row.cells[name] for row in each[1:] for name in RISKS)] for each in rows]
    return any(lines[start : start + len(beside)] == beside for start in range(len(lines)))


def without_part(row):
    return Row(cells={column: text for column, text in row.cells.items() if column != "part"})


def parts_beside(table, number):
    """The rows of a table whose parts stand beside each other, ``number`` to a line."""
    parts = [list(map(without_part, rows)) for _, rows in groupby(table.rows, lambda row: row.part)]
    for first in range(0, len(parts), number):
        yield list(zip(*parts[first : first + number], strict=True))


@pytest.mark.shared
def test_every_cell_is_as_in_the_text_of_the_paper(shared):
    lines = lines_of(shared, PAPER)
    for name, number in {"table1": 1, "table2": 1, "table3": 2, "table4": 2, "table5": 1}.items():
        for rows in parts_beside(printed_table(name), number):
            assert in_the_text(lines, rows), (name, rows)


@pytest.mark.shared
def test_the_slides_have_the_same_table(shared):
    rows = [[row] for row in printed_table("table1").rows]
    assert in_the_text(lines_of(shared, SLIDES), rows)


@pytest.mark.shared
def test_the_other_paper_has_these_cells(shared):
    found = [[cell for cell in line if cell] for line in lines_of(shared, FACTORS)]
    for row in printed_table("factors-table1").rows:
        cells = [text for column, text in row.cells.items() if text and column != "type"]
        assert any(line[-len(cells) :] == cells for line in found), row
    text = (shared / "seeds" / FACTORS).read_text("utf-8")
    for row in printed_table("factors-text").rows:
        assert re.search(rf"(?<![\d.]){re.escape(row.cells['value'])}(?![\d]|\.\d)", text), row


def test_there_are_as_many_rows_as_the_papers_print():
    numbers = {"table1": 15, "table2": 15, "table3": 8, "table4": 16, "table5": 3}
    numbers |= {"factors-table1": 9, "factors-text": 9}
    assert {name: len(table.rows) for name, table in printed_tables().items()} == numbers


@pytest.mark.parametrize("table", OF_RISK, ids=lambda table: table.name)
def test_rows_that_do_not_add_up_are_the_slips_that_are_listed(table):
    listed = {(slip.part, slip.row): slip.text for slip in table.slips if slip.kind == "sum"}
    off = {(row.part, row.name): off_in_sum(row) for row in table.rows if off_in_sum(row)}
    assert off.keys() == listed.keys()
    for where, text in listed.items():
        row = next(row for row in table.rows if (row.part, row.name) == where)
        assert f"{row.value('R_bias') + row.value('R_volatility'):.4f}" in text
        assert f"{abs(off[where]):.4f} {'less' if off[where] > 0 else 'more'} than R" in text


@pytest.mark.parametrize("table", printed_tables().values(), ids=lambda table: table.name)
def test_a_slip_names_a_row_of_its_table(table):
    rows = {(row.part, row.name) for row in table.rows}
    assert all((slip.part, slip.row) in rows for slip in table.slips if slip.row)
    assert {row.part for row in table.rows} <= {part.name for part in table.parts} | {""}


def test_a_name_that_no_table_has_is_refused():
    with pytest.raises(BvfError, match="no printed table") as error:
        printed_table("tabel2")
    assert "table2" in error.value.hint
