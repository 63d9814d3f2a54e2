"""A figure is judged by the whole of its interval, and not at all where the interval or the words are in doubt."""

import pytest
from helpers.rendered import risks
from hypothesis import given
from hypothesis import strategies as st

from bvf.domain.measurement import CandidateMass
from bvf.results.judging import is_within, judged
from bvf.study.uncertainty import Interval

ends = st.floats(0, 1)


def result(low, high, *, units=80, mass=0.2, draws=80):
    base = risks()
    uncertainty = base.uncertainty.model_copy(
        update={"undefined": "", "units": units, "draws": draws, "intervals": {"R_bias": Interval(low=low, high=high)}}
    )
    little = CandidateMass(prompts=1, mean=mass, quantile_05=mass, quantile_25=mass)
    return base.model_copy(update={"uncertainty": uncertainty, "candidate_mass": little})


@given(ends, ends, ends)
def test_the_whole_interval_is_on_one_side_or_the_verdict_is_open(one, other, limit):
    low, high = sorted((one, other))
    within = is_within(low, high, limit)
    if within is not None:
        assert (high <= limit + 1e-9) if within else (low > limit)
    else:
        assert low <= limit + 1e-9 < high + 1e-9


@pytest.mark.parametrize(
    ("low", "high", "tone"), [(0.06, 0.2, "biased"), (0.0, 0.05, "none"), (0.0, 0.2, "cannot tell")]
)
def test_a_figure_is_biased_negligible_or_open(low, high, tone):
    assert judged(result(low, high), "R_bias", 0.05)[0] == tone


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"units": 10, "draws": 10}, "intervals rest on 10 drawn contexts: they were tested for 50 and more"),
        ({"units": 49.5, "draws": None}, "intervals rest on 49.5 s"),
        ({"mass": 0.0099}, "the compared words have 0.99% of the probability on average"),
    ],
)
def test_what_is_in_doubt_is_not_judged_however_clear_the_interval(changes, why):
    for low, high in ((0.3, 0.4), (0.0, 0.01)):
        tone, said = judged(result(low, high, **changes), "R_bias", 0.05)
        assert tone == "cannot tell"
        assert said.startswith(why)


def test_a_figure_without_an_interval_is_not_judged():
    known = result(0.3, 0.4)
    assert judged(known, "R", 0.05) == ("cannot tell", "it has no interval")
    unknown = known.uncertainty.model_copy(update={"intervals": {}, "undefined": "there is one context"})
    assert judged(known.model_copy(update={"uncertainty": unknown}), "R_bias", 0.05)[1] == "there is one context"
