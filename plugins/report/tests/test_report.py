"""Pages from Python: the same files as those of the command."""

import pytest

import bvf
from bvf import BvfError


def test_a_page_of_runs_is_that_of_the_command(command, toy, result, several, tmp_path, plugins, undrawn):
    scenario, gate, out = tmp_path / "s.toml", tmp_path / "gate.toml", tmp_path / "page.html"
    scenario.write_text('[scenario]\ngroup_at_risk = "nurses <b>"\n')
    gate.write_text("as_is = true\n[max]\nR = 0.2\n")
    folders = (result.folder, several.folder)
    given = ("--light", "--criterion", "lk:2", "--scenario", scenario, "--gate", gate, "--plugin", toy)
    done = command("report", *folders, *given, "--out", out)
    assert done.code == 0, done.err
    assert f"{out}: {len(out.read_bytes()) / 1e3:.0f} kB" in done.err
    text = out.read_text("utf-8")
    assert "nurses &lt;b&gt;" in text
    assert "<h3>toy:hash, gender</h3>" in text
    assert "<h3>toy:hash, weekday</h3>" in text
    files = {"scenario": scenario, "gate": gate}
    made = bvf.report(folders, tmp_path / "b.html", criterion="lk:2", light=True, **files, plugins=plugins)
    assert made == tmp_path / "b.html"
    assert made.read_text("utf-8") == text


def test_a_file_of_somebody_else_is_replaced_only_by_force(result, tmp_path, plugins, undrawn):
    page = tmp_path / "a.html"
    page.write_text("mine")
    with pytest.raises(BvfError, match="is there already"):
        bvf.report(result.folder, page, light=True, plugins=plugins)
    bvf.report(result.folder, page, light=True, plugins=plugins, force=True)
    assert page.read_text() != "mine"
