"""Time and memory of commands as groups, contexts and folders grow: ``python benchmarks/growth/run.py [WHAT ...]``.

WHAT is groups, contexts, folders or site; all four if none is named. Each size is twice the one before, and each
command is a process of its own. Time and memory linear in the size give ratios of 2 or less.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import product
from pathlib import Path

SIZES = {
    "groups": (25_000, 50_000, 100_000),
    "contexts": (10_000, 20_000, 40_000),
    "folders": (50, 100, 200),
    "site": (12, 25, 50),
}
TOPICS = ("gender", "race", "religion", "disability", "age", "nationality")
NOISE = Path(__file__).with_name("noise.py")
TOPIC = """
schema = "bvf.topic/1"
name = "many"
language = "en"
summary = "Many groups"
contexts = "gender"
sources = ["made by benchmarks/growth/run.py"]

[[cross]]
phrase = "[person] [place]"
[cross.levels]
person = {persons}
place = {places}

[measurement]
construct = "none: the groups are made up"
harm = "none"
chosen_by = "benchmarks/growth/run.py"
reference = "Uniform"
gaps = ["made up"]

[[attributes]]
name = "male"
words = ["he", "his"]

[[attributes]]
name = "female"
words = ["she", "her"]
"""
PLACES = 50


@dataclass(frozen=True)
class Used:
    """What a command took: seconds of processor time and of the clock, and the peak of its memory in GB."""

    processor: float
    clock: float
    peak: float


def main(chosen: list[str]) -> None:
    print(f"{'command':<20} {'size':>8} {'processor s':>12} {'ratio':>6} {'clock s':>8} {'peak GB':>8} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as scratch:
        for what in chosen or SIZES:
            before: dict[str, Used] = {}
            for size in SIZES[what]:
                now = COMMANDS[what](size, Path(scratch))
                for command, used in now.items():
                    show(f"{command}, {what}", size, used, before.get(command))
                before = now


def show(command: str, size: int, used: Used, before: Used | None) -> None:
    of_time, of_memory = ("", "")
    if before is not None:
        of_time, of_memory = f"{used.processor / before.processor:.1f}", f"{used.peak / before.peak:.1f}"
    print(
        f"{command:<20} {size:>8,} {used.processor:>12.1f} {of_time:>6} {used.clock:>8.1f} "
        f"{used.peak:>8.2f} {of_memory:>6}",
        flush=True,
    )


def of_groups(size: int, scratch: Path) -> dict[str, Used]:
    """Run and verify that many groups in three contexts."""
    return _run_and_verify(size, 3, scratch / f"groups{size}")


def of_contexts(size: int, scratch: Path) -> dict[str, Used]:
    """Run and verify fifty groups in that many contexts."""
    return _run_and_verify(PLACES, size, scratch / f"contexts{size}")


def of_folders(number: int, scratch: Path) -> dict[str, Used]:
    """Show, compare and report runs of that many models, each of 61 groups or more; all but 61 are left out."""
    folders = str(scratch / "folders")
    code = f"import run; run.make_folders({number}, {folders!r})"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent, env=with_this_bvf())
    return {
        "show": bvf("show", folders),
        "compare": bvf("compare", folders),
        "report --light": bvf("report", folders, "--light", "--out", str(scratch / "page.html")),
    }


def make_folders(number: int, folders: str) -> None:
    """Make the folders of runs that are not there yet."""
    import bvf
    from bvf.hooks.loader import load

    Path(folders).mkdir(exist_ok=True)
    topic, table = write_inputs(300, 30, Path(folders))
    plugins = load(extra=[str(NOISE)])
    for more in range(1, number + 1):
        out = Path(folders, f"r{more:03}")
        if not out.exists():
            few = {"limit_groups": 61 + more % 20, "out": str(out)}
            bvf.run(topic=topic, contexts=table, model=f"noise:{more:03}", plugins=plugins, **few)


def of_site(models: int, scratch: Path) -> dict[str, Used]:
    """Write a site of that many models, each in default runs of six topics, and compare its models."""
    runs = str(scratch / "models")
    code = f"import run; run.make_models({models}, {runs!r})"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent, env=with_this_bvf())
    site = scratch / f"site{models}"
    used = {
        "report --site": bvf("report", runs, "--site", str(site), "--plugin", str(NOISE)),
        "compare": bvf("compare", runs, "--plugin", str(NOISE)),
    }
    size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
    print(f"{models * len(TOPICS)} runs: the site has {size / 1e6:.1f} MB")
    return used


def make_models(number: int, folders: str) -> None:
    """Make the default runs of models on six topics that are not there yet."""
    import bvf
    from bvf.hooks.loader import load

    plugins = load(extra=[str(NOISE)])
    for model, topic in product(range(1, number + 1), TOPICS):
        out = Path(folders, f"{topic}-{model:03}")
        if not out.exists():
            bvf.run(topic=topic, model=f"noise:{model:03}", plugins=plugins, out=str(out))


def _run_and_verify(groups: int, contexts: int, scratch: Path) -> dict[str, Used]:
    scratch.mkdir()
    topic, table = write_inputs(groups, contexts, scratch)
    out = str(scratch / "run")
    asked = ["--topic", topic, "--contexts", table, "--model", "baseline:random"]
    return {"run": bvf("run", *asked, "--out", out), "verify": bvf("verify", out)}


def write_inputs(groups: int, contexts: int, folder: Path) -> tuple[str, str]:
    """Write a topic and a context table, and return their paths."""
    topic, table = folder / "many.toml", folder / "many.csv"
    persons, places = (
        [f"{name}{number}" for number in range(count)]
        for name, count in (("person", groups // PLACES), ("place", PLACES))
    )
    topic.write_text(TOPIC.format(persons=persons, places=places))
    rows = (f'"The [X] number {number} said that [Y]",{1 + number % 7}\n' for number in range(contexts))
    table.write_text("template,count\n" + "".join(rows))
    return str(topic), str(table)


def with_this_bvf() -> dict[str, str]:
    """The environment in which this copy of bvf is the one that is imported."""
    here = str(Path(__file__).resolve().parents[2])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])}


def bvf(*arguments: str) -> Used:
    """Run a command, and return what it took."""
    began = time.perf_counter()
    with tempfile.TemporaryFile() as written:
        process = subprocess.Popen(
            [sys.executable, "-m", "bvf", *arguments], stdout=written, stderr=written, env=with_this_bvf()
        )
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            written.seek(0)
            raise SystemExit(f"bvf {' '.join(arguments)}: {written.read().decode()[-2000:]}")
    return Used(usage.ru_utime + usage.ru_stime, time.perf_counter() - began, usage.ru_maxrss / 1e6)


COMMANDS = {"groups": of_groups, "contexts": of_contexts, "folders": of_folders, "site": of_site}

if __name__ == "__main__":
    main(sys.argv[1:])
