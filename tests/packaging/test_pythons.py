"""The core from its wheel, with later versions of Python: it works, and finds the figures that this one finds."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.fresh import Environment, built

import bvf
from bvf.running.verify import differences

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("3.12", "3.13")
FEW = ("--limit-groups", 4, "--limit-contexts", 6, "--quiet")


def interpreter(version):
    """A Python of this version: on the path, or of pyenv, whose commands on the path may refuse to work."""
    found = [shutil.which(f"python{version}"), *Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]
    works = [each for each in found if each and subprocess.run([each, "-c", ""], capture_output=True).returncode == 0]
    return works[0] if works else pytest.skip(f"no Python {version}")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    sources = {"bvf": ROOT, "frozen": ROOT / "tests" / "frozen" / "bvf-frozen-1"}
    return {name: built(source, tmp_path_factory.mktemp(name)) for name, source in sources.items()}


@pytest.mark.long
@pytest.mark.parametrize("version", VERSIONS)
def test_the_core_works_with_a_later_python(version, wheels, tmp_path):
    subprocess.run([interpreter(version), "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    other = Environment(tmp_path)
    other.pip("install", "--quiet", "-c", str(ROOT / "constraints.txt"), f"{wheels['bvf']}[report]")
    other.install(wheels["frozen"])

    def says(*arguments):
        done = other.run("-P", "-W", "error::DeprecationWarning:bvf", "-m", "bvf", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert other.run("-V").stdout.startswith(f"Python {version}.")
    here = bvf.run(model="baseline:random", limit_groups=4, limit_contexts=6, out=str(tmp_path / "here"))
    says("run", "--model", "baseline:random", *FEW, "--out", "there")
    there = bvf.read_result(tmp_path / "there")
    assert (there.R, list(differences(there.model_dump(mode="json"), here.model_dump(mode="json")))) == (here.R, [])
    assert bvf.verify(tmp_path / "there") == []
    assert "all is as it was written" in says("verify", "here")
    says("run", "--model", "baseline:unbiased", *FEW, "--out", "unbiased")
    says("run", "--lang", "zh", "--model", "baseline:random", *FEW, "--out", "chinese")
    for command in (
        ("show", "there", "--details"),
        ("analyse", "there", "--criterion", "tv"),
        ("compare", "there", "unbiased"),
        ("gate", "there", "--max", "R_bias=0.99", "--as-is"),
        ("explain", "there"),
        ("report", "there", "unbiased", "-o", "page.html"),
        ("plot", "there", "--kind", "lean", "-o", "lean.svg"),
        ("export", "there", "--to", "csv", "-o", "table.csv"),
        ("plugins",),
        ("check", "frozen-1", "--model", "frozen-lengths:x"),
        ("run", "--lang", "fz", "--analysis", "frozen-above:30", "--out", "frozen"),
    ):
        says(*command)
    assert json.loads((tmp_path / "frozen" / "result.json").read_text())["analysis"] == "frozen-above:30"
