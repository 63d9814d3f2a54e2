"""Somebody else's plugin: installed into an empty environment, used, checked by the kit, and taken out again."""

import json
import math
import re
from pathlib import Path

import pytest

OUTSIDE = Path(__file__).resolve().parents[1] / "outside" / "bvf-outside"


def test_a_plugin_of_somebody_else(fresh, tmp_path):
    assert "outside" not in fresh.shown("plugins")
    fresh.install(copy_of(OUTSIDE, tmp_path))
    found = {plugin["name"]: plugin for plugin in json.loads(started(fresh, "plugins", "--format", "json"))}
    assert (found["outside"]["distribution"], found["outside"]["version"]) == ("bvf-outside", "3.1")
    assert re.search(r"^ loudness +en +outside ", fresh.shown("topics"), re.MULTILINE)
    assert "surprise" in fresh.shown("criteria")

    result = json.loads(
        fresh.shown("run", "--topic", "loudness", "--criterion", "surprise", "--scale", "raw", "--format", "json")
    )
    assert (result["topic"], result["criterion"], result["model"]) == ("loudness", "surprise", "bundled:en-causal")
    assert 0 < result["R_bias"] < result["R"] < math.log(2)
    assert result["R"] == pytest.approx(plainly(fresh.folder), abs=1e-9)
    (folder,) = fresh.folder.glob("runs/*")
    told = json.loads(next(folder.glob("invocations/*.json")).read_text())
    assert told["versions"]["plugins"]["outside"] == ["bvf-outside", "3.1"]

    assert "doubt" in fresh.shown("analyses")
    kept = ("--analysis", "doubt", "--save-as", "undecided", "--format", "json")
    doubt = json.loads(fresh.shown("analyse", folder, *kept))
    assert doubt["schema"] == "outside.doubt/1"
    assert doubt["doubt"] == pytest.approx(1 - plainly(fresh.folder) / math.log(2), abs=1e-9)
    shown = fresh.shown("show", folder, "--analysis", "undecided")
    assert "Doubt, in bits" in shown
    assert f"{doubt['doubt']:.3f}" in shown

    checked = fresh.shown("check", "outside").splitlines()
    assert [line.split(":")[0] for line in checked] == [
        "ok    criterion surprise",
        "ok    analysis doubt",
        "ok    topic loudness",
    ]

    fresh.uninstall("bvf-outside")
    assert "outside" not in fresh.shown("plugins")
    missing = fresh.bvf("run", "--topic", "loudness")
    assert missing.returncode == 2
    assert 'there is no topic "loudness"' in missing.stderr
    assert "criterion surprise" in fresh.shown("show", folder)
    unknown = " ".join(fresh.shown("show", folder, "--analysis", "undecided").split())
    gone = "is of a plugin that is not installed; the run also had outside (bvf-outside 3.1)"
    assert f"its analysis, outside.doubt/1, {gone}" in unknown
    gated = fresh.bvf("gate", folder, "--max", "R=0.9")
    assert gated.returncode == 2
    assert "its criterion, surprise, is of a plugin that is not installed" in gated.stderr
    assert json.loads(fresh.shown("analyse", folder, "--criterion", "kl", "--format", "json"))["topic"] == "loudness"


def started(fresh, *arguments: object) -> str:
    """What ``python -m bvf`` of that environment prints."""
    done = fresh.run("-m", "bvf", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def plainly(folder: Path) -> float:
    """The mean KL divergence from one half, in nats, from the stored probabilities."""
    import pandas as pd

    (record,) = folder.glob("runs/*/measurement.json")
    weights = {each["template"]: each["count"] for each in json.loads(record.read_text())["asked"]["templates"]}
    table = pd.concat(pd.read_parquet(file) for file in folder.glob("runs/*/probabilities/*.parquet"))
    risk = sum(table[name] * (2 * table[name]).map(math.log) for name in ("p_loud", "p_quiet"))
    weight = table["context"].astype(str).map(weights)
    group = table["group"].astype(str)
    return float(((risk * weight).groupby(group).sum() / weight.groupby(group).sum()).mean())


def copy_of(source: Path, folder: Path) -> Path:
    """Building leaves files beside the sources; the checkout stays as it is."""
    import shutil

    return Path(shutil.copytree(source, folder / "bvf-outside", ignore=shutil.ignore_patterns("__pycache__")))
