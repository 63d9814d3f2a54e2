"""Plugins import the core from its doors alone; a door offers what two packages use, or what is promised."""

import re
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest
from architecture.doors import (  # fmt: skip
    DOORS,
    PACKAGES,
    ROOT,
    SCAFFOLDS,
    SOURCES,
    imported,
    is_offered,
    names_of,
    package_of,
    past_the_doors,
    recorded,
    users,
)
from architecture.house import TESTS, python_files
from architecture.house import package_of as part_of_house

SLACK = 10
"""By so many names may `most` be too large."""
IMPORT = re.compile(r"^ *from (bvf(?:\.\w+)*) import \(?([^()\n]*(?:\n    [^()]*)?)", re.MULTILINE)


def test_fewer_and_fewer_names_stand_behind_doors():
    listed = {f"{door}.{name}" for door in DOORS for name in names_of(door)} - {"bvf.errors.BvfError"}
    assert len(listed) <= recorded()["most"], f"{len(listed)} names: let a package do without one, or move it there"


def test_the_list_of_doors_follows_them():
    listed, known = {f"{door}.{name}" for door in DOORS for name in names_of(door)}, recorded()
    assert {name for names in known["promised"].values() for name in names} <= listed
    alone = {f"bvf.{name}" for names in known["alone"].values() for name in names}
    assert {name for name in alone if name not in listed or len(users()[name]) > 1} == set(), "take them out of `alone`"
    assert known["most"] - len(listed) <= SLACK, "lower `most`"


@pytest.mark.parametrize("door", DOORS)
def test_a_name_of_a_door_is_used_by_two_packages_or_promised(door):
    known, used = recorded(), users()
    reasons = {name: why for why, names in known["promised"].items() for name in names}
    reasons |= {f"bvf.{name}": package for package, names in known["alone"].items() for name in names}
    for name in sorted(names_of(door)) if door not in known["whole"] else ():
        packages = sorted(used[f"{door}.{name}"])
        assert len(packages) > 1 or f"{door}.{name}" in reasons, (
            f"{door}.{name} is new, and used by {' and '.join(packages) or 'no package'} alone: let it do without, "
            "move it there, or write into doors.toml why it is promised"
        )


@pytest.mark.parametrize("door", DOORS)
def test_a_name_of_a_door_is_there_and_is_no_name_of_a_module(door):
    """A module of that name would take the place of the object as soon as anybody imports it."""
    package = import_module(door)
    for name in names_of(door):
        assert getattr(package, name) is not None
    folder = ROOT.joinpath(*door.split("."))
    assert not {each.stem for each in folder.glob("*") if door != "bvf"} & names_of(door)


def test_an_object_has_one_door():
    found = [getattr(import_module(door), name) for door in DOORS if door != "bvf.errors" for name in names_of(door)]
    classes = [each for each in found if isinstance(each, type)]
    assert [each.__name__ for each in set(classes) if classes.count(each) > 1] == []


def test_packages_import_from_doors():
    """``doors.toml`` counts, per package, the names that it still imports past them: the numbers may only fall."""
    assert past_the_doors() == recorded()["past"], {
        package_of(file): each for file in SOURCES for each in imported(file) if not is_offered(*each)
    }


@pytest.mark.parametrize("file", SCAFFOLDS, ids=lambda file: file.parent.parent.name)
def test_what_bvf_new_writes_imports_from_doors(file):
    for module, names in IMPORT.findall(file.read_text()):
        assert all(is_offered(module, name.strip()) for name in names.split(",") if name.strip()), (module, names)


def test_examples_of_the_documentation_import_from_doors():
    for page in [*ROOT.glob("docs/how-to/*.md"), *ROOT.glob("docs/reference/*.md"), ROOT / "README.md"]:
        for module, names in re.findall(r"^from (bvf(?:\.\w+)*) import ([\w, ]+)$", page.read_text(), re.M):
            assert all(is_offered(module, name.strip()) for name in names.split(",")), (page.name, module, names)


def test_the_page_on_hooks_names_the_doors():
    page = (ROOT / "docs" / "reference" / "hooks.md").read_text()
    assert all(f"`{door}`" in page for door in DOORS)


def test_a_package_says_in_its_readme_which_others_it_imports():
    for file in SOURCES:
        own = {each.name for each in file.parents if each.name.startswith("bvf_")}
        readme = (ROOT / file.relative_to(ROOT).parts[0] / package_of(file) / "README.md").read_text()
        others = {each.name for each in ROOT.glob("plugins/*/bvf_*")} - own
        for other in others:
            if imported(file, {other}):
                same_folder = (file.parents[len(file.relative_to(ROOT).parts) - 3] / other).is_dir()
                assert same_folder or f"`{other}`" in readme, f"{file.relative_to(ROOT)} imports {other}"


def module_of(name):
    """The dotted name by which a file is imported: from the outermost folder that is a package."""
    parts = Path(name).with_suffix("").parts
    start = len(parts) - 1
    while start and (ROOT.joinpath(*parts[:start]) / "__init__.py").exists():
        start -= 1
    return ".".join(parts[start:]).removesuffix(".__init__")


def test_no_imports_go_in_a_circle():
    """Imports in functions and for types count, too."""
    modules = {module_of(name): ROOT / name for name in python_files() if part_of_house(name) != TESTS}
    tops = {module.partition(".")[0] for module in modules}
    graph = {}
    for module, file in modules.items():
        found = {f"{home}.{name}" if f"{home}.{name}" in modules else home for home, name in imported(file, tops)}
        graph[module] = (found & modules.keys()) - {module}
    TopologicalSorter(graph).prepare()


def test_doors_are_the_packages_with_a_stub():
    assert {file.parent.name for file in ROOT.glob("bvf/*/__init__.pyi")} == set(PACKAGES)
