"""Somebody else's plugin: installed into an empty environment, used, checked by the kit, and taken out again."""

import json
import math
from pathlib import Path

import pytest

OUTSIDE = Path(__file__).resolve().parents[1] / "outside" / "bvf-outside"


def test_a_plugin_of_somebody_else(fresh, tmp_path):
    assert "outside" not in fresh.bvf("plugins")
    fresh.install(copy_of(OUTSIDE, tmp_path))
    found = {plugin["name"]: plugin for plugin in json.loads(fresh.bvf("plugins", "--json"))}
    assert (found["outside"]["distribution"], found["outside"]["version"]) == ("bvf-outside", "3.1")
    assert "loudness (en)" in fresh.bvf("topics")
    assert "surprise" in fresh.bvf("criteria")

    result = json.loads(fresh.bvf("run", "--topic", "loudness", "--criterion", "surprise", "--scale", "raw", "--json"))
    assert (result["topic"], result["criterion"], result["model"]) == ("loudness", "surprise", "bundled:en-causal")
    assert 0 < result["R_bias"] < result["R"] < math.log(2)
    assert result["R"] == pytest.approx(plainly(fresh.folder), abs=1e-9)
    record = json.loads(next(fresh.folder.glob("runs/*/run.json")).read_text())
    assert record["versions"]["plugins"]["outside"] == ["bvf-outside", "3.1"]

    checked = fresh.bvf("check", "outside").splitlines()
    assert [line.split(":")[0] for line in checked] == ["ok    criterion surprise", "ok    topic loudness"]

    fresh.uninstall("bvf-outside")
    assert "outside" not in fresh.bvf("plugins")
    missing = fresh.run("-m", "bvf", "run", "--topic", "loudness")
    assert missing.returncode == 2
    assert 'there is no topic "loudness"' in missing.stderr


def plainly(folder: Path) -> float:
    """The mean KL divergence from one half, in nats, from the stored probabilities."""
    import pandas as pd

    table = pd.concat(pd.read_parquet(file) for file in folder.glob("runs/*/probabilities/*.parquet"))
    risk = sum(table[name] * (2 * table[name]).map(math.log) for name in ("p_loud", "p_quiet"))
    by_group = (risk * table["weight"]).groupby(table["group"]).sum() / table.groupby("group")["weight"].sum()
    return float(by_group.mean())


def copy_of(source: Path, folder: Path) -> Path:
    """Building leaves files beside the sources; the checkout stays as it is."""
    import shutil

    return Path(shutil.copytree(source, folder / "bvf-outside", ignore=shutil.ignore_patterns("__pycache__")))
