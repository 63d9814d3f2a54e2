"""The pictures of a single risk result."""

from bvf import Predictions, Result
from bvf.results import predictions_of
from bvf_report.pictures.risk.distributions import Distributions, distributions
from bvf_report.pictures.risk.grid import Grid, grid
from bvf_report.pictures.risk.leanings import Leanings, leanings
from bvf_report.pictures.risk.scatter import Scatter, scatter

GROUPS_DRAWN = 40


def pictures_of(
    result: Result,
    predictions: Predictions | None = None,
    leans: Leanings | None = None,
    spread: Distributions | None = None,
) -> tuple[Leanings, Scatter, Grid, Distributions]:
    """Return the pictures of a risk result.

    ``predictions``, its p(y | x, c), are read if they are not given; ``leans`` and ``spread``, of all groups, are
    computed.
    """
    read = predictions or predictions_of(result)
    of_all = leans or leanings(result, predictions=read)
    over_contexts = spread or distributions(result, predictions=read)
    return (
        of_all.with_ends(GROUPS_DRAWN),
        scatter(result),
        grid(result, show=GROUPS_DRAWN, predictions=read),
        over_contexts.with_ends(GROUPS_DRAWN),
    )
