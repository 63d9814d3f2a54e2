"""The marks of a picture with a row per model, and dots in it for figures: R, R^b (bias) and R^v (volatility)."""

from collections.abc import Mapping, Sequence

from bvf.drawing.marks import Axis, Mark, Marks, RowNames, Rule, figure_dots, side_by_side
from bvf.drawing.style import GREY, PALE
from bvf.drawing.values import Value

FIGURES = ("R", "R_bias", "R_volatility")
PITCH, EDGES = 0.27, 0.45
"""Inches per model, and outside the rows."""
APART = 0.24
"""Distance between the dots of one model, in rows."""


def model_marks(
    named: Sequence[tuple[str, Mapping[str, Value]]], title: str, others: Sequence[Mark] = (), references: int = 0
) -> Marks:
    """Return a row per model, the first on top, with a dot for each figure that `figures_of` finds in the first model.

    Args:
        named: For each model its name, and its figures by field of the result (``R``, ``R_bias``, ...).
        title: Title of the horizontal axis.
        others: Further marks.
        references: The number of reference models, the first ones in ``named``, which are grey.
    """
    figures, marks = figures_of(named[0][1]), list[Mark]()
    for number, field in enumerate(figures):
        rows, values = side_by_side(len(named), number, len(figures), APART), [each[field] for _, each in named]
        if references:
            marks.append(figure_dots(field, values[:references], rows[:references], colour=GREY, name=""))
        marks.append(figure_dots(field, values[references:], rows[references:]))
    if references:
        marks.append(Rule(y=references - 0.5, colour=PALE, width=0.7))
    rows_of = RowNames([name for name, _ in named], pitch=PITCH, edges=EDGES)
    return Marks([*marks, *others], Axis(title, from_zero=True), rows_of)


def figures_of(values: Mapping[str, Value]) -> list[str]:
    """Return the fields to draw of a model's figures: ``R``, ``R_bias`` and ``R_volatility``; without these, all."""
    return [figure for figure in FIGURES if figure in values] or list(values)
