"""Explanations of results: they add up, say what leaving a context out does, and find what was planted."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from bvf_insights.explain.analysis import explain_risk
from bvf_insights.explain.tables import sections
from helpers.made_alike import by_samples, measured, probabilities

import bvf
from bvf import BvfError
from bvf.hooks.loader import load
from bvf.results.restore import predictions_of
from bvf.study.choices import prepared
from bvf.study.config import AnalysisConfig
from bvf.study.study import Study


def risks(read, p=None):
    """R and R^b for two classes and linf, plainly."""
    stereotype = 2 * (read.probabilities if p is None else p)[..., 0] - 1
    return np.abs(stereotype) @ read.context_weights, np.abs(stereotype @ read.context_weights)


def test_the_figures_are_those_of_the_result_and_drivers_add_up_to_them(result, several, silent):
    for each in (result, several, silent):
        explanation = bvf.explain(each, show=0)
        assert (explanation.R, explanation.R_bias) == pytest.approx((each.R, each.R_bias))
        assert explanation.R_volatility == pytest.approx(each.R_volatility, abs=1e-12)
        assert sum(share.share for share in explanation.varying) == pytest.approx(1.0)


def test_one_group_is_explained_by_itself(result):
    read, name = predictions_of(result), result.groups[2].group
    explanation = bvf.explain(result, group=name)
    r, r_bias = (each[2] for each in risks(read))
    assert (explanation.R, explanation.R_bias) == pytest.approx((r, r_bias))
    assert [each.group for each in explanation.exceeding] == [name]
    assert explanation.drivers.R_bias == pytest.approx(r_bias)
    assert all(driver.groups == (name,) for driver in explanation.drivers.bias)


def test_the_context_that_a_figure_hangs_on_is_found_by_leaving_out_each(result):
    read = predictions_of(result)
    R, R_bias = (each.mean() for each in risks(read))
    for figure, value, place in (("R", R, 0), ("R_bias", R_bias, 1), ("R_volatility", R - R_bias, None)):
        without = []
        for c in range(len(read.contexts)):
            weights = np.delete(read.context_weights, c) / (1 - read.context_weights[c])
            stereotype = 2 * np.delete(read.probabilities, c, axis=1)[..., 0] - 1
            both = (np.abs(stereotype) @ weights).mean(), np.abs(stereotype @ weights).mean()
            without.append(both[0] - both[1] if place is None else both[place])
        furthest = int(np.abs(np.array(without) - value).argmax())
        (told,) = (each for each in bvf.explain(result).left_out if each.figure == figure)
        assert told.context == read.contexts[furthest]
        assert (told.value, told.without) == pytest.approx((value, without[furthest]))


def test_groups_above_a_threshold_are_counted(result):
    read = predictions_of(result)
    in_contexts = np.abs(2 * read.probabilities[..., 0] - 1)
    threshold = float(np.median(in_contexts))
    above = (in_contexts > threshold) @ read.context_weights
    by_group = {each.group: each for each in bvf.explain(result, threshold=threshold).exceeding}
    assert [by_group[name].share for name in read.group_names] == pytest.approx(above)
    assert all(each.low <= each.share <= each.high for each in by_group.values())
    assert any(0 < each.share < 1 for each in by_group.values())


def test_a_property_that_decides_is_told_apart(planted_contexts):
    """The toy model leans by the verb family alone, which a column of the file tells, and nothing else does."""
    explanation = bvf.explain(planted_contexts)
    apart = {(each.property, each.level) for each in explanation.levels if each.decision != "tied"}
    assert apart == {("mood", "kind"), ("mood", "cruel")}
    kind = next(each for each in explanation.levels if (each.level, each.figure) == ("kind", "male"))
    assert kind.difference == pytest.approx(-0.4, abs=0.02)
    assert kind.low < kind.difference < kind.high
    spread = {(each.property, each.figure): each.deviation for each in explanation.properties}
    assert spread["mood", "male"] == pytest.approx(0.2, abs=0.01)
    assert spread["tense", "male"] < 0.02
    context = next(each for each in explanation.varying if each.what == "context")
    assert context.share > 0.9


@pytest.fixture(scope="session")
def planted_contexts(tmp_path_factory):
    """A run on contexts of which half are kind, and half cruel; the second column is dealt out by chance."""
    folder = tmp_path_factory.mktemp("planted")
    rng = np.random.default_rng(5)
    lines = ["template,count,mood,tense"]
    for number in range(40):
        mood = ("kind", "cruel")[number % 2]
        lines.append(f"The [X] was {mood} to us {number} times when [Y],1,{mood},{rng.choice(['Past', 'Pres'])}")
    (folder / "moods.csv").write_text("\n".join(lines) + "\n")
    (folder / "moods.py").write_text(MOODY)
    config = bvf.RunConfig(
        plugin=(str(folder / "moods.py"),),
        model="moody:x",
        words={"male": ("he",), "female": ("she",)},
        contexts=str(folder / "moods.csv"),
        limit_groups=5,
        out=str(folder / "out"),
    )
    return bvf.run(config)


MOODY = """
import hashlib
import numpy as np
from bvf import Backend, Provider, hookimpl


