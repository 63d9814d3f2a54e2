"""Configurations of small runs by a copy of the toy plugin, which a test may change or delete."""

from pathlib import Path

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
