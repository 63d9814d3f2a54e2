"""Finds the folders of runs below given folders, and reads their measurements."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bvf.domain.measurement import Measurement, MeasurementRecord
from bvf.errors import BvfError
from bvf.files.folder import runs_below
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


@dataclass(frozen=True)
class StoredRun:
    """The folder of a run and its record, which everything that needs it shares: it is read once.

    ``named`` is the folder by which the run was found: its own, or one above.
    """

    folder: Path
    record: MeasurementRecord
    named: Path


FoundRun = Measurement | StoredRun


@contextmanager
def others_may_stay(folder: Path, named: Path) -> Iterator[None]:
    """Give an error in the block the hint to leave out a run that the user did not name itself."""
    try:
        yield
    except BvfError as error:
        if folder == named:
            raise
        raise BvfError(error.message, "leave it out: name the folders of the others") from error