class Moody(Backend):
    def __init__(self, request):
        pass

    def score(self, prompts, words, *, absolute):
        logp = np.zeros((len(prompts), len(words)))
        for row, prompt in enumerate(prompts):
            noise = int(hashlib.md5(str(prompt).encode()).hexdigest(), 16) % 100 / 2000
            he = (0.7 if "cruel" in str(prompt) else 0.3) + noise
            logp[row] = [np.log(he if word == "he" else 1 - he) for word in words]
        return logp


@hookimpl
def bvf_backends():
    yield Provider("moody", Moody, summary="leans by mood")
"""


def test_what_cannot_be_explained_is_said_in_a_line(result, run_of):
    with pytest.raises(BvfError, match="no group") as wrong:
        bvf.explain(result, group=result.groups[0].group[:-1])
    assert result.groups[0].group in wrong.value.hint
    with pytest.raises(BvfError, match=r"^--threshold -1: is not a number from 0 on"):
        bvf.explain(result, threshold=-1.0)
    known = run_of(topic="knowledge/continents", contexts="", sample_contexts=0, limit_contexts=3)
    with pytest.raises(BvfError, match="has no figures of risk"):
        explain_risk(known)


def test_contexts_that_are_no_sample_have_no_interval_of_how_often(several):
    explanation = bvf.explain(several)
    assert explanation.units is None
    assert all(each.low is None for each in explanation.exceeding)
    assert any("no interval" in note for note in explanation.notes)


def test_the_command_prints_tables_and_json(command, result):
    done = command("explain", result.folder, "--show", "3")
    assert done.code == 0
    assert "what a group is on average" in done.out
    assert re.search(r"Contexts that add most to R\^b \(3 of \d+ that add to it\)", done.out)
    told = json.loads(command("explain", result.folder, "--format", "json").out)
    assert told["schema"] == "bvf.explanation/1"
    assert told["R"] == pytest.approx(result.R)
    table = command("explain", result.folder, "--format", "csv").out.splitlines()
    assert table[0].startswith("property,level,figure")
    assert len(table) == 1 + len(told["levels"])
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
    assert sum(each.share for each in sampled.varying) == pytest.approx(1.0)
    assert (sampled.R, sampled.R_bias, sampled.R_volatility) == pytest.approx(
        (result.R, result.R_bias, result.R_volatility)
    )


def test_an_explanation_of_sampled_answers_says_what_holds_their_noise(explained):
    _, of_group = explained(by_samples("a", probabilities(3, contexts=60)), group="nurse")
    assert [each.what for each in of_group.varying][-1] == "sampling"
    varying = sections(of_group)[0]
    assert [row[0] for row in varying.rows] == [
        "what a context does to all groups alike",
        "the sampling of its answers",
    ]
    assert any("how often risks are high, swaps, and who changes sides hold it" in note for note in of_group.notes)


def test_contexts_of_a_fair_model_add_no_volatility_on_average(explained):
    """By shares, 60 contexts of a fair model add .2 to R^v; halves of the answers cancel."""
    result, explanation = explained(by_samples("a", np.full((4, 60, 2), 0.5)), show=0)
    assert result.sampled.plug_in["R_volatility"] > 0.12
    assert abs(explanation.drivers.R_volatility) < 0.06


def test_a_folder_in_place_of_a_result_is_refused_with_what_reads_it():
    with pytest.raises(BvfError, match=r"results such as str\nhint: bvf.read_result\(FOLDER\)"):
        bvf.explain("runs/a")


def test_what_stands_before_templates_has_a_share_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pool.txt").write_text("".join(f"On day {day} it rained.\n" for day in range(14)))
    (tmp_path / "two.txt").write_text("The [X] said that [Y]\nLater the [X] wrote that [Y]\n")
    result = bvf.run(contexts="two.txt", openings="pool.txt", groups=("nurse", "captain", "cook"), out="opened")
    explanation, read = bvf.explain(result), predictions_of(result)
    shares = {each.what: each.share for each in explanation.varying}
    assert list(shares) == ["group", "template", "opening", "both"]
    assert sum(shares.values()) == pytest.approx(1.0)
    of_all, places = read.lean.mean(axis=0)[:, 0], read.asked.places
    pairs = [(i, j) for i in range(len(places)) for j in range(i)]
    squared = {pair: (of_all[pair[0]] - of_all[pair[1]]) ** 2 for pair in pairs}
    weight = {(i, j): read.context_weights[i] * read.context_weights[j] for i, j in pairs}
    alike = [(i, j) for i, j in pairs if places[i] == places[j]]
    within, whole = (
        sum(weight[each] * squared[each] for each in some) / sum(weight[each] for each in some)
        for some in (alike, pairs)
    )
    assert shares["opening"] / (shares["opening"] + shares["template"]) == pytest.approx(within / whole)
    assert [row[0] for row in sections(explanation)[0].rows][1] == "what a template does to all groups alike"


def test_what_openings_do_has_an_interval_where_enough_of_them_were_drawn(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pool.txt").write_text("".join(f"On day {day} it rained.\n" for day in range(400)))
    (tmp_path / "two.txt").write_text("The [X] said that [Y]\nLater the [X] wrote that [Y]\n")
    asked = {"contexts": "two.txt", "openings": "pool.txt", "groups": ("nurse", "captain")}
    many, few = (bvf.explain(bvf.run(**asked, sample_contexts=n, out=f"of{n}")) for n in (60, 40))
    row, without = (next(each for each in one.varying if each.what == "opening") for one in (many, few))
    assert 0.0 < row.low < row.deviation < row.high
    assert f"{row.low:.4f} to {row.high:.4f}" in sections(many)[0].rows[2]
    assert (without.low, without.high) == (None, None)
    assert "40 contexts were drawn, and an interval takes 50" in sections(few)[0].notes[0]
    assert "sd between contexts" in sections(few)[0].notes[0]


def test_templates_are_told_apart_from_openings_also_where_some_prompts_have_no_answer(run_of, tmp_path):
    (tmp_path / "pool.txt").write_text("".join(f"On day {day} it rained.\n" for day in range(60)))
    said, others = "The [X] said that [Y]\n", ("Later the [X] wrote that [Y]\n", "The [X] knew that [Y]\n")

    def explained(*templates):
        (tmp_path / "some.txt").write_text(said + "".join(templates))
        asked = {"contexts": str(tmp_path / "some.txt"), "openings": str(tmp_path / "pool.txt"), "sample_contexts": 90}
        asked |= {"groups": ("nurse", "captain", "cook"), "limit_groups": 0}
        return bvf.explain(run_of(model="toy:silent-nurse", **asked))

    whole = explained(*others)
    assert whole.complete < whole.contexts
    assert {"template", "opening"} <= {each.what for each in whole.varying}
    of_two = explained(others[0])
    assert of_two.complete > 0
    assert "heaviest" not in {each.without for each in of_two.templates}  # in the other the nurse has no answer
