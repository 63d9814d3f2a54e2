"""The tests of a module are found by its name: bvf/PACKAGE/NAME.py is tested by tests/PACKAGE/test_NAME.py.

Packages below ``plugins`` that came out of the core keep this, with the folder of tests beside them.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MIRRORED = {
    ROOT / "bvf": ROOT / "tests",
    **{
        ROOT / "plugins" / name / f"bvf_{name}": ROOT / "plugins" / name / "tests"
        for name in ("insights", "mining", "report", "testing", "texts")
    },
}
"""The folder of tests of each package."""
ACROSS_ROOMS = {
    *(
        "answers",
        "architecture",
        "attack",
        "benchmarks",
        "command_line",
        "contract",
        "docs",
        "kills",
        "packaging",
        "real",
    ),
    *("data", "frozen", "helpers", "mutants", "outside"),
}
"""Folders of tests of more than one package, or of none."""
ACROSS_MODULES = {"files/test_bad_input.py", "tables/test_renderers.py"}
"""Tests of all the modules of their package at once."""


def has_code(file):
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in ast.parse(file.read_text()).body)


def rooms(package):
    """Every package with code, below a package."""
    folders = {file.parent for file in package.glob("*/**/*.py") if has_code(file)}
    return sorted(folder.relative_to(package) for folder in folders)


def modules_of(folder):
    """What a file of tests may be named after: modules and packages in a folder of code, and the folder itself."""
    names = {each.stem for each in folder.iterdir() if each.suffix == ".py" or (each / "__init__.py").is_file()}
    return (names - {"__init__", "__main__"}) | {folder.name}


def test_every_room_has_tests():
    """A folder of them, or one beside those of the package around it."""
    for package, tests in MIRRORED.items():
        for room in rooms(package):
            own = [*(tests / room).glob("test_*.py"), *(tests / room.parent).glob(f"test_{room.name}*.py")]
            assert own, f"{package.name}/{room} has no tests: write {tests}/{room}/test_NAME.py"


def test_a_file_of_tests_is_named_after_a_module():
    """Or after a module and what of it: test_page_in_browser.py is about page."""
    for package, tests in MIRRORED.items():
        for file in sorted(tests.glob("**/test_*.py")):
            path = file.relative_to(tests)
            if path.parts[0] in ACROSS_ROOMS or str(path) in ACROSS_MODULES:
                continue
            assert (package / path.parent).is_dir(), f"{file}: no package of {package.name}, and not in ACROSS_ROOMS"
            name = path.stem.removeprefix("test_")
            named_after = [each for each in modules_of(package / path.parent) if f"{name}_".startswith(f"{each}_")]
            assert named_after, f"{file} is named after no module of {package.name}/{path.parent}"


def test_folders_that_are_listed_are_there():
    assert all((ROOT / "tests" / each).is_dir() for each in ACROSS_ROOMS)
