"""Programs that no test runs still import what is there."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("benchmarks", "languages/recipes", "languages/*/counting", "languages/*/statistics", "plugins/*/facts")
SCRIPTS = sorted(file for folder in FOLDERS for file in ROOT.glob(f"{folder}/**/*.py"))


def imports_of(file):
    """Every module that a script imports, with the names that it takes from it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)


def names_in(file):
    """What a script beside another one defines or imports."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        else:
            yield from (name.id for name in ast.walk(node) if isinstance(name, ast.Name))


def missing(file):
    """Imports of ours that do not exist."""
    for module, names in imports_of(file):
        beside = [folder / f"{module.replace('.', '/')}.py" for folder in (file.parent, ROOT)]
        script = next((path for path in beside if path.is_file()), None)
        if module.split(".")[0].split("_")[0] == "bvf":
            found = import_module(module)
            yield from (f"{module}.{name}" for name in names if not _has(found, module, name))
        elif script:
            yield from (f"{module}.{name}" for name in names if name not in set(names_in(script)))


def _has(found, module, name):
    return hasattr(found, name) or (hasattr(found, "__path__") and find_spec(f"{module}.{name}") is not None)


def test_a_script_imports_what_is_there():
    assert len(SCRIPTS) > 20
    for file in SCRIPTS:
        assert list(missing(file)) == [], file
