"""The figures of a result to show first: those that its class names, else all its numbers."""

from collections.abc import Sequence

from bvf.results.result import GroupResult, ResultBase
from bvf.tables.symbols import Figure, numbers_in


def model_figures(results: Sequence[ResultBase]) -> tuple[Figure, ...]:
    """Return the figures of models in results of one class."""
    return results[0].exported or numbers_in(results, ResultBase)


def judged_figures(result: ResultBase) -> tuple[Figure, ...]:
    """Return the figures of a result whose class says whether lower is better."""
    figures = [figure for figure in model_figures([result]) if figure.lower_is_better is not None]
    return tuple(figure for figure in figures if getattr(result, figure.field, None) is not None)


def group_figures(results: Sequence[ResultBase]) -> tuple[Figure, ...]:
    """Return the figures of groups in results of one class."""
    groups = [group for result in results for group in result.groups]
    return groups[0].exported or numbers_in(groups, GroupResult)
