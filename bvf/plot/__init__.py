"""Figures for papers: pictures of results, drawn by matplotlib."""

from bvf.plot.figures import (
    compare,
    confidence,
    contexts,
    controls,
    curve,
    density,
    distribution,
    frames,
    heatmap,
    lean,
    mastery,
    measures,
    regression,
    said,
    scale,
    scatter,
    subjects,
    trend,
    variance,
)  # fmt: skip

__all__ = [
    "compare", "confidence", "contexts", "controls", "curve", "density", "distribution", "frames", "heatmap", "lean",
    "mastery", "measures", "regression", "said", "scale", "scatter", "subjects", "trend", "variance",
]  # fmt: skip
