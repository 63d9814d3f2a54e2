"""Explanations of results: they add up, say what leaving a context out does, and find what was planted."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from bvf_insights.explain.analysis import explain_risk
from bvf_insights.explain.tables import sections
from helpers.leans import plain_risks
from helpers.made_alike import by_samples, measured, probabilities

import bvf
from bvf import BvfError
from bvf.hooks.loader import load
from bvf.results.restore import predictions_of
from bvf.study.choices import prepared
from bvf.study.config import AnalysisConfig
from bvf.study.study import Study

TWO, THIRD = "The [X] said that [Y]\nLater the [X] wrote that [Y]\n", "The [X] knew that [Y]\n"


def shares_of(explanation):
    return {each.what: each.share for each in explanation.varying}


def test_figures_are_those_of_the_result_and_shares_of_what_varies_add_up(result, several, silent):
    for each in (result, several, silent):
        explanation = bvf.explain(each, show=0)
        assert (explanation.R, explanation.R_bias) == pytest.approx((each.R, each.R_bias))
        assert explanation.R_volatility == pytest.approx(each.R_volatility, abs=1e-12)
        assert sum(shares_of(explanation).values()) == pytest.approx(1.0)


def test_one_group_is_explained_by_itself(result):
    read, name = predictions_of(result), result.groups[2].group
    explanation = bvf.explain(result, group=name)
    R, R_bias, _ = plain_risks(read.probabilities[2:3, :, 0], read.context_weights)
    assert (explanation.R, explanation.R_bias, explanation.drivers.R_bias) == pytest.approx((R, R_bias, R_bias))
    assert [each.group for each in explanation.exceeding] == [name]
    assert all(driver.groups == (name,) for driver in explanation.drivers.bias)
    assert explanation.shapes is None


def test_the_context_that_a_figure_hangs_on_is_found_by_leaving_out_each(result):
    read = predictions_of(result)
    p, weights = read.probabilities[..., 0], read.context_weights
    whole = np.array(plain_risks(p, weights))
    without = np.array([plain_risks(np.delete(p, c, 1), np.delete(weights, c)) for c in range(len(weights))])
    furthest = np.abs(without - whole).argmax(axis=0)
    found = bvf.explain(result).left_out
    assert [each.figure for each in found] == ["R", "R_bias", "R_volatility"]
    assert [each.context for each in found] == [read.contexts[c] for c in furthest]
    assert [each.value for each in found] == pytest.approx(whole)
    assert [each.without for each in found] == pytest.approx(without[furthest, range(3)])


def test_groups_above_a_threshold_are_counted(result, several):
    read = predictions_of(result)
    in_contexts = np.abs(2 * read.probabilities[..., 0] - 1)
    threshold = float(np.median(in_contexts))
    above = (in_contexts > threshold) @ read.context_weights
    by_group = {each.group: each for each in bvf.explain(result, threshold=threshold).exceeding}
    assert [by_group[name].share for name in read.group_names] == pytest.approx(above)
    assert all(each.low <= each.share <= each.high for each in by_group.values())
    assert any(0 < each.share < 1 for each in by_group.values())
    of_no_sample = bvf.explain(several)
    assert of_no_sample.units is None
    assert all(each.low is None for each in of_no_sample.exceeding)
    assert any("no interval" in note for note in of_no_sample.notes)


def test_a_property_that_decides_is_told_apart(leaning_run, tmp_path):
    """The mood of the verb decides, which a column tells; another column is dealt out by chance."""
    rng, lines = np.random.default_rng(5), ["template,count,mood,tense"]
    for number in range(40):
        mood = ("kind", "cruel")[number % 2]
        lines.append(f"The [X] was {mood} to us {number} times when [Y],1,{mood},{rng.choice(['Past', 'Pres'])}")
    (tmp_path / "moods.csv").write_text("\n".join(lines) + "\n")
    explanation = bvf.explain(leaning_run("moods", contexts=str(tmp_path / "moods.csv"), limit_groups=5))
    apart = {(each.property, each.level) for each in explanation.levels if each.decision != "tied"}
    assert apart == {("mood", "kind"), ("mood", "cruel")}
    kind = next(each for each in explanation.levels if (each.level, each.figure) == ("kind", "male"))
    assert kind.difference == pytest.approx(-0.4, abs=0.02)
    assert kind.low < kind.difference < kind.high
    spread = {(each.property, each.figure): each.deviation for each in explanation.properties}
    assert spread["mood", "male"] == pytest.approx(0.2, abs=0.01)
    assert spread["tense", "male"] < 0.02
    assert shares_of(explanation)["context"] > 0.9


def test_what_cannot_be_explained_is_said_in_a_line(result, run_of):
    with pytest.raises(BvfError, match="no group") as wrong:
        bvf.explain(result, group=result.groups[0].group[:-1])
    assert result.groups[0].group in wrong.value.hint
    with pytest.raises(BvfError, match=r"^--threshold -1: is not a number from 0 on"):
        bvf.explain(result, threshold=-1.0)
    known = run_of(topic="knowledge/continents", contexts="", sample_contexts=0, limit_contexts=3)
    with pytest.raises(BvfError, match="has no figures of risk"):
        explain_risk(known)
    with pytest.raises(BvfError, match=r"results such as str\nhint: bvf.read_result\(FOLDER\)"):
        bvf.explain("runs/a")
    moved = result.model_copy()
    moved._folder = None
    with pytest.raises(BvfError, match="no folder with probabilities"):
        bvf.explain(moved)


def test_the_command_prints_tables_and_json(command, result):
    done = command("explain", result.folder, "--show", "3")
    assert done.code == 0
    assert "what a group is on average" in done.out
    assert re.search(r"Contexts that add most to R\^b \(3 of \d+ that add to it\)", done.out)
    assert "How r^b and r^v of groups are distributed" in done.out
    assert "if contexts moved all groups alike" in done.out
    assert "Would other contexts put the groups in the same order?" in done.out
    printed = json.loads(command("explain", result.folder, "--format", "json").out)
    assert printed == json.loads(bvf.explain(result, show=8).model_dump_json(by_alias=True))
    assert printed["schema"] == "bvf.explanation/1"
    table = command("explain", result.folder, "--format", "csv").out.splitlines()
    assert table[0].startswith("property,level,figure")
    assert len(table) == 1 + len(printed["levels"])
    wrong = command("explain", result.folder, "--group", "nobody")
    assert (wrong.code, wrong.out) == (2, "")
    assert "--group" in wrong.err


@pytest.fixture
def explained():
    """The explanation of a measurement, without a folder."""

    def of(measurement, **chosen):
        result = bvf.analyse(replace(measurement, folder=None))
        choices = prepared(AnalysisConfig(), measurement.record.asked, load())[1]
        return result, bvf.explain(result, predictions=Study.of(measurement, choices).predictions, **chosen)

    return of


def test_the_noise_of_sampled_answers_is_a_share_of_its_own(explained):
    """Other shares are about those of exact probabilities; figures are those of the result."""
    p = probabilities(3, contexts=60)
    (_, exact), (result, sampled) = (explained(each) for each in (measured("a", p), by_samples("a", p, samples=8)))
    of_exact, of_sampled = ({each.what: each for each in found.varying} for found in (exact, sampled))
    assert set(of_sampled) - set(of_exact) == {"sampling"}
    noise = (2 * p * (1 - p)).mean() / (0.7 * 8)
    assert of_sampled["sampling"].deviation ** 2 == pytest.approx(noise, rel=0.4)
    for what, share in of_exact.items():
        assert of_sampled[what].deviation == pytest.approx(share.deviation, abs=0.06)
    assert sum(shares_of(sampled).values()) == pytest.approx(1.0)
    figures = ("R", "R_bias", "R_volatility")
    assert [getattr(sampled, each) for each in figures] == pytest.approx([getattr(result, each) for each in figures])
    for each in sampled.left_out:
        ends = result.uncertainty.leaving_one_out[each.figure]
        assert min(abs(each.without - end) for end in ends) == pytest.approx(0.0)
    assert (exact.but_for_noise, sampled.but_for_noise) == ("", ", but for the noise of sampled answers")


def test_an_explanation_of_sampled_answers_says_what_holds_their_noise(explained):
    _, of_group = explained(by_samples("a", probabilities(3, contexts=60)), group="nurse")
    rows = [row[0] for row in sections(of_group)[0].rows]
    assert rows == ["what a context does to all groups alike", "the sampling of its answers"]
    assert any("how often risks are high, swaps, and who changes sides hold it" in note for note in of_group.notes)


def test_contexts_of_a_fair_model_add_no_volatility_on_average(explained):
    """By shares, 60 contexts of a fair model add .2 to R^v; halves of the answers cancel."""
    result, explanation = explained(by_samples("a", np.full((4, 60, 2), 0.5)), show=0)
    assert result.sampled.plug_in["R_volatility"] > 0.12
    assert abs(explanation.drivers.R_volatility) < 0.06


def test_what_stands_before_templates_has_a_share_of_its_own(opened_run):
    result = opened_run(TWO, 14)
    explanation, read = bvf.explain(result), predictions_of(result)
    shares = shares_of(explanation)
    assert list(shares) == ["group", "template", "opening", "both"]
    assert sum(shares.values()) == pytest.approx(1.0)
    of_all, places, weights = read.lean.mean(axis=0)[:, 0], np.array(read.asked.places), read.context_weights
    squared = (of_all[:, None] - of_all) ** 2
    of_pairs = np.tril(np.outer(weights, weights), -1)
    of_alike = of_pairs * (places[:, None] == places)
    within, whole = ((squared * each).sum() / each.sum() for each in (of_alike, of_pairs))
    assert shares["opening"] / (shares["opening"] + shares["template"]) == pytest.approx(within / whole)
    assert [row[0] for row in sections(explanation)[0].rows][1] == "what a template does to all groups alike"


def test_what_openings_do_has_an_interval_where_enough_of_them_were_drawn(opened_run, run_of):
    many, few = (bvf.explain(opened_run(TWO, 400, sample_contexts=n)) for n in (60, 40))
    row, without = (next(each for each in one.varying if each.what == "opening") for one in (many, few))
    assert 0.0 < row.low < row.deviation < row.high
    assert f"{row.low:.4f} to {row.high:.4f}" in sections(many)[0].rows[2]
    assert (without.low, without.high) == (None, None)
    assert "40 contexts were drawn, and an interval takes 50" in sections(few)[0].notes[0]
    assert "sd between contexts" in sections(few)[0].notes[0]
    of_documents = sections(bvf.explain(run_of(openings="", limit_groups=3, sample_contexts=400)))[0]
    assert "no interval, as it was not tested by document" in of_documents.notes[0]


def test_templates_are_told_apart_from_openings_also_where_some_prompts_have_no_answer(opened_run):
    """The nurse has no answer in one of the templates, which is not left out of the other."""
    whole, of_two = (
        bvf.explain(opened_run(templates, 60, model="toy:silent-nurse", sample_contexts=90))
        for templates in (TWO + THIRD, TWO)
    )
    assert whole.complete < whole.contexts
    assert {"template", "opening"} <= set(shares_of(whole))
    assert of_two.complete > 0
    assert "heaviest" not in {each.without for each in of_two.templates}
