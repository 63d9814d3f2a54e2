"""Tables as columns: cells, columns that are left out, rows that stand for others, and the legend."""

from dataclasses import dataclass

import pytest

from bvf.tables.columns import Column, Gap, both_ends, counted_gap, figure, legend, table
from bvf.tables.quantities import BY_FIELD, symbol

NAME = Column[tuple[str, float]]("name", lambda each: each[0])
RISK = Column[tuple[str, float]]("R", lambda each: f"{each[1]:.2f}", "how far predictions are from p*")
DECIDED = Column[tuple[str, float]](
    "", lambda each: "tied" if each[1] else "", "no significant difference", optional=True, spare=True, term="tied"
)
MEANING = Column[tuple[str, float]]("meaning", lambda each: "", optional=True)


def test_optional_columns_are_there_and_counted_only_where_some_record_has_a_text():
    with_none = table("Risks", [NAME, RISK, DECIDED], [("a", 0.0), ("b", 0.0)])
    assert (with_none.columns, with_none.spare) == (("name", "R"), 0)
    with_one = table("Risks", [NAME, RISK, DECIDED], [("a", 0.0), ("b", 0.5)])
    assert (with_one.columns, with_one.spare) == (("name", "R", ""), 1)
    assert with_one.rows == [("a", "0.00", ""), ("b", "0.50", "tied")]
    assert table("Risks", [NAME, MEANING, RISK], [("a", 0.5)], names=2).names == 1
    assert table("Risks", [NAME, RISK, DECIDED], [("a", 0.5)], names=2).names == 2
    above = table("Risks", [NAME, DECIDED], [("a", 0.0)], above=[("ideal", 1.0)])
    assert (above.above, above.columns) == ([("ideal",)], ("name",))  # records above the others decide nothing


@pytest.mark.parametrize(
    ("gap", "row"),
    [
        ({}, ("...", "")),
        ({"gap": counted_gap}, ("... 3 more", "")),
        ({"gap": lambda left_out: Gap(("...", f"{left_out} more"))}, ("...", "3 more")),
    ],
)
def test_a_row_stands_for_the_records_between_both_ends(gap, row):
    records = [(name, 0.5) for name in "abcdef"]
    section = table("Risks", (NAME, RISK), both_ends(records, 3, **gap))
    assert section.rows == [("a", "0.50"), ("b", "0.50"), row, ("f", "0.50")]
    assert both_ends(records, 0, **gap) == both_ends(records, 6, **gap) == records


@dataclass
class Figures:
    """A result."""

    R: float
    R_bias: float
    R_volatility: float
    flips: float | None = None


def test_columns_of_figures_have_their_symbols_and_rounded_digits():
    columns = [*map(figure, ("R", "R_bias", "R_volatility")), figure("flips", 2)]
    section = table("Risks", columns, [Figures(0.46476, 0.4647, 0.00006), Figures(0.5, 0.5, 0.0, -0.001)])
    assert section.columns == ("R", "R^b", "R^v", "flips")
    assert section.rows == [("0.4648", "0.4647", "0.0001", ""), ("0.5000", "0.5000", "0.0000", "0.00")]


def test_the_legend_explains_columns_by_their_term_and_a_figure_has_one_symbol_or_the_words_of_its_field():
    assert legend([NAME, RISK, DECIDED]) == "R: how far predictions are from p*. tied: no significant difference."
    assert legend([figure("R"), figure("flips")]) == "R: how far predictions are from p*."
    assert [symbol(field) for field in ("R_bias", "r_volatility", "mastery")] == ["R^b", "r^v", "mastery"]
    assert symbol("flips_per_group") == "flips per group"
    assert all(field == figure.field for field, figure in BY_FIELD.items())
