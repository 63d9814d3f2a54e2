"""Intervals of texts that a reader with a counted error read include what is not known of that error."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from bvf_texts.misread import SPLITS, Confusion, reaches

from bvf.analyses.risk.sampled import further
from bvf.builtin.criteria import Linf
from bvf.stats.figures.risk import decompose_risk
from bvf.stats.sampling.sampled_answers import Answers
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample
from bvf.study.study import named_intervals, parts_of_risk


def test_intervals_hold_with_the_error_of_the_matrix_and_not_without():
    """The labelled texts say 0.83 and 0.7 where 0.9 and 0.8 are right: by one standard error and a half."""
    rng, sample, truth = np.random.default_rng(3), ContextSample(np.ones(150)), np.array([[0.9, 0.1], [0.2, 0.8]])
    p = np.stack([share := rng.beta(20, 10, (2, 150)), 1.0 - share], axis=-1)
    right, unlucky = decompose_risk(p, Linf()), Confusion(np.array([[33, 7], [12, 28]]))
    judged = rng.multinomial(np.full((2, 150), 20), p @ truth)
    answers = Answers(judged, np.full((2, 1, 2), 0.5), matrix=unlucky.matrix)
    risk_of = partial(sampled_risk, criterion=Linf(), sample=sample)
    whole = parts_of_risk(found := risk_of(answers))[0]
    reach = reaches(answers, unlucky, lambda given: parts_of_risk(risk_of(given)), found.group_weights, 0.95)
    intervals = named_intervals(whole.sampled.estimates(found.group_weights, 0.95), whole.names)
    shown = dict(zip(whole.names, map(float, whole.sampled.values(found.group_weights)), strict=True))
    for figure, by in zip(whole.names, reach[whole.names][:, 0], strict=True):
        wider = further(intervals[figure], shown[figure], by)
        assert wider.low <= getattr(right, figure) <= wider.high
    assert not intervals["R_bias"].low <= right.R_bias <= intervals["R_bias"].high
    again = [risk_of(replace(answers, matrix=each, splits=SPLITS)) for each in (unlucky.matrix, *unlucky.drawn_again())]
    R, *drawn = (float(parts_of_risk(each)[0].sampled.values(each.group_weights)[0]) for each in again)
    low, high = np.quantile(drawn, (0.025, 0.975))
    assert R - low != pytest.approx(high - R)
    assert reach[whole.names][0, 0] == pytest.approx(max(R - low, high - R))  # the same to both sides
