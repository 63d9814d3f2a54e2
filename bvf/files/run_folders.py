"""Recognises the folder of a run, also one that has lost its record."""

import os
from collections.abc import Iterator
from pathlib import Path

from bvf.domain.measurement import RECORD
from bvf.errors import BvfError
from bvf.files.folder import Folder
from bvf.files.kinds import ANALYSES, RESULT, SHARDS


def run_at(folder: Path | str | Folder) -> Folder:
    """Return a folder as that of a run."""
    return folder if isinstance(folder, Folder) else Folder(Path(folder))


def is_run(folder: Path | Folder) -> bool:
    """Whether a folder is that of a run, damaged or not."""
    run = run_at(folder)
    return run.exists(RECORD) or _has_lost_record(run)


def runs_below(folder: Path) -> Iterator[Path]:
    """Yield the folder itself if it is a run's, else the folders of runs below it, but for hidden ones (``.name``).

    Raises:
        BvfError: A run has lost its record.
    """
    if "\0" in str(folder):
        return
    for path, folders, _ in os.walk(folder):
        at = run_at(path)
        if at.exists(RECORD):
            folders.clear()
            yield at.path
        elif _has_lost_record(at):
            raise lost_record(at.path)
        folders[:] = sorted(name for name in folders if not name.startswith("."))


def _has_lost_record(run: Folder) -> bool:
    """Whether a folder has what only a run leaves. To be asked where it has no readable record."""
    return run.sub(SHARDS).is_there() or (run.exists(RESULT) and run.sub(ANALYSES).is_there())


def lost_record(folder: Path) -> BvfError:
    """Return the error for a run whose ``measurement.json`` is missing or cannot be read."""
    return BvfError(
        f"{folder}: a damaged run: its {RECORD} is missing or cannot be read",
        "restore that file, or move the folder away and measure again",
    )
