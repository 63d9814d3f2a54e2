"""How many contexts a width takes, from a pilot."""

import math

import numpy as np
import pytest
from helpers.sampled import risk_of, two_classes
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from bvf.builtin.criteria import Linf
from bvf.stats.comparing.comparison import differences
from bvf.stats.comparing.planning import Need, Reach, interval_reach
from bvf.stats.sampling.sampled_risk import sampled_risk
from bvf.stats.sampling.samples import ContextSample, DrawnFrom

PILOT, PRECISION = 200, 0.02


def reach(now=0.1, of_draws=4e-4, of_set=1e-4, draws=100, units=1000.0):
    return Reach(now, of_draws, of_set, draws, units, 0.95)


def test_four_times_the_draws_halve_what_comes_from_draws():
    assert reach(of_set=0.0).at(400) == pytest.approx(0.05, rel=0.02)  # Student's t is a little smaller, too
    assert reach(of_set=0.0).at(100) == pytest.approx(0.1)


def test_no_number_of_draws_makes_up_for_a_small_set():
    small = reach()
    assert small.at(10**9) == pytest.approx(0.1 * math.sqrt(1 / 5) * 1.95996 / 1.98422, rel=1e-4)
    need = small.needed(0.02)
    assert need.contexts is None
    assert small.at(None, need.units) <= 0.02 < small.at(None, need.units - 1)


def test_a_few_draws_do_not_tell_how_large_a_set_would_do_and_a_goal_of_nothing_is_out_of_reach():
    assert reach(draws=99).needed(0.02) == Need(too_small=True)
    assert reach(draws=100).needed(0.02).units > 1000
    assert reach(draws=30).needed(0.08).contexts > 30
    assert reach().needed(0.0) == reach().needed(-1.0) == Need()


def test_where_all_contexts_agree_the_bound_on_what_was_not_seen_shrinks():
    bound = 1 - 0.05 ** (1 / 100)
    agreed = Reach(bound, 0.0, 0.0, 100, math.inf, 0.95)
    assert agreed.needed(0.01) == Need(contexts=math.ceil(math.log(0.05) / math.log(0.99)))


@given(
    now=st.floats(0.001, 1),
    goal=st.floats(0.0005, 1),
    share=st.floats(0, 1),
    draws=st.integers(12, 5000),
    units=st.integers(50, 10**6),
)
def test_what_is_needed_is_enough_and_one_less_is_not(now, goal, share, draws, units):
    made = Reach(now, share * 1e-3, (1 - share) * 1e-3, draws, units, 0.95)
    need = made.needed(goal)
    assert (need.contexts is None) != (need.units is None) or need in (Need(), Need(too_small=True))
    for number, at in ((need.contexts, made.at), (need.units, lambda number: made.at(None, number))):
        if number is not None:
            assert at(number) <= goal
            assert number == 12 or at(number - 1) > goal


def test_the_noise_of_another_model_is_added():
    sample = ContextSample(np.ones(100))
    influence = np.resize([0.1, -0.1], 100)
    found = interval_reach(sample, influence, 0.0, 0.95).to_detect().now
    assert found == pytest.approx(math.sqrt(2) * 0.1 / math.sqrt(99) * (1.98422 + 0.84523), rel=1e-4)


class Mined:
    """A source of templates, a set mined from it, and draws from that set."""

    def __init__(self, rng, means, spread, occurrences=None):
        self.rng, templates = rng, 3000
        self.p = np.clip(means[:, np.newaxis] + rng.normal(0, spread, size=(len(means), templates)), 0.01, 0.99)
        weights = 1 / np.arange(1, templates + 1)
        self.weights, self.occurrences = weights / weights.sum(), occurrences
        if occurrences:
            self.weights = rng.multinomial(occurrences, self.weights) / occurrences

    def drawn(self, number):
        counts = self.rng.multinomial(number, self.weights).astype(float)
        there = counts > 0
        p = self.p[:, there]
        source = DrawnFrom(self.occurrences or np.inf, self.weights[there] * (self.occurrences or 1.0))
        sample = ContextSample(counts[there], drawn_from=source)
        return sampled_risk(np.stack([p, 1 - p], axis=2), Linf(), sample)

    def widths(self, number):
        """The sampled risk, and half of the intervals of R, R^b and R^v."""
        sampled = self.drawn(number)
        each = sampled.risk.estimates(sampled.group_weights, 0.95)
        estimates = (each.total, each.of_mean, each.rest)
        return sampled, np.array([float(e.high - e.low) / 2 for e in estimates])


