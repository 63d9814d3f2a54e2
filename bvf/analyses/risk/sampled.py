"""Risks from sampled answers. Estimates are without the noise of sampling, and intervals include it."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import NormalDist

import numpy as np

from bvf.analyses.risk.result import Result, SampledFigures
from bvf.arrays import FloatArray
from bvf.stats.figures.each_group import each_group
from bvf.stats.sampling.noisy import Noisy
from bvf.stats.sampling.sampled_answers import Answers, SamplingNoise
from bvf.stats.sampling.sampled_risk import SampledRisk, sampled_risk
from bvf.stats.sampling.samples import ContextSample
from bvf.study.averages import RISK, Averages, Names, parts_of_risk
from bvf.study.study import Study
from bvf.study.uncertainty import Interval
from bvf.tables.symbols import listed
from bvf.tables.words import between


def on_sampling(result: Result, study: Study, together: Mapping[str, float]) -> Result:
    """Return the result with what its figures owe to the sampling of answers (see `bvf.stats.sampling.noisy`).

    The figures themselves are without its noise already (`Study.risk`). If probabilities were computed, not sampled,
    the result is returned unchanged; if J is not sublinear, only a note is added. ``together`` has upper bounds of
    figures over all groups, by field, where groups cannot all reach their own bounds at once.
    """
    answers = study.predictions.answers
    if answers is None:
        return result
    mean_hits = float(answers.hits[answers.hits > 0].mean())
    what, counted = ("continuations", "are a candidate word") if result.texts is None else ("texts", "were read")
    note = (
        f"sampled: p is the share of classes among {result.samples} {what} per prompt, of which {mean_hits:.1f} "
        f"{counted} on average"
    )
    if study.holds_noise:
        noisy = listed(RISK[0], RISK[2])
        note += f"; {study.choices.criterion_name} is not sublinear, so {noisy} hold the noise of sampling"
        return result.model_copy(update={"notes": (note, *result.notes)})
    sample = study.sample or ContextSample(study.predictions.context_weights, "template")
    parts = parts_of_risk(study.sampled_risk(sample))
    by_sampling = _by_sampling(study, answers, parts, mean_hits, together)
    return _with_other_estimates(result, parts, by_sampling).model_copy(
        update={"sampled": by_sampling, "notes": (note, _note_on_noise(by_sampling), *result.notes)}
    )


def _with_other_estimates(result: Result, parts: Sequence[Averages], by_sampling: SampledFigures) -> Result:
    """The result with figures by shares in intervals, as the estimates that are off to the other side."""
    each, plug_in = each_group(len(result.groups)), [dict[str, float]() for _ in result.groups]
    for part in parts:
        for name, values in zip(part.of_group or (), _noisy(part).by_shares(each), strict=False):
            for of_group, value in zip(plug_in, values.tolist(), strict=True):
                of_group[name] = value
    groups = tuple(
        group.model_copy(update={"intervals": _with_other(group.intervals, others)})
        for group, others in zip(result.groups, plug_in, strict=True)
    )
    uncertainty = result.uncertainty
    intervals = _with_other(uncertainty.intervals, by_sampling.plug_in)
    return result.model_copy(
        update={"groups": groups, "uncertainty": uncertainty.model_copy(update={"intervals": intervals})}
    )


def _with_other(intervals: Mapping[str, Interval], others: Mapping[str, float]) -> dict[str, Interval]:
    return {
        name: each.model_copy(update={"cross_fit": others[name]}) if name in others else each
        for name, each in intervals.items()
    }


def _noisy(part: Averages) -> Noisy:
    assert isinstance(part.sampled, Noisy)
    return part.sampled


def _by_sampling(
    study: Study, answers: Answers, parts: Sequence[Averages], mean_hits: float, together: Mapping[str, float]
) -> SampledFigures:
    """What the figures owe to sampling alone: those by shares, standard errors, and intervals in the same contexts."""
    p_x, z = study.predictions.group_weights, NormalDist().inv_cdf(0.5 + study.choices.level / 2.0)
    plug_in, errors, intervals = dict[str, float](), dict[str, float](), dict[str, Interval]()
    sample = parts[0].sampled.sample
    again = [parts_of_risk(_drawn_again(study, each, sample)) for each in answers.drawn_again()]
    for part, drawn in zip(parts, zip(*again, strict=True), strict=True):
        noisy, others = _noisy(part), list(map(_noisy, drawn))
        noise = SamplingNoise(
            np.stack([each.cross_fit_totals for each in others]), np.stack([each.of_means for each in others])
        )
        by_shares = dict(zip(part.names, map(float, noisy.by_shares(p_x)), strict=True))
        plug_in |= by_shares
        errors |= dict(zip(part.names, map(float, noise.errors(p_x)), strict=True))
        reach = {name: z * errors[name] for name in part.names}
        intervals |= {
            name: Interval(low=low - reach[name], high=high + reach[name], cross_fit=by_shares[name]).within(
                max(min(float(noisy.most(p_x)), together.get(name, np.inf)), by_shares[name])
            )
            for name, (low, high) in _brackets(noisy, part.names, p_x)
        }
    return SampledFigures(hits=mean_hits, plug_in=plug_in, errors=errors, intervals=intervals)


def _drawn_again(study: Study, answers: Answers, sample: ContextSample) -> SampledRisk:
    return sampled_risk(
        answers,
        study.criterion,
        sample,
        group_weights=study.predictions.group_weights,
        scale=study.choices.scale,
    )


def _brackets(noisy: Noisy, names: Names, p_x: FloatArray) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield estimates biased downward and upward, by name: of a total, of the risk of the mean, of their difference."""
    total, of_mean, rest = map(float, noisy.by_shares(p_x))
    excess, lower = float(noisy.excess(p_x)), float(p_x @ noisy.cross_fit_of_means)
    ends = ((total - excess, total), (lower, of_mean), (rest - excess, max(total - lower, rest)))
    yield from zip(names, ends, strict=True)


def _note_on_noise(sampled: SampledFigures) -> str:
    plug_in, ends = sampled.plug_in, sampled.intervals
    return (
        f"with shares taken as exact, R would be {plug_in['R']:.4f}, R^b {plug_in['R_bias']:.4f} and R^v "
        f"{plug_in['R_volatility']:.4f}, too large by the noise of sampling; halves of the samples are held against "
        "each other, which errs downward. By sampling alone R may be "
        f"{between(ends['R'].low, ends['R'].high)}, and R^v "
        f"{between(ends['R_volatility'].low, ends['R_volatility'].high)}. The spread, and who changes sides, hold that "
        "noise"
    )
