"""Figures for papers: pictures of results, drawn by matplotlib."""

from bvf_report.plot.figures import (
    certainty,
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
    wordings,
)  # fmt: skip

__all__ = [
    "certainty", "compare", "confidence", "contexts", "controls", "curve", "density", "distribution", "frames",
    "heatmap", "lean", "mastery", "measures", "regression", "said", "scale", "scatter", "subjects", "trend",
    "variance", "wordings",
]  # fmt: skip
