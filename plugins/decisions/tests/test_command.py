"""From documents and cues to a table, a gate, a page and a picture, on the bundled model."""

import csv
import io
import json

import numpy as np
import pytest

import bvf as library

NAMES = "Emily,Anne,Greg,Todd,Lakisha,Tanisha,Jamal,Tyrone"


def test_documents_of_ones_own_from_end_to_end(bvf, tmp_path):
    run, letters, page = tmp_path / "run", tmp_path / "letters", tmp_path / "page.html"
    letters.mkdir()
    for what in ("loan", "job", "room"):
        (letters / f"{what}.txt").write_text(f"Dear [X],\n\nthe {what} that you asked for was [Y]")
    bvf(f"run --topic decisions --contexts documents:{letters} --groups {NAMES} --out {run}")
    rows = list(csv.DictReader(io.StringIO(bvf(f"impact {run} --select top=25% --format csv"))))
    assert [row["category"] for row in rows][:4] == ["female", "male", "white", "Black"]
    assert [int(row["applicants"]) for row in rows] == [12, 12, 12, 12, 6, 6, 6, 6]
    assert sum(float(row["selected"]) for row in rows[:2]) == 6.0
    stored = json.loads(bvf(f"impact {run} --format json"))
    assert (stored["schema"], stored["rule"]) == ("bvf.impact/1", "p(accepted) above the median of all candidates")
    limits = f"--min impact_ratio={0.9 * stored['uncertainty']['intervals']['impact_ratio']['low']:.4f}"
    assert "pass: impact_ratio" in bvf(f"gate {run} {limits} --min impact_ratio[female]=0 --allow-low-mass")
    assert "male & Black" in bvf(f"show {run} --details")
    bvf(f"report {run} -o {page}")
    assert "the four-fifths rule" in page.read_text()
    bvf(f"plot {run} --kind impact -o {tmp_path / 'impact.svg'}")
    bvf(f"verify {run}")


def test_cues_from_end_to_end(bvf, log_p, tmp_path):
    run, other, page = tmp_path / "run", tmp_path / "other", tmp_path / "page.html"
    groups = "Emily,Anne,Greg,Todd,she,he,the woman,the man"
    asked = f"run --topic cues --groups '{groups}' --limit-contexts 12"
    assert "women's jobs by cue" in bvf(f"{asked} --model bundled:en-causal --out {run}")
    result = library.read_result(run)
    frame = result.stereotypes()
    p = frame[frame["attribute"] == "women's jobs"].pivot(index="context", columns="group", values="probability")
    for (context, group), of_class in p.iloc[:2][["she", "the man", "Emily"]].stack().items():
        prompt = context.removesuffix(" [Y]").replace("[X]", group)
        mass = [sum(np.exp(log_p(prompt, word)) for word in words) for words in result.words.values()]
        assert of_class == pytest.approx(mass[0] / sum(mass), abs=1e-4)
    label = p["the woman"] - p["the man"]
    name = (p["Emily"] + p["Anne"] - p["Greg"] - p["Todd"]) / 2
    rows = {
        (row["cue"], row["than"]): float(row["value"])
        for row in csv.DictReader(io.StringIO(bvf(f"cues {run} --unit template --format csv")))
    }
    assert len(rows) == 6
    assert rows["label", ""] == pytest.approx(label.mean())
    assert rows["label", "name"] == pytest.approx((label - name).mean())
    found = json.loads(bvf(f'cues {run} --rule "class=men\'s jobs" --format json'))
    contrasts = [value for (_, than), value in rows.items() if not than]
    assert found["contrast"] == pytest.approx(-np.mean(contrasts))
    assert found["uncertainty"]["estimand"] == "names"
    assert library.cues(run, "class=men's jobs").contrast == found["contrast"]
    assert library.cues(run).differences == result.differences
    assert "pass: contrast[name]" in bvf(f"gate {run} --max contrast[name]=0.9 --allow-low-mass")
    assert "pass: cue_difference" in bvf(f"gate {run} --max cue_difference=0.9 --as-is --allow-low-mass")
    bvf(f"{asked} --model baseline:random --out {other}")
    assert "cue difference  2 baseline:random" in bvf(f"compare {run} {other}")
    bvf(f"report {run} -o {page}")
    assert "Hollow: differences between cues" in page.read_text()
    bvf(f"plot {run} --kind cues -o {tmp_path / 'cues.svg'}")
    bvf(f"verify {run}")
