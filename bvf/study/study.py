"""Stored probabilities and the choices of their analysis (a study), the risks from them, and averages over contexts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from bvf.arrays import FloatArray, each_group
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.interfaces.analysis import Choices
from bvf.interfaces.criterion import Criterion
from bvf.measuring.kind import as_read, kind_called
from bvf.stats.figures.risk import Risk, decompose_risk, total_risk
from bvf.stats.sampling.intervals import Decomposition, Sampled, itself
from bvf.stats.sampling.sampled_answers import Answers
from bvf.stats.sampling.sampled_risk import SampledRisk, sampled_risk
from bvf.stats.sampling.samples import ContextSample
from bvf.study.predictions import Predictions, basis_of, mean_in_contexts
from bvf.study.reference import neutral_answers
from bvf.study.sample import why_no_sample
from bvf.study.uncertainty import Interval

RISK, RISK_OF_GROUP = ("R", "R_bias", "R_volatility"), ("r", "r_bias", "r_volatility")
SHARED = ("shared", "shared_bias", "shared_volatility")
PARTICULAR = ("particular", "particular_bias", "particular_volatility")
CONTEXT_VOLATILITY, THOUGHT_VOLATILITY = "context_volatility", "thought_volatility"
"""Fields of a result, and of each group, with the two parts of the volatility of a model that thinks."""
Names = tuple[str, str, str]
"""Names of the fields of the total, of the risk of the mean over contexts, and of their difference."""
BIAS, VOLATILITY = 1, 2
"""Indices of the risk of the mean, and of that difference, in `Names`."""


@dataclass(frozen=True)
class Averages:
    """E_c[J(v)], J(E_c[v]) and their difference, as functions of a sample of contexts.

    Args:
        sampled: The vectors v in each context, and J.
        names: Fields of the result that have the three; an empty name: the result has no such field.
        of_group: Fields of each group of the result that have them per group; None: groups have no such fields.
        within: Error bounds of the three for each group, shape (3, X); None: probabilities are exact, or their error
            bounds say nothing of these figures.
    """

    sampled: Sampled
    names: Names
    of_group: Names | None
    within: FloatArray | None = None


def parts_of_risk(sampled: SampledRisk) -> list[Averages]:
    """Return the averages of the risk, and of shared and particular risk if defined."""
    parts = [Averages(sampled.risk, RISK, RISK_OF_GROUP)]
    if sampled.shared is not None and sampled.particular is not None:
        parts.append(Averages(sampled.shared, SHARED, None))
        parts.append(Averages(sampled.particular, PARTICULAR, PARTICULAR))
    return parts


def parts_of_volatility(sampled: SampledRisk) -> list[Averages]:
    """Return the volatility between contexts and that of thoughts, as differences; empty unless the model thinks."""
    if sampled.between is None or sampled.within is None:
        return []
    both = ((sampled.between, CONTEXT_VOLATILITY), (sampled.within, THOUGHT_VOLATILITY))
    return [Averages(each, ("", "", name), ("", "", name)) for each, name in both]


def without_noise(risk: Risk, sampled: SampledRisk) -> Risk:
    """Return a risk with the values of ``sampled``: of answers without the noise of sampling, or after thoughts."""
    (whole, *parts), each, p_x = parts_of_risk(sampled), each_group(len(risk.r)), sampled.group_weights
    fields: dict[str, Any] = dict(zip(RISK_OF_GROUP, whole.sampled.values(each), strict=True))
    fields |= zip(RISK, map(float, whole.sampled.values(p_x)), strict=True)
    of_parts = dict[str, Any]()
    for part in parts:
        of_parts |= zip(part.names, map(float, part.sampled.values(p_x)), strict=True)
        for name, values in zip(part.of_group or (), part.sampled.values(each), strict=False):
            of_parts[f"x_{name}"] = values
    return replace(risk, **fields, parts=None if risk.parts is None else replace(risk.parts, **of_parts))


def named_intervals(estimates: Decomposition, names: Names, at: int | tuple[()] = ()) -> dict[str, Interval]:
    """Return the intervals of estimates by the fields ``names``. ``at``: index of the group, if they are by group."""
    return {
        name: Interval(
            low=float(each.low[at]),
            high=float(each.high[at]),
            cross_fit=None if each.cross_fit is None else float(each.cross_fit[at]),
        )
        for name, each in zip(names, estimates, strict=True)
        if name
    }


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Study:
    """A measurement, the choices of its analysis (criterion J, p*, weights), and the analysed array p(y | x, c)."""

    measurement: Measurement
    choices: Choices
    predictions: Predictions

    @classmethod
    def of(cls, measurement: Measurement, choices: Choices) -> "Study":
        """Make a study of the predictions that `bvf.study.predictions.basis_of` selects, and raise its errors."""
        measurement = as_read(measurement, choices.reader, choices.words)
        return cls(measurement, choices, basis_of(measurement, choices))

    @property
    def sample(self) -> ContextSample | None:
        """The contexts as a random sample of their source. None: `undefined` has the reason."""
        return self.predictions.sample

    @property
    def undefined(self) -> str:
        """Why the contexts are not a random sample, so that there are no intervals; empty if they are."""
        return why_no_sample(self.measurement, self.choices)

    @property
    def is_of_risk(self) -> bool:
        """Whether the criterion is one of risk."""
        return isinstance(self.choices.criterion, Criterion)

    @property
    def holds_noise(self) -> bool:
        """Whether the noise of sampled answers is in R and R^v (volatility), as only a sublinear J is without it."""
        criterion = self.choices.criterion
        return self.measurement.answers.sampled and not (isinstance(criterion, Criterion) and criterion.sublinear)

    @cached_property
    def criterion(self) -> Criterion:
        """The criterion of risk J that the choices name.

        Raises:
            BvfError: It is a criterion of knowledge.
        """
        return criterion_of_risk(self.choices)

    @cached_property
    def risk(self) -> Risk:
        """R, R^b (bias) and R^v (volatility) of the model, and r, r^b and r^v of each group.

        Of sampled answers they are without the noise of sampling, unless `holds_noise`. Where the model thinks, R^v is
        both that of contexts and of thoughts.

        Raises:
            BvfError: J is a criterion of knowledge, or p* has a class of probability 0.
        """
        risk = self._decomposed(decompose_risk)
        if self.predictions.random is None or self.holds_noise:
            return risk
        return without_noise(risk, self.in_these_contexts)

    @cached_property
    def in_these_contexts(self) -> SampledRisk:
        """The risk in these contexts, whether or not they are a sample; see `sampled_risk`."""
        return self.sampled_risk(ContextSample(self.predictions.context_weights, "template"))

    def parts(self, sample: ContextSample, answers: Answers | None = None) -> list[Averages]:
        """Return the averages of `sampled_risk`: those of the risk, and of shared and particular risk if defined."""
        return parts_of_risk(self.sampled_risk(sample, answers))

    @cached_property
    def doubt(self) -> tuple[Any, ...]:
        """What is not known of how answers were read; see `AnswerKind.doubt`."""
        return kind_called(self.measurement.record.asked.reading).doubt(self)

    def total_risk(self) -> tuple[float, float, float]:
        """Return R, R^b (bias) and R^v (volatility) alone: faster than `risk`, which also has risks of groups."""
        return self._decomposed(total_risk)

    def sampled_risk(self, sample: ContextSample, answers: Answers | None = None) -> SampledRisk:
        """Return the risk as a function of a sample of contexts, for intervals. p* is taken as known.

        ``answers`` are others in place of those that were sampled; None: these.

        Of sampled answers it is without the noise of sampling (see `bvf.stats.sampling.noisy`).

        Raises:
            BvfError: As `risk`; or J is neither convex nor concave.
        """
        return sampled_risk(
            answers or self.predictions.random or self.predictions.probabilities,
            self.criterion,
            sample,
            group_weights=self.predictions.group_weights,
            reference=self.predictions.reference,
            scale=self.choices.scale,
        )

    @cached_property
    def neutral(self) -> FloatArray:
        """The mean prediction for neutral subjects in each context, shape (C, Y); NaN where it is missing.

        Raises:
            BvfError: Neutral subjects were not asked, or of another measurement.
        """
        choices = self.choices
        answers = neutral_answers(self.measurement, choices.words, choices.reader)
        return self.predictions.margin.of(answers.mean)

    def lean(self, name: str) -> tuple[FloatArray, FloatArray]:
        """Return E_c[s] of a class, shape (X,), and each context's influence on it, (X, C)."""
        read = self.predictions
        return mean_in_contexts((read.stereotypes + read.apart / read.reference)[..., read.classes.index(name)], read)

    def association(self, name: str) -> tuple[FloatArray, FloatArray]:
        """Return E_c[p - n] of a class with n as `neutral`, shape (X,), and each context's influence on it, (X, C)."""
        read = self.predictions
        p, y = read.unclipped - self.neutral, read.classes.index(name)
        return mean_in_contexts(p[..., y], read)[0], mean_in_contexts((p + read.apart)[..., y], read)[1]

    def average(
        self, field: str, values: FloatArray, sample: ContextSample, *, least: float = 0.0, most: float = 1.0
    ) -> Averages:
        """Return the mean of ``values`` over contexts as an `Averages`. Its name in results and groups is ``field``.

        ``values``, shape (X, C), lie between ``least`` and ``most``; where a prompt is missing, they are ignored.
        """
        vectors = np.where(np.isnan(self.predictions.probabilities).any(axis=2), np.nan, values)[..., np.newaxis]
        averaged = Sampled(vectors, itself(len(values), least, most), sample)
        return Averages(averaged, (field, "", ""), (field, "", ""))

    def by(self, distance: Criterion) -> "Study":
        """Return a study of the same measurement with ``distance`` as the criterion J, on the raw scale."""
        return replace(self, choices=replace(self.choices, criterion=distance, scale="raw"))

    def _decomposed(self, decompose: Callable[..., T]) -> T:
        return decompose(
            self.predictions.probabilities,
            self.criterion,
            context_weights=self.predictions.context_weights,
            group_weights=self.predictions.group_weights,
            reference=self.predictions.reference,
            scale=self.choices.scale,
        )


def criterion_of_risk(choices: Choices) -> Criterion:
    """Return the criterion of risk J that the choices name.

    Raises:
        BvfError: It is a criterion of knowledge.
    """
    if not isinstance(choices.criterion, Criterion):
        raise BvfError(
            f"risk is by a criterion of risk, and {choices.criterion_name} is one of knowledge",
            "choose another with --criterion, such as linf",
        )
    return choices.criterion
