"""Reads the record of a run: the model, the questions, and the time. The result is read elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bvf import BvfError, ResultBase
from bvf.domain import MeasurementRecord, hub_id
from bvf.files import digest_of_bytes
from bvf.study import invocations_in, read_record
from bvf_report.export.names import portable, without_folder

OURS = "bvf"
BUNDLED = "bundled:"
OWN = (BUNDLED, "baseline:")


@dataclass(frozen=True)
class AskedRun:
    """A result; and of its run the record, the times, the versions, and the values of all options (with defaults)."""

    result: ResultBase
    record: MeasurementRecord
    began: datetime
    ended: datetime
    versions: Mapping[str, Any]
    settings: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """Digest of the whole result. Different analyses of one run have different digests."""
        return digest_of_bytes(self.result.model_dump_json(by_alias=True).encode())

    @property
    def model_id(self) -> str:
        """The model as DEVELOPER/NAME, as on the Hugging Face hub. For a folder or a file it is the NAME alone."""
        name, path = self.result.model, self.result.model_path or self.result.model
        if path.startswith(OWN):
            return f"{OURS}/{portable(path.removeprefix(BUNDLED))}"
        return hub_id(path) or hub_id(name) or portable(without_folder(name))

    @property
    def collection(self) -> str:
        """A name for all results of this topic in this language."""
        return portable(f"{OURS}-{self.result.topic}-{self.result.language}")


def asked_run(result: ResultBase, record: MeasurementRecord | None = None) -> AskedRun:
    """Read the times, versions and settings in the folder of a result, and the record if it is not given."""
    record = record or record_of(result)
    folder = Path(result.folder or "")
    invocations = invocations_in(folder, record.digest)
    if not invocations:
        named = folder / "invocations"
        raise BvfError(f"{named}: nothing says when the model was asked", "name the folder as bvf run wrote it")
    times = [_start_and_end(each, file) for file, each in invocations]
    began, ended = min(start for start, _ in times), max(end for _, end in times)
    _, last = invocations[-1]
    return AskedRun(result, record, began, ended, last.get("versions", {}), last.get("config", {}))


def record_of(result: ResultBase) -> MeasurementRecord:
    """Return the record of the measurement that a result was computed from."""
    if result.folder is None:
        raise BvfError("this result has no folder that says what was asked", "read it with bvf.read_result(FOLDER)")
    return read_record(result.folder)


def _start_and_end(invocation: Mapping[str, Any], file: Path) -> tuple[datetime, datetime]:
    try:
        start = datetime.fromisoformat(invocation["started"]).astimezone(UTC)
    except (KeyError, TypeError, ValueError) as error:
        raise BvfError(f"{file}: says no time", "restore it, or measure again") from error
    return start, start + timedelta(seconds=float(invocation.get("seconds") or 0.0))
