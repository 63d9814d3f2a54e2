"""Figures for papers: matplotlib draws the data that `bvf.views` prepares."""

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