@pytest.mark.parametrize("spread", [0.1, 0.3])
@pytest.mark.parametrize("occurrences", [None, 20_000])
@pytest.mark.parametrize("lean", [0.0, 0.3])
def test_the_contexts_that_are_said_to_do_give_the_width(spread, occurrences, lean):
    rng = np.random.default_rng(3)
    means = 0.5 + lean * np.linspace(0.8, 1.2, 12)
    for figure in (0, 1):
        got = []
        for _ in range(8):
            mined = Mined(rng, means, spread, occurrences)
            pilot, widths = mined.widths(PILOT)
            influence = pilot.group_weights @ pilot.risk.influences[figure]
            need = interval_reach(pilot.risk.sample, influence, widths[figure], 0.95).needed(widths[figure] / 3)
            got.append(mined.widths(need.contexts)[1][figure] / (widths[figure] / 3))
        assert np.median(got) == pytest.approx(1.0, abs=0.25)


def bias_of_two(lean, other):
    """The sampled risks of two models with such leans in contexts of equal weight, and the difference of their R^b."""
    models = [risk_of(two_classes(each), ContextSample(np.ones(100))) for each in (lean, other)]
    alone = np.full(len(lean), 1.0 / len(lean))
    return *models, differences(*models, alone, 0.95).of_mean


def test_near_a_kink_the_plan_is_for_the_test_of_halves_too():
    """By hand: 1.98422 + 0.84523 times the error of a clear group plus sqrt(2) of a doubtful one, and what is apart."""
    clear, doubtful = np.resize([0.5, 0.3], 100), np.resize([0.12, 0.12, -0.1, -0.1], 100)
    one, other, found = bias_of_two([clear, doubtful], np.full((2, 100), 0.3))
    assert one.in_doubt.tolist() == [False, True]
    error = (0.05 + math.sqrt(2) * 0.055) / math.sqrt(99)
    apart = float(found.value - found.cross_fit)
    assert found.detectable == pytest.approx(apart + error * (1.98422 + 0.84523), rel=1e-3)
    influence = np.array([0.5, 0.5]) @ (one.influences[1] - other.influences[1])
    made = interval_reach(one.sample, influence, 0.0, 0.95).to_detect(float(found.detectable))
    assert (made.now, made.at(None, 400)) == (found.detectable, pytest.approx(made.now / 2, rel=0.02))


def test_where_no_group_is_in_doubt_the_plan_is_for_one_test():
    """By hand, for a clear group: 1.98422 + 0.84523 times its error."""
    _, _, found = bias_of_two([np.resize([0.5, 0.3], 100)], np.full((1, 100), 0.3))
    assert found.detectable == pytest.approx(0.1 / math.sqrt(99) * (1.98422 + 0.84523), rel=1e-4)


def test_a_difference_near_0_is_found_as_often_as_planned():
    """R^b of one model is 0, of the other .05; planned for one test, it is found in fewer than half of samples."""
    rng, found = np.random.default_rng(5), []
    for _ in range(4):
        lean = np.array([np.zeros(12), np.resize([0.05, -0.05], 12)])
        leans = [each[:, np.newaxis] + rng.uniform(-0.5, 0.5, (12, 4000)) for each in lean]
        leans = [each + (at - each.mean(axis=1))[:, np.newaxis] for each, at in zip(leans, lean, strict=True)]

        def drawn(number, leans=leans):
            at = rng.integers(0, 4000, number)
            return [sampled_risk(two_classes(each[:, at]), Linf(), ContextSample(np.ones(number))) for each in leans]

        for _ in range(12):
            one, other = drawn(80)
            on = one.group_weights @ (one.risk.influences[1] - other.risk.influences[1])
            now = differences(one.risk, other.risk, one.group_weights, 0.95).of_mean.detectable
            need = interval_reach(one.risk.sample, on, 0.0, 0.95).to_detect(float(now)).needed(0.05)
            one, other = drawn(need.units)
            found.append(differences(one.risk, other.risk, one.group_weights, 0.95).of_mean.p_value < 0.05)
    assert np.mean(found) >= 0.65


def test_a_plan_has_the_degrees_of_freedom_of_the_intervals_of_draws_from_documents():
    """The half-width at four times the draws is what the interval of such a sample has, but for its variance."""
    rng = np.random.default_rng(6)
    counts, influence = np.full(30, 40.0), rng.normal(size=30)
    replicates = np.array([rng.poisson(1.0, 200) * 40 for _ in range(30)])
    source = DrawnFrom(1200.0, counts, replicates, 30)
    now, more = (ContextSample(np.full(30, drawn), "document", drawn_from=source) for drawn in (4.0, 16.0))
    influence -= influence @ now.weights
    made = interval_reach(now, influence, 0.1, 0.95)
    of_draws, of_set = made.of_draws / 4.0, made.of_set
    shrunk = math.sqrt((of_draws + of_set) / (made.of_draws + made.of_set))
    t_now, t_more = (student.ppf(0.975, sample.freedom) for sample in (now, more))
    assert now.freedom < 30.0 < 119.0
    assert made.at(480) == pytest.approx(0.1 * shrunk * t_more / t_now)
    error = math.sqrt(made.of_draws + made.of_set)
    assert made.to_detect().now == pytest.approx(math.sqrt(2) * error * (t_now + student.ppf(0.8, now.freedom)))
