"""Placebo share, reliability, and figures without some templates: models whose truth is known, plain analyses."""

import numpy as np
import pytest
from bvf_en.rules import English
from bvf_insights.explain.tables import sections
from helpers.leans import plain_risks

import bvf
from bvf.domain.variants.placebo import placebo_set
from bvf.results.restore import predictions_of


@pytest.fixture(scope="module")
def swapped(leaning_run):
    """Run models in ten templates with swaps that should not matter."""
    contexts = placebo_set(bvf.load().contexts.make("gender-table8@en"), English().harmless)
    return lambda model: leaning_run(model, contexts=contexts)


@pytest.fixture
def swapped_rows(leaning_run, tmp_path):
    """Run models in contexts of these rows of a file."""

    def make(model, *rows):
        (tmp_path / "rows.csv").write_text("\n".join(rows) + "\n")
        return leaning_run(model, contexts=str(tmp_path / "rows.csv"))

    return make


def test_a_model_that_reacts_only_to_full_stops_has_a_share_of_one(swapped, command):
    result = swapped("stops")
    explanation = bvf.explain(result)
    by_swap = {each.swap: each for each in explanation.placebo}
    assert list(by_swap) == ["", "stop", "determiner"]
    for swap in ("", "stop"):
        shares = (by_swap[swap].variance, by_swap[swap].volatility, by_swap[swap].variance_low)
        assert shares == pytest.approx((1.0, 1.0, 1.0))
    assert by_swap["determiner"].variance is None
    assert by_swap["stop"].by_chance == pytest.approx(0.5, abs=0.2)
    assert {each.property for each in explanation.properties}.isdisjoint({"origin", "placebo"})
    printed = command("explain", result.folder).out
    assert "How much swaps that should not matter explain (10 templates)" in printed


def test_a_model_that_never_reacts_to_swaps_has_a_share_of_zero(swapped):
    explanation = bvf.explain(swapped("verbs"))
    assert [each.variance for each in explanation.placebo] == pytest.approx([0.0] * 3, abs=1e-12)
    assert [each.volatility for each in explanation.placebo] == pytest.approx([0.0] * 3, abs=1e-9)
    assert {each.reliability for each in explanation.reliability} == {None}


def test_halves_of_a_model_that_reacts_to_groups_alone_agree(swapped):
    by_figure = {each.figure: each for each in bvf.explain(swapped("groups")).reliability}
    assert list(by_figure) == ["r", "r_bias", "r_volatility", "male"]
    assert (by_figure["r"].reliability, by_figure["male"].low) == pytest.approx((1.0, 1.0))
    assert by_figure["r_volatility"].reliability is None
    assert (by_figure["r_volatility"].splits, by_figure["r"].splits) == (0, 200)


def test_reliability_of_a_run_is_that_of_a_plain_loop(run_of):
    """Of another 400 random halves than those of bvf, so that the means agree and not the splits."""
    result = run_of(limit_groups=12)
    read, rng, lifted = predictions_of(result), np.random.default_rng(8), []
    order = np.argsort(-read.context_weights)
    for _ in range(400):
        first = np.zeros(len(order), dtype=bool)
        for place in range(0, len(order), 2):
            pair = order[place : place + 2]
            first[pair[rng.integers(2) % len(pair)]] = len(pair) == 2 or rng.random() < 0.5
        risks = []
        for half in (first, ~first):
            weights = read.context_weights * half / read.context_weights[half].sum()
            risks.append([np.abs(2 * (p @ weights) - 1) for p in read.probabilities[..., 0]])
        c = np.corrcoef(*risks)[0, 1]
        lifted.append(2 * c / (1 + abs(c)))
    found = next(each for each in bvf.explain(result).reliability if each.figure == "r_bias")
    assert found.reliability == pytest.approx(np.mean(lifted), abs=5 * np.std(lifted) / np.sqrt(200))


