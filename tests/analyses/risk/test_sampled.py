"""Results of sampled answers: figures without the noise of sampling, intervals with it, and what cannot be said."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made_alike import GROUPS, measured, probabilities
from helpers.made_alike import by_samples as sampled

import bvf
from bvf.analyses.risk.tables import models_section
from bvf.errors import BvfError
from bvf.study.config import AnalysisConfig
from bvf.study.pairing import paired
from bvf.study.study import PARTICULAR, RISK, SHARED

SAMPLES = 24


def fair(contexts):
    return np.full((len(GROUPS), contexts, 2), 0.5)


def analysed(measurement, plugins, **choices):
    return bvf.analyse(replace(measurement, folder=None), AnalysisConfig(**choices), plugins=plugins)


def test_a_model_without_bias_and_volatility_has_none_but_for_little(plugins):
    result = analysed(sampled("a", fair(60)), plugins)
    naive = result.sampled.plug_in
    assert naive["R_volatility"] > 0.12
    assert result.R_volatility < 0.3 * naive["R_volatility"]
    assert pytest.approx(result.R_bias + result.R_volatility) == result.R
    assert pytest.approx(sum(group.weight * group.r for group in result.groups)) == result.R
    for group in result.groups:
        assert group.r >= group.r_bias
        assert group.intervals["r_volatility"].low == 0.0
    assert result.sampled.intervals["R_volatility"].low == 0.0
    assert result.uncertainty.intervals["R"].low < 0.05


@pytest.mark.parametrize("lean", [None, 0.0, 0.1, 0.6], ids=["fair", "0", "0.1", "0.6"])
def test_figures_are_possible_and_intervals_hold_the_risk_of_the_model_in_these_contexts(lean, plugins):
    """At most 2 of 24 intervals miss it, and none that of a fair model, which has none."""
    p = fair(20) if lean is None else lean * np.array([1.0, 0.0]) + (1.0 - lean) * probabilities(3, contexts=40)
    weights = np.array([each.count for each in measured("a", p).record.asked.templates])
    s, weights = 2 * p[..., 0] - 1, weights / weights.sum()
    R, R_bias = float(np.mean(np.abs(s) @ weights)), float(np.mean(np.abs(s @ weights)))
    results, missed = [analysed(sampled("a", p, seed), plugins) for seed in range(8)], 0
    for result in results:
        assert result.R >= result.R_bias >= 0.0
        assert result.sampled.plug_in["R"] >= result.R
        assert result.R_bias <= result.sampled.plug_in["R_bias"]
        intervals = result.sampled.intervals
        for name, value in {"R": R, "R_bias": R_bias, "R_volatility": R - R_bias}.items():
            missed += not intervals[name].low - 1e-9 <= value <= intervals[name].high + 1e-9
    assert missed <= (0 if lean is None else 2)
    if lean is None:
        assert np.mean([result.R for result in results]) < 0.03


def test_the_result_says_what_was_sampled(plugins):
    result = analysed(sampled("a", fair(30)), plugins)
    assert result.samples == SAMPLES
    assert result.sampled.hits == pytest.approx(0.7 * SAMPLES, abs=2)
    assert result.notes[0].startswith(f"sampled: p is the share of classes among {SAMPLES} continuations per prompt")
    assert "too large by the noise of sampling" in result.notes[1]
    assert models_section([result]).rows[0][0].endswith(" (sampled)")
    assert set(result.sampled.plug_in) == set(result.sampled.errors) == {*RISK, *SHARED, *PARTICULAR}
    lowest, highest = result.uncertainty.leaving_one_out["R"]
    assert 0.0 <= lowest <= result.R <= highest <= 1.0


def test_prompts_that_no_sample_answers_are_missing_and_counted(plugins):
    measurement = sampled("a", fair(30), samples=2)
    nobody = int((measurement.answers.hits == 0).sum())
    result = analysed(measurement, plugins)
    assert result.missing == nobody > 0
    assert any(f"{nobody} of {result.prompts} prompts are missing: no sample" in note for note in result.notes)


def test_where_halves_tell_nothing_a_note_says_that_noise_is_in_the_figures_and_models_are_not_compared(plugins):
    result = analysed(sampled("a", fair(30)), plugins, criterion="js")
    assert result.sampled is None
    assert "not sublinear, so R and R^v hold the noise of sampling" in result.notes[0]
    p = probabilities(3)
    with pytest.raises(BvfError, match="by js their noise cannot be taken out of a difference"):
        paired([measured("a", p), sampled("b", p)], AnalysisConfig(criterion="js"), plugins)
