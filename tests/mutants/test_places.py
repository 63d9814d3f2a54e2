"""A place is found by its function and expression, wherever they move; what is gone or unclear is not guessed."""

from pathlib import Path

import pytest

from mutants.places import Place, find, mirror_of

FLOOR = Place("Judge.floor", "value - noise < limit", "value - noise <= limit", "bvf/results/judging.py")
JUDGE = "class Judge:\n    def floor(self, value, noise, limit):\n        return {}\n"


@pytest.fixture
def tree(tmp_path):
    def write(**files):
        for name, text in files.items():
            file = tmp_path / "plugins" / "judges" / "bvf_judges" / f"{name}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return tmp_path

    return write


def test_a_function_that_moved_and_was_reformatted(tree):
    root = tree(moved=JUDGE.format("bool(  # é\n            (value - noise\n             < limit))"))
    assert find(FLOOR, root).mutated(FLOOR.new).decode() == JUDGE.format(
        "bool(  # é\n            ((value - noise <= limit)))"
    )


@pytest.mark.parametrize(
    "files",
    [
        {"rewritten": JUDGE.format("noise > value - limit")},
        {"renamed": JUDGE.format("value - noise < limit").replace("floor", "lowest")},
        {name: JUDGE.format("value - noise < limit") for name in ("one", "other")},
    ],
    ids=str,
)
def test_what_is_gone_or_there_twice(tree, files):
    assert find(FLOOR, tree(**files)) is None


@pytest.mark.parametrize(
    ("module", "mirror", "room"),
    [
        ("bvf/gates/limits.py", ["tests/gates/test_limits.py", "tests/gates/test_limits_of_runs.py"], "tests/gates"),
        ("bvf/gates/result.py", [], "tests/gates"),
        ("bvf/gates/files/xml.py", ["tests/gates/test_files.py"], "tests/gates"),
        ("plugins/judges/bvf_judges/judge.py", ["plugins/judges/tests/test_judge.py"], "plugins/judges/tests"),
        ("plugins/judges/bvf_judges/panel/vote.py", [], "plugins/judges/tests"),
    ],
)
def test_the_mirror_of_a_module_have_its_name_or_that_of_its_package(module, mirror, room, tmp_path):
    for folder, names in {
        "tests/gates": ("limits", "limits_of_runs", "files"),
        "plugins/judges/tests": ("judge",),
    }.items():
        (tmp_path / folder).mkdir(parents=True)
        for name in names:
            (tmp_path / folder / f"test_{name}.py").touch()
    assert mirror_of(Path(module), tmp_path) == ([Path(each) for each in mirror], Path(room))
