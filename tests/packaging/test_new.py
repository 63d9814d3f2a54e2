"""What ``bvf new`` writes: it installs, is found, passes its own tests and other people's linters, and runs."""

import subprocess
import sys

import pytest

PACKAGES = {
    "temper": ("topic",),
    "colour": ("topic", "--knowledge"),
    "mean-off": ("criterion",),
    "flips": ("analysis",),
    "pairs": ("backend",),
    "pool": ("engine",),
    "de": ("language",),
}
FEW = ("--limit-groups", 3, "--limit-contexts", 3, "--mass-sample", 4)
SHOWS = {"colour": " mastery ", "flips": "contexts that overturn"}
"""What stands in a table that has no R."""


def new(fresh, kind, name):
    """Write a package; return its folder and the commands that it was said to be tried with."""
    lines = fresh.shown("new", kind[0], name, *kind[1:]).splitlines()
    folder = fresh.folder / f"bvf-{name}"
    assert all((fresh.folder / line).is_file() for line in lines[: lines.index("")])
    return folder, [line.strip() for line in lines[-3:]]


def test_they_install_are_found_work_and_go(fresh):
    """All of them in one environment: they live beside each other too."""
    written = {name: new(fresh, kind, name) for name, kind in PACKAGES.items()}
    folders = [folder for folder, _ in written.values()]
    fresh.install(*folders)
    assert set(PACKAGES) <= listed(fresh)
    tests = fresh.run("-m", "pytest", "-q", "--import-mode=importlib", "-p", "no:cacheprovider", *folders)
    assert tests.returncode == 0, tests.stdout + tests.stderr
    for name, (_, (install, test, run)) in written.items():
        assert install == f"pip install -e 'bvf-{name}[test]'"
        assert test == f"pytest bvf-{name}"
        assert SHOWS.get(name, " R ") in fresh.shown(*run.split()[1:], *FEW, "--quiet"), name
        assert "wrong" not in fresh.shown("check", name)
    fresh.uninstall(*(f"bvf-{name}" for name in PACKAGES))
    assert not listed(fresh).intersection(PACKAGES)


def listed(fresh):
    return {line.split()[0] for line in fresh.shown("plugins").splitlines() if line.strip()}


def test_linters_have_nothing_to_say(fresh):
    for name, kind in PACKAGES.items():
        new(fresh, kind, name)
        if kind != ("language",):
            new(fresh, kind, f"a-very-long-name-for-{kind[-1].strip('-')}")
    root = fresh.folder / "packages"
    root.mkdir()
    for folder in fresh.folder.glob("bvf-*"):
        folder.rename(root / folder.name)
    for command in (["ruff", "check"], ["ruff", "format", "--check"], ["mypy", "--strict"]):
        done = subprocess.run([sys.executable, "-m", *command, "."], cwd=root, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


def test_it_can_be_published_as_it_stands(fresh):
    folder, _ = new(fresh, ("topic",), "temper")
    out = fresh.folder / "dist"
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(folder)]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    assert sorted(file.name for file in out.iterdir()) == [
        "bvf_temper-0.1.0-py3-none-any.whl",
        "bvf_temper-0.1.0.tar.gz",
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("topic", "gender"), '"gender" is the name of a topic of the plugin en already'),
        (("criterion", "zh"), '"zh" is the name of a plugin already'),
        (("criterion", "My Own"), '"My Own" cannot be the name of a criterion'),
        (("analysis", "risk"), '"risk" is the name of an analysis of the plugin core already'),
        (("engine", "local"), '"local" is the name of an engine of the plugin core already'),
        (("language", "german"), '"german" cannot be the name of a language'),
        (("topic", "temper", "--into", "taken"), "exists already"),
        (("topic", "temper", "--into", "file.txt"), "cannot be written"),
    ],
)
def test_one_line_says_what_is_wrong(fresh, arguments, says):
    (fresh.folder / "taken" / "bvf-temper").mkdir(parents=True)
    (fresh.folder / "file.txt").write_text("")
    done = fresh.bvf("new", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert list((fresh.folder / "taken" / "bvf-temper").iterdir()) == []
