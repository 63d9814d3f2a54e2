"""Makes questions from the options of a task, and the figures of ``bvf run`` from the answers."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from bvf_knowledge.result import KnowledgeResult

from bvf import Analysis, AnalysisConfig, BvfError, Choices, Measurement, RunConfig, load
from bvf.domain import CandidateMass, Computed, MeasurementRecord, Samples, ScoreCheck
from bvf.errors import nearest
from bvf.files import digest_of
from bvf.hooks import Plugins
from bvf.results import result_of
from bvf.stats import FloatArray, weighted_quantile
from bvf.study import Plan, plan_of, prepared
from bvf_inspect import asked

CHOICES = (
    *("topic", "cross", "phrase", "lang"),
    *("contexts", "sample_contexts", "limit_contexts", "groups", "limit_groups", "seed"),
    *("criterion", "distractors", "scale", "reference", "group_weights", "margin"),
    *("plugin", "without"),
)
"""The ``-T`` options of a task, under the names of `bvf.RunConfig`."""
FEWEST_SAMPLES = 2
RISK = {"R": "R", "R^b": "R_bias", "R^v": "R_volatility"}
KNOWLEDGE = {"mastery": "mastery", "expected_score": "expected_score", "confidence_gap": "confidence_gap"}


@dataclass(frozen=True)
class Answered:
    """The answers to a task, summed over epochs.

    Args:
        classes: Sums of class probabilities over epochs, shape (X, C, Y).
        mass: Sums of the probability of all candidate words over epochs, shape (X, C).
        epochs: The number of epochs in which each question was asked, shape (X, C).
        counted: The number of epochs in which the answer had a candidate word, shape (X, C).
        bounds: Error bound of the class probabilities, the largest over epochs, shape (X, C).
    """

    classes: FloatArray
    mass: FloatArray
    epochs: FloatArray
    counted: FloatArray
    bounds: FloatArray


@dataclass(frozen=True)
class PlannedTask:
    """The questions of a task (those of ``bvf run``), and the analysis that computes the figures."""

    plan: Plan
    plugins: Plugins
    analysis: Analysis[Any]
    choices: Choices

    @property
    def by_inspect(self) -> bool:
        """Whether inspect calls the model. Otherwise, a backend of bvf does."""
        return self.plan.model.backend == asked.NAME

    @property
    def samples(self) -> int:
        """The number of sampled continuations per question; 0 if log-probabilities are read."""
        return self.plan.model.description.samples

    def figures(self, answered: Answered) -> dict[str, float]:
        """Return R, R^b and R^v, or the figures of knowledge.

        Candidate mass, missing answers and error bound are included.
        """
        has_word = answered.counted > 0
        basis = {
            "candidate_mass": self._mass(answered).mean if answered.epochs.any() else np.nan,
            "missing": float((~has_word).sum()),
            "bound": float(answered.bounds.max()),
        }
        if not has_word.any():
            return dict.fromkeys(RISK, np.nan) | basis
        result = result_of(self.analysis, self._measurement(answered), self.choices, self.plugins)
        names = KNOWLEDGE if isinstance(result, KnowledgeResult) else RISK
        return {shown: float(getattr(result, name)) for shown, name in names.items()} | basis

    def _measurement(self, answered: Answered) -> Measurement:
        plan, sums, counted = self.plan, answered.classes, answered.counted[..., np.newaxis]
        record = MeasurementRecord(
            identity=plan.identity,
            digest=digest_of(plan.identity),
            asked=plan.asked,
            model=plan.measured_model,
            check=ScoreCheck(
                first_prompt=str(plan.prompts([0])[0]),
                first_prompt_ids=None,
                batch_deviation=0.0,  # nothing is asked twice here
                candidate_mass=self._mass(answered),
            ),
            order="groups",
            keeps_words=False,
            notes=plan.notes,
        )
        p = np.divide(sums, counted, out=np.full_like(sums, np.nan), where=counted > 0)
        return Measurement(
            record, p, answered.bounds, answers=Samples(answered.counted) if self.samples else Computed()
        )

    def _mass(self, answered: Answered) -> CandidateMass:
        """Mean and quantiles of the candidate mass over answered questions, weighted by context."""
        asked_there = answered.epochs > 0
        mass = answered.mass[asked_there] / answered.epochs[asked_there]
        weights = np.broadcast_to(self.plan.asked.context_weights, asked_there.shape)[asked_there]
        weights = weights / weights.sum()
        low, lower = (weighted_quantile(mass, weights, level) for level in (0.05, 0.25))
        return CandidateMass(prompts=len(mass), mean=float(weights @ mass), quantile_05=low, quantile_25=lower)


def choices_of(model: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options that determine the questions of a task, as JSON values. Refuses unknown or unfit ones.

    Args:
        model: ``model`` and the options of the model, as fields of `bvf.RunConfig`.
        given: The ``-T`` options: `CHOICES` and ``samples``.
    """
    chosen = dict(given)
    samples = chosen.pop("samples", 0)
    for name in chosen:
        if name not in CHOICES:
            raise BvfError(f'-T {name}: a task of bvf takes no "{name}"', nearest(name, [*CHOICES, "samples"]))
    if chosen.get("reference") == "prior":
        raise BvfError("-T reference=prior: neutral subjects are not asked here", "bvf run asks them")
    if not samples:
        return {**model, **chosen}
    if str(model["model"]).partition(":")[0] != asked.NAME:
        raise BvfError(f"-T samples={samples}: models of bvf return probabilities", "leave it out")
    if not isinstance(samples, int) or samples < FEWEST_SAMPLES:
        raise BvfError(f"-T samples={samples}: not a whole number of {FEWEST_SAMPLES} or more", "samples=64")
    return {**model, **chosen, "backend_options": {"samples": samples}}


