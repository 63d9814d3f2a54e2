"""From two people and each alone to tables, a gate, a page and a picture, on the bundled model."""

import csv
import io
import json

import numpy as np
import pytest

NAMES = ("nurse", "surgeon", "engineer")
TEXT = "The {} phoned the {} because {} was late. The person who was late was the"


@pytest.fixture(scope="module")
def runs(tmp_path_factory, bvf):
    folder = tmp_path_factory.mktemp("runs")
    rows = [f"{TEXT.format('[X1]', '[X2]', who)} [Y],1,{of}" for who, of in (("she", "female"), ("he", "male"))]
    (folder / "who.csv").write_text("template,count,about\n" + "\n".join(rows))
    groups = ",".join(NAMES)
    bvf(f"run --topic pairs --contexts {folder}/who.csv --groups {groups} --out {folder}/two --quiet")
    bvf(f"run --limit-contexts 6 --openings none --groups {groups} --out {folder}/alone --quiet")
    return folder


def test_scores_are_those_of_plain_forward_passes(bvf, runs, log_p):
    odds = np.zeros((3, 3, 2))
    for g, h, c in np.ndindex(odds.shape):
        text = TEXT.format(NAMES[g], NAMES[h], ("she", "he")[c])
        odds[g, h, c] = log_p(text, NAMES[g]) - log_p(text, NAMES[h])
    result = json.loads(bvf(f"pairs {runs}/two --format json"))
    known = {(each["group"], each["other"]): each["score"] for each in result["pairs"]}
    over = (odds - odds.transpose(1, 0, 2)) / 2.0
    for (one, other), score in known.items():
        g, h = NAMES.index(one), NAMES.index(other)
        assert score == pytest.approx(over[g, h, 0] - over[g, h, 1], abs=1e-3)
    assert len(known) == 3
    apart = [odds[g, h].mean() for g, h in np.ndindex(3, 3) if g != h]
    assert result["place_effect"] == pytest.approx(np.mean(apart), abs=1e-3)


def test_two_people_and_each_alone_from_end_to_end(bvf, runs, tmp_path):
    both = f"{runs}/two {runs}/alone"
    rows = list(csv.DictReader(io.StringIO(bvf(f"pairs {both} --format csv"))))
    assert sorted(row["group"] for row in rows) == sorted(NAMES)
    assert all(abs(float(row["score"]) - float(row["alone"]) - float(row["difference"])) < 1e-9 for row in rows)
    said = " ".join(bvf(f"pairs {both}").split())
    assert "Alone: the same log odds from gender" in said
    assert "| nurse | engineer |" in bvf(f"pairs {both} --format md")
    bvf(f"run --topic pairs --groups nurse,surgeon --out {tmp_path}/opened --quiet")
    assert "pass: place_effect" in bvf(f"gate {tmp_path}/opened --max place_effect=50 --allow-low-mass")
    bvf(f"report {runs}/two -o {tmp_path}/page.html")
    assert "Two people in one text" in (tmp_path / "page.html").read_text()
    bvf(f"plot {runs}/two --criterion pairs:{runs}/alone --kind pairs -o {tmp_path}/pairs.svg")
    bvf(f"verify {runs}/two")
    assert "and the analysis of pairs takes two" in bvf(f"pairs {runs}/alone", code=2)
