"""What the folder of a run records besides its result: which model was asked, what, and when."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bvf.domain.measurement import MeasurementRecord
from bvf.domain.model_names import hub_id
from bvf.errors import BvfError
from bvf.export.names import portable, without_folder
from bvf.files.digests import digest_of_bytes
from bvf.files.parsing import parse_json, read_text
from bvf.measuring.folder import INVOCATIONS, read_record
from bvf.results.result import ResultBase

OURS = "bvf"
BUNDLED = "bundled:"
OWN = (BUNDLED, "baseline:")


@dataclass(frozen=True)
class AskedRun:
    """A run and its circumstances.

    Args:
        result: What was found.
        record: What was asked of which model.
        began: When the model was first asked.
        ended: When it had given its last answer.
        versions: Versions of bvf and the libraries when it was last asked.
        settings: The configuration of that time, with every default.
    """

    result: ResultBase
    record: MeasurementRecord
    began: datetime
    ended: datetime
    versions: Mapping[str, Any]
    settings: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """Digest of all that the result says: another one for every analysis."""
        return digest_of_bytes(self.result.model_dump_json(by_alias=True).encode())

    @property
    def model_id(self) -> str:
        """The model as the hub would call it: DEVELOPER/NAME; NAME alone for a folder or a file, without its path."""
        name, path = self.result.model, self.result.model_path or self.result.model
        if path.startswith(OWN):
            return f"{OURS}/{portable(path.removeprefix(BUNDLED))}"
        return hub_id(path) or hub_id(name) or portable(without_folder(name))

    @property
    def collection(self) -> str:
        """A name for all results of this topic in this language."""
        return portable(f"{OURS}-{self.result.topic}-{self.result.language}")


def asked_run(result: ResultBase) -> AskedRun:
    """Read what the folder of a result records besides the result.

    Raises:
        BvfError: The result has no folder, or the folder does not say when the model was asked.
    """
    record = record_of(result)
    folder = Path(result.folder or "") / INVOCATIONS
    files = sorted(folder.glob("*.json"))
    if not files:
        raise BvfError(f"{folder}: nothing says when the model was asked", "name the folder as bvf run wrote it")
    told = [_invocation(file) for file in files]
    began = min(_started(each, file) for each, file in zip(told, files, strict=True))
    ended = max(
        _started(each, file) + timedelta(seconds=float(each.get("seconds") or 0.0))
        for each, file in zip(told, files, strict=True)
    )
    last = told[-1]
    return AskedRun(result, record, began, ended, last.get("versions", {}), last.get("config", {}))


def record_of(result: ResultBase) -> MeasurementRecord:
    """Return what was asked, as it stands in the folder of a result.

    Raises:
        BvfError: The result has no folder, or the folder holds no measurement.
    """
    if result.folder is None:
        raise BvfError("this result has no folder that says what was asked", "read it with bvf.read_result(FOLDER)")
    return read_record(result.folder)


def _invocation(file: Path) -> dict[str, Any]:
    told = parse_json(read_text(file), str(file))
    if not isinstance(told, dict):
        raise BvfError(f"{file}: not as bvf run wrote it")
    return told


def _started(told: Mapping[str, Any], file: Path) -> datetime:
    try:
        return datetime.fromisoformat(told["started"]).astimezone(UTC)
    except (KeyError, TypeError, ValueError) as error:
        raise BvfError(f"{file}: says no time", "restore it, or measure again") from error
