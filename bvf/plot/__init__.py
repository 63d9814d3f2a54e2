"""Figures for papers, drawn by matplotlib from what `bvf.views` says that they show."""

from bvf.plot.figures import (
    compare,
    contexts,
    controls,
    coverage,
    distribution,
    forest,
    heatmap,
    lean,
    regression,
    scale,
    scatter,
    sunburst,
    trend,
    variance,
)  # fmt: skip

__all__ = [
    "compare", "contexts", "controls", "coverage", "distribution", "forest", "heatmap", "lean", "regression", "scale",
    "scatter",
    "sunburst", "trend", "variance",
]  # fmt: skip
