"""Measurements made without a model, and the choices of a user with which an analysis of them is tried."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bvf import Analysis, BvfError, Choices, Criterion, Group, KnowledgeCriterion, Measurement, View
from bvf.domain import Asked, Attribute, CandidateMass, Meaning, MeasuredModel, MeasurementRecord, ScoreCheck
from bvf.files import digest_of
from bvf.stats import FloatArray, checked_probabilities

GROUPS = ("nurse", "truck driver", "p_x", "医生 (senior)", "silent")
CLASSES = ("weight", "group", "p_x")
CONTEXTS = 6
FIRST_WORD = 0.75
"""Share of a class probability that the first of its two words gets."""
_MODEL = MeasuredModel(
    name="made",
    backend="none",
    revision="",
    weights="",
    settings="",
    parameters=None,
    wording="bare",
    system="",
    word_boundary=False,
    tolerance=0.0,
)
ARRAYS = ("probabilities", "bounds", "word_logprobs")
Criteria = Mapping[str, Criterion | KnowledgeCriterion]


def measurement_of(probabilities: ArrayLike, *, groups: Sequence[str] = (), classes: Sequence[str] = ()) -> Measurement:
    """Return a measurement with these probabilities, to try an analysis on.

    Each class has two words; the first has three quarters of its probability. The true attributes of the groups are the
    classes in turn; the topic offers the group weights ``ramp``, P(x) = 1, 2, 3, ..., the reference ``ramp``,
    p*(y | x) = 1, 2, 3, ... over their sum, and the statistic ``ramp``, 0, 1, 2, ...

    Args:
        probabilities: p(y | x, c), shape (X, C, Y), summing to 1 over Y; NaN where a prompt is missing.
        groups: Names of the groups; default: ``group 1`` and so on.
        classes: Names of the classes; default: ``class 1`` and so on.

    Raises:
        BvfError: The numbers are not probabilities.
    """
    p = checked_probabilities(probabilities)
    group_names = tuple(groups) or _numbered("group", p.shape[0])
    class_names = tuple(classes) or _numbered("class", p.shape[2])
    identity = {"made by bvf_testing": digest_of([group_names, class_names, p.tolist()])}
    mass = CandidateMass(prompts=1, mean=0.5, quantile_05=0.4, quantile_25=0.45)
    record = MeasurementRecord(
        identity=identity,
        digest=digest_of(identity),
        order="groups",
        asked=_asked(group_names, class_names, p.shape[1]),
        model=_MODEL,
        check=ScoreCheck(first_prompt="A [Y]", first_prompt_ids=None, batch_deviation=0.0, candidate_mass=mass),
        keeps_words=True,
        notes=("made without a model",),
    )
    of_words = np.stack([FIRST_WORD * p, (1.0 - FIRST_WORD) * p], axis=-1).reshape(*p.shape[:2], -1)
    with np.errstate(divide="ignore"):
        logp: FloatArray = np.log(np.nan_to_num(of_words))
    return Measurement(record, p, np.zeros(p.shape[:2]), word_logprobs=logp)


def small_measurement() -> Measurement:
    """Return the default measurement of `analysis_checks`: missing prompts, extreme values, odd names."""
    p = np.random.default_rng(0).dirichlet(np.ones(len(CLASSES)), size=(len(GROUPS), CONTEXTS))
    p[1, 2:4] = np.nan
    p[-1] = np.nan
    p[2] = np.eye(len(CLASSES))[0]  # certain, always
    return measurement_of(p, groups=GROUPS, classes=CLASSES)


def _asked(groups: tuple[str, ...], classes: tuple[str, ...], contexts: int) -> Asked:
    ramp = np.arange(1.0, len(classes) + 1)
    p_star = dict(zip(classes, (ramp / ramp.sum()).tolist(), strict=True))
    source, year = "made by bvf_testing", 2026
    weights = {name: float(x) for x, name in enumerate(groups, 1)}
    values: dict[str, float | None] = {name: float(x) for x, name in enumerate(groups)}
    probabilities = dict.fromkeys(groups, p_star)
    of_asked = dict[str, Any](
        topic="made",
        language="en",
        summary="Made without a model",
        control=False,
        criterion="",
        meaning=Meaning(construct="none", harm="none", chosen_by="bvf_testing", reference="none"),
        sources=(source,),
        groups=tuple(
            Group(name=name, factors={"place": ("even", "odd")[x % 2], "cue": ("label", "name")[x // 2 % 2]})
            for x, name in enumerate(groups)
        ),
        attributes=tuple(Attribute(name=name, words=(f"{name} one", f"{name} two")) for name in classes),
        truth={name: classes[x % len(classes)] for x, name in enumerate(groups)},
        group_weights={"ramp": {"source": source, "year": year, "weights": weights}},
        references={"ramp": {"source": source, "year": year, "probabilities": probabilities}},
        statistics={"ramp": {"source": source, "year": year, "label": "place in the list", "values": values}},
        contexts="made",
        contexts_source=source,
        templates=tuple({"template": f"The [X] {c} [Y]", "count": float(c + 1)} for c in range(contexts)),
    )
    return Asked.model_validate(of_asked)


def _numbered(what: str, number: int) -> tuple[str, ...]:
    return tuple(f"{what} {index}" for index in range(1, number + 1))


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
