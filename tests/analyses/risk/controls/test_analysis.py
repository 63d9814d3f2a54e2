"""A study carries its controls: the same groups, asked of what says nothing, and how the study stands to them."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bvf_report.page.build import page_of
from bvf_report.page.content import Code

import bvf
from bvf import BvfError, Picture
from bvf.analyses.risk.analysis import RiskAnalysis
from bvf.analyses.risk.controls.tables import against_controls, control_sections
from bvf.asking import model as models
from bvf.hooks.loader import load
from bvf.interfaces.section import Section
from bvf.running.verify import problems_in
from bvf.stats.sampling.intervals import Estimate
from bvf.stats.sampling.ratios import difference_of_independent, estimate, ratio_of_independent
from bvf.study.found import control_folders, folders_of_runs
from bvf.study.sample import sample_by

DATA = Path(__file__).resolve().parents[3] / "data"
PLUGINS = (str(DATA / "toy_plugin.py"), str(DATA / "control_plugin.py"))
CONTROLS = ("hair-colour", "ordinal", "pointing", "weekday")
COMPARED = {
    f"{prefix}{name}" for prefix in ("", "bias_", "particular_bias_", "apart_") for name in ("difference", "ratio")
}
RATIOS_OF_BIASES = {"bias_ratio", "particular_bias_ratio", "apart_ratio"}
"""Those that have no interval where the figure of the control may be 0."""
TOY = {"model": "toy:hash", "plugin": PLUGINS, "topic": "gender", "openings": "none", "controls": True}


@pytest.fixture(scope="module")
def plugins():
    return load(extra=PLUGINS)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    out = tmp_path_factory.mktemp("study") / "out"
    drawn = {"limit_groups": 4, "contexts": "gender-mixed", "sample_contexts": 40}
    return bvf.run(**TOY, **drawn, out=str(out), seed=2)  # R^b of "pointing" may be 0


@pytest.fixture
def run(tmp_path):
    """Run a small study with controls in a folder of its own."""

    def make(**choices):
        return bvf.run(**{**TOY, "out": str(tmp_path / "out"), "limit_groups": 2, **choices})

    return make


def control(result, name):
    return next(each for each in result.controls if each.topic == name)


def plain_R(folder):
    """R and R^b of linf on the unit scale by hand: (|Y| max p - 1) / (|Y| - 1), of every answer and of their mean."""
    measurement = bvf.read_measurement(folder)
    p, asked = measurement.probabilities, measurement.record.asked
    w = np.array([each.count if asked.draws is None else each.drawn for each in asked.in_order], dtype=float)
    w, classes = w / w.sum(), p.shape[2]
    certain = (classes * p.max(axis=2) - 1) / (classes - 1)
    return np.mean(certain @ w), np.mean((classes * np.einsum("xcy,c->xy", p, w).max(axis=1) - 1) / (classes - 1))


def test_a_control_is_a_measurement_of_the_groups_of_the_study_and_compared_by_figures_of_the_answers(study):
    assert tuple(each.topic for each in study.controls) == CONTROLS
    R, _ = plain_R(study.folder)
    assert pytest.approx(R) == study.R
    for each in study.controls:
        folder = study.folder / "controls" / each.topic
        theirs, their_bias = plain_R(folder)
        figures = (each.R, each.R_bias, each.R_volatility, each.difference, each.ratio)
        assert figures == pytest.approx((theirs, their_bias, theirs - their_bias, R - theirs, R / theirs))
        record = bvf.read_measurement(folder).record
        assert record.asked.group_names == tuple(group.group for group in study.groups)
        assert (record.asked.control, record.digest) == (True, each.measurement)
        assert pytest.approx(each.R) == bvf.read_result(folder).R


def crossed(measurement, sample=None):
    """Half the sum over classes of |E_c[p - E_x[p]]|: the signs from one half of a sample, the rest from the other."""
    p, w = measurement.probabilities, measurement.record.asked.context_weights
    lean = p - p.mean(axis=0)
    plug_in = np.abs(np.einsum("xcy,c->xy", lean, w)).sum(axis=1) / 2
    splits = []
    for halves in zip(*sample.halves, strict=True) if sample else ():
        a, b = (np.einsum("xcy,c->xy", lean, half) for half in halves)
        m, n = (half.sum() for half in halves)
        splits.append((np.sign(a) * b + np.sign(b) * a).sum(axis=1) / (m + n) / 2)
    return np.minimum(np.mean(splits, axis=0), plug_in) if splits else plug_in


def test_how_far_groups_are_apart_is_cross_fit_for_the_topic_and_for_each_control(study):
    """Whatever the criterion and the number of classes; written sentences of a control are split by sentence.

    By the total variation, which is linf of two classes in probability, it is the particular R^b of that analysis.
    """
    of_topic = bvf.analyse(study.folder, criterion="tv", scale="raw", plugins=load(extra=PLUGINS))
    interval = of_topic.uncertainty.intervals["particular_bias"]
    of_topic = interval.low, interval.high
    for each in study.controls:
        folders = (study.folder, study.folder / "controls" / each.topic)
        units = ("document", "document" if each.same_contexts else "template")
        made = map(bvf.read_measurement, folders)
        ours, theirs = (crossed(one, sample_by(one, unit)) for one, unit in zip(made, units, strict=True))
        assert each.apart == pytest.approx(max(theirs.mean(), 0.0))
        assert each.apart_difference == pytest.approx(ours.mean() - each.apart)
        assert each.apart_ratio == (pytest.approx(ours.mean() / each.apart) if each.apart else None)
        assert [group.apart for group in each.groups] == pytest.approx(np.maximum(theirs, 0.0))
        assert [group.apart_in_topic for group in each.groups] == pytest.approx(np.maximum(ours, 0.0))
        low, high = each.intervals["apart_difference"]
        assert low < each.apart_difference < high
        assert each.intervals["apart_in_topic"] == pytest.approx(of_topic)
    assert of_topic[0] < ours.mean() < of_topic[1]
    assert control_sections(study)[0].rows[1][-1] == f"{of_topic[0]:.4f}"
    assert study.apart == pytest.approx(ours.mean())


def test_in_contexts_that_are_no_sample_how_far_groups_are_apart_is_a_fact_about_them(run):
    """The mean distance in these very contexts, of the topic and of its controls: nothing is split."""
    study = run(limit_groups=3, limit_contexts=4)
    ours = crossed(bvf.read_measurement(study.folder)).mean()
    assert study.apart == pytest.approx(ours)
    for each in study.controls:
        theirs = crossed(bvf.read_measurement(study.folder / "controls" / each.topic)).mean()
        assert (each.apart, each.apart_ratio) == pytest.approx((theirs, ours / theirs))
        assert "apart_difference" not in each.intervals


def test_contexts_are_those_of_the_study_where_the_control_names_them_and_else_its_own(study):
    asked = [bvf.read_measurement(folder).record.asked for folder in (study.folder, study.folder / "controls/pointing")]
    assert [each.context.key for each in asked[0].in_order] == [each.context.key for each in asked[1].in_order]
    same = control(study, "pointing")
    assert (same.same_contexts, same.undefined, same.contexts) == (True, "", "gender-mixed")
    others = control(study, "weekday")
    assert (others.same_contexts, others.contexts, others.number_of_contexts) == (False, "weekday", 10)
    assert "written" in others.undefined


def test_beside_a_control_whose_contexts_were_written_its_templates_count_as_a_sample(study):
    other = control(study, "weekday")
    perhaps = bvf.read_result(study.folder / "controls/weekday").uncertainty.as_templates
    assert set(other.intervals) <= COMPARED | {"apart_in_topic"}
    assert COMPARED - RATIOS_OF_BIASES <= set(other.as_templates) <= COMPARED
    for prefix, name in (("", "R"), ("bias_", "R_bias")):
        ours, theirs = (
            Estimate(*map(np.asarray, (getattr(each, name), interval.low, interval.high, interval.cross_fit)))
            if interval.cross_fit is not None
            else estimate(getattr(each, name), interval.low, interval.high)
            for each, interval in ((study, study.uncertainty.intervals[name]), (other, perhaps[name]))
        )
        assert other.intervals[f"{prefix}difference"] == pytest.approx(difference_of_independent(ours, theirs))
        ratio = ratio_of_independent(ours, theirs)
        assert other.intervals.get(f"{prefix}ratio") == (None if ratio is None else pytest.approx(ratio))


def test_in_the_same_contexts_the_difference_is_the_paired_one_of_compare(study):
    """In the plain: the t interval of what each occurrence adds to R less what it adds to that of the control."""
    same = control(study, "pointing")
    figures = {"R", "R_bias", "R_volatility", "particular_bias", "apart", "apart_in_topic"} | COMPARED
    assert figures - RATIOS_OF_BIASES <= set(same.intervals) <= figures
    assert same.intervals["R_bias"][0] == 0.0  # so that the ratio of R^b may be as large as one likes
    adds = []
    for folder in (study.folder, study.folder / "controls/pointing"):
        p = bvf.read_measurement(folder).probabilities
        adds.append(((p.shape[2] * p.max(axis=2) - 1) / (p.shape[2] - 1)).mean(axis=0))
    n = np.array([each.drawn for each in bvf.read_measurement(study.folder).record.asked.in_order])
    apart = np.repeat(adds[0] - adds[1], n)
    error = apart.std(ddof=1) / np.sqrt(len(apart))
    low, high = same.intervals["difference"]
    assert low < same.difference < high
    assert 3.8 * error < high - low < 5.5 * error  # the set is a sample too, which adds to the error of the draws


def test_intervals_reach_further_by_the_words_left_out_of_both_sides(study, plugins, monkeypatch, tmp_path):
    """If each p is off by b at most, R of Y classes is off by Y b / (Y - 1), and how far groups are apart by Y b."""
    b = {"gender": 0.004, "pointing": 0.002, "weekday": 0.001}

    def inexact(folder, **choices):
        measurement = bvf.read_measurement(folder, **choices)
        return replace(measurement, bounds=np.full_like(measurement.bounds, b.get(measurement.record.asked.topic, 0.0)))

    monkeypatch.setattr("bvf.running.run.read_measurement", inexact)
    monkeypatch.setattr("bvf.analyses.risk.controls.analysis.read_measurement", inexact)
    again = bvf.analyse(shutil.copytree(study.folder, tmp_path / "copy"), plugins=plugins)
    for topic, classes in (("pointing", 3), ("weekday", 7)):
        exact, wider, off = control(study, topic), control(again, topic), 2 * b["gender"]
        of_R, of_apart = (each * classes * b[topic] for each in (1 / (classes - 1), 1.0))
        reach = {"difference": off + of_R, "apart_difference": off + of_apart}
        if topic == "pointing":
            reach |= {"R": of_R, "apart": of_apart}
        for name, by in reach.items():
            (low, high), (further_low, further_high) = exact.intervals[name], wider.intervals[name]
            assert further_low == pytest.approx(low - by if name.endswith("difference") else max(low - by, 0.0))
            assert further_high == pytest.approx(high + by)
        low, high = exact.intervals["ratio"]
        factors = (1 - off / study.R) / (1 + of_R / exact.R), (1 + off / study.R) / (1 - of_R / exact.R)
        assert wider.intervals["ratio"] == pytest.approx((low * factors[0], high * factors[1]))
        assert (wider.R, wider.difference, wider.ratio) == (exact.R, exact.difference, exact.ratio)


def test_the_folders_alone_give_the_same_again_by_another_criterion_too(study, plugins):
    assert bvf.analyse(study.folder, plugins=plugins).controls == study.controls
    measured, of_weekday = map(bvf.read_measurement, (study.folder, study.folder / "controls/weekday"))
    by_lk = bvf.analyse(measured, plugins=plugins, criterion="lk:2", level=0.9)
    alone = bvf.analyse(of_weekday, plugins=plugins, criterion="lk:2")
    assert pytest.approx(alone.R) == control(by_lk, "weekday").R
    assert list(problems_in(study.folder, plugins)) == []
    for folder, found in ((study.folder.parent, study.folder), (study.folder / "controls/weekday",) * 2):
        assert folders_of_runs(folder) == [found]  # controls are no runs beside their study


def test_a_control_that_is_damaged_of_another_model_or_without_the_class_of_a_criterion_is_not_shown(
    study, plugins, tmp_path, run_of
):
    folder = shutil.copytree(study.folder, tmp_path / "out")
    shutil.rmtree(folder / "controls/weekday/probabilities")
    result = bvf.analyse(folder, plugins=plugins)
    assert [each.topic for each in result.controls] == ["hair-colour", "ordinal", "pointing"]
    assert any(note.startswith("control weekday not shown: ") for note in result.notes)
    by_class = bvf.analyse(folder, plugins=plugins, criterion="direction:male")
    assert by_class.controls == ()
    assert sum("not shown" in note for note in by_class.notes) == len(CONTROLS)
    other = run_of(model="toy:fair", topic="weekday", contexts="", sample_contexts=0, limit_groups=4, seed=2)
    shutil.rmtree(folder / "controls/weekday")
    shutil.copytree(other.folder, folder / "controls/weekday")
    result = bvf.analyse(folder, plugins=plugins)
    assert any("weekday not shown: it was asked of another model" in note for note in result.notes)


def test_the_table_has_the_study_and_each_control_with_what_they_rest_on(study):
    section, beside = control_sections(study)
    assert [row[0] for row in section.rows if not row[0].startswith("95%")] == [study.topic, *CONTROLS]
    named = dict(zip([row[0] for row in section.rows], section.rows, strict=True))
    same = control(study, "pointing")
    assert named["pointing"][5:] == (f"{same.particular_bias:.4f}", f"{same.apart:.4f}")
    assert [row[1] for row in beside.rows if row[0] == "pointing"] == ["R", "R^b", "particular R^b", "apart"]
    of_bias = next(row for row in beside.rows if row[:2] == ("pointing", "R^b"))
    assert (of_bias[2], of_bias[4]) == (f"{same.bias_difference:.3f}", f"{same.bias_ratio:.2f}")
    notes = "\n".join(beside.notes)
    assert f"pointing ({same.number_of_contexts} contexts): asked in contexts of the study" in notes
    assert "weekday (10 contexts): asked in contexts of its own, which its words fit; no interval (the con" in notes
    assert len(section.subtitle) == len(CONTROLS)


def test_a_sentence_says_above_below_or_not_not_different_and_never_more_than_the_interval(study):
    one = control(study, "pointing")
    for ends, word in (
        ((0.1, 0.3), "is above"),
        ((-0.3, -0.1), "is below"),
        ((-0.1, 0.2), "is not significantly different from"),
    ):
        given = one.model_copy(update={"intervals": {"difference": ends}})
        assert word in study.model_copy(update={"controls": (given,)}).beside_controls[0]
    without = one.model_copy(update={"intervals": {}})
    (said,) = study.model_copy(update={"controls": (without,)}).beside_controls
    assert said.endswith("(in these contexts; what other texts would give is not known)")


def test_each_figure_is_described_beside_that_of_the_controls(study):
    for verdict, prefix, begins in zip(
        RiskAnalysis().verdicts(study),
        ("bias_", "apart_", ""),
        ("R^b of gender is ", "How far groups are apart by gender is ", "R of gender is "),
        strict=True,
    ):
        compared = [sentence for sentence in verdict.said if sentence.startswith(begins)]
        assert compared == against_controls(study, prefix)
        assert [name in sentence for name, sentence in zip(CONTROLS, compared, strict=True)] == [True] * len(CONTROLS)


def test_a_page_has_the_controls_in_a_table_on_the_scale_and_in_the_command(study, plugins):
    page = page_of([study.folder], plugins)
    parts = {part.id: part for part in page.parts}
    table, beside = (block for block in parts["controls"].blocks if isinstance(block, Section))
    assert {str(row[1]) for row in beside.rows} == {"R", "R^b", "particular R^b", "apart"}
    (drawn,) = (block for block in parts["controls"].blocks if isinstance(block, Picture))
    assert [each.name for each in drawn.topics] == [study.topic, *CONTROLS]
    doubtful = [each.model_copy(update={"warnings": ("it is doubtful",)}) for each in study.controls]
    (shown, *_) = control_sections(study.model_copy(update={"controls": tuple(doubtful)}))
    assert shown.warnings == [f"WARNING: toy:hash: control {name}: it is doubtful" for name in CONTROLS]
    assert {str(row[0]) for row in table.rows} >= set(CONTROLS)
    (picture,) = (block for block in parts["scale"].blocks if isinstance(block, Picture))
    assert [place.name for place in picture.models] == ["toy:hash", *(f"control {name}" for name in CONTROLS)]
    (commands,) = (block for part in page.parts for block in part.blocks if isinstance(block, Code))
    assert "--controls" in commands.text


def test_a_model_with_weights_is_loaded_once_and_what_is_scored_is_not_scored_again(tmp_path, monkeypatch):
    loaded, scored = [], []

    def loading(*arguments):
        backend = load_backend(*arguments)
        loaded.append(backend)
        score = backend.score
        monkeypatch.setattr(
            backend, "score", lambda prompts, *more, **options: scored.append(1) or score(prompts, *more, **options)
        )
        return backend

    load_backend = models.load_backend
    monkeypatch.setattr(models, "load_backend", loading)
    chosen = {"out": str(tmp_path / "out"), "limit_groups": 2, "limit_contexts": 2, "controls": True}
    result = bvf.run(**chosen)
    assert [each.number_of_contexts for each in result.controls] == [2, 2, 2]
    assert len(loaded) == 1
    times = len(scored)
    shutil.rmtree(tmp_path / "out/controls/weekday/probabilities")
    assert bvf.run(**chosen).controls == result.controls
    assert (len(loaded), len(scored) > times) == (2, True)  # the one that was lost
    times = len(scored)
    assert bvf.run(**{**chosen, "controls": False}).controls == result.controls
    assert (len(loaded), len(scored)) == (2, times)


def test_the_bar_counts_all_from_the_start_and_never_goes_back(run):
    seen = []
    run(limit_contexts=3, on_progress=seen.append)
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    assert (seen[-1].done, {each.total for each in seen}) == (39, {39})


def test_a_control_of_the_same_contexts_or_after_openings_is_asked_in_as_many_as_the_study_asks(run, tmp_path):
    until_precise = run(contexts="gender-mixed", precision=0.008)
    assert until_precise.uncertainty.draws > 100
    all_of_them = run(contexts="gender-mixed", limit_groups=1, out=str(tmp_path / "all"))
    assert all_of_them.uncertainty.draws is None
    assert all(control(each, "pointing").same_contexts for each in (until_precise, all_of_them))
    opened = run(openings="no-person", sample_contexts=12, out=str(tmp_path / "opened"))
    assert {bvf.read_measurement(each).record.asked.draws.number for each in control_folders(opened.folder)} == {12}


REFUSED = {
    "weekday is a control topic itself": {"topic": "weekday"},
    "there is no control topic in xx": {"topic": "temper", "lang": "xx"},
    "a criterion of knowledge": {"topic": "knowledge/capitals", "limit_contexts": 0},
    "hair-colour, which shares black with it": {"topic": "race-paper", "words": {"asian": ("Monday", "it", "first")}},
    "--reference percent-women is of the classes of the study": {"reference": "percent-women", "limit_groups": 6},
    'there is no class "male"': {"criterion": "direction:male"},
    "--analysis doubt has others": {"analysis": "doubt", "plugin": (*PLUGINS, str(DATA / "doubt_plugin.py"))},
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_has_no_control_is_refused_before_a_model_is_loaded(run, tmp_path, monkeypatch, said):
    monkeypatch.setattr(models, "load_backend", lambda *arguments: pytest.fail("loaded"))
    with pytest.raises(BvfError) as refused:
        run(**{"limit_contexts": 2, **REFUSED[said]})
    assert said in str(refused.value)
    assert str(refused.value).startswith("--controls: ")
    assert not (tmp_path / "out").exists()


def test_a_control_that_shares_a_word_with_the_study_is_left_out_and_named(run):
    result = run(topic="race-paper", limit_contexts=2)
    assert [each.topic for each in result.controls] == ["ordinal", "pointing", "weekday"]
    assert "control left out: hair-colour, which shares black with it" in result.notes
