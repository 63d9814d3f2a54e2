"""Hooks of mkdocs: pages that are generated from the code, and formulas as MathML.

A page says ``{{ cli }}``, ``{{ python }}``, ``{{ hooks }}`` or ``{{ testing }}``; a formula stands between $ or $$.
"""

import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from latex2mathml.converter import convert

import bvf
import bvf.plot
import bvf.testing
from bvf.hooks import specs as hookspecs

FENCED = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)


def cli() -> str:
    command = [sys.executable, "-m", "typer", "bvf.cli.whole", "utils", "docs", "--name", "bvf"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def python() -> str:
    figures = ["## Figures", *(f"::: bvf.plot.figures.{name}" for name in bvf.plot.__all__)]
    return "\n\n".join([*(f"::: {_home(getattr(bvf, name))}.{name}" for name in bvf.__all__), *figures])


def hooks() -> str:
    names = [name for name in vars(hookspecs) if name.startswith("bvf_")]
    return "\n\n".join(f"::: bvf.hooks.specs.{name}" for name in names)


def testing() -> str:
    parts = []
    for name in bvf.testing.__all__:
        home = _home(getattr(bvf.testing, name))
        tuples = [value for key, value in vars(import_module(home)).items() if key.endswith("_CHECKS")]
        lists = ["\n".join(f"- `{check.__name__}`: {check.__doc__}" for check in checks) for checks in tuples]
        parts += [f"::: {home}.{name}", *lists]
    return "\n\n".join(parts)


GENERATED: dict[str, Callable[[], str]] = {
    "{{ cli }}": cli,
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
        return f"\n\n{convert(match[1].strip(), display='block')}\n\n"
    return f"<span>{convert(match[2])}</span>"  # a line that begins with <math> would be a block


def _home(thing: Any) -> str:
    """The module that documents a public name; markers of pluggy are in `bvf.hooks.specs`."""
    module = str(getattr(thing, "__module__", ""))
    return module if module.startswith("bvf") else "bvf.hooks.specs"
