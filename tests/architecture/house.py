"""Counts the house: lines, files, functions and public names per package, and lines of tests.

``python tests/architecture/house.py`` writes the counts into ``sizes.toml``, where a number is smaller than before.
``--raise PACKAGE`` writes those of one package also where they are larger; the commit says why.
"""

import ast
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path, PurePath

ROOT = Path(__file__).resolve().parents[2]
SIZES = Path(__file__).with_name("sizes.toml")
TESTS = "tests"
FROZEN = "tests/frozen/"
"""Data of tests: no later state edits them."""
MEASURES = ("lines", "files", "functions", "public")


def package_of(name):
    """``bvf``, ``benchmarks``, a folder below ``plugins`` or ``languages``, or ``tests`` for every file of tests."""
    parts = PurePath(name).parts
    if TESTS in parts or parts[-1] == "conftest.py":
        return TESTS
    return "/".join(parts[:2]) if parts[0] in ("plugins", "languages") else parts[0]


def python_files():
    listed = subprocess.run(["git", "ls-files", "-z", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.split("\0") if name and not name.startswith(FROZEN)]
    return [name for name in names if (ROOT / name).is_file()]


def counted(names=None):
    """The counts of each package, by name and measure."""
    counts = defaultdict(lambda: dict.fromkeys(MEASURES, 0))
    for name in python_files() if names is None else names:
        text, package = (ROOT / name).read_text(encoding="utf-8"), counts[package_of(name)]
        package["lines"] += text.count("\n")
        package["files"] += 1
        if package_of(name) != TESTS:
            tree = ast.parse(text)
            functions = ast.FunctionDef | ast.AsyncFunctionDef
            package["functions"] += sum(isinstance(node, functions) for node in ast.walk(tree))
            package["public"] += sum(
                isinstance(node, functions | ast.ClassDef) and not node.name.startswith("_") for node in tree.body
            )
    return {package: dict(measures) for package, measures in counts.items()}


def recorded():
    """The content of ``sizes.toml``: ``most``, ``allowance`` and ``packages``."""
    return tomllib.loads(SIZES.read_text(encoding="utf-8"))


def write(may_rise):
    """Write the counts of today. A number that is larger stays, unless its package may rise."""
    head = SIZES.read_text(encoding="utf-8").partition("[packages]")[0]
    known, lines = recorded()["packages"], []
    for package, measures in sorted(counted().items()):
        before = {} if package in may_rise else known.get(package, {})
        least = {measure: min(count, before.get(measure, count)) for measure, count in measures.items()}
        lines.append(f'"{package}" = {{ {", ".join(f"{measure} = {count}" for measure, count in least.items())} }}\n')
    SIZES.write_text(f"{head}[packages]\n{''.join(lines)}", encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[sys.argv.index("--raise") + 1 :] if "--raise" in sys.argv else ())
