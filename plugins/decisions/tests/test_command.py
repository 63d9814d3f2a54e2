"""From documents to a table, a gate, a page and a picture, on the bundled model."""

import csv
import io
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import torch
import transformers as tf
from bvf_en import bvf_models
from scipy.stats import ttest_1samp

import bvf as real_bvf

NAMES = "Emily,Anne,Greg,Todd,Lakisha,Tanisha,Jamal,Tyrone"


def bvf(line, *more):
    given = [line, *more] if more else line.split()
    done = subprocess.run([sys.executable, "-m", "bvf", *given], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_documents_of_ones_own_from_end_to_end(tmp_path):
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


JOBS = "women's jobs"


def plain_p(prompts, words_of):
    """p of each class after each prompt: sums over words of the product of plain forwards, among all words."""
    folder = next(each.load()().path for each in bvf_models() if each.name == "en-causal")
    model = tf.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = tf.AutoTokenizer.from_pretrained(folder)

    def p_of(prompt, word):
        before, both = (tokenizer(text)["input_ids"] for text in (prompt, f"{prompt} {word}"))
        logp = model(torch.tensor([both])).logits[0].log_softmax(dim=-1)
        return float(sum(logp[at - 1, both[at]] for at in range(len(before), len(both))).exp())

    with torch.no_grad():
        p = [[sum(p_of(prompt, word) for word in words) for words in words_of.values()] for prompt in prompts]
    return np.array(p) / np.sum(p, axis=1, keepdims=True)


def test_cues_from_end_to_end(tmp_path):
    run, other, page = tmp_path / "run", tmp_path / "other", tmp_path / "page.html"
    groups = "Emily,Anne,Greg,Todd,she,he,the woman,the man"
    asked = ["--topic", "cues", "--groups", groups, "--limit-contexts", "12"]
    told = bvf("run", *asked, "--model", "bundled:en-causal", "--out", str(run))
    assert "women's jobs by cue" in told
    rows = pd.read_csv(
        io.StringIO(bvf("cues", str(run), "--unit", "template", "--format", "csv")), keep_default_na=False
    )
    frame = real_bvf.read_result(run).stereotypes()
    p = frame[frame["attribute"] == JOBS].pivot(index="context", columns="group", values="probability")
    by_hand = {
        "label": p["the woman"] - p["the man"],
        "name": (p["Emily"] + p["Anne"] - p["Greg"] - p["Todd"]) / 2,
        "pronoun": p["she"] - p["he"],
    }
    for row in rows.to_dict("records"):
        apart = by_hand[row["cue"]] - (by_hand[row["than"]] if row["than"] else 0.0)
        plain = ttest_1samp(apart, 0.0)
        assert (row["value"], row["p_value"]) == pytest.approx((apart.mean(), plain.pvalue))
        assert (row["low"], row["high"]) == pytest.approx(tuple(plain.confidence_interval(0.95)))
    few = p.iloc[:2][["she", "the man", "Emily"]].stack()
    words = real_bvf.read_result(run).words
    assert few.to_numpy() == pytest.approx(
        plain_p([context[: -len(" [Y]")].replace("[X]", group) for context, group in few.index], words)[:, 0], abs=1e-4
    )
    found = json.loads(bvf("cues", str(run), "--rule", "class=men's jobs", "--format", "json"))
    assert found["contrast"] == pytest.approx(-rows["value"][:3].mean())
    assert found["uncertainty"]["estimand"] == "names"
    assert real_bvf.cues(run, "class=men's jobs").contrast == found["contrast"]
    assert real_bvf.cues(run).differences == real_bvf.read_result(run).differences
    assert "pass: contrast[name]" in bvf("gate", str(run), "--max", "contrast[name]=0.9", "--allow-low-mass")
    limit = ["--max", "cue_difference=0.9", "--as-is", "--allow-low-mass"]
    assert "pass: cue_difference" in bvf("gate", str(run), *limit)
    bvf("run", *asked, "--model", "baseline:random", "--out", str(other))
    assert "cue difference  2 baseline:random" in bvf("compare", str(run), str(other))
    bvf("report", str(run), "-o", str(page))
    assert "Hollow: differences between cues" in page.read_text()
    bvf("plot", str(run), "--kind", "cues", "-o", str(tmp_path / "cues.svg"))
    bvf("verify", str(run))
