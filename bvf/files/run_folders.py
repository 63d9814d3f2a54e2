"""Recognises the folder of a run, also one that has lost its record."""

import os
from collections.abc import Iterator
from pathlib import Path

from bvf.domain.measurement import RECORD
from bvf.errors import BvfError
from bvf.files.parsing import is_file

SHARDS = "probabilities"
"""The folder of the shards in that of a measurement."""
RESULT, ANALYSES = "result.json", "analyses"
"""The newest analysis of a run, and the folder of them all."""


def is_run(folder: Path) -> bool:
    """Whether a folder is that of a run, damaged or not."""
    return (folder / RECORD).exists() or _has_lost_record(folder)


def runs_below(folder: Path) -> Iterator[Path]:
    """Yield the folder itself if it is a run's, else the folders of runs below it, but for hidden ones (``.name``).

    Raises:
        BvfError: A run has lost its record.
    """
    if "\0" in str(folder):
        return
    for path, folders, _ in os.walk(folder):
        at = Path(path)
        if is_file(at / RECORD):
            folders.clear()
            yield at
        elif _has_lost_record(at):
            raise lost_record(at)
        folders[:] = sorted(name for name in folders if not name.startswith("."))


def _has_lost_record(folder: Path) -> bool:
    """Whether a folder has what only a run leaves. To be asked where it has no readable record."""
    return (folder / SHARDS).is_dir() or (is_file(folder / RESULT) and (folder / ANALYSES).is_dir())


def lost_record(folder: Path) -> BvfError:
    """Return the error for a run whose ``measurement.json`` is missing or cannot be read."""
    return BvfError(
        f"{folder}: a damaged run: its {RECORD} is missing or cannot be read",
        "restore that file, or move the folder away and measure again",
    )
