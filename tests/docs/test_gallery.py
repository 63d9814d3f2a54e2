"""The gallery has a figure for every kind and every command, with its caption, and is small."""

import re
import sys
from pathlib import Path

import pytest
from helpers.scripts import script_at

from bvf.hooks.loader import load

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "gallery.md").read_text("utf-8")
SHOWN = re.compile(r"!\[([^\]]*)\]\(gallery/([^)]+)\)\n\n> ([^\n]*)")


def maker():
    """Return the script that makes the gallery."""
    return script_at(ROOT / "docs" / "gallery" / "make.py")


def test_every_command_has_its_figure_with_its_caption():
    drawn = re.findall(r"^bvf plot .*-o (\S+)$", PAGE, re.MULTILINE)
    shown = SHOWN.findall(PAGE)
    assert [name for _, name, _ in shown] == drawn
    assert {alternative for alternative, _, _ in shown} == {maker().ALTERNATIVE}
    for _, name, caption in shown:
        assert len(caption) > 80
        figure = (ROOT / "docs" / "gallery" / name).read_text("utf-8")
        assert caption.replace("&", "&amp;").replace("<", "&lt;") in figure


def test_a_figure_that_no_font_can_write_is_left_as_it_was(tmp_path, monkeypatch, capsys):
    make = maker()
    bvf = tmp_path / "bvf"
    bvf.write_text(f"#!/bin/sh\necho 'error: {make.NO_FONT} \u6a21' >&2\nexit 2\n", "utf-8")
    bvf.chmod(0o755)
    monkeypatch.setattr(make, "WORK", tmp_path)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert make.output_of("bvf plot x -o lean-chinese.svg") == ""
    assert "left as it was: error: no font" in capsys.readouterr().out
    bvf.write_text("#!/bin/sh\necho 'error: another' >&2\nexit 2\n", "utf-8")
    with pytest.raises(SystemExit, match="another"):
        make.output_of("bvf plot x -o lean-chinese.svg")


def test_the_page_has_whole_sentences_of_a_caption():
    make = maker()
    assert make.beginning("Leans by group. R is 0.35. bundled:x: 3.") == "Leans by group. R is 0.35. bundled:x: 3."
    long = " ".join(["word"] * make.WORDS)
    assert make.beginning(f"Leans by group. R is 0.35. {long}.") == "Leans by group. R is 0.35."
    assert make.beginning(f"{long} more. Bars.") == f"{long} more."
    assert all(make.beginning(caption) == caption for _, _, caption in SHOWN.findall(PAGE))


def test_every_kind_is_there():
    of_files = {picture.kind for entry in load().files for picture in entry.callable().pictures if picture.kind}
    assert set(re.findall(r"--kind (\S+)", PAGE)) == set(load().pictures.names()) | of_files


def test_figures_are_small():
    files = [file for file in (ROOT / "docs" / "gallery").iterdir() if file.suffix in {".svg", ".png"}]
    assert sum(file.stat().st_size for file in files) < 1_500_000
    assert {file.name for file in files} == {name for _, name, _ in SHOWN.findall(PAGE)}
