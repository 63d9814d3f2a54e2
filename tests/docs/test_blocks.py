"""What the README and the pages say to type."""

import re
import shlex
from pathlib import Path

import pytest

from bvf import read_topic
from bvf.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page, language):
    """The fenced blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


def test_the_python_of_the_readme_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = blocks(ROOT / "README.md", "python")
    exec(compile(code, "README.md", "exec"), {})
    assert "R_volatility=0.2" in capsys.readouterr().out


def test_the_topic_of_the_how_to_is_one(tmp_path):
    first, *_ = blocks(ROOT / "docs" / "how-to" / "topic.md", "toml")
    file = tmp_path / "temper.toml"
    file.write_text(first)
    assert read_topic(file).attribute_names == ("violent", "peaceful")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_on_a_page_has_options_that_exist(page):
    import typer

    group = typer.main.get_command(app)
    for block in blocks(page, ""):
        for line in block.splitlines():
            if not line.startswith("bvf "):
                continue
            words = shlex.split(line, comments=True)
            command = group.commands[words[1]]
            known = {name for parameter in command.params for name in parameter.opts}
            assert {word for word in words if word.startswith("--")} <= known, line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_criterion_of_contributing_runs(tmp_path, monkeypatch):
    import bvf

    monkeypatch.chdir(tmp_path)
    (code,) = blocks(ROOT / "CONTRIBUTING.md", "python")
    Path("excess.py").write_text(code)
    config = bvf.RunConfig(model="baseline:stereotyped", plugin=("./excess.py",), criterion="excess", limit_groups=3)
    assert pytest.approx(1.0) == bvf.run(config).R
