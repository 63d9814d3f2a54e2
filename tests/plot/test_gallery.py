"""The gallery has a figure for every kind and every command, with its caption, and is small."""

import re
from pathlib import Path

from bvf.plot.kinds import KINDS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "gallery.md").read_text("utf-8")
SHOWN = re.compile(r"!\[([^\]]*)\]\(gallery/([^)]+)\)\n\n> ([^\n]*)")


def test_every_command_has_its_figure_with_its_caption():
    drawn = re.findall(r"^bvf plot .*-o (\S+)$", PAGE, re.MULTILINE)
    shown = SHOWN.findall(PAGE)
    assert [name for _, name, _ in shown] == drawn
    for alternative, name, caption in shown:
        assert alternative == caption
        assert len(caption) > 80
        figure = (ROOT / "docs" / "gallery" / name).read_text("utf-8")
        assert caption.replace("&", "&amp;").replace("<", "&lt;") in figure


def test_every_kind_is_there():
    assert set(re.findall(r"--kind (\S+)", PAGE)) == set(KINDS)


def test_figures_are_small():
    files = [file for file in (ROOT / "docs" / "gallery").iterdir() if file.suffix in {".svg", ".png"}]
    assert sum(file.stat().st_size for file in files) < 1_500_000
    assert {file.name for file in files} == {name for _, name, _ in SHOWN.findall(PAGE)}
