"""Start-up, size and layering."""

import ast
import subprocess
import sys
import time

import pytest

from bvf import __all__ as public_names

ROOT = __import__("pathlib").Path(__file__).resolve().parents[2]
SOURCES = [*ROOT.glob("bvf/**/*.py"), *ROOT.glob("languages/*/bvf_*/**/*.py"), *ROOT.glob("plugins/*/bvf_*/**/*.py")]
HEAVY = {"torch", "transformers", "numpy", "pandas", "pyarrow"}


def test_help_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['bvf', '--help']\nfrom bvf.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    print('LOADED', *sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = shown.split("LOADED")[1].split()
    assert not HEAVY & set(loaded)


def test_help_takes_less_than_four_tenths_of_a_second():
    def seconds():
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", "bvf", "--help"], capture_output=True, check=True)
        return time.perf_counter() - started

    assert min(seconds() for _ in range(5)) < 0.4


def test_listing_what_is_there_does_not_import_torch():
    code = (
        "import sys\nfrom bvf.plugins import load\nload()\nprint('torch' in sys.modules, 'transformers' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False False\n"


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_files_and_functions_are_small(file):
    text = file.read_text()
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, node.name


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_public_functions_and_classes_are_documented(file):
    tree = ast.parse(file.read_text())
    assert ast.get_docstring(tree)
    for node in tree.body:
        hook = any(getattr(d, "id", "") == "hookimpl" for d in getattr(node, "decorator_list", []))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_") and not hook:
            assert ast.get_docstring(node), node.name


def test_every_public_name_is_there():
    import bvf

    assert len(public_names) <= 30
    for name in public_names:
        assert getattr(bvf, name) is not None
    with pytest.raises(AttributeError):
        bvf.nothing  # noqa: B018 - the access is what is tested
