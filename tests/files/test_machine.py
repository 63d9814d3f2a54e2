"""Processors for a process and free memory: files as Linux writes them, in containers and outside."""

import math
import os
import subprocess
import sys

import pytest

from bvf.files.machine import affinity, free_memory, processors, quota, threads

V2 = "0::/pods/one\n"
V1 = "12:memory:/docker/one\n4:cpu,cpuacct:/docker/one\n1:name=systemd:/docker/one\n"
V1_SPLIT = "2:cpuacct:/\n1:cpu:/docker/one\n0::/\n"


@pytest.fixture
def system(tmp_path):
    """Writes ``/proc/self/cgroup``, and files below ``/sys/fs/cgroup``; a number of CFS stands for its two files."""

    def write(cgroup, **files):
        (tmp_path / "proc" / "self").mkdir(parents=True)
        (tmp_path / "proc" / "self" / "cgroup").write_text(cgroup)
        for name, content in files.items():
            folder = tmp_path / "sys" / "fs" / "cgroup" / name
            folder.mkdir(parents=True, exist_ok=True)
            if isinstance(content, tuple):
                for part, text in zip(("quota", "period"), content, strict=True):
                    (folder / f"cpu.cfs_{part}_us").write_text(text)
            else:
                (folder / "cpu.max").write_bytes(content.encode("latin-1"))
        return tmp_path

    return write


@pytest.mark.parametrize(
    ("cgroup", "files", "expected"),
    [
        (V2, {"pods/one": "200000 100000\n"}, 2.0),
        (V2, {"pods/one": "max 100000\n"}, math.inf),
        (V2, {"pods/one": "max 100000\n", "pods": "50000 100000\n"}, 0.5),
        (V2, {"pods/one": "400000 100000\n", "pods": "300000 200000\n", "": "900000 100000\n"}, 1.5),
        (V2, {"pods/one": "100000 100000\n", "pods": "800000 100000\n"}, 1.0),
        (V2, {"pods/other": "100000 100000\n"}, math.inf),
        (V2, {"unified/pods/one": "300000 100000\n"}, 3.0),
        ("0::/\n", {"": "700000 100000\n"}, 7.0),
        ("0::/not/seen/here\n", {"": "200000 100000\n"}, 2.0),
        ("0::/../outside\n", {"": "200000 100000\n"}, 2.0),
        (V1, {"cpu,cpuacct/docker/one": ("250000\n", "100000\n")}, 2.5),
        (V1, {"cpu,cpuacct/docker/one": ("-1\n", "100000\n")}, math.inf),
        (V1, {"cpu,cpuacct/docker/one": ("-1\n", "100000\n"), "cpu,cpuacct/docker": ("50000\n", "50000\n")}, 1.0),
        (V1, {"cpu,cpuacct": ("150000\n", "50000\n")}, 3.0),
        (V1, {"memory/docker/one": ("100000\n", "100000\n")}, math.inf),
        (V1_SPLIT, {"cpu/docker/one": ("600000\n", "200000\n")}, 3.0),
        (V1_SPLIT, {"cpu/docker/one": ("600000\n", "200000\n"), "unified": "100000 100000\n"}, 1.0),
        (V1_SPLIT, {"cpuacct/docker/one": ("100000\n", "100000\n")}, math.inf),
    ],
)
def test_the_smallest_quota_of_all_groups_around_a_process_counts(system, cgroup, files, expected):
    assert quota(system(cgroup, **files)) == expected


@pytest.mark.parametrize(
    "content",
    [
        *("", "\n", "max", "200000", "two 100000", "200000 100000 7", "200000 0", "0 100000", "-5 -5", "1.5 1"),
        *("\xff\x00 1", f"1{'0' * 400} 1", f"1{'0' * 5000} 1"),
    ],
)
def test_what_cannot_be_read_sets_no_limit(system, content):
    assert quota(system(V2, **{"pods/one": content})) == math.inf


@pytest.mark.parametrize("cgroup", ["", "\n", "0", "nonsense", "::", ":cpu", "0::" + f"/{'a' * 200}" * 21])
def test_damaged_names_of_groups_set_no_limit(system, cgroup):
    assert processors(system(cgroup)) == affinity()


@pytest.mark.parametrize(
    ("allowed", "expected"), [(1, 1), (30_000, 1), (100_000, 1), (100_001, 2), (250_000, 3), (9_900_000, 64)]
)
def test_a_part_of_a_processor_counts_as_one(system, monkeypatch, allowed, expected):
    monkeypatch.setattr("bvf.files.machine.affinity", lambda: 64)
    assert processors(system(V2, **{"pods/one": f"{allowed} 100000"})) == expected


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there a process can choose its processors")
def test_a_process_that_is_held_to_one_processor_has_one():
    code = (
        "import os; from bvf.files.machine import affinity, free_memory, processors, threads\n"
        "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); print(affinity(), processors(), threads())"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert shown.stdout == "1 1 1\n"


@pytest.mark.parametrize(
    ("variable", "wanted", "expected"),
    [("", 5, 5), ("3", 5, 5), ("3", None, 3), ("3", 0, 3), (" 4 ,2", None, 4)]
    + [(bad, None, None) for bad in ("", "0", "-2", "many", "²", "1.5", "9" * 5000)],
)
def test_threads_are_those_asked_for_else_those_of_openmp_else_the_processors(monkeypatch, variable, wanted, expected):
    monkeypatch.setenv("OMP_NUM_THREADS", variable)
    assert threads(wanted) == (expected or processors())


def test_what_programs_may_still_take_is_free(tmp_path, monkeypatch):
    meminfo = tmp_path / "meminfo"
    monkeypatch.setattr("bvf.files.machine.MEMINFO", meminfo)
    assert free_memory() is None
    meminfo.write_text("MemTotal:       16384 kB\nMemFree:         100 kB\nMemAvailable:    4096 kB\n")
    assert free_memory() == 4096 * 1024
    meminfo.write_text("MemTotal:       16384 kB\n")
    assert free_memory() is None
