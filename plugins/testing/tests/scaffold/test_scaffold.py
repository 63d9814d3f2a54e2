"""What ``bvf new`` writes: it installs, is found, passes its own tests and other people's linters, and runs."""

import json
import re
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
    "last-word": ("reader",),
    "de": ("language",),
    "mild": ("topic", "--lang", "zh"),
    "said": ("contexts", "--lang", "zh"),
    "lines": ("miner",),
    "duos": ("benchmark",),
    "count-words": ("command",),
}
FEW_PACKAGES = ("mean-off", "pairs", "pool", "duos", "said", "count-words")
"""The page on topics tries temper, and a test below flips; `make long` all."""
FEW = ("--limit-groups", 3, "--limit-contexts", 3, "--mass-sample", 4)
SHOWS = {
    "colour": " mastery ",
    "flips": "contexts that overturn",
    "lines": "The [X] thought that [Y]",
    "duos": "stereotyped",
    "count-words": "words of gender",
}
"""What a command prints that prints no R."""


def new(fresh, kind, name):
    """Write a package; return its folder and the commands that it was said to be tried with."""
    lines = fresh.shown("new", kind[0], name, *kind[1:]).splitlines()
    folder = fresh.folder / f"bvf-{name}"
    assert all((fresh.folder / line).is_file() for line in lines[: lines.index("")])
    return folder, [line.strip() for line in lines[-3:]]


@pytest.mark.parametrize(
    "names", [FEW_PACKAGES, pytest.param(tuple(PACKAGES), marks=pytest.mark.long)], ids=["few", "all"]
)
def test_they_install_are_found_work_and_go(fresh, names):
    """In one environment: they live beside each other too."""
    written = {name: new(fresh, PACKAGES[name], name) for name in names}
    folders = [folder for folder, _ in written.values()]
    fresh.install(*folders)
    assert set(names) <= listed(fresh)
    tests = fresh.run("-m", "pytest", "-q", "--import-mode=importlib", "-p", "no:cacheprovider", *folders)
    assert tests.returncode == 0, tests.stdout + tests.stderr
    for name, (_, (install, test, run)) in written.items():
        assert install == f"pip install -e 'bvf-{name}[test]'"
        assert test == f"pytest bvf-{name}"
        few = (*FEW, "--quiet") if run.startswith("bvf run ") else ()
        of_command = PACKAGES[name] == ("command",)  # a process that is warm knows the commands of before
        shown = fresh.run("-m", *run.split()).stdout if of_command else fresh.shown(*run.split()[1:], *few)
        assert SHOWS.get(name, "R^b ") in shown, name
        assert "wrong" not in fresh.shown("check", name)
    fresh.uninstall(*(f"bvf-{name}" for name in names))
    assert not listed(fresh).intersection(names)


