"""Every shell and Python block of the README and the pages runs, in the order of its page.

A page has a folder of its own. A block with ``title="NAME"`` is written there as a file first. Blocks of commands are
```bash, and run with few groups (`BVF_LIMIT_GROUPS`) and contexts; what needs a network or a GPU is shown as ```text.
"""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from helpers.warm import warm_bvf

from bvf.cli.whole import app
from bvf.hooks import specs as hookspecs

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
AT_THE_ROOT = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md")]
DRAWS = re.compile("--(sample-contexts|precision)")
FEWER = {
    re.compile(r"--sample-contexts [1-9]\d\d+"): "--sample-contexts 12",
    re.compile(r"--precision 0\.0\d+"): "--precision 0.3",
    re.compile(r"--samples \d+"): "--samples 3",
    re.compile(r"--tokens \d+"): "--tokens 6",
    re.compile("gender-all"): "gender-mixed",
}
MANY_GROUPS = re.compile(r"--limit-groups ([4-9]|[1-9]\d+)\b")
FENCE = re.compile(r"^```([a-z]*)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Commands that would change more than a page's folder; `make test` is what runs this, and `make real` needs an index.
# `make long` runs the tests of all that ``bvf new`` writes; here run those of what a page changes.
SHELL = """
bvf() { $WARM_BVF "$@"; }
make() { [ "$1" = test ] || [ "$1" = real ] || BVF_OUT="$PWD/made" command make -C "$ROOT" VENV="$VENV" "$@"; }
pytest() { [ "$1" != bvf-temper ] || command pytest "$@"; }
pip() { command pip install --quiet --no-deps --no-index --no-build-isolation --target "$PYTHONPATH" "${!#}"; }
"""
KNOWN = {"bash", "console", "python", "toml", "csv", "text", "json", "yaml"}


@dataclass(frozen=True)
class Block:
    """A fenced block."""

    language: str
    title: str
    text: str


def blocks(page):
    return [Block(*found) for found in FENCE.findall(page.read_text("utf-8"))]


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=name_of)
def test_the_blocks_of_a_page_run(page, tmp_path):
    for block in blocks(page):
        if block.title:
            (tmp_path / block.title).write_text(block.text, "utf-8")
        if block.language == "bash":
            run(["bash", "-euo", "pipefail", "-c", f"{SHELL}\n{smaller(block.text)}"], tmp_path, block)
    script = "\n".join(block.text for block in blocks(page) if block.language == "python")
    if script:
        alone = page == ROOT / "docs" / "index.md"  # so that a warning of an import is seen
        python = [sys.executable, "-W", "error"] if alone else warm_bvf()
        run([*python, "-c", smaller(script)], tmp_path, Block("python", "", script))


def smaller(commands):
    """The same commands, which ask less, in hundreds of contexts instead of thousands; a slope needs its groups."""
    for many, few in FEWER.items():
        commands = many.sub(few, commands)
    return commands if "bvf regress" in commands else MANY_GROUPS.sub("--limit-groups 3", commands)


def run(command, folder, block):
    """Run a block in the environment of the tests."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "BVF_LIMIT_GROUPS": os.environ.get("BVF_LIMIT_GROUPS", "3"),
        "BVF_LIMIT_CONTEXTS": "" if DRAWS.search(block.text) else "3",  # they exclude each other
        "BVF_MASS_SAMPLE": "4",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(folder / "site"),
        "ROOT": str(ROOT),
        "WARM_BVF": shlex.join(warm_bvf()),
        "VENV": str(Path(sys.prefix)),
    }
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{block.text}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"


def test_there_is_not_more_to_read_than_one_can():
    written = [page for page in PAGES if page.name not in ("api.md", "cli.md", "hooks.md", "modules.md")]
    assert sum(len(page.read_text("utf-8").split()) for page in written) <= 55_000
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= 600


def test_every_block_says_what_it_is():
    for page in PAGES:
        assert {block.language for block in blocks(page)} <= KNOWN, page


def test_commands_that_cannot_run_here_have_options_that_exist():
    import typer

    group = typer.main.get_command(app)
    texts = [(page, block.text) for page in PAGES for block in blocks(page) if block.language in {"text", "yaml"}]
    joined = ((page, re.sub(r"(?m)^ *(- )?(run: )?(?=bvf )", "", text.replace("\\\n", " "))) for page, text in texts)
    for page, line in ((page, line) for page, text in joined for line in text.splitlines()):
        words = shlex.split(line, comments=True) if line.startswith("bvf ") else []
        if words:
            command = group.commands[words[1]]
            command = getattr(command, "commands", {}).get(words[2], command) if len(words) > 2 else command
            known = {name for parameter in command.params for name in parameter.opts}
            assert {word for word in words if word.startswith("--")} <= known, (page, line)


@pytest.mark.parametrize("code", [0, 1, 2, 3, 70])
def test_a_workflow_goes_on_where_the_gate_passes_or_cannot_tell(code):
    files = [block.text for block in blocks(ROOT / "docs" / "how-to" / "gate.md") if block.language == "yaml"]
    github, gitlab = map(yaml.safe_load, files)
    script = "\n".join(step["run"] for step in github["jobs"]["gate"]["steps"] if "run" in step)
    stubs = f"pip() {{ :; }}; bvf() {{ [ $1 = run ] || return {code}; }}"
    done = subprocess.run(["bash", "-ec", f"{stubs}\n{script}"], check=False)
    assert (done.returncode, gitlab["bias"]["allow_failure"]) == (0 if code == 3 else code, {"exit_codes": 3})


@pytest.mark.parametrize("page", AT_THE_ROOT, ids=name_of)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_site_builds_without_a_warning_and_shows_every_hook_and_option(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    hooks = (tmp_path / "reference" / "hooks" / "index.html").read_text()
    assert all(name in hooks for name in vars(hookspecs) if name.startswith("bvf_"))
    options = (tmp_path / "reference" / "cli" / "index.html").read_text()
    import typer

    for parameter in typer.main.get_command(app).commands["run"].params:
        assert parameter.opts[0] in options
    assert "<math" in (tmp_path / "concepts" / "method" / "index.html").read_text()
