"""Placebo share, reliability, and figures without some templates: models whose truth is known, plain analyses."""

import json

import numpy as np
import pytest
import typer
from bvf_insights.explain.tables import sections

import bvf
from bvf.results.restore import predictions_of

TOYS = """
import zlib
import numpy as np
from bvf import Backend, Capabilities, Provider, hookimpl


class Toy(Backend):
    capabilities = Capabilities(reads_right=True)

    def __init__(self, request):
        self.reacts_to = request.model

    def score(self, prompts, words, *, absolute):
        he = np.array([self.he(prompt) for prompt in prompts])[:, None]
        return np.log(np.where([word == "he" for word in words], he, 1 - he))

    def he(self, prompt):
        if self.reacts_to == "stops":
            return 0.8 if prompt.right.endswith(".") else 0.3
        verb = str(prompt.context).split("[X] ")[1].split(" ")[0]
        lean = zlib.crc32((prompt.group + self.reacts_to).encode()) % 89 / 100
        return 0.05 + (zlib.crc32(verb.encode()) % 89 / 100 if self.reacts_to == "verbs" else lean)


@hookimpl
def bvf_backends():
    yield Provider("toys", Toy, summary="reacts to what its name says")
"""


@pytest.fixture(scope="module")
def placebo_set(tmp_path_factory):
    from bvf.cli.inputs.contexts import contexts

    folder = tmp_path_factory.mktemp("placebo")
    (folder / "toys.py").write_text(TOYS)
    placebo = typer.main.get_command(contexts).commands["placebo"]
    placebo.main(["gender-table8", "-o", str(folder / "set.csv")], standalone_mode=False)
    return folder


def measured(folder, model, **choices):
    values = {"contexts": str(folder / "set.csv"), "limit_groups": 6, **choices}
    words = {"male": ("he",), "female": ("she",)}
    out = str(folder / f"{model}-{len(choices)}")
    return bvf.run(
        bvf.RunConfig(plugin=(str(folder / "toys.py"),), model=f"toys:{model}", words=words, out=out, **values)
    )


def test_a_model_that_reacts_only_to_full_stops_has_a_share_of_one(placebo_set):
    explanation = bvf.explain(measured(placebo_set, "stops"))
    by_swap = {each.swap: each for each in explanation.placebo}
    assert list(by_swap) == ["", "stop", "determiner"]
    for swap in ("", "stop"):
        assert (by_swap[swap].variance, by_swap[swap].volatility) == pytest.approx((1.0, 1.0))
        assert by_swap[swap].variance_low == pytest.approx(1.0)
    assert by_swap["determiner"].variance is None
    assert by_swap["stop"].by_chance == pytest.approx(0.5, abs=0.2)
    assert {each.property for each in explanation.properties}.isdisjoint({"origin", "placebo"})


def test_a_model_that_never_reacts_to_swaps_has_a_share_of_zero(placebo_set):
    explanation = bvf.explain(measured(placebo_set, "verbs"))
    assert [each.variance for each in explanation.placebo] == pytest.approx([0.0] * 3, abs=1e-12)
    assert [each.volatility for each in explanation.placebo] == pytest.approx([0.0] * 3, abs=1e-9)
    assert {each.reliability for each in explanation.reliability} == {None}


def test_halves_of_a_model_that_reacts_to_groups_alone_agree(placebo_set):
    by_figure = {each.figure: each for each in bvf.explain(measured(placebo_set, "groups")).reliability}
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
    told = next(each for each in bvf.explain(result).reliability if each.figure == "r_bias")
    assert told.reliability == pytest.approx(np.mean(lifted), abs=5 * np.std(lifted) / np.sqrt(200))


def test_too_few_is_said(placebo_set, run_of):
    few = bvf.explain(run_of(limit_groups=4))
    assert few.reliability == ()
    assert any(note.startswith("no split-half reliability: it needs 5 groups") for note in few.notes)
    one = placebo_set / "one.csv"
    one.write_text("template,count,origin,placebo\nThe [X] is [Y],1,a,\nThe [X] is [Y].,2,a,stop\n")
    explanation = bvf.explain(measured(placebo_set, "stops", contexts=str(one), limit_groups=5))
    assert explanation.placebo == ()
    assert any("all contexts have one origin" in note for note in explanation.notes)
    one.write_text("template,count,placebo\nThe [X] is [Y],1,\nThe [X] is [Y].,2,stop\n")
    explanation = bvf.explain(measured(placebo_set, "stops", contexts=str(one), limit_groups=5, seed=3))
    assert any("no column origin" in note for note in explanation.notes)


def test_variants_of_a_template_are_no_contexts_of_their_own_for_reliability(placebo_set):
    """Ten contexts of five templates are five."""
    rows = [f"The [X] was {n} [Y]{stop},{n},{n},{stop and 'stop'}" for n in range(1, 6) for stop in ("", ".")]
    (placebo_set / "five.csv").write_text("\n".join(["template,count,origin,placebo", *rows]) + "\n")
    explanation = bvf.explain(
        measured(placebo_set, "groups", contexts=str(placebo_set / "five.csv"), limit_groups=6, seed=4)
    )
    assert (explanation.contexts, explanation.reliability) == (10, ())
    assert any("here are 6 and 5" in note for note in explanation.notes)


