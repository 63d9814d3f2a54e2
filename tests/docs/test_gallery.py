"""The gallery has a figure for every kind and every command, with its caption, and is small."""

import re
from pathlib import Path

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
        assert maker().beginning(caption) == caption, "whole sentences"
        figure = (ROOT / "docs" / "gallery" / name).read_text("utf-8")
        assert caption.replace("&", "&amp;").replace("<", "&lt;") in figure


def test_every_kind_is_there():
    of_files = {picture.kind for entry in load().files for picture in entry.callable().pictures if picture.kind}
    assert set(re.findall(r"--kind (\S+)", PAGE)) == set(load().pictures.names()) | of_files


def test_figures_are_small():
    files = [file for file in (ROOT / "docs" / "gallery").iterdir() if file.suffix in {".svg", ".png"}]
    assert sum(file.stat().st_size for file in files) < 1_500_000
    assert {file.name for file in files} == {name for _, name, _ in SHOWN.findall(PAGE)}
