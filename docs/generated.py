"""Hooks of mkdocs: pages that are generated from the code, and formulas as MathML.

A page says ``{{ cli }}``, ``{{ packages }}``, ``{{ python }}``, ``{{ hooks }}`` or ``{{ testing }}``; a formula stands
between $ or $$.
"""

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import bvf_testing
from latex2mathml.converter import convert

import bvf
from bvf.hooks import specs as hookspecs
from bvf.hooks.installed import functions_of_plugins

ROOT = Path(__file__).resolve().parents[1]
FENCED = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)


def cli() -> str:
    command = [sys.executable, "-m", "typer", "bvf.cli.whole", "utils", "docs", "--name", "bvf"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def python() -> str:
    figures = ["## Figures", *(_described(name, getattr(bvf.plot, name)) for name in bvf.plot.__all__)]
    names = sorted({*bvf.__all__, *functions_of_plugins()})
    documented = [name for name in names if not isinstance(getattr(bvf, name), ModuleType)]
    return "\n\n".join([*(f"::: {_home(getattr(bvf, name))}.{name}" for name in documented), *figures])


def _described(name: str, function: Callable[..., Any]) -> str:
    """A function of `bvf.plot`, which is made from a kind of picture, so that no source text describes it."""
    summary, _, details = (inspect.getdoc(function) or "").partition("Args:\n")
    arguments, _, raised = details.partition("Raises:\n")
    pairs = [line.strip().partition(": ") for line in arguments.strip().splitlines()]
    items = "\n".join(f"- `{parameter}`: {meaning}" for parameter, _, meaning in pairs)
    called = f"```python\n{name}{inspect.signature(function)}\n```"
    return "\n\n".join([f"### `bvf.plot.{name}`", called, summary.strip(), items, raised.strip()])


def hooks() -> str:
    names = [name for name in vars(hookspecs) if name.startswith("bvf_")]
    return "\n\n".join(f"::: bvf.hooks.specs.{name}" for name in names)


def testing() -> str:
    parts = []
    for name in bvf_testing.__all__:
        home = _home(getattr(bvf_testing, name))
        tuples = [value for key, value in vars(import_module(home)).items() if key.endswith("_CHECKS")]
        lists = ["\n".join(f"- `{check.__name__}`: {check.__doc__}" for check in checks) for checks in tuples]
        parts += [f"::: {home}.{name}", *lists]
    return "\n\n".join(parts)


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
    "{{ python }}": python,
    "{{ hooks }}": hooks,
    "{{ testing }}": testing,
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


def _home(thing: Any) -> str:
    """The module that documents a public name; markers of pluggy are in `bvf.hooks.specs`."""
    module = str(getattr(thing, "__module__", ""))
    return module if module.startswith("bvf") else "bvf.hooks.specs"
