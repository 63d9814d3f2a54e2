"""The doors of the core: the packages that plugins may import from, and what plugins import today."""

import ast
import tomllib
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("doors.toml")
PACKAGES = (*("hooks", "interfaces", "domain", "study", "results", "tables", "drawing", "stats", "files", "terminal"),)
DOORS = ("bvf", "bvf.errors", *map("bvf.{}".format, PACKAGES))
SOURCES = sorted({*ROOT.glob("languages/*/bvf_*/**/*.py"), *ROOT.glob("plugins/*/bvf_*/**/*.py")})
SCAFFOLDS = sorted(ROOT.glob("plugins/testing/bvf_testing/**/*.py.jinja"))


@cache
def names_of(door):
    """The names that a door offers. `bvf.errors` is one file: all that it defines, without an underscore."""
    if door != "bvf.errors":
        return set(import_module(door).__all__)
    tree = ast.parse((ROOT / "bvf" / "errors.py").read_text())
    return {node.name for node in tree.body if hasattr(node, "name") and not node.name.startswith("_")}


@cache
def imports_of(file):
    """Each module that a file imports from, with the name; inside functions and for types, too."""
    nodes = list(ast.walk(ast.parse(file.read_text())))
    named = [
        (node.module or "", alias.name) for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    ]
    whole = [(alias.name, "") for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return (*named, *whole)


def imported(file, packages=("bvf",)):
    """What a file imports from some packages."""
    return [each for each in imports_of(file) if each[0].partition(".")[0] in packages]


def package_of(file):
    """The folder below ``plugins`` or ``languages``."""
    return file.relative_to(ROOT).parts[1]


def is_offered(module, name):
    """Whether an import is one of a name that a door offers, or of `bvf` itself."""
    return (module == "bvf" and not name) or (module in DOORS and name in {*names_of(module), *FUNCTIONS})


FUNCTIONS = frozenset(import_module("bvf.hooks.installed").functions_of_plugins())
"""What packages add to `bvf`."""


@cache
def users():
    """The packages that import each name of a door, by ``DOOR.NAME``."""
    found = defaultdict(set)
    for file in SOURCES:
        for module, name in imported(file):
            found[f"{module}.{name}"].add(package_of(file))
    return found


def past_the_doors():
    """How many names each package imports past the doors."""
    found = defaultdict(set)
    for file in SOURCES:
        found[package_of(file)] |= {each for each in imported(file) if not is_offered(*each)}
    return {package: len(names) for package, names in sorted(found.items()) if names}


@cache
def recorded():
    """The content of ``doors.toml``."""
    return tomllib.loads(LIST.read_text(encoding="utf-8"))
