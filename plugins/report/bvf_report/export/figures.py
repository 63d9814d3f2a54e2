"""The main figures of results. The class of the results names them; if it names none, they are all numeric fields."""

from collections.abc import Sequence

from bvf.results.result import GroupResult, ResultBase
from bvf.tables.symbols import Quantity, known_figures, numbers_in


def model_figures(results: Sequence[ResultBase]) -> tuple[Quantity, ...]:
    """Return the main figures of a model, such as R, for results of the same analysis."""
    return known_figures(results[0].exported, results) or numbers_in(results, ResultBase)


def judged_figures(result: ResultBase) -> tuple[Quantity, ...]:
    """Return the figures of a result for which it is defined whether a lower value is better."""
    figures = [figure for figure in model_figures([result]) if figure.lower_is_better is not None]
    return tuple(figure for figure in figures if getattr(result, figure.field, None) is not None)


def group_figures(results: Sequence[ResultBase]) -> tuple[Quantity, ...]:
    """Return the main figures of a group, such as r, for results of the same analysis."""
    groups = [group for result in results for group in result.groups]
    return known_figures(groups[0].exported, groups) or numbers_in(groups, GroupResult)
