"""Figures for papers: pictures of results and of analyses of factors, drawn by matplotlib."""

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
