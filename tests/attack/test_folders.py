"""The folder of a run that somebody hands over: no link in it is followed, and nothing outside it changes."""

import os
import shutil
from pathlib import Path

import pytest
from helpers.contents import everything_in
from helpers.fixtures import TOY

import bvf

CHOICES = {"model": "toy:hash", "limit_groups": 3, "contexts": "gender-mixed", "sample_contexts": 30}
ASKED = [text for name, value in CHOICES.items() for text in (f"--{name.replace('_', '-')}", str(value))]
RUN = ("run", "--plugin", TOY, *ASKED, "--out", "theirs")
CONTROL = "controls/hair-colour"
COMMANDS = {
    "show": ("show", "theirs"),
    "verify": ("verify", "theirs"),
    "analyse": ("analyse", "theirs", "--criterion", "lk:2", "--reference", "prior", "--save-as", "raw"),
    "merge": ("merge", "theirs"),
    "run": (*RUN, "--reference", "prior"),
    "run --controls": (*RUN, "--controls"),
}
NEVER_READ = {"kept/*", "invocations", "invocations/*"}
"""What a command that computes a result does not look at."""
OF_SUBJECTS, OF_CONTROLS = {"prior", "prior/measurement.json", "prior/probabilities"}, {f"{CONTROL}/measurement.json"}
PLACES = (
    *("measurement.json", "result.json", "replicates.parquet", "lock", "probabilities/*", "analyses/*", "kept/*"),
    *("invocations/*", *sorted(OF_SUBJECTS), *OF_CONTROLS),
    *("probabilities", "invocations", "analyses", "kept", "parts", "controls", CONTROL),
)
LOOKED_AT = {
    "show": {"measurement.json", "result.json", "analyses", "kept"},
    "verify": set(PLACES) - {"lock", "parts"},
    "analyse": set(PLACES) - {"lock", "parts", "analyses/*"} - NEVER_READ - OF_CONTROLS,
    "merge": set(PLACES) - NEVER_READ - OF_SUBJECTS - OF_CONTROLS - {"kept"},
    "run": set(PLACES) - NEVER_READ - OF_CONTROLS - {"kept", "analyses/*"},
    "run --controls": set(PLACES) - NEVER_READ - OF_SUBJECTS - {"kept"},
}
"""The places that a command reads or writes: it ends with one line if a link stands there."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run with everything that stands in a folder."""
    out = tmp_path_factory.mktemp("run") / "out"
    for choices in ({"controls": True}, {"reference": "prior"}, {}):
        bvf.run(plugin=(str(TOY),), out=str(out), **CHOICES, **choices)
    bvf.analyse(out, criterion="lk:2", save_as="squares")
    return out


@pytest.fixture
def two_runs(finished, tmp_path, monkeypatch):
    """The run twice: what somebody hands over, and mine, which has a lock, and a shard of another measurement."""
    monkeypatch.chdir(tmp_path)

    def make():
        for name in ("theirs", "mine"):
            shutil.rmtree(name, ignore_errors=True)
            shutil.copytree(finished, name)
        Path("mine/parts").mkdir()
        Path("mine/parts/1-of-3.lock").write_text("mine")
        for of_mine in ("mine", "mine/prior", f"mine/{CONTROL}"):
            Path(of_mine, "probabilities/00000.0123456789abcdef.parquet").write_text("mine")

    return make


def put_link(name):
    """Put a link to mine in the place of a file or a folder of theirs."""
    newest = Path("theirs/result.json").read_bytes()  # of several analyses, the one that a command would write again
    places = sorted(Path("theirs").glob(name)) or [Path("theirs") / name]
    place = max(places, key=lambda each: each.is_file() and each.read_bytes() == newest)
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.symlink_to(Path.cwd() / "mine" / place.relative_to("theirs"))
    return place


@pytest.mark.parametrize("name", PLACES)
def test_a_link_is_not_followed(command, two_runs, attacks, name):
    for called, arguments in attacks(name, COMMANDS):
        two_runs()
        place, before = put_link(name), everything_in(Path("mine"))
        done = command(*arguments)
        assert (everything_in(Path("mine")), place.is_symlink()) == (before, True), called
        if name in LOOKED_AT[called]:
            said = done.out if done.code == 1 else done.err
            assert done.code == (1 if called == "verify" and not done.err else 2), (called, done)
            figures = "when it is computed again"  # without the control, which the analysis leaves out
            assert (figures if (called, name) == ("verify", *OF_CONTROLS) else "but a link") in said, (called, said)
            assert done.err.count("error: ") <= 1
        else:
            assert done.code == 0, (called, done)


@pytest.mark.parametrize("name", ["measurement.json", "result.json", "probabilities/*"])
def test_a_file_of_20_gigabytes_is_not_read(command, two_runs, name):
    two_runs()
    place = sorted(Path("theirs").glob(name))[0]
    os.truncate(place, 20_000_000_000)
    for called in ("verify", "analyse", "merge", "run"):
        done = command(*COMMANDS[called])
        assert f"{place}: 20,000,000,000 bytes, and such a file has" in done.out + done.err
