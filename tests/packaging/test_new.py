"""What ``bvf new`` writes: it installs, is found, passes its own tests and other people's linters, and runs."""

import subprocess
import sys

import pytest

LONG = "a-rather-long-name-for-anything"
KINDS = [
    ("topic", "temper"),
    ("criterion", "mean-off"),
    ("analysis", "flips"),
    ("backend", "pairs"),
    ("language", "de"),
]


def new(fresh, kind, name):
    """Write a package; return its folder and the commands that it was said to be tried with."""
    shown = fresh.bvf("new", kind, name).splitlines()
    folder = fresh.folder / f"bvf-{name}"
    assert all((fresh.folder / line).is_file() for line in shown[: shown.index("")])
    return folder, [line.strip() for line in shown[-3:]]


@pytest.mark.parametrize(("kind", "name"), KINDS)
def test_it_installs_is_found_and_passes_its_own_tests(fresh, kind, name):
    folder, (install, test, run) = new(fresh, kind, name)
    assert install == f"pip install -e 'bvf-{name}[test]'"
    assert test == f"pytest bvf-{name}"
    fresh.install(folder)
    assert f"bvf-{name}" in fresh.bvf("plugins")
    tests = fresh.run("-m", "pytest", "-q", "-p", "no:cacheprovider", folder)
    assert tests.returncode == 0, tests.stdout + tests.stderr
    assert "passed" in tests.stdout
    shown = fresh.bvf(*run.split()[1:], "--limit-groups", 3, "--quiet")
    assert (" flips" if kind == "analysis" else " R ") in shown
    assert "wrong" not in fresh.bvf("check", name)
    fresh.uninstall(f"bvf-{name}")
    assert f"bvf-{name}" not in fresh.bvf("plugins")


@pytest.fixture(scope="module")
def types_known(tmp_path_factory):
    """Where mypy keeps what it knows of the libraries that all packages use."""
    return tmp_path_factory.mktemp("mypy")


@pytest.mark.parametrize(("kind", "name"), [*KINDS, *((kind, LONG) for kind, _ in KINDS if kind != "language")])
def test_linters_have_nothing_to_say(fresh, types_known, kind, name):
    folder, _ = new(fresh, kind, name)
    mypy = ["mypy", "--strict", "--cache-dir", str(types_known)]
    for command in (["ruff", "check"], ["ruff", "format", "--check"], mypy):
        done = subprocess.run([sys.executable, "-m", *command, "."], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


def test_it_can_be_published_as_it_stands(fresh):
    folder, _ = new(fresh, "topic", "temper")
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
        (("language", "german"), '"german" cannot be the name of a language'),
        (("topic", "temper", "--into", "taken"), "exists already"),
        (("topic", "temper", "--into", "file.txt"), "cannot be written"),
    ],
)
def test_one_line_says_what_is_wrong(fresh, arguments, says):
    (fresh.folder / "taken" / "bvf-temper").mkdir(parents=True)
    (fresh.folder / "file.txt").write_text("")
    done = fresh.run("-m", "bvf", "new", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert list((fresh.folder / "taken" / "bvf-temper").iterdir()) == []
