"""The picture of R, R^b (bias) and R^v (volatility) of models, beside those of reference models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from bvf import Result, ResultBase
from bvf.domain import ends_at_1
from bvf.drawing import FIGURES, MarkedPicture, Marks, Value, caption_of, model_marks, what_bars_are, whole_name
from bvf.results import (
    comparable_choices,
    in_short,
    level_of,
    names_of,
    refuse_mixed,
    risk_only,
    shared_references,
    value_of,
)
from bvf.tables import listed, symbol, symbols

LIMIT = " *"
"""A suffix that is removed from names: in tables it marks figures in the limit of infinitely many contexts."""


@dataclass(frozen=True)
class Place:
    """A row of the picture: a model, or a control topic measured on the model ``of``."""

    name: str
    topic: str
    R: Value
    R_bias: Value
    R_volatility: Value
    of: str = field(default="", kw_only=True)

    @property
    def whole_name(self) -> str:
        """The name of the row. For a control topic, it includes the model: ``control weekday, MODEL``."""
        return f"{self.name}, {self.of}" if self.of else self.name

    @property
    def values(self) -> dict[str, Value]:
        """R (risk), R^b (bias) and R^v (volatility) by field: ``R``, ``R_bias``, ``R_volatility``."""
        return {"R": self.R, "R_bias": self.R_bias, "R_volatility": self.R_volatility}


@dataclass(frozen=True)
class Scale(MarkedPicture):
    """The picture of models, their controls, and reference models on one scale."""

    kind: ClassVar[str] = "scale"
    title: ClassVar[str] = f"{listed(*FIGURES)} of models"

    models: tuple[Place, ...]  # each followed by its controls
    references: tuple[Place, ...]  # the same for all results
    criterion: str
    scale: str
    contexts: tuple[int, ...]  # of each model
    groups: tuple[int, ...]  # of each model
    level: float | None  # of the intervals; None: no model has one
    undefined: dict[str, str]  # why a model has no interval, by its name
    doubts: str = ""  # a sentence on the controls that are doubtful

    def caption(self) -> str:
        contexts = " to ".join(str(each) for each in sorted({min(self.contexts), max(self.contexts)}))
        whole, bias, volatility = symbols(*FIGURES)
        unit = ", where 1 is a fully stereotyped model" if ends_at_1(self.scale) else ""
        return caption_of(
            f"Discrimination risk {whole}, bias risk {bias} and volatility risk {volatility} by the criterion "
            f"{self.criterion}{unit}.",
            " ".join(f"{_figures(each)};" for each in self.models).removesuffix(";") + ".",
            f"{contexts} contexts.",
            "Grey: reference models, in the limit of infinitely many contexts." if self.references else "",
            what_bars_are(self.level, "; ".join(dict.fromkeys(self.undefined.values()))),
            *(self._without_an_interval() if self.level is not None else ()),
            self.doubts,
        )

    def _without_an_interval(self) -> Iterator[str]:
        for name, why in self.undefined.items():
            yield f"No interval for {whole_name(name)}: {why}."

    def marks(self) -> Marks:
        """The reference models in grey, and the other models below."""
        named = [(each.name, each.values) for each in (*self.references, *self.models)]
        title = f"risk ({self.criterion}, {self.scale} scale)"
        return model_marks(named, title, references=len(self.references))


def scale(results: Sequence[ResultBase]) -> Scale:
    """Return the picture of risk results and their controls on one scale."""
    of_risk = [risk_only(result) for result in results]
    first = of_risk[0]
    refuse_mixed(of_risk, "draw them one by one", comparable_choices)
    named, several = list(zip(names_of(of_risk), of_risk, strict=True)), len(of_risk) > 1
    return Scale(
        models=tuple(place for name, each in named for place in _places(name, each, name if several else "")),
        references=tuple(
            Place(row.name.removesuffix(LIMIT), first.topic, *(Value(getattr(row, each)) for each in FIGURES))
            for row in shared_references(of_risk)
        ),
        criterion=first.criterion,
        scale=first.scale,
        contexts=tuple(each.number_of_contexts for each in of_risk),
        groups=tuple(len(each.groups) for each in of_risk),
        level=next((level for level in map(level_of, of_risk) if level is not None), None),
        doubts=in_short(doubts_of_controls(of_risk)),
        undefined={name: each.uncertainty.undefined for name, each in named if each.uncertainty.undefined},
    )


def doubts_of_controls(results: Sequence[Result]) -> dict[str, Sequence[str]]:
    """Return the warnings of the controls of risk results, by the names of the controls."""
    return {"": (), **{f"control {each.topic}": each.warnings for result in results for each in result.controls}}


def _places(name: str, result: Result, of: str) -> list[Place]:
    """The rows of a model and of its controls."""
    places = [Place(name, result.topic, *(value_of(result, figure) for figure in FIGURES))]
    for control in result.controls:
        values = (Value(getattr(control, figure), *control.intervals.get(figure, ())) for figure in FIGURES)
        places.append(Place(f"control {control.topic}", control.topic, *values, of=of))
    return places


def _figures(place: Place) -> str:
    values = ", ".join(f"{symbol(figure)} {each.value:.3f}" for figure, each in place.values.items())
    return f"{whole_name(place.whole_name)}: {values}"
