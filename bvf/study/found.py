"""Finds the folders of runs below given folders, and reads their measurements."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.files.run_folders import runs_below
from bvf.measuring.controls import control_folders as control_folders
from bvf.measuring.controls import control_topics_of as control_topics_of
from bvf.measuring.folder import read_measurement as read_measurement
from bvf.measuring.folder import read_record as read_record


def folders_of_runs(folder: Path) -> list[Path]:
    """Return the folder itself if it is that of a run, or else all folders of runs below, except hidden ones.

    The controls and the prior of a run, which lie in its folder, are not returned.

    Raises:
        BvfError: There is no run in the folder, or a damaged one.
    """
    runs = sorted(runs_below(folder))
    if not runs:
        raise BvfError(f"{folder}: neither the folder of a run nor one that holds such folders", "see bvf run --out")
    return runs


def read_runs(runs: Sequence[Measurement | Path | str], words: bool) -> list[Measurement]:
    """Read the measurements in folders of runs, or below them. ``words`` adds stored log p-hat of words.

    Raises:
        BvfError: A folder has no finished run.
    """
    measurements = list[Measurement]()
    for run in runs:
        if isinstance(run, Measurement):
            measurements.append(run)
            continue
        for folder in folders_of_runs(Path(run)):
            try:
                measurements.append(read_measurement(folder, words=words))
            except BvfError as error:
                if folder == Path(run):
                    raise
                raise BvfError(error.message, "leave it out: name the folders of the others") from error
    return measurements


def digests_in(runs: Sequence[Measurement | Path | str]) -> Iterator[tuple[str, str]]:
    """Yield the folder and the digest of each measurement in folders of runs, or below them. It reads no answers."""
    for run in runs:
        if not isinstance(run, Measurement):
            for folder in folders_of_runs(Path(run)):
                yield str(folder), read_record(folder).digest
