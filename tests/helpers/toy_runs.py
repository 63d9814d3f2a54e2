"""Small runs by a copy of the toy plugin, which a test may change or delete; runs that workers share."""

import os
import shutil
from pathlib import Path

from filelock import FileLock

from bvf import RunConfig
from helpers.few_contexts import in_ten_contexts


def copied(toy, folder):
    """Copy the plugin into a folder."""
    copy = folder / "toy_copy.py"
    copy.write_text(Path(toy).read_text())
    return copy


def small_config(plugin, folder, /, **changes):
    """Twenty groups in ten contexts, but for what is changed."""
    values = {"model": "toy:hash", "plugin": (str(plugin),), "out": str(folder), "limit_groups": 20}
    return RunConfig(**in_ten_contexts({**values, **changes}))


def made_once(tmp_path_factory, name, make):
    """Return a copy of the folder that ``make`` fills; the first worker makes it, and others wait."""
    base = tmp_path_factory.getbasetemp()
    made = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"{name}-made-once"
    with FileLock(f"{made}.lock"):
        if not made.exists():
            half = made.with_suffix(".half")
            half.mkdir()
            make(half)
            half.rename(made)
    return shutil.copytree(made, tmp_path_factory.mktemp(name) / "copy")
