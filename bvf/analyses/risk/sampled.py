"""Risks from sampled answers: estimates are without their noise, and intervals include it and errors of reading."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist

import numpy as np

from bvf.analyses.risk.result import SampledFigures
from bvf.arrays import FloatArray, each_group
from bvf.domain.scale import ends_at_1
from bvf.results.contribution import NOTHING, Contribution
from bvf.results.intervals import Change, Intervals
from bvf.stats.sampling.noisy import Noisy
from bvf.stats.sampling.sampled_answers import Answers
from bvf.stats.sampling.samples import ContextSample
from bvf.study.study import PARTICULAR, RISK, Averages, Names, Study
from bvf.study.uncertainty import Interval
from bvf.tables.quantities import listed
from bvf.tables.words import between, counted


@dataclass(frozen=True)
class Doubt:
    """What is not known of how answers were read: sentences on it, and how far figures may be off by it.

    Args:
        correction: Notes on what was corrected; they come first in the result.
        doubt: A note or warning on differences between groups.
        of_all: How far each figure over all groups may be off, by field; empty: no error was counted.
        of_groups: The same of the figures of each group.
    """

    correction: Contribution = NOTHING
    doubt: Contribution = NOTHING
    of_all: Mapping[str, float] = field(default_factory=dict)
    of_groups: Sequence[Mapping[str, float]] = ()

    def widened(self, intervals: Intervals, figures: Contribution) -> Intervals:
        """Return intervals that hold this error too; ``figures`` has the values that they are of."""
        if not self.of_all:
            return intervals

        def wider(name: str, interval: Interval, x: int | None) -> Interval:
            values, by = (figures.fields, self.of_all) if x is None else (figures.of_groups[x], self.of_groups[x])
            return further(interval, values.get(name), by.get(name, 0.0))

        as_templates = {name: wider(name, each, None) for name, each in intervals.as_templates.items()}
        return replace(intervals.changed(wider), as_templates=as_templates)


def further(interval: Interval, value: float | None, by: float) -> Interval:
    """Return the interval of a figure with a further, independent error; None, a figure that is not there: the same."""
    if value is None:
        return interval
    low = value - float(np.hypot(max(value - interval.low, 0.0), by))
    high = value + float(np.hypot(max(interval.high - value, 0.0), by))
    return interval.model_copy(update={"low": min(max(low, 0.0), interval.low), "high": max(high, interval.high)})


def most_together(study: Study) -> dict[str, float]:
    """Return upper bounds of figures over all groups, by field, where groups cannot all reach their own at once."""
    return dict.fromkeys(PARTICULAR, 1.0) if ends_at_1(study.choices.scale) else {}


def sampling_of(study: Study, figures: Contribution, error: Doubt) -> tuple[Contribution, Change]:
    """Return what figures owe to the sampling of answers (see `bvf.stats.sampling.noisy`), and the change of intervals.

    ``figures`` are without its noise already (`Study.risk`). Intervals get figures with shares taken as exact as the
    estimates that are off to the other side. If probabilities were computed, not sampled, nothing is added; if J is not
    sublinear, only a note is.
    """
    answers, record = study.predictions.answers, study.measurement.record
    if answers is None:
        return NOTHING, lambda name, interval, x: interval
    mean_hits = float(answers.hits[answers.hits > 0].mean())
    of_words = study.measurement.answers.way == "words"
    what, hit = ("continuation", "are a candidate word") if of_words else ("text", "were read")
    estimated = "the share of classes among" if answers.each is None else "estimated from"
    note = (
        f"sampled: p is {estimated} {counted(record.model.samples, what)} per prompt, of which {mean_hits:.1f} {hit} "
        "on average"
    )
    if study.holds_noise:
        noisy = listed(RISK[0], RISK[2])
        note += f"; {study.choices.criterion_name} is not sublinear, so {noisy} hold the noise of sampling"
        return Contribution(notes=(note,)), lambda name, interval, x: interval
    sample = study.sample or ContextSample(study.predictions.context_weights, "template")
    parts = study.parts(sample)
    found = _by_sampling(study, answers, parts, mean_hits)
    every = error.widened(Intervals(found.intervals, ()), figures).of_all
    fields = {"sampled": found.model_copy(update={"intervals": every})}
    each = each_group(len(study.predictions.groups))
    by_shares = {
        name: values.tolist()
        for part in parts
        for name, values in zip(part.of_group or (), _noisy(part).by_shares(each), strict=False)
    }

    def with_other_estimate(name: str, interval: Interval, x: int | None) -> Interval:
        other = found.plug_in.get(name) if x is None else by_shares[name][x] if name in by_shares else None
        return interval if other is None else interval.model_copy(update={"cross_fit": other})

    return Contribution(fields, notes=(note, _note_on_noise(found))), with_other_estimate


def _noisy(part: Averages) -> Noisy:
    assert isinstance(part.sampled, Noisy)
    return part.sampled


def _by_sampling(study: Study, answers: Answers, parts: Sequence[Averages], mean_hits: float) -> SampledFigures:
    """What the figures owe to sampling alone: those by shares, standard errors, and intervals in the same contexts."""
    p_x, z = study.predictions.group_weights, NormalDist().inv_cdf(0.5 + study.choices.level / 2.0)
    plug_in, errors, intervals = dict[str, float](), dict[str, float](), dict[str, Interval]()
    sample, together = parts[0].sampled.sample, most_together(study)
    again = [study.parts(sample, each) for each in answers.drawn_again()]
    for part, drawn in zip(parts, zip(*again, strict=True), strict=True):
        noisy, others = _noisy(part), list(map(_noisy, drawn))
        several = (answers.hits > 1).any()  # else nothing is known of J in a context, and R is that of the means
        totals = np.stack([each.cross_fit_totals if several else each.cross_fit_of_means for each in others]) @ p_x
        of_means = np.stack([each.of_means for each in others]) @ p_x
        noise = [float(each.std(ddof=1)) for each in (totals, of_means, totals - of_means)]
        by_shares = dict(zip(part.names, map(float, noisy.by_shares(p_x)), strict=True))
        plug_in |= by_shares
        errors |= dict(zip(part.names, noise, strict=True))
        reach = {name: z * errors[name] for name in part.names}
        intervals |= {
            name: Interval(low=low - reach[name], high=high + reach[name], cross_fit=by_shares[name]).within(
                max(min(float(noisy.most(p_x)), together.get(name, np.inf)), by_shares[name])
            )
            for name, (low, high) in _brackets(noisy, part.names, p_x)
        }
    return SampledFigures(hits=mean_hits, plug_in=plug_in, errors=errors, intervals=intervals)


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
