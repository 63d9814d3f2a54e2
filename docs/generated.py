"""Hooks of mkdocs: pages that are generated from the code, and formulas as MathML.

A page says ``{{ cli }}`` or ``{{ packages }}``, and a formula stands between $ or $$. Other pages hold what
`reference/write.py` writes from the code.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

ROOT = Path(__file__).resolve().parents[1]
FENCED = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)


def cli() -> str:
    command = [sys.executable, "-m", "typer", "bvf.cli.whole", "utils", "docs", "--name", "bvf"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def packages() -> str:
    """Each package with the first line of its docstring: of the core in the order of its layers, then of plugins."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["name"] == "layers of the core")
    names = [name for layer in layers for name in layer.split(" : ")]
    core = [line for name in names for line in _rooms(ROOT / "bvf" / name, depth=0)]
    bundled = sorted([*ROOT.glob("languages/*/bvf_*"), *ROOT.glob("plugins/*/bvf_*")])
    plugins = [line for folder in bundled for line in _rooms(folder, depth=0)]
    return "\n".join(["### The core", "", *core, "", "### Languages and plugins", "", *plugins])


def _rooms(folder: Path, depth: int) -> list[str]:
    """An item of a list per package below a folder, and the folder itself."""
    marked, module = folder / "__init__.py", folder.with_suffix(".py")
    if not (marked.exists() or module.exists()):
        return []
    text = (marked if marked.exists() else module).read_text("utf-8")
    first = (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]
    inner = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    name = folder.name if depth or folder.parent.name == "bvf" else folder.relative_to(ROOT)
    return [f"{'    ' * depth}- `{name}`: {first}", *(line for path in inner for line in _rooms(path, depth + 1))]


GENERATED: dict[str, Callable[[], str]] = {
    "{{ cli }}": cli,
    "{{ packages }}": packages,
}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by mkdocs with the text of every page."""
    for marker, write in GENERATED.items():
        if marker in markdown:
            markdown = markdown.replace(marker, write())
    parts = FENCED.split(markdown)
    return "".join(part if index % 2 else FORMULA.sub(_mathml, part) for index, part in enumerate(parts))


def _mathml(match: re.Match[str]) -> str:
    if match[1]:
        before = match.string[: match.start()].rpartition("\n")[2]
        indent = "" if before.strip() else before
        formula = convert(match[1].strip(), display="block")
        return f'\n\n{indent}<div style="overflow-x: auto">{formula}</div>\n\n{indent}'
    return f"<span>{convert(match[2])}</span>"  # a line that begins with <math> would be a block
