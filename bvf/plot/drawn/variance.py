"""Shares of the variance and reliabilities: rows below three headings, on one axis."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bvf.plot.labels import key_label, legend, name_axis, name_rows
from bvf.plot.lettering import Lettering, lettering
from bvf.plot.style import FONT, GREY, INK, MARKERS, OF_FIGURES, PALE, Columns, axes_of, plain_axes, rows_of
from bvf.views.values import Value
from bvf.views.variance import Variance

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PITCH = 0.19
EDGE = 0.02
"""How far the axis goes beyond the smallest and the largest possible value."""
ASIDE = 0.2
"""Distance of the two figures of a swap from the middle of its row, in rows."""
HEADINGS = ("What makes predictions vary", "Swaps that should not matter", "Do halves of the contexts agree?")
VOLATILITY = "R_volatility"


def draw(view: Variance, ax: "Axes | None" = None, columns: Columns = 1) -> Any:
    """Draw bars for the parts of the variance, dots with intervals for swaps and for reliabilities.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is.

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    blocks = ([name for name, _ in view.parts], [each.name for each in view.swaps], [n for n, _ in view.reliabilities])
    names, starts, heads = list[str](), list[int](), list[tuple[int, str]]()
    for heading, block in zip(HEADINGS, blocks, strict=True):
        heads += [(len(names), heading)] if block else []
        names += ["", *block] if block else []
        starts.append(len(names) - len(block))
    rows = rows_of(len(names), ax, PITCH)
    axes: Any = axes_of(ax, columns, rows.height)
    letters = lettering(names)
    plain_axes(axes)
    _parts(axes, view, starts[0])
    _swaps(axes, view, starts[1])
    for place, (_, value) in enumerate(view.reliabilities, starts[2]):
        _dot(axes, place, value, "o", INK)
    name_rows(axes, rows, names, letters, exponents=True)
    lows = [0.0, *(value.value if value.low is None else value.low for _, value in view.reliabilities)]
    axes.set_xlim(min(lows) - EDGE, 1.0 + EDGE)
    for place, heading in heads:
        axes.text(0.02, place, heading, transform=axes.get_yaxis_transform(), va="center", fontsize=FONT, color=GREY)
    name_axis(axes, "share, or reliability" if view.reliabilities else "share", letters)
    legend(axes, letters, _keys(letters) if view.swaps else [], ax)
    return axes


def _parts(axes: Any, view: Variance, first: int) -> None:
    for place, (_, share) in enumerate(view.parts, first):
        axes.barh(place, share, height=0.55, color=PALE)
        axes.annotate(
            f"{share:.0%}", (share, place), (3, 0), textcoords="offset points", va="center", fontsize=FONT,
        )  # fmt: skip


def _swaps(axes: Any, view: Variance, first: int) -> None:
    for place, each in enumerate(view.swaps, first):
        axes.plot([each.by_chance] * 2, [place - 0.36, place + 0.36], color=GREY, linewidth=1.6)
        if each.variance is not None:
            _dot(axes, place - ASIDE, each.variance, "o", INK)
        if each.volatility is not None:
            _dot(axes, place + ASIDE, each.volatility, MARKERS[VOLATILITY], OF_FIGURES[VOLATILITY])


def _dot(axes: Any, at: float, value: Value, marker: str, colour: str) -> None:
    if value.low is not None:
        axes.plot([value.low, value.high], [at, at], color=colour, linewidth=1.1, alpha=0.7)
    axes.plot(value.value, at, marker, color=colour, markersize=3.4, linestyle="", clip_on=False)


def _keys(letters: Lettering) -> Sequence[Any]:
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = dict(linestyle="", markersize=3.4)
    return [
        Line2D([], [], marker="o", color=INK, label=key_label(letters, "of the variance"), **dot),
        Line2D([], [], marker=MARKERS[VOLATILITY], color=OF_FIGURES[VOLATILITY], label="of R$^v$", **dot),
        Line2D([], [], color=GREY, marker="|", linestyle="", markersize=6, markeredgewidth=1.6, label="by chance"),
    ]
