"""What the tests of exports share: runs of a toy backend, stored once, and an analysis of somebody else."""

from pathlib import Path

import pytest

import bvf
from bvf.hooks.loader import load

ROOT = Path(__file__).resolve().parents[4]
TOY = str(ROOT / "tests" / "data" / "toy_plugin.py")
DOUBT = str(ROOT / "tests" / "data" / "doubt_plugin.py")


@pytest.fixture(scope="package")
def runs(tmp_path_factory):
    """A folder with the runs hash and silent (20 contexts drawn of all), knowledge, and doubt."""
    folder = tmp_path_factory.mktemp("runs")
    drawn = {"contexts": "gender-mixed", "openings": "none", "sample_contexts": 20, "limit_groups": 4}
    bvf.run(model="toy:hash", plugin=(TOY,), out=str(folder / "hash"), **drawn)
    bvf.run(model="toy:silent-nurse", plugin=(TOY,), out=str(folder / "silent"), **{**drawn, "limit_groups": 90})
    asked = {"topic": "knowledge/capitals", "limit_contexts": 3, "limit_groups": 4}
    bvf.run(model="toy:hash", plugin=(TOY,), out=str(folder / "knowledge"), **asked)
    out, plugins = str(folder / "doubt"), load(extra=[TOY, DOUBT])
    bvf.run(model="toy:hash", out=out, limit_groups=4, contexts="gender", analysis="doubt", plugins=plugins)
    return folder


@pytest.fixture(scope="package")
def with_files(runs):
    """A result whose contexts and p* are files of this machine, with a note that names one."""
    folder = runs / "tables"
    folder.mkdir()
    (folder / "c.csv").write_text("template,count\nThe [X] said that [Y],3\nThe [X] knew that [Y],4\n")
    (folder / "p.csv").write_text("group,male,female\nnurse,0.2,0.8\nclerk of nowhere,0.5,0.5\n")
    tables = {"contexts": str(folder / "c.csv"), "reference": str(folder / "p.csv")}
    return bvf.run(model="toy:hash", plugin=(TOY,), out=str(runs / "files"), **tables)


@pytest.fixture(scope="package")
def results(runs):
    """Risk of two models."""
    return [bvf.read_result(runs / name) for name in ("hash", "silent")]


@pytest.fixture(scope="package")
def result(results):
    return results[0]


@pytest.fixture(scope="package")
def knowledge(runs):
    return bvf.read_result(runs / "knowledge")


@pytest.fixture(scope="package")
def doubt(runs):
    """A result of an analysis that is not ours."""
    return bvf.read_result(runs / "doubt", load(extra=[DOUBT]))
