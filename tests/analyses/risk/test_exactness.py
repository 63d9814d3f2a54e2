"""Figures of probabilities that are known between wide bounds are shown by their ends, wherever figures are shown."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made_alike import measured

import bvf
from bvf.analyses.compare.tables import sections
from bvf.analyses.gate.analysis import _decision
from bvf.analyses.gate.config import GateConfig
from bvf.hooks.loader import load
from bvf.interfaces.analysis import View
from bvf.results.figure import Figure, Figures
from bvf.study.choices import prepared
from bvf.study.config import AnalysisConfig
from bvf.study.study import Study


def figures(bounds, **choices):
    """Risks of the groups are .8 and .4, .2 and .2 in contexts of weight 3/7 and 4/7; p may be off by ``bounds``."""
    p = np.array([[0.9, 0.7], [0.4, 0.4]])
    made = measured(f"m{bounds}", np.stack([p, 1 - p], axis=2), groups=("nurse", "poet"))
    made = replace(made, bounds=np.full(p.shape, bounds))
    analysis, chosen = prepared(AnalysisConfig(**choices), made.record.asked, load())
    return Figures(Study.of(made, chosen), analysis)


def test_a_figure_that_may_be_off_by_more_than_a_tenth_is_between_ends_on_the_scale():
    """On the unit scale of linf and two classes, p off by .3 makes a risk off by .6."""
    rough, close = figures(0.3).result, figures(0.02).result
    R = (4 / 7 + 0.2) / 2
    assert rough.between["R"] == pytest.approx((0, R + 0.6))
    assert rough.between["R_volatility"][0] == 0
    assert rough.groups[0].between["r"] == pytest.approx((0, 1))
    assert rough.groups[1].between["r"] == pytest.approx((0, 0.8))
    assert (close.between, close.groups[0].between, close.warnings) == ({}, {}, ())
    assert rough.warnings[0].startswith(f"R is known only to lie within 0.00 to {R + 0.6:.2f}: ")
    assert figures(0.3, criterion="kl").result.between["R"] == (0, 1)  # how far it is off is not known


def test_every_table_has_the_ends_in_place_of_the_figure():
    run = figures(0.3)
    result, view = run.result, View(show=0)
    R = f"0.00 to {result.between['R'][1]:.2f}"
    first, details = (str(each) for each in (run.analysis.overview([result], view), run.analysis.rows([result], view)))
    assert f"R {R}: 0 if " in first
    assert f"R^b {R} (on average) and R^v 0.00 to" in first
    assert f"'{R}'" in details
    assert run.analysis.verdicts(result)[-1].headline.endswith(f"R is {R}.")
    assert f"{result.R:.3f}" not in first + details
    frame = result.to_frame()
    assert frame["r"].isna().all()
    assert list(frame["r_most"]) == pytest.approx([1, 0.8])
    compared = str(sections(bvf.compare([run.study.measurement, figures(0.0).study.measurement]), 0)[:2])
    assert f"'{R}'" in compared
    assert f"'{-result.R:.2f} to {result.between['R'][1] - result.R:.2f}'" in compared


@pytest.mark.parametrize(
    ("limit", "verdict"), [(0.2, "cannot tell"), (0.3, "cannot tell"), (0.9, "pass"), (0.1, "fail")]
)
def test_a_gate_decides_as_it_is_only_where_all_that_is_possible_is_on_one_side(limit, verdict):
    """R is .386, off by .2 at most."""
    decision = _decision(figures(0.1), None, "max", Figure("R"), limit, GateConfig(as_is=True, allow_low_mass=True))
    assert decision.verdict == verdict
    assert ("not exact" in decision.why(0.95)) == (verdict == "cannot tell")