def test_the_commands_write_and_print_it(command, placebo_set, tmp_path):
    wrong = command("contexts", "placebo", placebo_set / "set.csv", "--out", tmp_path / "again.csv")
    assert (wrong.code, wrong.out) == (2, "")
    assert "has a column placebo already" in wrong.err
    result = measured(placebo_set, "stops")
    done = command("explain", result.folder)
    assert "How much swaps that should not matter explain (10 templates)" in done.out
    assert "Would other contexts put the groups in the same order?" in done.out
    told = json.loads(command("explain", result.folder, "--format", "json").out)
    assert [each["swap"] for each in told["placebo"]] == ["", "stop", "determiner"]


SAID, KNEW, WROTE = "The [X] said that [Y]", "The [X] knew that [Y]", "Later the [X] wrote that [Y]"
GROUPS = ("nurse", "captain", "cook")


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """A run of three templates, one of them heavy, each after several openings."""
    place = tmp_path_factory.mktemp("templates")
    (place / "pool.txt").write_text("".join(f"On day {day} it rained.\n" for day in range(14)))
    (place / "three.csv").write_text(f"template,count\n{SAID},6\n{KNEW},2\n{WROTE},1\n")
    contexts, openings = (str(place / name) for name in ("three.csv", "pool.txt"))
    return bvf.run(contexts=contexts, openings=openings, groups=GROUPS, out=str(place / "run"))


def plain(p, weights):
    """R, R^b and R^v by linf of two classes: |s| with s = 2 p - 1."""
    s, w = 2.0 * p - 1.0, weights / weights.sum()
    R, R_bias = (np.abs(s) @ w).mean(), np.abs(s @ w).mean()
    return R, R_bias, R - R_bias


def figures(row):
    return row.R, row.R_bias, row.R_volatility


def test_rows_are_the_analysis_of_the_other_templates(opened):
    read, neutral = (bvf.read_measurement(each) for each in (opened.folder, opened.folder / "prior"))
    w, p, n = read.record.asked.context_weights, read.probabilities[..., 0], neutral.probabilities[..., 0].mean(axis=0)
    of = np.array([each.columns["template"] for each in read.record.asked.in_order])
    rows = {row.without: row for row in bvf.explain(opened).templates}
    assert figures(rows["none"]) == pytest.approx((opened.R, opened.R_bias, opened.R_volatility))
    assert figures(rows["none"]) == pytest.approx(plain(p, w))
    heaviest = rows["heaviest"]
    assert (heaviest.template, heaviest.templates, heaviest.of) == (SAID, 1, 3)
    assert heaviest.share == pytest.approx(6 / 9)
    kept = of != SAID
    assert figures(heaviest) == pytest.approx(plain(p[:, kept], w[kept]))
    far = [each for each in (SAID, KNEW, WROTE) if abs(np.average(n[of == each], weights=w[of == each]) - n @ w) > 0.15]
    assert ("far" in rows) == bool(far)


def test_templates_far_from_the_mean_neutral_lean_are_left_out(opened, monkeypatch):
    read, neutral = (bvf.read_measurement(each) for each in (opened.folder, opened.folder / "prior"))
    w, p, n = read.record.asked.context_weights, read.probabilities[..., 0], neutral.probabilities[..., 0].mean(axis=0)
    of = np.array([each.columns["template"] for each in read.record.asked.in_order])
    apart = {each: abs(np.average(n[of == each], weights=w[of == each]) - n @ w) for each in (SAID, KNEW, WROTE)}
    furthest = max(apart, key=apart.get)
    monkeypatch.setattr("bvf_insights.explain.reliability.FAR", sorted(apart.values())[1] + 1e-9)
    explanation = bvf.explain(opened)
    (far,) = [row for row in explanation.templates if row.without == "far"]
    assert (far.templates, far.share) == (1, pytest.approx(w[of == furthest].sum()))
    assert figures(far) == pytest.approx(plain(p[:, of != furthest], w[of != furthest]))
    table = next(section for section in sections(explanation) if section.title == "Do some templates decide?")
    assert [row[0] for row in table.rows][:2] == ["none of them", "the heaviest"]
    assert table.rows[2][1:3] == ("1 of 3", f"{far.share:.1%}")
    assert table.notes == [f'heaviest: "{SAID}"']


def test_without_neutral_subjects_there_is_the_heaviest_alone_and_of_one_template_nothing(result, run_of):
    asked = {row.without for row in bvf.explain(run_of(topic="names", limit_groups=3)).templates}
    assert asked == {"none", "heaviest"}
    one = run_of(contexts="gender", openings="none", sample_contexts=0, limit_contexts=1)
    assert bvf.explain(one).templates == ()