TWICE = ("The [X] is [Y],1,a,", "The [X] is [Y].,2,a,stop")


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        (("template,count,origin,placebo", *TWICE), "all contexts have one origin"),
        (("template,count,origin,placebo", TWICE[0], "The [X] was [Y].,2,b,stop"), "no origin has a second context"),
        (("template,count,placebo", "The [X] is [Y],1,", "The [X] is [Y].,2,stop"), "no column origin"),
    ],
)
def test_swaps_of_too_few_origins_are_said_to_tell_nothing(swapped_rows, rows, note):
    explanation = bvf.explain(swapped_rows("stops", *rows))
    assert explanation.placebo == ()
    assert any(note in each for each in explanation.notes)


def test_variants_of_a_template_are_no_contexts_of_their_own_for_reliability(swapped_rows, run_of):
    """Ten contexts of five templates are five."""
    rows = [f"The [X] was {n} [Y]{stop},{n},{n},{stop and 'stop'}" for n in range(1, 6) for stop in ("", ".")]
    explanation = bvf.explain(swapped_rows("groups", "template,count,origin,placebo", *rows))
    assert (explanation.contexts, explanation.reliability) == (10, ())
    assert any("here are 6 and 5" in note for note in explanation.notes)
    few = bvf.explain(run_of(limit_groups=4))
    assert few.reliability == ()
    assert any(note.startswith("no split-half reliability: it needs 5 groups") for note in few.notes)


SAID, KNEW, WROTE = "The [X] said that [Y]", "The [X] knew that [Y]", "Later the [X] wrote that [Y]"


@pytest.fixture(scope="module")
def opened(opened_run):
    """A run of three templates, one of them heavy, each after several openings; p of its first class, and weights."""
    result = opened_run(f"template,count\n{SAID},6\n{KNEW},2\n{WROTE},1\n", 14)
    asked = bvf.read_measurement(result.folder).record.asked
    p, neutral = (bvf.read_measurement(each).probabilities[..., 0] for each in (result.folder, result.folder / "prior"))
    templates, weights = np.array([each.columns["template"] for each in asked.in_order]), asked.context_weights
    away = neutral.mean(axis=0) - neutral.mean(axis=0) @ weights
    apart = {each: abs(np.average(away, weights=weights * (templates == each))) for each in (SAID, KNEW, WROTE)}
    return result, p, weights, templates, apart


def figures(row):
    return row.R, row.R_bias, row.R_volatility


def test_rows_are_the_analysis_of_the_other_templates(opened, monkeypatch):
    """All of them, all but the heaviest, and all but those in which neutral subjects are far from their mean."""
    result, p, weights, templates, apart = opened
    rows = {row.without: row for row in bvf.explain(result).templates}
    assert figures(rows["none"]) == pytest.approx(figures(result))
    assert figures(rows["none"]) == pytest.approx(plain_risks(p, weights))
    heaviest = rows["heaviest"]
    assert (heaviest.template, heaviest.templates, heaviest.of) == (SAID, 1, 3)
    assert heaviest.share == pytest.approx(6 / 9)
    assert figures(heaviest) == pytest.approx(plain_risks(p[:, templates != SAID], weights[templates != SAID]))
    assert ("far" in rows) == any(each > 0.15 for each in apart.values())
    furthest = templates == max(apart, key=apart.get)
    monkeypatch.setattr("bvf_insights.explain.analysis.FAR", sorted(apart.values())[1] + 1e-9)
    explanation = bvf.explain(result)
    (far,) = [row for row in explanation.templates if row.without == "far"]
    assert (far.templates, far.share) == (1, pytest.approx(weights[furthest].sum()))
    assert figures(far) == pytest.approx(plain_risks(p[:, ~furthest], weights[~furthest]))
    table = next(section for section in sections(explanation) if section.title == "Do some templates decide?")
    assert [row[0] for row in table.rows][:2] == ["none of them", "the heaviest"]
    assert table.rows[2][1:3] == ("1 of 3", f"{far.share:.1%}")
    assert table.notes == [f'heaviest: "{SAID}"']


def test_without_neutral_subjects_there_is_the_heaviest_alone_and_of_one_template_nothing(run_of):
    asked = {row.without for row in bvf.explain(run_of(topic="names", limit_groups=3)).templates}
    assert asked == {"none", "heaviest"}
    one = run_of(contexts="gender", openings="none", sample_contexts=0, limit_contexts=1)
    assert bvf.explain(one).templates == ()
