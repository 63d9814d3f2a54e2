"""What the tests of exports share: runs of a toy backend, stored once, and an analysis of somebody else."""

from pathlib import Path

import pytest

import bvf
from bvf.hooks.loader import load

ROOT = Path(__file__).resolve().parents[2]
TOY = str(ROOT / "tests" / "data" / "toy_plugin.py")
DOUBT = """
from typing import Literal

from pydantic import Field

from bvf import Analysis, GroupResult, Provider, ResultBase, Section, basis_of, common_fields, hookimpl


class GroupDoubt(GroupResult):
    doubt: float


class DoubtResult(ResultBase):
    schema_: Literal["doubt/1"] = Field("doubt/1", alias="schema")
    doubt: float
    surely: bool = True
    groups: tuple[GroupDoubt, ...]


class Doubt(Analysis):
    results = DoubtResult

    def applies(self, criterion):
        return False

    def run(self, measurement, choices):
        basis = basis_of(measurement, choices)
        fields = basis.of_each_group(basis.reference)
        groups = tuple(GroupDoubt(doubt=x / 8, **own) for x, own in enumerate(fields))
        return DoubtResult(**common_fields(measurement, basis, choices), doubt=0.125, groups=groups)

    def rows(self, results, view):
        return [Section("Doubt", ("model",), [(each.model,) for each in results]) for _ in range(1 + len(results))]


@hookimpl
def bvf_analyses():
    return [Provider("doubt", Doubt, "doubt")]
"""


@pytest.fixture(scope="package")
def runs(tmp_path_factory):
    """A folder with the runs hash and silent (20 contexts drawn of all), knowledge, and doubt."""
    folder = tmp_path_factory.mktemp("runs")
    drawn = {"contexts": "gender-all", "sample_contexts": 20, "limit_groups": 4}
    bvf.run(model="toy:hash", plugin=(TOY,), out=str(folder / "hash"), **drawn)
    bvf.run(model="toy:silent-nurse", plugin=(TOY,), out=str(folder / "silent"), **{**drawn, "limit_groups": 90})
    asked = {"topic": "knowledge/capitals", "limit_contexts": 3, "limit_groups": 4}
    bvf.run(model="toy:hash", plugin=(TOY,), out=str(folder / "knowledge"), **asked)
    (folder / "doubt.py").write_text(DOUBT)
    plugins = load(extra=[TOY, str(folder / "doubt.py")])
    bvf.run(
        model="toy:hash",
        out=str(folder / "doubt"),
        plugin=(TOY,),
        analysis="doubt",
        plugins=plugins,
        **{**drawn, "sample_contexts": None, "contexts": "gender"},
    )
    return folder


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
    return bvf.read_result(runs / "doubt", load(extra=[str(runs / "doubt.py")]))