def test_a_new_analysis_has_intervals_a_comparison_a_gate_a_plan_a_picture_and_a_place_in_the_report(fresh):
    folder, _ = new(fresh, ("analysis",), "flips")
    files = {file.name for file in (folder / "bvf_flips").iterdir()}
    assert files >= {"result.py", "analysis.py", "tables.py", "pictures.py"}
    fresh.install(folder)
    for name, model in (("a", "baseline:random"), ("b", "bundled:en-causal")):
        asked = ("--limit-groups", 4, "--mass-sample", 4, "--analysis", "flips")
        fresh.shown("run", "--model", model, "--out", name, "--quiet", *asked)
    result = json.loads(fresh.shown("show", "a", "--format", "json"))
    interval = result["uncertainty"]["intervals"]["flips"]
    assert 0 <= interval["low"] < result["flips"] < interval["high"] <= 1
    assert all(set(group["intervals"]) == {"flips"} for group in result["groups"])
    shown = fresh.shown("show", "a").splitlines()
    ends = [f"{interval[end]:.4f}" for end in ("low", "high")]
    assert [line.split()[-1] for line in shown if line.startswith(" 95% ")] == ends

    by_flips = ("--analysis", "flips")
    compared = json.loads(fresh.shown("compare", "a", "b", *by_flips, "--format", "json"))
    (topic,) = compared["topics"]
    (difference,) = topic["differences"]
    other = json.loads(fresh.shown("show", "b", "--format", "json"))
    assert difference["figure"] == "flips"
    assert difference["value"] == pytest.approx(result["flips"] - other["flips"], abs=1e-12)
    assert difference["low"] < difference["value"] < difference["high"]
    assert difference["adjusted_p"] == pytest.approx(difference["p_value"])
    assert {each["figure"] for each in topic["of_groups"]} == {"flips"}
    assert re.search(r"^ flips +1 - 2 .* to ", fresh.shown("compare", "a", "b", *by_flips), re.MULTILINE)

    passed = json.loads(fresh.shown("gate", "a", "--max", "flips=1", *by_flips, "--format", "json"))
    assert [each["verdict"] for each in passed["decisions"]] == ["pass"]
    near = (result["flips"] + 3 * interval["high"]) / 4
    undecided = fresh.bvf("gate", "a", "--max", f"flips={near}", *by_flips)
    assert undecided.returncode == 3
    assert re.search(r"\d+ more contexts would do|mine more texts|--sample-contexts \d+", undecided.stdout)
    worse = fresh.bvf("gate", "a", "--baseline", "b", "--no-worse", "flips=-0.9", *by_flips)
    assert worse.returncode == 1
    planned = json.loads(fresh.shown("plan", "a", *by_flips, "--format", "json"))
    half = (interval["high"] - interval["low"]) / 2
    assert planned["figures"]["flips"]["half_width"] == pytest.approx(half)
    assert planned["figures"]["flips"]["detectable"] > 0

    caption = "In what share of contexts another class leads than on average, by group, for baseline:random."
    assert caption in " ".join(fresh.shown("plot", "a", "--kind", "flips", "-o", "f.svg").split())
    assert caption in (fresh.folder / "f.svg").read_text()
    fresh.shown("report", "a", "b", "-o", "r.html")
    page = (fresh.folder / "r.html").read_text()
    leads = f"In {result['flips']:.1%} of contexts another class leads"
    for text in ("95% from", caption, leads, "contexts that overturn the average"):
        assert text in page
    fresh.shown("export", "a", "b", "--to", "markdown", "-o", "e.md")
    exported = (fresh.folder / "e.md").read_text()
    assert f"{result['flips']:.3f} ({interval['low']:.3f} to {interval['high']:.3f})" in exported


def listed(fresh):
    return {line.split()[0] for line in fresh.shown("plugins").splitlines() if line.strip()}


@pytest.mark.long
def test_linters_have_nothing_to_say(fresh):
    for name, kind in PACKAGES.items():
        new(fresh, kind, name)
        if kind != ("language",):
            new(fresh, kind, f"a-very-long-name-for-{'-'.join(kind).replace('--', '')}")
    root = fresh.folder / "packages"
    root.mkdir()
    for folder in fresh.folder.glob("bvf-*"):
        folder.rename(root / folder.name)
    for command in (["ruff", "check"], ["ruff", "format", "--check"], ["mypy", "--strict"]):
        done = subprocess.run([sys.executable, "-m", *command, "."], cwd=root, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


def test_a_topic_may_have_the_name_of_one_in_another_language(command, tmp_path):
    assert command("topics", "show", "region", "--lang", "zh").code == 0
    assert command("new", "topic", "region", "--into", tmp_path).code == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("topic", "gender"), '"gender" is the name of a topic of the plugin en already'),
        (("criterion", "zh"), '"zh" is the name of a plugin already'),
        (("criterion", "My Own"), '"My Own" cannot be the name of a criterion'),
        (("analysis", "risk"), '"risk" is the name of an analysis of the plugin core already'),
        (("engine", "local"), '"local" is the name of an engine of the plugin core already'),
        (("reader", "share"), '"share" is the name of a reader of the plugin texts already'),
        (("contexts", "gender"), '"gender" is the name of a context set of the plugin en already'),
        (("command", "run"), '"run" is the name of a command of the plugin core already'),
        (("miner", "lines", "--lang", "fr"), 'there is no language "fr"'),
        (("language", "german"), '"german" cannot be the name of a language'),
        (("topic", "temper", "--into", "taken"), "exists already"),
        (("topic", "temper", "--into", "file.txt"), "cannot be written"),
    ],
)
def test_one_line_says_what_is_wrong(command, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken" / "bvf-temper").mkdir(parents=True)
    (tmp_path / "file.txt").write_text("")
    done = command("new", *arguments)
    assert done.code == 2
    assert says in done.err
    assert len(done.err.splitlines()) <= 2
    assert list((tmp_path / "taken" / "bvf-temper").iterdir()) == []
