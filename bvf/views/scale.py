"""R, R^b and R^v of models between the reference models."""

from collections.abc import Sequence
from dataclasses import dataclass

from bvf.analyses.risk.controls.result import ControlResult
from bvf.analyses.risk.result import ReferenceRow, Result, risk_only
from bvf.errors import BvfError
from bvf.results.names import names_of
from bvf.results.result import ResultBase
from bvf.tables.words import NOTHING
from bvf.views.values import Value, level_of, value_of

FIGURES = ("R", "R_bias", "R_volatility")
LIMIT = " *"
"""The mark of reference models in tables, for infinitely many contexts; here all reference models are such."""


@dataclass(frozen=True)
class Place:
    """Where a model stands on the scale; ``of``: the model of a control, which stands in the rows above it."""

    name: str
    topic: str
    R: Value
    R_bias: Value
    R_volatility: Value
    of: str = ""

    @property
    def whole_name(self) -> str:
        """The name that tells it from places of other models."""
        return f"{self.name}, {self.of}" if self.of else self.name


@dataclass(frozen=True)
class Scale:
    """Models on one scale.

    Args:
        models: In the order of the results, each followed by its controls.
        references: Reference models that are the same for all results.
        criterion: J of all models.
        scale: ``unit`` or ``raw``.
        contexts: How many contexts each model was asked in.
        groups: How many groups it was asked about.
        level: Of the intervals; None: no model has one.
        undefined: Why a model has none, by its name.
    """

    models: tuple[Place, ...]
    references: tuple[Place, ...]
    criterion: str
    scale: str
    contexts: tuple[int, ...]
    groups: tuple[int, ...]
    level: float | None
    undefined: dict[str, str]


def scale(results: Sequence[ResultBase]) -> Scale:
    """Return models, and topics such as controls, on one scale.

    Args:
        results: Of one criterion and scale; one or more.

    Raises:
        BvfError: They are of several criteria or scales, or are no results of risk.
    """
    of_risk = [risk_only(result) for result in results]
    first = of_risk[0]
    for each in of_risk:
        if (each.criterion, each.scale) != (first.criterion, first.scale):
            raise BvfError(
                f"{each.folder or each.model}: criterion {each.criterion} on the {each.scale} scale, and "
                f"{first.folder or first.model}: {first.criterion} on the {first.scale} scale",
                "draw them apart, or bvf analyse one of them as the other",
            )
    names, several = names_of(of_risk), len(of_risk) > 1
    named = list(zip(names, of_risk, strict=True))
    return Scale(
        models=tuple(place for name, each in named for place in _places(name, each, name if several else "")),
        references=tuple(
            _place(row.name.removesuffix(LIMIT), first.topic, [Value(float(getattr(row, each))) for each in FIGURES])
            for row in shared_references(of_risk)
        ),
        criterion=first.criterion,
        scale=first.scale,
        contexts=tuple(each.number_of_contexts for each in of_risk),
        groups=tuple(len(each.groups) for each in of_risk),
        level=next((level for level in map(level_of, of_risk) if level is not None), None),
        undefined={
            name: each.uncertainty.undefined
            for name, each in zip(names, of_risk, strict=True)
            if each.uncertainty.undefined
        },
    )


def shared_references(results: Sequence[Result]) -> tuple[ReferenceRow, ...]:
    """Return the reference models that are the same for all results; they differ where p* differs."""
    of_each = zip(*(result.references for result in results), strict=True)
    return tuple(rows[0] for rows in of_each if all(_same(row, rows[0]) for row in rows))


def _same(row: ReferenceRow, other: ReferenceRow) -> bool:
    return all(abs(getattr(row, figure) - getattr(other, figure)) < NOTHING for figure in FIGURES)


def _places(name: str, result: Result, of: str) -> list[Place]:
    """The place of a model, and its places by each control."""
    study = _place(name, result.topic, [value_of(result, figure) for figure in FIGURES])
    return [study, *(_place_of_control(control, of) for control in result.controls)]


def _place_of_control(control: ControlResult, of: str) -> Place:
    values = [Value(getattr(control, figure), *control.intervals.get(figure, ())) for figure in FIGURES]
    return _place(f"control {control.topic}", control.topic, values, of)


def _place(name: str, topic: str, values: Sequence[Value], of: str = "") -> Place:
    R, R_bias, R_volatility = values
    return Place(name, topic, R, R_bias, R_volatility, of)
