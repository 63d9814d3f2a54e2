"""The drawing of every view, and its file."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bvf.errors import BvfError, nearest
from bvf.files.writing import disk_errors_explained, replacing
from bvf.plot.drawn import (
    controls,
    distribution,
    factors,
    heatmap,
    lean,
    over_contexts,
    regression,
    scale,
    scatter,
    topics,
    trend,
    variance,
)
from bvf.plot.style import Columns
from bvf.views.captions import View
from bvf.views.comparison import Compared, TopicMatrix, Trend
from bvf.views.controls import Controls
from bvf.views.coverage import Coverage
from bvf.views.distributions import Distributions
from bvf.views.ecdf import Ecdf
from bvf.views.forest import Forest
from bvf.views.grid import Grid
from bvf.views.leanings import Leanings
from bvf.views.over_contexts import OverContexts
from bvf.views.regression import RegressionView
from bvf.views.scale import Scale
from bvf.views.scatter import Scatter
from bvf.views.sunburst import Sunburst
from bvf.views.variance import Variance

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENDINGS = ("pdf", "svg", "png")
PER_INCH = 300
_DRAWN: dict[type, Callable[..., Any]] = {
    Leanings: lean.draw,
    Grid: heatmap.draw,
    Distributions: distribution.draw,
    Scatter: scatter.draw,
    Scale: scale.draw,
    Compared: scale.draw_compared,
    Trend: trend.draw,
    TopicMatrix: topics.draw,
    Coverage: factors.draw_coverage,
    Sunburst: factors.draw_sunburst,
    Forest: factors.draw_forest,
    Ecdf: factors.draw_ecdf,
    RegressionView: regression.draw,
    Variance: variance.draw,
    OverContexts: over_contexts.draw,
    Controls: controls.draw,
}


def draw(view: View, ax: "Axes | None" = None, columns: Columns = 1) -> "Axes":
    """Draw a view.

    Args:
        view: What is shown.
        ax: Where; None: on a new figure.
        columns: How wide a new figure is: 1 (3.5 inches) or 2 (7.16 inches).

    Raises:
        BvfError: A font or matplotlib is not installed.
    """
    axes: Axes = _DRAWN[type(view)](view, ax, columns)
    return axes


def ending_of(file: Path) -> str:
    """Return the format of a figure's file, by the ending of its name.

    Raises:
        BvfError: No figure is of that kind.
    """
    ending = file.suffix.removeprefix(".").lower()
    if ending not in ENDINGS:
        near = nearest(ending, list(ENDINGS)) if ending else ""
        hint = near if near.startswith("did") else f"its name should end in {', '.join(f'.{each}' for each in ENDINGS)}"
        raise BvfError(f"{file}: no kind of figure", hint)
    return ending


def save(axes: "Axes", file: Path, title: str = "", caption: str = "") -> None:
    """Write the figure of some axes as PDF, SVG or PNG: the same bytes for the same figure.

    Args:
        axes: The axes that were drawn on.
        file: The ending of its name says in which format.
        title: What it is, stored in the file for people who cannot see it.
        caption: What it shows, for the same readers.

    Raises:
        BvfError: The ending is another, or the file cannot be written.
    """
    from matplotlib import rc_context

    ending = ending_of(file)
    figure: Any = axes.get_figure(root=True)
    settings: Any = {"svg.hashsalt": "bvf", "pdf.fonttype": 42}
    with disk_errors_explained(file, "choose another name"), rc_context(settings), replacing(file) as out:
        figure.savefig(out, format=ending, dpi=PER_INCH, metadata=_metadata(ending, title, caption))


def _metadata(ending: str, title: str, caption: str) -> dict[str, Any]:
    told = {"Title": title, "Subject" if ending == "pdf" else "Description": caption}
    without_dates = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {}}[ending]
    return {**{name: text for name, text in told.items() if text}, **without_dates}
