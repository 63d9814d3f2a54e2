"""Time and memory of commands as groups, contexts and folders grow: ``python -m benchmarks speed.growth [WHAT ...]``.

WHAT is groups, contexts, folders or site; all four if none is named. Each size is twice the one before, and each
command is a process of its own.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.pages import ROOT

TOPICS = ("gender", "race", "religion", "disability", "age", "nationality")
NOISE = str(Path(__file__).with_name("noise.py"))
TOPIC = Path(__file__).with_name("many.toml").read_text(encoding="utf-8")
PLACES = 50


def main(*chosen: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for what in chosen or SIZES:
            measure, sizes = SIZES[what]
            for size in sizes:
                print(f"{size:,} {what}:")
                measure(size, Path(scratch))


def of_run(groups: int, contexts: int, scratch: Path) -> None:
    folder = scratch / f"{groups} x {contexts}"
    topic, table = write_inputs(groups, contexts, folder)
    bvf("run", "--topic", topic, "--contexts", table, "--model", "baseline:random", "--out", str(folder / "run"))


def of_folders(number: int, scratch: Path) -> None:
    """Compare runs of that many models, each of 61 groups or more; all but 61 are left out."""
    folders = scratch / "folders"
    of_all = dict(zip(("topic", "contexts"), write_inputs(300, 30, folders), strict=True))
    models = {f"r{n:03}": {"model": f"noise:{n:03}", "limit_groups": 61 + n % 20} for n in range(1, number + 1)}
    make_runs(folders, {name: {**of_all, **model} for name, model in models.items()})
    bvf("compare", str(folders))


def of_site(models: int, scratch: Path) -> None:
    """Write a site of that many models, each in default runs of six topics, and compare its models."""
    folders, site = scratch / "models", scratch / f"site{models}"
    asked = [{"topic": topic, "model": f"noise:{n:03}"} for n in range(1, models + 1) for topic in TOPICS]
    runs = {f"{each['topic']}-{each['model'][-3:]}": each for each in asked}
    make_runs(folders, runs)
    bvf("report", str(folders), "--site", str(site), "--plugin", NOISE)
    bvf("compare", str(folders), "--plugin", NOISE)
    size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
    print(f"  {len(runs)} runs: the site has {size / 1e6:.1f} MB")


def make_runs(folder: Path, runs: dict[str, dict[str, Any]]) -> None:
    """Make what is missing of these runs in another process, as commands begin with the peak of memory of this one."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(_made, folder, runs).result()


def _made(folder: Path, runs: dict[str, dict[str, Any]]) -> None:
    import bvf
    from bvf.hooks.loader import load

    plugins = load(extra=[NOISE])
    for name, options in runs.items():
        if not (folder / name).exists():
            bvf.run(**options, plugins=plugins, out=str(folder / name))


def write_inputs(groups: int, contexts: int, folder: Path) -> tuple[str, str]:
    folder.mkdir(exist_ok=True)
    topic, table = folder / "many.toml", folder / "many.csv"
    persons, places = ([f"{of}{n}" for n in range(size)] for of, size in (("p", groups // PLACES), ("q", PLACES)))
    topic.write_text(TOPIC.replace('["PERSONS"]', str(persons)).replace('["PLACES"]', str(places)))
    rows = (f'"The [X] number {number} said that [Y]",{1 + number % 7}\n' for number in range(contexts))
    table.write_text("template,count\n" + "".join(rows))
    return str(topic), str(table)


def bvf(*arguments: str) -> None:
    """Print what a command takes, in the root of the clone."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([sys.executable, "-m", "bvf", *arguments], stdout=said, stderr=said, cwd=ROOT)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            said.seek(0)
            raise SystemExit(f"bvf {' '.join(arguments)}: {said.read().decode()[-2000:]}")
    seconds = usage.ru_utime + usage.ru_stime
    print(f"  bvf {arguments[0]}: {seconds:.1f} processor seconds, {usage.ru_maxrss / 1e6:.2f} GB", flush=True)


SIZES: dict[str, tuple[Callable[[int, Path], None], tuple[int, ...]]] = {
    "groups": (lambda groups, scratch: of_run(groups, 3, scratch), (25_000, 50_000, 100_000)),
    "contexts": (lambda contexts, scratch: of_run(PLACES, contexts, scratch), (10_000, 20_000, 40_000)),
    "folders": (of_folders, (50, 100, 200)),
    "site": (of_site, (12, 25, 50)),
}
