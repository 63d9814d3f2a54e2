"""Results of the shared runs of the toy backend."""

import pytest

import bvf


@pytest.fixture(scope="package")
def with_files(run_of, tmp_path_factory):
    """A result whose contexts and p* are files of this machine, with a note that names one."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "c.csv").write_text("template,count\nThe [X] said that [Y],3\nThe [X] knew that [Y],4\n")
    (folder / "p.csv").write_text("group,male,female\nnurse,0.2,0.8\nclerk of nowhere,0.5,0.5\n")
    return run_of(contexts=str(folder / "c.csv"), reference=str(folder / "p.csv"), sample_contexts=0, limit_groups=0)


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
def doubt(runs, doubting):
    """A result of an analysis that is not ours."""
    return bvf.read_result(runs / "doubt", doubting)
