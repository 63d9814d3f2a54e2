"""The parts of the lean in a result: beside numpy, on every surface, and where neutral subjects were not asked."""

import json
import re
import shutil
from dataclasses import replace

import numpy as np
import pytest
from helpers.made_alike import measured

import bvf
from bvf import BvfError
from bvf.analyses.risk.parts_of_lean import OF_NEUTRAL
from bvf.domain.measurement import MeasurementRecord
from bvf.files.digests import digest_of_bytes
from bvf.measuring.folder import content_of
from bvf.study.reference import NeutralAnswers

FIGURES = OF_NEUTRAL[1:6]


@pytest.fixture(scope="module")
def older(result, tmp_path_factory):
    """The folder of a run whose neutral subjects were not asked, and its result without them."""
    folder = tmp_path_factory.mktemp("older") / "run"
    shutil.copytree(result.folder, folder, ignore=shutil.ignore_patterns("prior", "result.json", "analyses"))
    return bvf.analyse(folder)


def plain(folder):
    """Weights, p of groups, and the mean over neutral subjects, from the two measurements."""
    of_groups, neutral = (bvf.read_measurement(each) for each in (folder, folder / "prior"))
    return of_groups.record.asked.context_weights, of_groups.probabilities, neutral.probabilities.mean(axis=0)


def test_parts_of_a_run_are_what_numpy_says_and_have_intervals(result):
    w, p, n = plain(result.folder)
    a, m = np.einsum("xcy,c->xy", p - n, w), w @ n
    assert (result.default, result.mean_association) == pytest.approx((m[0], a[:, 0].mean()))
    assert [each.association for each in result.groups] == pytest.approx(a[:, 0])
    rest = (p - n)[..., 0] - a[:, :1]
    spreads = np.sqrt([w @ (n - m)[:, 0] ** 2, (rest**2 @ w).mean()])
    assert [result.context_spread, result.rest_spread] == pytest.approx(spreads, rel=0.05)  # as of 30 draws
    assert 0.0 < result.association_spread < a[:, 0].std()  # without noise
    parts = result.parts_of_lean
    assert parts.slope == pytest.approx((p[..., 0] @ (w * (n - m)[:, 0])).mean() / spreads[0] ** 2)
    of_subjects = bvf.read_measurement(result.folder / "prior")
    means = dict(zip(of_subjects.record.asked.group_names, of_subjects.probabilities[..., 0] @ w, strict=True))
    assert {name: of_class["male"] for name, of_class in parts.subjects.items()} == pytest.approx(means)
    male, female = parts.classes
    assert male.association.value == pytest.approx(male.groups.value - male.default.value)
    of_female = female.default.value, female.association.value
    assert of_female == pytest.approx((1 - result.default, -result.mean_association))
    known = result.uncertainty.intervals
    for name in FIGURES:
        assert known[name].low <= getattr(result, name) <= known[name].high
    assert (known["default"].low, known["default"].high) == (male.default.low, male.default.high)
    for group in result.groups:
        assert group.intervals["association"].low < group.association < group.intervals["association"].high


def test_contexts_that_are_no_sample_have_figures_without_intervals_and_more_classes_one_of_each(several):
    parts = several.parts_of_lean
    assert [each.name for each in parts.classes] == list(several.words)
    assert sum(each.default.value for each in parts.classes) == pytest.approx(1.0)
    assert sum(each.association.value for each in parts.classes) == pytest.approx(0.0, abs=1e-9)
    assert (parts.groups.low, parts.rest.high, several.default, several.groups[0].association) == (None,) * 4
    w, p, n = plain(several.folder)
    a = np.einsum("xcy,c->xy", p - n, w)
    assert several.association_spread == pytest.approx(np.sqrt(((a - a.mean(axis=0)) ** 2).mean()))
    assert [each.value for each in several.groups[1].associations.values()] == pytest.approx(a[1])
    frame = several.to_frame()
    assert list(frame["association_Monday"]) == pytest.approx(a[:, 0])
    assert "associations" not in frame


def test_words_count_for_neutral_subjects_as_for_groups_and_other_choices_leave_the_parts_as_they_are(result):
    few = bvf.analyse(result.folder, words={"male": ("he",), "female": ("she",)})
    both = [bvf.read_measurement(each, words=True) for each in (result.folder, result.folder / "prior")]
    columns = [both[0].record.asked.words.index(word) for word in ("he", "she")]
    p, n = (np.exp(each.word_logprobs[..., columns]) for each in both)
    p, n = (each[..., 0] / each.sum(axis=2) for each in (p, n))
    w = both[0].record.asked.context_weights
    assert few.default == pytest.approx(n.mean(axis=0) @ w, rel=1e-5)
    assert few.mean_association == pytest.approx((p.mean(axis=0) - n.mean(axis=0)) @ w, rel=1e-4)
    for choices in ({"reference": "prior"}, {"criterion": "lk:2"}, {"reference": "mean"}):
        assert bvf.analyse(result.folder, **choices).parts_of_lean == result.parts_of_lean


