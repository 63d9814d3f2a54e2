"""The figures of a result that a reader wants first: their names, and whether lower is better."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from bvf.analyses.knowledge.result import KnowledgeResult
from bvf.analyses.risk.result import Result
from bvf.results.result import GroupResult, ResultBase


@dataclass(frozen=True)
class Figure:
    """A figure of a model or of a group.

    Args:
        field: Its field in the result, or in its groups.
        text: What it is called in plain text.
        formula: What it is called in LaTeX; empty: the plain text.
        meaning: What it is, in one sentence.
        lower_is_better: None: not known.
    """

    field: str
    text: str
    formula: str = ""
    meaning: str = ""
    lower_is_better: bool | None = None


OF_RISK = (
    Figure("R", "R", "$R$", "Discrimination risk: how far predictions are from the unbiased ones", True),
    Figure("R_bias", "R^b", "$R^{b}$", "Bias risk: the risk of the predictions averaged over contexts", True),
    Figure("R_volatility", "R^v", "$R^{v}$", "Volatility risk: how much contexts contradict each other", True),
    Figure("particular", "particular", "", "Risk of what sets groups apart from each other"),
)
OF_GROUPS_OF_RISK = (
    Figure("r", "r", "$r$", "Discrimination risk of the group", True),
    Figure("r_bias", "r^b", "$r^{b}$", "Its bias risk", True),
    Figure("r_volatility", "r^v", "$r^{v}$", "Its volatility risk", True),
    Figure("particular", "particular", "", "Risk of what sets the group apart from the others"),
)
MASTERY = Figure("mastery", "mastery", "", "Score of the true answer under the mean prediction over wordings", False)
EXPECTED = Figure("expected_score", "expected", "", "Score of the true answer, averaged over wordings", False)
GAP = Figure("confidence_gap", "gap", "", "Mastery that is lost as wordings contradict each other", True)
ACCURACY = Figure("accuracy", "accuracy", "", "Share of subjects whose true answer is the likeliest on average", False)
AGREEMENT = Figure("consistency", "consistency", "", "Share of pairs of wordings with the same answer on top", False)
OF_KNOWLEDGE = (MASTERY, EXPECTED, GAP, ACCURACY, AGREEMENT)
OF_SUBJECTS = (MASTERY, EXPECTED, GAP, AGREEMENT)


def model_figures(results: Sequence[ResultBase]) -> tuple[Figure, ...]:
    """Return the figures of models in results of one class; for an analysis of a plugin, all its numbers."""
    if isinstance(results[0], Result):
        return OF_RISK
    return OF_KNOWLEDGE if isinstance(results[0], KnowledgeResult) else _numbers(results, ResultBase)


def judged_figures(result: ResultBase) -> tuple[Figure, ...]:
    """Return the figures of a result for which it is known whether less is better; none for analyses of plugins."""
    figures = model_figures([result])
    return tuple(each for each in figures if each.lower_is_better is not None and _value(result, each) is not None)


def group_figures(results: Sequence[ResultBase]) -> tuple[Figure, ...]:
    """Return the figures of groups, likewise."""
    if isinstance(results[0], Result):
        return OF_GROUPS_OF_RISK
    groups = (group for result in results for group in result.groups)
    return OF_SUBJECTS if isinstance(results[0], KnowledgeResult) else _numbers(groups, GroupResult)


def _value(result: ResultBase, figure: Figure) -> object:
    return getattr(result, figure.field, None)


def _numbers(parts: Iterable[BaseModel], base: type[BaseModel]) -> tuple[Figure, ...]:
    """The fields that a base class lacks and that hold a number in some of the parts."""
    names = (
        name
        for part in parts
        for name, value in part
        if name not in base.model_fields and isinstance(value, int | float) and not isinstance(value, bool)
    )
    return tuple(Figure(name, name.replace("_", " ")) for name in dict.fromkeys(names))
