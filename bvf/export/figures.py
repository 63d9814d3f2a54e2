"""The figures of a result that a reader wants first: those that its class names, else all its numbers."""

from collections.abc import Sequence

from bvf.results.result import GroupResult, ResultBase
from bvf.tables.symbols import Figure, numbers_in


def model_figures(results: Sequence[ResultBase]) -> tuple[Figure, ...]:
    """Return the figures of models in results of one class."""
    return results[0].exported or numbers_in(results, ResultBase)


def judged_figures(result: ResultBase) -> tuple[Figure, ...]:
    """Return the figures of a result for which it is known whether less is better; none where its class names none."""
    figures = model_figures([result])
    return tuple(each for each in figures if each.lower_is_better is not None and _value(result, each) is not None)


def group_figures(results: Sequence[ResultBase]) -> tuple[Figure, ...]:
    """Return the figures of groups in results of one class."""
    groups = [group for result in results for group in result.groups]
    return groups[0].exported or numbers_in(groups, GroupResult)


def _value(result: ResultBase, figure: Figure) -> object:
    return getattr(result, figure.field, None)