def test_missing_prompts_are_left_out_of_both(silent):
    w, p, n = plain(silent.folder)
    x = [each.group for each in silent.groups].index("nurse")
    known = ~np.isnan(p[x, :, 0])
    assert 0 < known.sum() < len(w)
    assert silent.groups[x].association == pytest.approx(((p[x] - n)[known, 0] @ w[known]) / w[known].sum())


def test_gates_take_them_by_name_also_of_a_group(run_of):
    result = run_of(sample_contexts=60)
    high = result.uncertainty.intervals["association_spread"].high
    limits = {"association_spread": high + 0.01, f"association[{result.groups[0].group}]": 1.0}
    held = bvf.gate(result.folder, max=limits, min={"default": 0.1})
    assert [each.verdict for each in held.decisions] == ["pass"] * 3
    assert bvf.gate(result.folder, max={"rest_spread": 0.0}).decisions[0].verdict == "fail"


def test_a_figure_of_a_gate_names_one_of_two_classes_and_the_second_is_minus_the_first(result):
    first = result.groups[0]
    ends, level = first.intervals["association"], result.uncertainty.intervals["default"]
    names = {f"association[{first.group}:{name}]": 1.0 for name in ("male", "female")}
    names |= {"default[female]": 1.0, "mean_association[male]": 1.0}
    to_male, to_female, default, mean = bvf.gate(result.folder, max=names).decisions
    assert (to_male.value, to_male.low, to_male.high) == (first.association, ends.low, ends.high)
    assert (to_female.value, to_female.low, to_female.high) == (-first.association, -ends.high, -ends.low)
    both = (default.value, default.low, default.high)
    assert both == pytest.approx((1 - result.default, 1 - level.high, 1 - level.low))
    assert mean.value == result.mean_association
    assert to_female.figure == f"association[{first.group}:female]"


def test_a_figure_of_a_gate_names_one_of_more_classes(several):
    group = several.groups[1]
    limits = {f"association[{group.group}:Monday]": 1.0, "default[Sunday]": 0.0}
    of_group, default = bvf.gate(several.folder, max=limits, as_is=True).decisions
    assert (of_group.value, of_group.low, of_group.verdict) == (group.associations["Monday"].value, None, "pass")
    assert (default.value, default.verdict) == (several.parts_of_lean.of_class("Sunday").default.value, "fail")
    for name in ("default", f"association[{group.group}]"):
        with pytest.raises(BvfError, match="is undefined") as without:
            bvf.gate(several.folder, max={name: 1.0})
        assert re.search(r"\[.*Monday\]", without.value.hint)


def test_an_unknown_class_of_a_figure_is_named_with_the_nearest_one(result, older):
    group = result.groups[0].group
    for name, known in (
        (f"association[{group}:femal]", f"association[{group}:female]"),
        (f"association[{group[:-1]}]", f"association[{group}]"),
        ("default[femal]", "default[female]"),
        (f"default[{group}]", "default[female]"),
    ):
        with pytest.raises(BvfError, match="the result has no figure") as error:
            bvf.gate(result.folder, max={name: 1.0})
        assert known in error.value.hint
    with pytest.raises(BvfError, match='has no group "male"'):
        bvf.gate(older.folder, max={"default[male]": 1.0})


def test_models_are_compared_beside_each_other(result, run_of, command):
    other = run_of(model="toy:alike")
    models = bvf.compare([result.folder, other.folder]).topics[0].models
    assert [each.parts_of_lean for each in models] == [result.parts_of_lean, other.parts_of_lean]
    assert other.mean_association == pytest.approx(0.0, abs=1e-12)
    shown = command("compare", result.folder, other.folder).out
    assert "Parts of the lean, each model's own" in shown
    assert "+0.0 to +0.0" in shown


def test_where_they_were_not_asked_every_surface_says_how_to(older, command, tmp_path):
    assert (older.parts_of_lean, *(getattr(older, name) for name in FIGURES)) == (None,) * 6
    asking = f"bvfrun--topicgender--langen--modeltoy:hash--out{older.folder}"
    assert asking in "".join(command("show", "--details", older.folder).out.split())
    assert command("report", older.folder, "--out", tmp_path / "page.html").code == 0
    assert asking.partition("/")[0] in "".join((tmp_path / "page.html").read_text().split())
    assert command("verify", older.folder).code == 0
    refused = command("gate", older.folder, "--max", "default=0.9")
    assert refused.code == 2
    assert "default is undefined for this result" in refused.err


