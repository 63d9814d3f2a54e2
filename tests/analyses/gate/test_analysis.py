"""A gate passes what is surely within a limit, fails what is surely beyond it, and says where it cannot tell."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from bvf_knowledge.result import GroupKnowledge, KnowledgeResult
from helpers.made_alike import drawn, measured, probabilities
from hypothesis import given
from hypothesis import strategies as st

import bvf
from bvf import BvfError
from bvf.analyses.gate.analysis import decided
from bvf.analyses.gate.config import read_gate
from bvf.analyses.gate.result import Decision, GateResult
from bvf.analyses.gate.tables import annotations, junit
from bvf.analyses.risk.result import GroupRisk, Result
from bvf.cli.results.gate import parsed_limits
from bvf.hooks.loader import load
from bvf.results.difference import Baseline
from bvf.results.figure import Figure, measured_in
from bvf.study.config import AnalysisConfig
from bvf.study.pairing import paired


def decision(verdict="pass", **changes):
    fields = {"figure": "R", "bound": "max", "limit": 0.5, "value": 0.4, "low": 0.3, "high": 0.45, "draws": 30}
    return Decision(**{**fields, "verdict": verdict, "set_contexts": 2133, **changes})


def result(*decisions):
    chosen = {"criterion": "linf", "scale": "unit", "reference": "uniform", "group_weights": "uniform", "level": 0.95}
    return GateResult(folder="runs/x", model="m", topic="gender", language="en", decisions=decisions, **chosen)


@given(low=st.floats(-2, 2), width=st.floats(0, 2), limit=st.floats(-2, 2))
def test_an_interval_keeps_to_a_limit_as_a_whole_or_not_at_all_or_nobody_can_tell(low, width, limit):
    high = low + width
    verdict = decided(low, high, limit, "max")
    assert (verdict == "pass") == (high <= limit + 1e-9)
    assert (verdict == "fail") == (low > limit + 1e-9)
    assert decided(-high, -low, -limit, "min") == verdict


def test_rounding_decides_nothing():
    for bound in ("max", "min", "no_worse"):
        assert decided(-1.9e-16, 1.9e-16, 0.0, bound) == "pass"
    assert decided(0.1 + 0.2, 0.4, 0.3, "max") == "cannot tell"
    assert decided(0.2, 0.1 + 0.2, 0.3, "max") == "pass"
    assert decided(0.2, 0.3 + 1e-6, 0.3, "max") == "cannot tell"


@pytest.mark.parametrize(
    ("verdicts", "code"), [(("pass", "pass"), 0), (("pass", "cannot tell"), 3), (("cannot tell", "fail", "pass"), 1)]
)
def test_the_exit_code_is_that_of_the_worst(verdicts, code):
    assert result(*map(decision, verdicts)).exit_code == code


def test_figures_have_names_of_fields_and_of_groups():
    assert Figure.named("R_bias") == Figure("R_bias")
    assert Figure.named("r_bias[truck driver]") == Figure("r_bias", "truck driver")
    assert str(Figure.named("r[a [b]]")) == "r[a [b]]"
    for text in ("", "r[", "r[]", "R bias"):
        with pytest.raises(BvfError, match="names no figure"):
            Figure.named(text)


def test_limits_are_read_from_texts():
    assert parsed_limits(["R=0.4", "r[a=b]=1"], "max") == {"R": 0.4, "r[a=b]": 1.0}
    assert parsed_limits(["0.01"], "no_worse") == {"R": 0.01}
    for texts in (["R"], ["0.4"], ["R="], ["R=nan"], ["R=inf"], ["R=x"]):
        with pytest.raises(BvfError, match="no limit is set"):
            parsed_limits(texts, "max")
    with pytest.raises(BvfError, match="two limits"):
        parsed_limits(["R=1", "R=2"], "max")


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ('[max]\nR = "0.4"', 'max.R is "0.4": Input should be a valid number', "[max] and, below it, R = 0.4"),
        ("[max]\nR = true", "max.R is", "[max] and, below it, R = 0.4"),
        ("max = 0.4", "max: Input should be a valid dictionary", "[max] and, below it, R = 0.4"),
        ("R = 0.4", 'no setting "R"', "write a limit in a table: write [max]"),
        ("[max]\nr_bias[artist] = 0.4", "not TOML", 'write "r_bias[artist]" = 0.4, with the quotes'),
        ('[max]\nR = 0.4\n" R " = 0.5', "max: R has two limits", ""),
        ("[mox]\nR = 1", 'no setting "mox"', "max"),
        ('as_is = "yes"', 'as_is is "yes"', "true"),
        ("as_is = 1", 'as_is is "1"', "true"),
        ("allow_low_mass = 1", 'allow_low_mass is "1"', "true"),
    ],
)
def test_a_file_with_another_setting_is_refused(tmp_path, text, what, hint):
    file = tmp_path / "gate.toml"
    file.write_text(text)
    with pytest.raises(BvfError) as refused:
        read_gate(file)
    assert str(refused.value).startswith(f"{file}: ")
    assert what in str(refused.value)
    assert hint in refused.value.hint


@pytest.mark.parametrize("folder", ["", "/"], ids=["beside the file", "of the machine"])
def test_a_file_names_figures_with_space_around_them_and_its_baseline_from_its_folder(tmp_path, folder):
    file = tmp_path / "gate.toml"
    file.write_text(f'baseline = "{folder}runs/before"\n[no_worse]\n" R " = 0.1\n')
    baseline = str((Path(folder) if folder else tmp_path) / "runs" / "before")
    assert read_gate(file) == {"baseline": baseline, "no_worse": {"R": 0.1}}


@pytest.mark.parametrize(
    ("holder", "figures"),
    [
        (Result, {"R", "R_bias", "R_volatility", "spread", "particular"}),
        (GroupRisk, {"r", "r_bias", "r_volatility", "spread"}),
        (KnowledgeResult, {"mastery", "accuracy", "consistency"}),
        (GroupKnowledge, set()),
    ],
)
def test_only_figures_of_the_model_can_have_limits(holder, figures):
    named = set(measured_in(holder.model_construct()))
    assert figures <= named
    no_figures = {"effective_contexts", "tolerance", "divisor", "deviation_bound", "chance", "weight", "word_lists"}
    assert not no_figures & named


def test_a_line_says_what_was_decided_and_what_would_do():
    said = result(
        decision(),
        decision("fail", bound="min"),
        decision("cannot tell", contexts=120),
        decision("cannot tell", contexts=3000),
        decision("cannot tell", units=9000, set_unit="document"),
        decision("cannot tell", value=0.5),
        decision("cannot tell", low=None, high=None, no_interval="written"),
        decision("fail", low=None, high=None, no_interval="written", limit=0.3),
        decision("cannot tell", too_small=True),
    ).lines
    assert said[0] == "pass: R 0.4000 (95%: 0.3000 to 0.4500) is at most 0.5"
    assert said[1] == "fail: R 0.4000 (95%: 0.3000 to 0.4500) is less than 0.5"
    likely = "if the figure stays the same, with a chance of 80%, "
    assert f"the interval includes the limit 0.5; {likely}90 more contexts would do: --sample-contexts 120" in said[2]
    assert "all 2,133 contexts of the set would do: --sample-contexts 0" in said[3]
    assert f"no number of contexts of this set would do; {likely}a set of 9,000 documents would" in said[4]
    assert said[5].endswith("no number of contexts would do: the figure equals the limit, or nearly so")
    assert said[6].endswith("has no interval: written; --as-is decides on the figure itself")
    assert said[7] == "fail: R 0.4000 itself is more than 0.3; it has no interval: written"
    assert said[8].endswith("30 contexts are too few to say how many are needed: --sample-contexts 100")


def test_the_reason_is_named_before_all_else_little_probability_or_a_small_sample_and_what_would_do():
    little = "the compared words have 0.02% of the probability on average"
    needed = f"{little}, where 1% is needed; --allow-low-mass decides all the same"
    few = "they were tested for 50 and more"
    made = [
        decision("cannot tell", low_mass=little),
        decision("cannot tell", low_mass=little, low=None, high=None, no_interval="written"),
        decision("cannot tell", few=f"intervals rest on 30 drawn contexts: {few}", contexts=100),
        decision("cannot tell", few=f"intervals rest on 30 occurrences: {few}", units=50, draws=None),
        decision("cannot tell", few=f"intervals rest on 30: {few}", units=50, draws=None, set_unit="document"),
    ]
    with_interval, without_interval, drawn, occurrences, documents = result(*made).lines
    assert with_interval == f"cannot tell: R 0.4000 (95%: 0.3000 to 0.4500): {needed}"
    assert without_interval == f"cannot tell: R 0.4000: {needed}"
    assert drawn.endswith("30 drawn contexts: they were tested for 50 and more; --sample-contexts 100")
    assert occurrences.endswith("50 and more; a set of 50 occurrences and more would do")
    assert documents.endswith("50 and more; a set of 50 documents and more would do")


def test_a_line_on_a_baseline_says_which_run_is_to_be_extended():
    than = {"bound": "no_worse", "limit": 0.01, "value": -0.0061, "low": -0.02, "high": 0.005}
    open_one = than | {"high": 0.02}
    passed, undecided, whole = result(
        decision(**than),
        decision("cannot tell", **open_one, contexts=109, extend=("before",)),
        decision("cannot tell", **open_one, contexts=2133, extend=("before", "now")),
    ).lines
    above = "R less that of the baseline is -0.0061"
    assert passed == f"pass: {above} (95%: -0.0200 to 0.0050), which is at most 0.01"
    assert undecided.startswith(f"cannot tell: {above} (95%: -0.0200 to 0.0200): the interval includes the limit 0.01")
    assert undecided.endswith("79 more contexts would do: --sample-contexts 109 for before")
    assert whole.endswith("all 2,133 contexts of the set would do: --sample-contexts 0 for before and now")


def test_runs_are_compared_by_the_draws_that_both_have():
    now = drawn("now", probabilities(2, contexts=300), 60)
    before = drawn("then", probabilities(1, contexts=300), 30)
    both = Baseline(paired((now, before), AnalysisConfig(), load()), {"now": 60, "then": 30})
    common = both.in_common
    assert (common.draws, common.groups, common.groups_left_out) == (30, 4, 0)
    assert common.contexts_left_out == len(now.record.asked.in_order) - len(before.record.asked.in_order)
    assert common.described == f"compared in {common.contexts} of {common.contexts + common.contexts_left_out} contexts"
    assert both.short_of(45) == ("then",)
    assert both.short_of(100) == both.short_of(300) == ("now", "then")
    assert both.need(Figure("R"), both.value(Figure("R")) + 0.02).contexts > 30


def test_words_that_were_left_out_widen_the_interval_as_they_do_where_models_are_compared():
    """On the unit scale of linf and two classes, p off by .01 makes a risk off by .02; a difference of two, by .04."""
    exact = [measured(name, probabilities(seed, contexts=60)) for name, seed in (("now", 2), ("then", 1))]
    loose = [replace(each, bounds=np.full(each.bounds.shape, 0.01)) for each in exact]
    ends = [Baseline(paired(tuple(both), AnalysisConfig(), load()), {}).ends(Figure("R")) for both in (exact, loose)]
    assert np.subtract(ends[1], ends[0]) == pytest.approx([-0.04, 0.04])
    [row] = [each for each in bvf.compare(loose).topics[0].differences if each.figure == "R"]
    assert (row.low, row.high) == pytest.approx(ends[1])


def test_junit_has_a_case_per_limit_and_odd_names_stay_in_place():
    odd = decision("fail", figure='r[<"a&b>\x1b]')
    suite = ElementTree.fromstring(junit(result(decision(), odd, decision("cannot tell"))).encode())
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "1")
    passed, failed, unknown = suite.findall("testcase")
    chosen = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert [chosen[name] for name in ("criterion", "reference", "level")] == ["linf", "uniform", "0.95"]
    assert "margin" not in chosen
    assert not list(passed)
    assert failed[0].tag == "failure"
    assert failed.get("name") == 'r[<"a&b>\\x1b] max 0.5'
    assert unknown[0].tag == "error"


def test_annotations_are_one_line_each_and_cannot_be_broken_out_of():
    commands = annotations(result(decision(), decision("fail", figure="r[50%\n::error::x]"), decision("cannot tell")))
    assert [line.split(" ")[0] for line in commands] == ["::notice", "::error", "::warning"]
    assert all("\n" not in line for line in commands)
    assert "50%25" in commands[1]
