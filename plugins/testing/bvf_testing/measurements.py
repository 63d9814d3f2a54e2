"""Makes measurements from chosen probabilities, without a model."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bvf import Group, Measurement
from bvf.domain import Asked, Attribute, CandidateMass, Meaning, MeasuredModel, MeasurementRecord, ScoreCheck
from bvf.files import digest_of
from bvf.stats import FloatArray, checked_probabilities

GROUPS = ("nurse", "truck driver", "p_x", "医生 (senior)", "silent")
CLASSES = ("weight", "group", "p_x")
CONTEXTS = 6
FIRST_WORD = 0.75
"""Share of a class probability that the first of its two words gets."""


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
        groups=tuple(Group(name=name, factors={"place": "odd" if x % 2 else "even"}) for x, name in enumerate(groups)),
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
