"""A picture of the number of prompts of each pair of levels of two factors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bvf import BvfError, Picture
from bvf.drawing import (
    BLUES,
    GREY,
    INK,
    NUMBERED,
    SEQUENTIAL,
    SMALL,
    apart,
    axes_of,
    caption_of,
    colour_bar,
    in_rows,
    lettering,
    name_rows,
    numbers,
    plain,
    plain_axes,
    rows_of,
    shown_name,
    text_style,
)
from bvf.errors import nearest
from bvf.interfaces import Columns, Figure
from bvf.stats import IntArray
from bvf_factors.covering.coverage import cell_counts
from bvf_factors.reading.table import FactorColumn
from bvf_factors.run import FactorsResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AXIS, BELOW = 1.5, 1.0
"""Inches for the name of an axis, and for the slanted names below the cells."""
MOST_CELLS = 4_000
"""The most cells that a browser draws quickly."""


@dataclass(frozen=True)
class Coverage(Picture):
    """Numbers of prompts of each pair of levels. Rows are levels of the first factor, columns of the second."""

    kind: ClassVar[str] = "coverage"
    title: ClassVar[str] = "How many prompts there are of pairs of levels"
    wide: ClassVar[Columns] = 2

    first: str
    second: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: IntArray

    def caption(self) -> str:
        first, second = shown_name(self.first), shown_name(self.second)
        return caption_of(
            f"How many prompts there are of each pair of {first} and {second}: {self.counts.sum():,} in all, none in "
            f"{(self.counts == 0).sum()} of {self.counts.size} pairs, which are crossed out."
        )

    def draw(self, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
        """Draw the number of prompts of each pair of levels. Pairs without prompts are white and crossed out."""
        rows = rows_of(len(self.rows), ax, pitch=0.2, edges=BELOW + 0.3)
        axes: Any = axes_of(ax, columns, rows.height)
        letters = lettering(self.rows, self.columns, [self.first, self.second])
        plain_axes(axes, grid="")
        values = self.counts.astype(np.float64)
        image = axes.imshow(np.where(values > 0, values, np.nan), cmap=SEQUENTIAL, aspect="auto", vmin=0)
        at_rows, at_columns = np.nonzero(values == 0)
        axes.scatter(at_columns, at_rows, marker="x", color=GREY, s=12, linewidths=0.8)
        if max(self.counts.shape) <= NUMBERED:
            self._numbers(axes)
        step = max(1, int(np.ceil(len(self.columns) * 0.12 / (axes.get_figure(root=True).get_figwidth() * 0.7))))
        places = list(range(0, len(self.columns), step))
        axes.set_xticks(
            places, [letters.label(self.columns[place], BELOW) for place in places], rotation=45, ha="right",
            rotation_mode="anchor", **text_style(letters),
        )  # fmt: skip
        name_rows(axes, rows, self.rows, letters)
        axes.set_ylim(len(self.rows) - 0.5, -0.5)
        of_columns = "" if step == 1 else f" ({len(places)} of {len(self.columns)} are named)"
        axes.set_xlabel(letters.label(self.second, AXIS) + of_columns, **text_style(letters))
        of_rows = f" ({rows.said})" if rows.said else ""
        axes.set_ylabel(letters.label(self.first, AXIS) + of_rows, **text_style(letters))
        colour_bar(axes, image, "prompts (x: none)")
        return axes

    def interactive(self) -> Figure | None:
        """Return a plotly figure of the number of prompts of each pair of levels; None: too many for a browser."""
        if self.counts.size > MOST_CELLS:
            return None
        cells = {
            "type": "heatmap",
            "z": numbers(np.where(self.counts > 0, self.counts, np.nan)),
            "zmin": 0,
            "zmax": int(self.counts.max()),
            "colorscale": BLUES,
            "colorbar": {"title": {"text": "prompts"}, "thickness": 10},
            "hovertemplate": "%{z} prompts<extra></extra>",
            "xgap": 1,
            "ygap": 1,
            **({"texttemplate": "%{z}"} if max(self.counts.shape) <= NUMBERED else {}),
        }
        figure = in_rows([cells, self._crosses()], apart(self.rows), plain(self.second))
        number = len(self.columns)
        names = {"tickmode": "array", "tickvals": list(range(number)), "ticktext": apart(self.columns)}
        figure["layout"]["xaxis"] |= {**names, "showgrid": False, "zeroline": False, "range": [-0.5, number - 0.5]}
        figure["layout"]["yaxis"] |= {"showgrid": False, "title": {"text": plain(self.first)}}
        return figure

    def _numbers(self, axes: Any) -> None:
        most = self.counts.max()
        for (row, column), count in np.ndenumerate(self.counts):
            if count:
                colour = "white" if count > 0.6 * most else INK
                axes.text(column, row, f"{count:,}", ha="center", va="center", fontsize=SMALL, color=colour)

    def _crosses(self) -> Figure:
        rows, columns = np.nonzero(self.counts == 0)
        marker = {"symbol": "x-thin", "size": 8, "line": {"color": GREY, "width": 1}}
        where = {"x": columns.tolist(), "y": rows.tolist(), "hovertemplate": "none<extra></extra>"}
        return {"type": "scatter", "mode": "markers", "marker": marker, **where}


def coverage(first: FactorColumn, second: FactorColumn) -> Coverage:
    """Return the number of prompts of each pair of levels of two factors of a table."""
    counts = cell_counts(first, second)
    return Coverage(
        first.name, second.name, tuple(map(str, counts.index)), tuple(map(str, counts.columns)), counts.to_numpy()
    )


def coverage_of(analysis: FactorsResult, first: str = "", second: str = "") -> Coverage:
    """Return the number of prompts of each pair of levels of two factors.

    The default is the first two of the analysis.
    """
    first, second = two_factors(analysis, first, second)
    levels = analysis.coverage.counts
    rows, columns = tuple(levels[first]), tuple(levels[second])
    counts = np.zeros((len(rows), len(columns)), dtype=np.intp)
    for each in analysis.subgroups[1].found:
        if set(each.factors) == {first, second}:
            level_of = dict(zip(each.factors, each.levels, strict=True))
            counts[rows.index(level_of[first]), columns.index(level_of[second])] = each.rows
    return Coverage(first, second, rows, columns, counts)


def two_factors(analysis: FactorsResult, first: str = "", second: str = "") -> tuple[str, str]:
    """Return the two named factors. An empty name stands for the first other factor of the analysis."""
    known = refuse_unknown(analysis, [name for name in (first, second) if name])
    others = [name for name in known if name not in {first, second}]
    chosen = [name or (others.pop(0) if others else "") for name in (first, second)]
    if not all(chosen) or chosen[0] == chosen[1]:
        raise BvfError(f"{analysis.title}: a picture of pairs takes two factors", f"its factors are {', '.join(known)}")
    return chosen[0], chosen[1]


def refuse_unknown(analysis: FactorsResult, names: Sequence[str]) -> list[str]:
    """Return the names of the factors of an analysis. Refuses given names that are not among these."""
    known = list(analysis.coverage.counts)
    for name in names:
        if name not in known:
            raise BvfError(f"{analysis.title}: there is no factor {name}", nearest(name, known))
    return known
