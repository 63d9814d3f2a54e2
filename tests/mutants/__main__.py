"""``PYTHONPATH=tests python -m mutants [WORDS]``: applies the mutations whose names have all words, one at a time.

Tests run in a copy of the tree: those that mirror the module, then those of its room, then those named by ``--also``.
With ``--record`` the outcomes are kept; a later run fails if a mutation that was killed then is not killed any more.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import venv
from collections import Counter
from pathlib import Path

from mutants.places import ROOT, find, listed, mirror_of

COPY = ROOT / "build" / "mutants"
RECORD = Path(__file__).with_name("record.json")
LONGEST = {"mirror": 300, "room": 300, "also": 3600}
"""Seconds of processor time after which a run of tests is ended (or ten times as long by the clock)."""


def copy_tree():
    """Copy the files of the tree, with a venv of its own that has the libraries of this one."""
    shutil.rmtree(COPY, ignore_errors=True)
    command = ["git", "ls-files", "-coz", "--exclude-standard"]
    for name in subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)
    venv.create(COPY / ".venv", symlinks=True)
    packages = {COPY, *(found.parent for found in COPY.glob("*/*/bvf_*"))}
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    (site,) = COPY.glob(".venv/lib/*/site-packages")
    (site / "copy.pth").write_text("\n".join([*sorted(map(str, packages)), *libraries]))


def failures(tests, longest, module=None):
    """Run tests in the copy, where a module may be mutated; return those that fail, or None if they take too long."""
    parts = module.with_suffix("").parts if module else ()
    name = ".".join(parts[next((at for at, part in enumerate(parts) if part.startswith("bvf")), 0) :])
    out, log = COPY / "failed.json", COPY / "log.txt"
    out.unlink(missing_ok=True)
    witness = [COPY / ".venv/bin/python", "-P", "tests/mutants/witness.py", str(longest), out]
    command = [*witness, name.removesuffix(".__init__"), *tests]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "SAME_EXAMPLES": "1", "PYTHONPATH": ""}
    with log.open("w") as to:
        process = subprocess.Popen(command, cwd=COPY, env=environment, stdout=to, stderr=to, start_new_session=True)
    try:
        process.wait(10 * longest)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None
    if out.exists():
        return json.loads(out.read_text())
    return [{"test": "", "asserted": False, "says": log.read_text().splitlines()[-1]}]


def tried(place, also):
    """Apply a mutation and return what came of it."""
    if (found := find(place, COPY)) is None:
        return {"outcome": "gone"}
    module, original = found.file.relative_to(COPY), found.file.read_bytes()
    mirror, room = mirror_of(module)
    mirror += [each.relative_to(COPY) for each in COPY.glob(f"**/{place.tests}.py") if place.tests]
    steps = {"mirror": mirror, "room": [room, *(f"--ignore={each}" for each in mirror)], "also": also}
    outcome = {"outcome": "survived"}
    found.file.write_bytes(found.mutated(place.new))
    for step, tests in steps.items():
        failed = failures(tests, LONGEST[step], module) if tests else []
        if failed is None:
            outcome = {"outcome": "timed out", "by": step}
        elif failed:
            seen = next((each for each in failed if each["asserted"]), failed[0])
            what = "killed" if seen["asserted"] else "crashed"
            outcome = {"outcome": what, "by": step, "test": seen["test"], "says": seen["says"]}
        if outcome["outcome"] == "killed":
            break
    found.file.write_bytes(original)
    return outcome


def main():
    """Try the mutations, print what came of each, and exit with 1 if one is no longer killed."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--also", action="append", default=[], metavar="TESTS")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    copy_tree()
    outcomes = {}
    for place in listed():
        if all(word in f"{place.idea} {place.name} {place.file}" for word in given.words):
            outcome = outcomes[place.name] = tried(place, given.also)
            print(" | ".join([*outcome.values(), place.idea, place.name]), flush=True)
    killers = {each["test"] for each in outcomes.values() if each["outcome"] == "killed"}
    fail_always = {each["test"] for each in failures(killers, LONGEST["also"]) or []} if killers else set()
    for outcome in outcomes.values():
        if outcome.get("test") in fail_always:
            outcome["outcome"] = "test fails without the mutation"
    before = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    once = {name for name in outcomes if before.get(name, {}).get("outcome") == "killed"}
    lost = [
        f"{each['outcome']}: {name}" for name, each in outcomes.items() if name in once and each["outcome"] != "killed"
    ]
    print(f"\n{dict(Counter(each['outcome'] for each in outcomes.values()))}; killed before, and now", *lost, sep="\n")
    if given.record:
        RECORD.write_text(json.dumps({**before, **outcomes}, indent=1, ensure_ascii=False) + "\n")
    raise SystemExit(bool(lost))


if __name__ == "__main__":
    main()
