"""Risks from sampled answers. Estimates are without the noise of sampling, and intervals include it."""

from collections.abc import Mapping, Sequence
from statistics import NormalDist

import numpy as np

from bvf.analyses.risk.result import GroupRisk, Result, SampledFigures
from bvf.arrays import FloatArray, IntArray
from bvf.stats.each_group import each_group
from bvf.stats.probabilities import normalised_context_weights, without_rounding
from bvf.stats.risk import criterion_for
from bvf.stats.sampled_answers import SampledAnswers
from bvf.stats.samples import ContextSample
from bvf.study.averages import RISK, RISK_OF_GROUP
from bvf.study.study import Study
from bvf.study.uncertainty import Interval
from bvf.tables.symbols import listed
from bvf.tables.words import between


def without_noise(result: Result, study: Study) -> Result:
    """Return the result with cross-fit estimates of R and R^v (volatility), which exclude the noise of sampling.

    For the estimates see `bvf.stats.sampled_answers`; r of a group is at least its r^b. Intervals span the cross-fit
    and the plug-in estimate, and include the noise of sampling. If probabilities were computed, not sampled, the result
    is returned unchanged; if J is not sublinear, only a note is added.
    """
    if study.measurement.hits is None:
        return result
    hits, choices, predictions = _hits(study.measurement.hits, study), study.choices, study.predictions
    mean_hits = float(hits[hits > 0].mean())
    note = (
        f"sampled: p is the share of classes among {result.samples} continuations per prompt, of which {mean_hits:.1f} "
        "are a candidate word on average"
    )
    if not study.criterion.sublinear:
        noisy = listed(RISK[0], RISK[2])
        note += f"; {choices.criterion_name} is not sublinear, so {noisy} hold the noise of sampling"
        return result.model_copy(update={"notes": (note, *result.notes)})
    answers = _answers(result, study, hits)
    total, of_mean = answers.cross_fit()
    r = np.maximum(total, [group.r_bias for group in result.groups])
    noise, z = answers.noise(), NormalDist().inv_cdf(0.5 + choices.level / 2.0)
    of_groups = np.column_stack(noise.errors(each_group(len(r))))
    groups = tuple(
        _group(group, r_x, bias_x, z * errors)
        for group, r_x, bias_x, errors in zip(result.groups, r.tolist(), of_mean.tolist(), of_groups, strict=True)
    )
    p_x = predictions.group_weights
    errors = np.array(noise.errors(p_x))
    R = float(p_x @ r)
    plug_in = {name: float(getattr(result, name)) for name in RISK}
    brackets = _brackets(RISK, plug_in, R, float(p_x @ of_mean))
    most = float(study.sampled_risk(ContextSample(predictions.context_weights, "template")).risk.most(p_x))
    alone = _noisy({}, plug_in, brackets, z * errors)
    by_sampling = {name: each.within(max(most, plug_in[name])) for name, each in alone.items()}
    uncertainty = result.uncertainty
    wider = _noisy(uncertainty.intervals, plug_in, brackets, z * errors) if uncertainty.intervals else {}
    return result.model_copy(
        update={
            "R": R,
            "R_volatility": float(without_rounding(np.array(R - result.R_bias), np.array(R))),
            "groups": groups,
            "uncertainty": uncertainty.model_copy(
                update={"intervals": wider, "leaving_one_out": {}, "as_templates": {}}
            ),
            "sampled": SampledFigures(
                hits=mean_hits,
                plug_in={name: plug_in[name] for name in ("R", "R_volatility")},
                errors=dict(zip(RISK, errors.tolist(), strict=True)),
                intervals=by_sampling,
            ),
            "notes": (note, _note_on_noise(plug_in, by_sampling), *result.notes),
        }
    )


def _note_on_noise(plug_in: Mapping[str, float], by_sampling: Mapping[str, Interval]) -> str:
    return (
        f"with shares taken as exact, R would be {plug_in['R']:.4f} and R^v {plug_in['R_volatility']:.4f}, too large "
        "by the noise of sampling; halves of the samples are held against each other, which errs downward. By sampling "
        f"alone R may be {between(by_sampling['R'].low, by_sampling['R'].high)}, and R^v "
        f"{between(by_sampling['R_volatility'].low, by_sampling['R_volatility'].high)}. The spread, who changes "
        "sides, and risks of single contexts hold that noise"
    )


def _hits(of_all: FloatArray, study: Study) -> FloatArray:
    """The number of samples per prompt that are analysed words, shape (X, C), for the analysed groups."""
    asked, logp, predictions = study.measurement.record.asked, study.measurement.word_logprobs, study.predictions
    rows = [asked.row_of[group.name] for group in predictions.groups]
    hits = of_all[rows]
    if logp is None or predictions.asked.words == asked.words:
        return hits
    counts = np.array([word in predictions.asked.words for word in asked.words])
    p = np.exp(logp[rows])
    shares: FloatArray = np.divide(p[..., counts].sum(axis=2), p.sum(axis=2), out=np.zeros_like(hits), where=hits > 0)
    return (hits * shares).round()


def _answers(result: Result, study: Study, hits: FloatArray) -> SampledAnswers:
    p, p_star = study.predictions.probabilities, study.predictions.reference
    counts: IntArray = np.rint(np.nan_to_num(p) * hits[..., np.newaxis]).astype(np.intp)
    criterion = study.criterion.for_classes(study.predictions.classes)
    weights = normalised_context_weights(study.predictions.context_weights, p)
    return SampledAnswers(counts, criterion_for(criterion, p_star), p_star, weights, result.divisor)


def _group(group: GroupRisk, r: float, of_mean: float, reach: FloatArray) -> GroupRisk:
    plug_in = {name: float(getattr(group, name)) for name in RISK_OF_GROUP}
    brackets = _brackets(RISK_OF_GROUP, plug_in, r, of_mean)
    intervals = _noisy(group.intervals, plug_in, brackets, reach) if group.intervals else {}
    return group.model_copy(update={"r": r, "r_volatility": r - group.r_bias, "intervals": intervals})


def _brackets(
    names: Sequence[str], plug_in: Mapping[str, float], total: float, of_mean: float
) -> dict[str, tuple[float, float]]:
    """Estimates biased downward and upward, by name: of a total, of the risk of the mean, and of their difference.

    The first of the two is the cross-fit estimate, the second the plug-in one; a difference combines one of each.
    """
    first, second, rest = names
    return {
        first: (total, plug_in[first]),
        second: (min(of_mean, plug_in[second]), plug_in[second]),
        rest: (total - plug_in[second], max(plug_in[first] - of_mean, plug_in[rest])),
    }


def _noisy(
    known: Mapping[str, Interval],
    plug_in: Mapping[str, float],
    brackets: Mapping[str, tuple[float, float]],
    reach: FloatArray,
) -> dict[str, Interval]:
    """Intervals that include the error of contexts and, independent of it, the noise of sampling.

    ``known`` are intervals of the plug-in figures for the error of contexts; empty: only the noise is included.
    ``reach`` is half the width due to sampling alone, per figure.
    """
    intervals = {}
    for (name, (lower, upper)), noise in zip(brackets.items(), reach.tolist(), strict=True):
        point = plug_in[name]
        around = known.get(name) or Interval(low=point, high=point)
        low, high = (lower - float(np.hypot(point - around.low, noise)), float(np.hypot(around.high - point, noise)))
        other = lower if name.endswith("bias") else upper
        intervals[name] = Interval(low=low, high=upper + high, cross_fit=other)
    return intervals
