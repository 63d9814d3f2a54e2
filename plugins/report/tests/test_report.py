"""Pages and sites from Python: the same files as those of the command."""

import shutil

import pytest

import bvf
from bvf import BvfError


@pytest.fixture(scope="module")
def runs(run_of, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    shutil.copytree(run_of(limit_groups=40).folder, folder / "one")
    return folder


def test_a_page_is_that_of_the_command(runs, command, tmp_path, plugins):
    made = bvf.report(
        runs / "one", tmp_path / "a.html", criterion="lk:2", light=True, options={"against": ["women"]}, plugins=plugins
    )
    assert made == tmp_path / "a.html"
    done = command(
        *("report", runs / "one", "--criterion", "lk:2", "--light", "--against", "women", "-o", tmp_path / "b.html")
    )
    assert done.code == 0, done.err
    assert made.read_text() == (tmp_path / "b.html").read_text()


def test_a_file_of_somebody_else_is_replaced_only_by_force(runs, tmp_path, plugins):
    (tmp_path / "a.html").write_text("mine")
    with pytest.raises(BvfError, match="is there already"):
        bvf.report(runs, tmp_path / "a.html", light=True, plugins=plugins)
    bvf.report(runs, tmp_path / "a.html", light=True, plugins=plugins, force=True)
    assert (tmp_path / "a.html").read_text() != "mine"
    with pytest.raises(BvfError, match=r"a page is a \.html"):
        bvf.report(runs, tmp_path / "a.txt", plugins=plugins)
