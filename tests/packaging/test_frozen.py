"""A package as a stranger wrote it on 2026-11-30: it is never edited, and each of its parts works in this state too.

Where it cannot, because a promise of docs/reference/stability.md ended, a new package is frozen, and the old one goes.
"""

import hashlib
import json
import shutil
from math import exp
from pathlib import Path

import pytest

FROZEN = Path(__file__).resolve().parents[1] / "frozen"
DIGESTS = {"bvf-frozen-1": "f57cd10197503351"}
FEW = ("--limit-groups", 2, "--limit-contexts", 2)
CONTEXTS = {"The {} said that": 4, "The {} wrote that": 2, "The {} did not know whether": 1}
ENDINGS = {"baker": "a", "butcher": "o", "tailor": "o", "welder": "a"}


@pytest.mark.parametrize("name", DIGESTS)
def test_what_is_frozen_is_never_edited(name):
    files = sorted(file for file in (FROZEN / name).rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    told = b"".join(b"%s\n%s" % (str(each.relative_to(FROZEN)).encode(), each.read_bytes()) for each in files)
    assert hashlib.sha256(told).hexdigest()[:16] == DIGESTS[name]


def p_calm(context, group, lean=0.5):
    """What the frozen backend says of calm, by its own rule: the length of words, in the form of the group."""
    left, end = context.format(group), ENDINGS[group]
    left = left.replace("The", "La", 1) if end == "a" else left
    calm, loud = (
        sum(exp(-lean * (len(left) * len(word + end) % 7)) for word in words)
        for words in (("calm", "quiet"), ("loud", "noisier"))
    )
    return calm / (calm + loud)


def over_all(figure):
    """The mean over groups and contexts of a figure of p of calm."""
    means = [sum(n * figure(p_calm(each, group)) for each, n in CONTEXTS.items()) / 7 for group in ENDINGS]
    return sum(means) / len(means)


def test_every_part_of_a_frozen_package_works(fresh):
    fresh.install(shutil.copytree(FROZEN / "bvf-frozen-1", fresh.folder / "bvf-frozen-1"))
    # A process that is warm knows the commands and the functions of before.
    checked = fresh.run("-m", "bvf", "check", "frozen-1", "--model", "frozen-lengths:x")
    assert (checked.returncode, checked.stdout.count("ok ")) == (0, 18), checked.stdout + checked.stderr

    above = ("--analysis", "frozen-above:60", "--format", "json")
    frozen = ("--lang", "fz", "--criterion", "frozen-apart:2", "--engine", "frozen-pool", *above)
    found = json.loads(fresh.shown("run", *frozen, "-B", "lean=0.5", "--out", "a"))
    assert found["above"] == pytest.approx(over_all(lambda p: p > 0.6))
    assert (found["schema"], found["analysis"]) == ("frozen-above/1", "frozen-above:60")
    risk = ("analyse", "a", "--analysis", "risk", "--scale", "raw", "--format", "json")
    assert json.loads(fresh.shown(*risk))["R"] == pytest.approx(over_all(lambda p: 2 * (p - 0.5) ** 2))
    mean = json.loads(fresh.shown(*risk, "--criterion", "frozen-mean"))
    assert mean["R"] == pytest.approx(over_all(lambda p: abs(2 * p - 1)))
    assert "all is as it was written" in fresh.shown("verify", "a")

    fresh.shown("run", *frozen, "--model", "baseline:random", "--out", "b")
    (fresh.folder / "count.json").write_text(
        fresh.shown("compare", "a", "b", "--by", "frozen-count", "--format", "json")
    )
    fresh.shown("export", "count.json", "--to", "csv", "-o", "count.csv")
    assert (fresh.folder / "count.csv").read_text().split() == ["runs", "2"]
    assert "frozen count" in fresh.shown("compare", "a", "b", "--by", "frozen-count")
    (fresh.folder / "marks.json").write_text('{"schema": "frozen.marks/1", "mark": 0.7}')
    assert "mark 0.7000" in fresh.shown("gate", "marks.json", "--max", "mark=0.8", "--as-is")
    fresh.shown("report", "a", "b", "marks.json", "-o", "page.html", "--light")
    page = (fresh.folder / "page.html").read_text()
    assert all(text in page for text in ("Frozen part", f"Frozen: in {found['above']:.1%} of contexts", "marks"))
    assert "first class is above 60 %" in fresh.shown("plot", "a", "--kind", "frozen-above", "-o", "a.svg")

    (fresh.folder / "corpus.txt").write_text("baker said calm\n\nwelder knew loud\n\ntailor said quiet")
    assert "2  [X] said [Y]" in fresh.shown("mine", "corpus.txt", "--lang", "fz", "-o", "mined.csv")
    texts = ("--reading", "generated", "--samples", 2, "--reader", "frozen-last", "--format", "json")
    read = json.loads(fresh.shown("run", *FEW, *texts, "--out", "c"))
    assert (read["reader"], read["texts"]["read"] > 0) == ("frozen-last", True)
    assert " stereotyped " in fresh.shown("factors", "run", "frozen-duos", "--model", "bundled:en-causal")
    printed = [
        json.loads(fresh.run(*arguments).stdout.replace("'", '"'))
        for arguments in (
            ("-m", "bvf", "frozen-words", "gender", "--format", "json"),
            ("-c", "import bvf; print(bvf.frozen_words('gender'))"),
        )
    ]
    assert printed[0] == printed[1]
    assert {*printed[0]} == {"male", "female"}