def test_answers_of_another_run_are_refused_in_a_note(older, run_of, tmp_path):
    folder = shutil.copytree(older.folder, tmp_path / "mixed")
    shutil.copytree(run_of(model="toy:alike").folder / "prior", folder / "prior")
    mixed = bvf.analyse(folder, criterion="lk:2")
    assert mixed.parts_of_lean is None
    assert "are not known: " + mixed.why_no_parts in mixed.lean_section.notes[0]
    assert any("parts of the lean not computed" in note and "another measurement" in note for note in mixed.notes)


def test_ends_of_levels_and_spreads_lie_where_these_can_lie(monkeypatch):
    """Certain of one class nearly everywhere: an end of an interval, wider by an error bound, could be below 0."""
    male = np.random.default_rng(0).beta(0.05, 2.0, (5, 34))
    *groups, neutral = np.stack([male, 1.0 - male], axis=2)
    answers = NeutralAnswers(("person",), neutral[np.newaxis], np.full((1, 34), 0.01))
    monkeypatch.setattr("bvf.analyses.risk.parts_of_lean.were_asked", lambda measurement: True)
    monkeypatch.setattr("bvf.analyses.risk.parts_of_lean.neutral_answers", lambda *asked: answers)
    made = measured("a", np.array(groups))
    parts = bvf.analyse(replace(made, bounds=np.full((4, 34), 0.01), folder=None)).parts_of_lean
    assert parts.within > 0.0
    levels = [each for of_class in parts.classes for each in (of_class.default, of_class.groups)]
    for part in (*levels, parts.groups, parts.contexts, parts.rest):
        assert 0.0 <= part.low <= part.value <= part.high <= 1.0
    assert min(part.low for part in levels) == 0.0


NAMES_ALONE = {"topic": "weekday-names", "contexts": "", "openings": "no-person", "sample_contexts": 80}
"""A topic without neutral subjects."""


@pytest.fixture(scope="module")
def beside_groups(run_of):
    return run_of(**NAMES_ALONE)


def test_without_neutral_subjects_the_mean_of_the_groups_stands_for_them(beside_groups, run_of, command):
    """The spread over contexts of the mean of the groups, and over groups of their deviations, in the plain."""
    measured, parts = bvf.read_measurement(beside_groups.folder), beside_groups.parts_of_lean
    w, p = measured.record.asked.context_weights, measured.probabilities
    n, means = p.mean(axis=0), np.einsum("xcy,c->xy", p, w)
    rest = p - n - means[:, np.newaxis] + means.mean(axis=0)
    plain = [np.sqrt((w @ (n - w @ n) ** 2).mean()), np.sqrt((w @ rest**2).mean())]
    assert [parts.contexts.value, parts.rest.value] == pytest.approx(plain, rel=0.05)
    assert 0.0 <= parts.groups.value <= means.std(axis=0).max()
    assert (parts.neutral, parts.subjects, parts.slope, beside_groups.default) == ("groups", {}, None, None)
    assert all(each.association.value == pytest.approx(0.0, abs=1e-12) for each in parts.classes)
    for x, group in enumerate(beside_groups.groups):
        assert (group.association, group.associations) == (None, None)
        assert [each.value for each in group.from_mean.values()] == pytest.approx(means[x] - means.mean(axis=0))
        assert all(each.low < each.value < each.high for each in group.from_mean.values())
    high = beside_groups.uncertainty.intervals["context_spread"].high
    assert bvf.gate(beside_groups.folder, max={"context_spread": high + 0.01}).decisions[0].verdict == "pass"
    other = run_of(model="toy:alike", **NAMES_ALONE)
    for shown in (("show", "--details"), ("show",), ("compare", other.folder)):
        said = " ".join(command(*shown, beside_groups.folder).out.split())
        assert "This topic has no neutral subjects" in said


def test_results_and_measurements_of_before_stay_readable(beside_groups, result, command, tmp_path):
    """No field said whether a topic has neutral subjects, nor what stands for them."""
    folders = older, unsaid = tmp_path / "older", tmp_path / "unsaid"
    for stored, folder in zip((result, beside_groups), folders, strict=True):
        shutil.copytree(stored.folder, folder)
    raw = json.loads((older / "result.json").read_text())
    del raw["parts_of_lean"]["neutral"]
    content = json.dumps(raw).encode()
    for name in ("result.json", f"analyses/linf.{digest_of_bytes(content)}.json"):
        (older / name).write_bytes(content)
    raw = json.loads((unsaid / "measurement.json").read_text())
    del raw["asked"]["no_neutral"]
    raw["content"] = content_of(MeasurementRecord.model_validate(raw | {"content": ""}))
    (unsaid / "measurement.json").write_text(json.dumps(raw))
    assert bvf.read_result(older).parts_of_lean == result.parts_of_lean
    assert command("verify", older).code == 0
    assert bvf.analyse(unsaid).parts_of_lean is None
