"""The tests of a module are found by its name: bvf/PACKAGE/NAME.py is tested by tests/PACKAGE/test_NAME.py."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
ACROSS_ROOMS = {
    *("architecture", "attack", "benchmarks", "command_line", "contract", "docs", "kills", "packaging", "real"),
    *("data", "helpers", "mutants", "outside"),
}
"""Folders of tests of more than one package, or of none."""
ACROSS_MODULES = {"files/test_bad_input.py"}
"""Tests of all the modules of their package at once."""


def has_code(file):
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in ast.parse(file.read_text()).body)


def rooms():
    """Every package of bvf with code, below bvf."""
    packages = {file.parent for file in ROOT.glob("bvf/*/**/*.py") if has_code(file)}
    return sorted(package.relative_to(ROOT / "bvf") for package in packages)


def modules_of(room):
    """What a file of tests in a room may be named after: its modules, the packages in it, and the room itself."""
    inside = (ROOT / "bvf" / room).iterdir()
    names = {each.stem for each in inside if each.suffix == ".py" or (each / "__init__.py").is_file()}
    return (names - {"__init__", "__main__"}) | {room.name}


def test_every_room_has_tests():
    """A folder of them, or one beside those of the package around it."""
    for room in rooms():
        own = [*(TESTS / room).glob("test_*.py"), *(TESTS / room.parent).glob(f"test_{room.name}*.py")]
        assert own, f"bvf/{room} has no tests: write tests/{room}/test_NAME.py"


def test_a_file_of_tests_is_named_after_a_module():
    """Or after a module and what of it: test_page_in_browser.py is about page."""
    for file in sorted(TESTS.glob("**/test_*.py")):
        path = file.relative_to(TESTS)
        if path.parts[0] in ACROSS_ROOMS or str(path) in ACROSS_MODULES:
            continue
        assert (ROOT / "bvf" / path.parent).is_dir(), f"tests/{path.parent}: no package of bvf, and not in ACROSS_ROOMS"
        name = path.stem.removeprefix("test_")
        named_after = [each for each in modules_of(path.parent) if f"{name}_".startswith(f"{each}_")]
        assert named_after, f"tests/{path} is named after no module of bvf/{path.parent}"


def test_folders_that_are_listed_are_there():
    assert all((TESTS / each).is_dir() for each in ACROSS_ROOMS)
