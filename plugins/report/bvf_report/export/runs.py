"""Runs to export: when and how they were asked, their main figures, and which may stand in one table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from bvf import BvfError, GroupResult, ResultBase
from bvf.domain import MeasurementRecord
from bvf.files import digest_of_bytes
from bvf.interfaces import Quantity
from bvf.results import refuse_mixed
from bvf.study import invocations_in, read_record
from bvf.tables import symbol
from bvf_report.export.names import hub_id, portable, without_folder

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


def model_figures(results: Sequence[ResultBase]) -> tuple[Quantity, ...]:
    """Return the main figures of a model, such as R, for results of the same analysis."""
    return known_figures(results[0].exported, results) or numbers_in(results, ResultBase)


def judged_figures(result: ResultBase) -> tuple[Quantity, ...]:
    """Return the figures of a result for which it is defined whether a lower value is better."""
    figures = [figure for figure in model_figures([result]) if figure.lower_is_better is not None]
    return tuple(figure for figure in figures if getattr(result, figure.field, None) is not None)


def group_figures(results: Sequence[ResultBase]) -> tuple[Quantity, ...]:
    """Return the main figures of a group, such as r, for results of the same analysis."""
    groups = [group for result in results for group in result.groups]
    return known_figures(groups[0].exported, groups) or numbers_in(groups, GroupResult)


def check_together(results: Sequence[ResultBase]) -> None:
    """Refuse results that cannot be rows of one table: none, one named twice, other topics or methods of analysis."""
    if not results:
        raise BvfError("there is no result to export", "name the folder of a run")
    seen = set[str]()
    for result in results:
        if result.folder is not None:
            place = str(result.folder.resolve())
            if place in seen:
                raise BvfError(f"{result.folder} is named twice", "name every run once")
            seen.add(place)
    refuse_mixed(results, "export them one by one")


def known_figures(figures: Iterable[Quantity], holders: Iterable[BaseModel]) -> tuple[Quantity, ...]:
    """Return the figures without those that only some results have, and none of ``holders``."""
    of_all = tuple(holders)
    return tuple(figure for figure in figures if not figure.is_unknown(of_all))


def numbers_in(parts: Iterable[BaseModel], base: type[BaseModel]) -> tuple[Quantity, ...]:
    """Return figures for all fields that are a number in at least one of ``parts``. Fields of ``base`` are left out."""
    names = (
        name
        for part in parts
        for name, value in part
        if name not in base.model_fields and isinstance(value, int | float) and not isinstance(value, bool)
    )
    return tuple(Quantity(name, symbol(name)) for name in dict.fromkeys(names))
