"""Figures of factors for papers, drawn by matplotlib: heat map, sunburst, forest, distribution functions."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.errors import BvfError, nearest
from bvf.factors.covering import cell_counts
from bvf.factors.importance import Importance
from bvf.factors.subgroups import Subgroup, Subgroups
from bvf.factors.table import FactorColumn
from bvf.files.writing import disk_errors_explained

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
WIDTH, INCHES_PER_LINE, LEAST_HEIGHT, MOST_HEIGHT = 7.0, 0.22, 2.2, 12.0
MOST_LINES = 48
"""Rows of a heat map or a forest; more cannot be read."""
LABELLED = 4.0
"""Degrees of a sunburst from which a sector has its name."""
DIVERGING, SEQUENTIAL = "PuOr_r", "Blues"
"""Colour maps that those who do not tell red from green can read."""
MORE, LESS, PLAIN = "#b35806", "#542788", "#666666"
"""Of more deviations, of fewer, and of neither."""
PER_PRINTED_INCH = 200
LINES = ("-", "--", "-.", ":")


def heat_map(first: FactorColumn, second: FactorColumn) -> "Figure":
    """Return the numbers of prompts of all pairs of levels; cells without any are white and crossed out.

    Raises:
        BvfError: A factor has more than 48 levels.
    """
    counts = cell_counts(first, second)
    if max(counts.shape) > MOST_LINES:
        many = first if counts.shape[0] > MOST_LINES else second
        raise BvfError(f"{many.name} has {len(many.levels)} levels, too many for a heat map", "name another --factor")
    figure, axes = _figure(len(counts.index) + 4)
    values = counts.to_numpy().astype(np.float64)
    image = axes.imshow(np.where(values > 0, values, np.nan), cmap=SEQUENTIAL, aspect="auto", vmin=0)
    rows, columns = np.nonzero(values == 0)
    axes.scatter(columns, rows, marker="x", color=PLAIN, s=14, linewidths=0.8)
    axes.set_xticks(range(len(counts.columns)), [str(each) for each in counts.columns], rotation=45, ha="right")
    axes.set_yticks(range(len(counts.index)), [str(each) for each in counts.index])
    axes.set_xlabel(second.name)
    axes.set_ylabel(first.name)
    figure.colorbar(image, ax=axes, label="prompts (x: none)")
    return figure


def sunburst(inner: Subgroups, outer: Subgroups, first: str, second: str) -> "Figure":
    """Return two rings: the levels of one factor, and within each those of another, coloured by log disparity.

    Args:
        inner: Subgroups of one factor.
        outer: Of two factors.
        first: The factor of the inner ring.
        second: That of the outer one.

    Raises:
        BvfError: There are no such subgroups.
    """
    middle = [each for each in inner.found if each.factors == (first,)]
    pairs = [(_level_in(each, first), each) for each in outer.found if set(each.factors) == {first, second}]
    if not middle or not pairs:
        raise BvfError(
            f"no subgroups of {first} and {second}", nearest(first, sorted({each.factors[0] for each in inner.found}))
        )
    figure, axes = _figure(30, projection="polar")
    shown = [each for each in (*middle, *(pair for _, pair in pairs)) if not each.few]
    colours = _colours(max((abs(each.disparity or 0.0) for each in shown), default=0.0) or 1.0)
    start, turn = 0.0, 2 * np.pi / sum(each.rows for each in middle)
    for each in sorted(middle, key=lambda found: found.levels):
        _sector(axes, start, each.rows * turn, 0.45, 0.4, each, each.levels[0], colours)
        inside = sorted((pair for level, pair in pairs if level == each.levels[0]), key=lambda found: found.levels)
        at, own = start, each.rows * turn / max(sum(pair.rows for pair in inside), 1)
        for pair in inside:
            _sector(axes, at, pair.rows * own, 0.87, 0.4, pair, _level_in(pair, second), colours)
            at += pair.rows * own
        start += each.rows * turn
    axes.set_axis_off()
    figure.colorbar(colours, ax=axes, shrink=0.7, label="log disparity (above 0: more deviations)")
    return figure


def forest(found: Importance, show: int = 24) -> "Figure":
    """Return the coefficients of levels with their intervals, those furthest from 0, largest on top.

    Those whose p value, adjusted for all levels, is small are coloured.

    Args:
        found: What a regression found.
        show: How many levels.
    """
    chosen = sorted(found.effects, key=lambda each: -abs(each.coefficient))[: min(show, MOST_LINES)]
    effects = sorted(chosen, key=lambda each: each.coefficient)
    figure, axes = _figure(len(effects) + 4)
    for place, each in enumerate(effects):
        known = each.low is not None and each.high is not None
        apart = each.adjusted_p is not None and each.adjusted_p < 1.0 - found.level
        colour = (MORE if each.coefficient > 0 else LESS) if apart else PLAIN
        if known:
            axes.plot([each.low, each.high], [place, place], color=colour, linewidth=1.4)
        axes.plot(each.coefficient, place, "o", color=colour, markersize=4)
    axes.axvline(0.0, color="black", linewidth=0.8)
    names = [f"{each.term}={each.level} (against {each.reference})" for each in effects]
    axes.set_yticks(range(len(effects)), names)
    axes.set_xlabel(f"coefficient, {found.level:.0%} interval (coloured: p < {1 - found.level:.2g}, adjusted by Holm)")
    return figure


def distribution_functions(
    rates: Mapping[str, Sequence[float]], target: float = 0.0, line: float | None = None
) -> "Figure":
    """Return the share of subgroups whose rate is at most so large, a step line per name.

    The area between a line and the target is DM.

    Args:
        rates: Of subgroups, by what they are of.
        target: C.
        line: A rate that is marked, such as 0.2.
    """
    figure, axes = _figure(14)
    for number, (name, own) in enumerate(rates.items()):
        steps = np.sort(np.asarray(own, dtype=np.float64))
        heights = np.arange(1, len(steps) + 1) / len(steps)
        style = LINES[number % len(LINES)]
        axes.step([0.0, *steps, 1.0], [0.0, *heights, 1.0], where="post", label=name, linestyle=style)
    axes.axvline(target, color="black", linewidth=0.8)
    if line is not None:
        axes.axvline(line, color=PLAIN, linewidth=0.8, linestyle=":")
    axes.set_xlabel("rate of deviations in a subgroup")
    axes.set_ylabel("share of subgroups")
    axes.set_ylim(0, 1.02)
    if len(rates) > 1:
        axes.legend(frameon=False)
    return figure


def save(figure: "Figure", file: Path) -> None:
    """Write a figure as PNG, SVG or PDF, by the ending of its name.

    Raises:
        BvfError: It is another ending, or cannot be written.
    """
    if file.suffix not in ENDINGS:
        raise BvfError(f"{file}: no kind of figure", f"its name should end in {', '.join(ENDINGS)}")
    with disk_errors_explained(file, "choose another name"):
        figure.savefig(file, dpi=PER_PRINTED_INCH, bbox_inches="tight")


def _figure(lines: int, projection: str | None = None) -> "tuple[Figure, Any]":
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise BvfError("figures need matplotlib, which is not installed", "pip install 'bvf[figures]'") from error
    height = float(np.clip(lines * INCHES_PER_LINE, LEAST_HEIGHT, MOST_HEIGHT))
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.add_subplot(projection=projection)
    for side in ("top", "right"):
        if side in axes.spines:
            axes.spines[side].set_visible(False)
    return figure, axes


def _colours(most: float) -> Any:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    return ScalarMappable(Normalize(-most, most), cmap=DIVERGING)


def _sector(  # noqa: PLR0913 - what a sector is
    axes: Any, start: float, width: float, bottom: float, height: float, each: Subgroup, name: str, colours: Any
) -> None:
    colour = "white" if each.few or each.disparity is None else colours.to_rgba(each.disparity)
    axes.bar(start, height, width=width, bottom=bottom, align="edge", color=colour, edgecolor="white", linewidth=0.6)
    if np.degrees(width) < LABELLED:
        return
    angle = np.degrees(start + width / 2)
    turned = angle + 180 if 90 < angle < 270 else angle
    middle: tuple[float, float] = (start + width / 2, bottom + height / 2)
    axes.text(*middle, name, rotation=turned, ha="center", va="center", fontsize=7, color=_ink(colour))


def _ink(colour: Any) -> str:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    luminance = 0.299 * red + 0.587 * green + 0.114 * blue
    return "black" if luminance > 0.5 else "white"


def _level_in(each: Subgroup, factor: str) -> str:
    return each.levels[each.factors.index(factor)]
