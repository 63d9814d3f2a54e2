"""Figures for papers: pictures of results, drawn with matplotlib."""

from bvf.plot.figures import (
    compare,
    contexts,
    controls,
    distribution,
    heatmap,
    lean,
    regression,
    scale,
    scatter,
    trend,
    variance,
)  # fmt: skip

__all__ = [
    "compare", "contexts", "controls", "distribution", "heatmap", "lean", "regression", "scale", "scatter", "trend",
    "variance",
]  # fmt: skip
