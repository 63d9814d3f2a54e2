"""Pictures that plotly draws in a browser; no library is needed to make them."""

from collections.abc import Callable
from typing import Any

from bvf.report.page.plots import factors, groups, models, sources
from bvf.report.page.plots.frame import Figure
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

_DRAWN: dict[type, Callable[[Any], Figure | None]] = {
    Scale: models.draw_scale,
    Compared: models.draw_compared,
    Trend: models.draw_trend,
    TopicMatrix: models.draw_topics,
    Leanings: groups.draw_leanings,
    Grid: groups.draw_grid,
    Distributions: groups.draw_distributions,
    Scatter: groups.draw_scatter,
    Coverage: factors.draw_coverage,
    Sunburst: factors.draw_sunburst,
    Forest: factors.draw_forest,
    Ecdf: factors.draw_ecdf,
    Variance: sources.draw_variance,
    Controls: sources.draw_controls,
    OverContexts: models.draw_over_contexts,
    RegressionView: sources.draw_regression,
}


def interactive(view: View) -> Figure | None:
    """Return data and layout of a picture; None: it has so much in it that a drawing is smaller."""
    return _DRAWN[type(view)](view)
