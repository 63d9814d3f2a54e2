"""What a frame changes is measured in the same templates; the plain computation pairs them by scipy."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made_alike import measured, with_asked, with_model
from scipy.stats import ttest_rel

import bvf
from bvf.domain.answers import Samples
from bvf.domain.asked import AskedSampling, AskedTemplate
from bvf.results.restore import predictions_of

GROUPS, TEMPLATES = 6, 30
YEARS, PLACES = ("1990", "2030"), ("Texas", "Kenya")


def in_frames(shift_of_year=0.0, shift_of_place=0.0, templates=TEMPLATES, places=PLACES):
    """p(male) of each group in each template: noise of both, and a shift by each frame; templates are above p*."""
    rng = np.random.default_rng(0)
    base = 0.7 + rng.normal(0, 0.02, (GROUPS, 1)) + rng.normal(0, 0.04, templates)
    columns, p = [], []
    for t in range(templates):
        for year, y in zip(YEARS, (0.0, shift_of_year), strict=True):
            for place, z in zip(places, (0.0, shift_of_place), strict=False):
                column = {"origin": f"The [X] {t} [Y]", "year": year, "place": place, "verb": f"v{t % 3}"}
                column |= {"documents": str(t), "lean_toy": f"{t / 100}"}
                text = f"In {year}, in {place}, the [X] {t} [Y]"
                columns.append(AskedTemplate(template=text, count=1, columns=column))
                p.append(base[:, t] + y + z + rng.normal(0, 0.01, GROUPS))
    p = np.clip(np.array(p).T, 0.01, 0.99)
    made = measured("a", np.stack([p, 1 - p], axis=2), groups=tuple(f"g{x}" for x in range(GROUPS)))
    return with_asked(made, templates=tuple(columns), sampling=AskedSampling(written=True)), p


def explained(made):
    result = bvf.analyse(replace(made, folder=None))
    return bvf.explain(result, predictions=predictions_of(result, made))


def row(explanation, frame, figure):
    (found,) = (each for each in explanation.frames if (each.frame, each.figure) == (frame, figure))
    return found


def test_a_frame_is_compared_in_the_same_templates_and_other_frames():
    """All means of groups lie above p*, so R of a level is the mean of 2 p - 1, and R^v is 0."""
    made, p = in_frames(shift_of_year=0.05, places=PLACES[:1])
    explanation = explained(made)
    first, second = (2 * p[:, level::2].mean(axis=0) - 1 for level in (0, 1))
    ends = ttest_rel(second, first).confidence_interval(0.95)
    for figure, factor in (("R", 1.0), ("R_bias", 1.0), ("male", 0.5)):
        found = row(explanation, "year", figure)
        assert (found.first, found.second, found.templates) == ("1990", "2030", TEMPLATES)
        assert found.difference == pytest.approx(factor * (second - first).mean())
        assert (found.in_first, found.in_second) == pytest.approx((factor * first.mean(), factor * second.mean()))
        low, high = (factor * end for end in ends)
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.15 * (high - low))
        assert found.decision == "higher"
    assert row(explanation, "year", "R_volatility").difference == pytest.approx(0.0, abs=1e-9)


def test_noise_of_samples_is_no_risk_of_a_level():
    """Every p is 1/2; as the mean of |2 p - 1| over shares of 24 samples, R would be 0.16."""
    made, p = in_frames(places=PLACES[:1])
    shares = np.random.default_rng(1).binomial(24, 0.5, size=p.shape) / 24
    answers = {"probabilities": np.stack([shares, 1 - shares], axis=2), "answers": Samples(np.full(p.shape, 24.0))}
    found = row(explained(replace(with_model(made, samples=24), **answers, word_logprobs=None)), "year", "R")
    assert (found.in_first, found.in_second) == pytest.approx((0.0, 0.0), abs=0.03)


def test_each_frame_has_its_own_effect_and_its_levels_are_no_properties():
    explanation = explained(in_frames(shift_of_year=0.05, shift_of_place=-0.05)[0])
    assert {each.frame for each in explanation.frames} == {"year", "place"}
    assert row(explanation, "year", "male").difference == pytest.approx(0.05, abs=0.005)
    assert row(explanation, "place", "male").difference == pytest.approx(-0.05, abs=0.005)
    assert row(explanation, "place", "R_bias").decision == "lower"
    assert {each.property for each in explanation.properties} == {"verb"}


def test_volatility_is_within_levels_or_between_them():
    """Levels that lean to opposite sides, each without volatility of its own."""
    explanation = explained(in_frames(shift_of_year=-0.4, places=PLACES[:1])[0])
    (share,) = explanation.frame_shares
    assert share.within == pytest.approx(0.0, abs=1e-9)
    assert share.within + share.between == pytest.approx(explanation.R_volatility)
    assert share.between > 0.2


def test_few_templates_have_differences_without_intervals_and_none_is_the_first_level():
    explanation = explained(in_frames(shift_of_year=0.05, templates=9, places=("Texas", "none"))[0])
    found = row(explanation, "year", "R")
    assert found.difference > 0.05
    assert (found.low, found.high, found.adjusted_p, found.decision) == (None, None, None, None)
    of_place = row(explanation, "place", "R")
    assert (of_place.first, of_place.second) == ("none", "Texas")


def test_the_share_of_the_variance_is_that_of_a_plain_analysis_of_variance():
    """Of p(male); the other class varies as much."""
    made, p = in_frames(shift_of_year=0.1, places=PLACES[:1])
    (share,) = explained(made).frame_shares
    years = p.reshape(GROUPS, TEMPLATES, 2)
    of_year = ((years.mean(axis=(0, 1)) - p.mean()) ** 2).mean()
    assert share.variance == pytest.approx(of_year / p.var())
    left = years.mean(axis=1) - years.mean(axis=(1, 2))[:, None] - years.mean(axis=(0, 1)) + p.mean()
    assert share.variance_by_group == pytest.approx((left**2).mean() / p.var())


def test_templates_and_frames_share_what_varies_over_contexts():
    """All means of groups lie above p*, so nothing is volatile; the plain computation is an analysis of variance."""
    made, p = in_frames(shift_of_year=0.1, shift_of_place=0.02)
    rows = {each.what: each for each in explained(made).crossed}
    levels = {"template": TEMPLATES, "year": 2, "place": 2, "together": None}
    assert {each.what: each.levels for each in rows.values()} == levels
    by_frame = p.reshape(GROUPS, TEMPLATES, 2, 2)
    total = p.var(axis=1).mean()
    for what, others in (("template", (2, 3)), ("year", (1, 3)), ("place", (1, 2))):
        assert rows[what].variance == pytest.approx(by_frame.mean(axis=others).var(axis=1).mean() / total)
        assert rows[what].volatility == pytest.approx(0.0, abs=1e-9)
    assert sum(each.variance for each in rows.values()) == pytest.approx(1.0)
    assert rows["together"].volatility is None


def test_many_levels_of_a_frame_are_not_compared_pair_by_pair_and_the_rest_is_said():
    made, _ = in_frames(shift_of_year=0.1)
    templates = made.record.asked.templates
    others = tuple(
        each.model_copy(update={"columns": {**each.columns, "origin": f"{c % 3}", "year": f"{c}"}})
        for c, each in enumerate(templates)
    )
    explanation = explained(with_asked(made, templates=others))
    assert "year" not in {each.frame for each in explanation.frames}
    assert f"year has {len(templates)} levels: they are not compared pair by pair" in explanation.notes
    assert {each.frame for each in explanation.frame_shares} >= {"year"}
    assert explanation.crossed == ()  # no year stands with every template


def test_the_commands_make_explain_export_and_draw_frames(command, tmp_path, monkeypatch):
    def done(*arguments):
        left = command(*arguments)
        assert left.code == 0, left.err
        return left.out

    monkeypatch.chdir(tmp_path)
    by = ("--by", "year", "--by", "place=Texas,Kenya")
    framed = done("contexts", "frame", "gender-mixed", *by, "--sample-contexts", 30, "--out", "framed.csv")
    assert "contexts by year (1990, 2030), place (Texas, Kenya)" in framed
    done("run", "--model", "baseline:random", "--contexts", "framed.csv", "--limit-groups", 6, "--out", "run")
    printed = done("explain", "run")
    assert "What frames change" in printed
    assert "How much of R^v is between the levels of a frame" in printed
    (tmp_path / "explained.json").write_text(done("explain", "run", "--format", "json"))
    done("export", "explained.json", "--to", "csv", "--table", "frames", "--out", "frames.csv")
    assert len((tmp_path / "frames.csv").read_text().splitlines()) == 1 + 2 * 4
    done("report", "run", "--out", "page.html")
    assert "contexts with one level of a frame less those with another" in (tmp_path / "page.html").read_text()
    done("plot", "run", "--kind", "frames", "--out", "frames.svg")


def test_written_contexts_are_all_framed(command, tmp_path):
    (tmp_path / "mine.txt").write_text("The [X] said that [Y]\nThe [X] knew that [Y]\n")
    frame, out = ("contexts", "frame", tmp_path / "mine.txt", "--by", "year", "--out"), tmp_path / "framed.csv"
    assert command(*frame, out).code == 0
    assert len(out.read_text().splitlines()) == 5
    refused = command(*frame, tmp_path / "fewer.csv", "--sample-contexts", 1)
    assert refused.code == 2
    assert "were written, not sampled" in refused.err
