"""Tries an analysis with every choice that a user has."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from bvf import Analysis, BvfError, Choices, Criterion, KnowledgeCriterion, Measurement, View
from bvf.domain import Asked

ARRAYS = ("probabilities", "bounds", "word_logprobs")
Criteria = Mapping[str, Criterion | KnowledgeCriterion]


@dataclass(frozen=True)
class Accepted:
    """Choices that the analysis accepted, and the result for them."""

    choices: Choices
    result: Any


@dataclass(frozen=True)
class Trial:
    """An analysis to try, and the measurement and criteria (by name) for it."""

    analysis: Analysis[Any]
    measurement: Measurement
    criteria: Criteria

    @property
    def asked(self) -> Asked:
        """The questions of the measurement."""
        return self.measurement.record.asked

    @cached_property
    def accepted(self) -> list[Accepted]:
        """All accepted choices and their results."""
        return [each for each in map(self._tried, self.choices) if isinstance(each, Accepted)]

    @cached_property
    def refusals(self) -> list[str]:
        """The messages with which the other choices are refused."""
        return [each for each in map(self._tried, self.choices) if isinstance(each, str)]

    @cached_property
    def choices(self) -> list[Choices]:
        """The choices to try for every criterion: the default, and variants of it with one change each."""
        return [
            replace(_plain_choices(name, criterion, self.asked), **change)
            for name, criterion in self.criteria.items()
            for change in _changes(self.asked)
        ]

    def refusal(self, choices: Choices, view: View) -> str | None:
        """Return the message with which ``check`` refuses these choices; None if it accepts them."""
        try:
            self.analysis.check(self.asked, choices, view)
        except BvfError as error:
            return error.message
        return None

    def run(self, choices: Choices, measurement: Measurement | None = None) -> Any:
        """Return the result for ``measurement``, or for a copy of the trial's own. As in a run, numpy does not warn."""
        with np.errstate(invalid="ignore", over="ignore"):
            return self.analysis.run(measurement or self.copied(), choices)

    def copied(self) -> Measurement:
        """Return a copy of the measurement, arrays included."""
        given = {name: getattr(self.measurement, name) for name in ARRAYS}
        copies: dict[str, Any] = {name: None if array is None else array.copy() for name, array in given.items()}
        return replace(self.measurement, **copies)

    def _tried(self, choices: Choices) -> Accepted | str:
        refusal = self.refusal(choices, View())
        if refusal is not None:
            return refusal
        try:
            return Accepted(choices, self.run(choices))
        except BvfError as error:
            return error.message


def described(choices: Choices) -> str:
    """Return a text in brackets that lists the choices."""
    named = {
        "criterion": choices.criterion_name,
        "scale": choices.scale,
        "reference": choices.reference,
        "group weights": choices.group_weights,
        "distractors": choices.distractors,
        "words": f"of {', '.join(choices.words)}" if choices.words else "all",
    }
    return f" ({', '.join(f'{name} {value}' for name, value in named.items())})"


def _plain_choices(name: str, criterion: Criterion | KnowledgeCriterion, asked: Asked) -> Choices:
    return Choices(
        criterion_name=name,
        criterion=criterion,
        scale="unit",
        reference="uniform",
        p_star_of=dict.fromkeys(asked.group_names, np.full(len(asked.classes), 1.0 / len(asked.classes))),
        group_weights="uniform",
        weight_of=dict.fromkeys(asked.group_names, 1.0),
    )


def _changes(asked: Asked) -> list[dict[str, Any]]:
    """Changes to the default choices, as fields of `Choices` by name. Some changes are valid, and some are not."""
    first = asked.attributes[0]
    p_star_of = {
        name: {group: np.array([p[y] for y in asked.classes]) for group, p in table.probabilities.items()}
        for name, table in asked.references.items()
    }
    return [
        {},
        {"scale": "raw"},
        {"reference": "mean", "p_star_of": None},
        *({"reference": name, "p_star_of": p_star} for name, p_star in p_star_of.items()),
        *({"group_weights": name, "weight_of": table.weights} for name, table in asked.group_weights.items()),
        {"group_weights": "one.csv", "weight_of": {asked.group_names[0]: 1.0}},
        {"group_weights": "nobody.csv", "weight_of": {"nobody": 1.0}},
        {"words": {first.name: first.words[:1]}},
        {"words": {"no class": ("a",)}},
        {"distractors": 1, "seed": 1},
        {"distractors": len(asked.classes)},
    ]
