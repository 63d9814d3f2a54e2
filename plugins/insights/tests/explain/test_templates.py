"""Figures without the heaviest template and without those far from the mean neutral lean: beside a plain analysis."""

import numpy as np
import pytest
from bvf_insights.explain.tables import sections

import bvf

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
    monkeypatch.setattr("bvf_insights.explain.templates.FAR", sorted(apart.values())[1] + 1e-9)
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