def planned_task(choices: Mapping[str, Any]) -> PlannedTask:
    """Return the questions of a task, cached by ``choices``. Refuses a model that cannot answer them one at a time."""
    return _planned_task(json.dumps(choices, sort_keys=True))


@lru_cache(maxsize=8)
def _planned_task(choices: str) -> PlannedTask:
    config = RunConfig.checked(json.loads(choices), "-T")
    plugins = load(extra=(asked.__name__, *config.plugin), without=config.without)
    questions = plan_of(config, plugins)
    given = config.given()
    of_analysis = given.keys() & AnalysisConfig.model_fields.keys() - {"groups"}  # those that are asked
    chosen = AnalysisConfig(**{name: given[name] for name in of_analysis})
    planned = PlannedTask(questions, plugins, *prepared(chosen, questions.asked, plugins, preferred=config.plugin))
    known = questions.model.description
    if known.capabilities.answers_from_table or (known.samples and not planned.by_inspect):
        raise BvfError(
            f"{config.model} does not answer one question at a time", f"bvf run --model {config.model} measures it"
        )
    return planned


def collected(planned: PlannedTask, answers: Iterable[tuple[str, str, Mapping[str, Any], float, float]]) -> Answered:
    """Sum the answers of all epochs. Refuses an answer to a question that is not the task's.

    Args:
        planned: The questions.
        answers: Per answer the group, the key of the context, p of each class by name (all 0 if the answer has no
            candidate word), the candidate mass and the error bound.
    """
    questions = planned.plan.questions
    places = {
        (group, template.key): (x, c)
        for x, group in enumerate(questions.groups)
        for c, template in enumerate(questions.templates)
    }
    shape = (len(questions.groups), len(questions.templates))
    classes, (mass, epochs, counted, bounds) = np.zeros((*shape, len(questions.classes))), np.zeros((4, *shape))
    for group, context, values, candidate_mass, bound in answers:
        if (group, context) not in places:
            raise BvfError(
                f'"{context}" for {group} is not a question of this task', "its topic or contexts have changed"
            )
        place = places[group, context]
        p = np.array([float(values[name]) for name in questions.classes])
        classes[place] += p
        counted[place] += p.any()
        epochs[place] += 1
        mass[place] += candidate_mass
        bounds[place] = max(bounds[place], bound)
    return Answered(classes, mass, epochs, counted, bounds)
