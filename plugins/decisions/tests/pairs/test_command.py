"""From two people and each alone to tables, a gate, a page and a picture, on the bundled model."""

import csv
import io
import json
import subprocess
import sys

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from bvf import load

NAMES = ("nurse", "surgeon", "engineer")
TEXT = "The {} phoned the {} because {} was late. The person who was late was the"


def bvf(line, code=0):
    done = subprocess.run([sys.executable, "-m", "bvf", *line.split()], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout or done.stderr


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    rows = [f"{TEXT.format('[X1]', '[X2]', who)} [Y],1,{of}" for who, of in (("she", "female"), ("he", "male"))]
    (folder / "who.csv").write_text("template,count,about\n" + "\n".join(rows))
    groups = ",".join(NAMES)
    bvf(f"run --topic pairs --contexts {folder}/who.csv --groups {groups} --out {folder}/two --quiet")
    bvf(f"run --limit-contexts 6 --openings none --groups {groups} --out {folder}/alone --quiet")
    return folder


def plain_log_p(model, tokens, text, word):
    """Log p of a word after a text, by one forward pass."""
    left, whole = (tokens(each)["input_ids"] for each in (text, f"{text} {word}"))
    assert whole[: len(left)] == left
    logp = torch.log_softmax(model(torch.tensor([whole])).logits[0].double(), dim=-1)
    return sum(float(logp[place - 1, whole[place]]) for place in range(len(left), len(whole)))


def test_scores_are_those_of_plain_forward_passes(runs):
    folder = load().models.find("en-causal").make().path
    model, tokens = (
        AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval(),
        AutoTokenizer.from_pretrained(folder),
    )
    odds = np.zeros((3, 3, 2))
    with torch.no_grad():
        for (g, h), (c, pronoun) in ((pair, each) for pair in np.ndindex(3, 3) for each in enumerate(("she", "he"))):
            text = TEXT.format(NAMES[g], NAMES[h], pronoun)
            one, other = (plain_log_p(model, tokens, text, NAMES[each]) for each in (g, h))
            odds[g, h, c] = one - other
    result = json.loads(bvf(f"pairs {runs}/two --format json"))
    known = {(each["group"], each["other"]): each["score"] for each in result["pairs"]}
    over = (odds - odds.transpose(1, 0, 2)) / 2.0
    for (one, other), score in known.items():
        g, h = NAMES.index(one), NAMES.index(other)
        assert score == pytest.approx(over[g, h, 0] - over[g, h, 1], abs=1e-3)
    assert len(known) == 3
    apart = [odds[g, h].mean() for g, h in np.ndindex(3, 3) if g != h]
    assert result["place_effect"] == pytest.approx(np.mean(apart), abs=1e-3)


def test_two_people_and_each_alone_from_end_to_end(runs, tmp_path):
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
