"""Reads how the counts of a context set were sampled, from its record and its bootstrap replicates beside the file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bvf.domain.context import WRITTEN, ContextSet, Sampling
from bvf.domain.numbers import Amount, Positive
from bvf.errors import BvfError
from bvf.files.parsing import is_file, parse_json, read_text

REPLICATES = ".replicates.parquet"
MERGED = "bvf.merged/1"
OTHER_SET = "mine the set again; or delete this file, and intervals do not account for the choice of documents"


class SamplingEntry(BaseModel):
    """The origin of counts, in a record or in ``sources.toml``. `Sampling` explains the fields."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    written: bool = False
    cut: bool = False
    occurrences: Annotated[Amount, Field(gt=0)] | None = None
    documents: Positive | None = None
    capped_at: Annotated[Amount, Field(gt=0)] | None = None


def record_of(file: Path) -> Path:
    """Return the path of the record of a mined set: ``NAME.mining.json``."""
    return file.with_suffix(".mining.json")


def merging_record_of(file: Path) -> Path:
    """Return the path of the record of a merged set: ``NAME.merged.json``."""
    return file.with_suffix(".merged.json")


def replicates_of(file: Path) -> Path:
    """Return the path of the replicates of a set: ``NAME.replicates.parquet``."""
    return file.with_suffix(REPLICATES)


def is_written_set(file: Path) -> bool:
    """Whether bvf wrote a context set: a record beside it says that it was mined or merged."""
    return is_mining_record(record_of(file)) or is_merging_record(merging_record_of(file))


def is_mining_record(file: Path) -> bool:
    """Whether a file is the record of a mined set."""
    return bool(_read_record(file, "counts"))


def is_merging_record(file: Path) -> bool:
    """Whether a file is the record of a merged set."""
    return bool(_read_record(file, "sampling"))


def mined_in(file: Path) -> dict[str, Any]:
    """Return the record that mining wrote beside a context set; empty if there is none."""
    return _read_record(record_of(file), "counts")


def merged_in(file: Path) -> dict[str, Any]:
    """Return the record that merging wrote beside a context set; empty if there is none."""
    return _read_record(merging_record_of(file), "sampling")


def merging_record(sets: Sequence[str], contexts: ContextSet) -> str:
    """Return the record of a merged context set as JSON: the merged sets, source, sampling of the counts, data card."""
    sampling, card = contexts.sampling.entry, {key: value for key, value in asdict(contexts.card).items() if value}
    record = {"schema": MERGED, "sets": list(sets), "source": contexts.source, "sampling": sampling, "card": card}
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def sampling_in(entry: Mapping[str, Any], where: str) -> Sampling | None:
    """Return the sampling in an entry of ``sources.toml``; None if the entry has none.

    Raises:
        BvfError: A value is of the wrong kind, or two contradict each other; the message begins with ``where``.
    """
    if not set(entry) & set(SamplingEntry.model_fields):
        return None
    try:
        return Sampling(**SamplingEntry.model_validate(entry).model_dump())
    except ValidationError as error:
        right = "written = true, or cut = true, or occurrences = N and documents = N"
        raise wrong_value(error, where, right) from error
    except BvfError as error:
        raise BvfError(f"{where}: {error.message}", error.hint) from error


def wrong_value(error: ValidationError, where: str, right: str) -> BvfError:
    """Return the error for the first value that an entry or a record has of another kind; ``right`` is the hint."""
    first = error.errors()[0]
    return BvfError(f"{where}: {first['loc'][0]} is {first['input']!r}: {first['msg']}", right)


def sampling_of(file: Path, counts: Mapping[str, float], known: Sampling | None) -> Sampling:
    """Return how the counts of a context set were sampled. Replicates stored beside it are included.

    Args:
        file: The set.
        counts: Counts by template, in the order of the set.
        known: The sampling without replicates; None: it is read from a record beside the set.

    Raises:
        BvfError: The replicates cannot be read, or belong to other counts.
    """
    known = known or _recorded(file)
    beside = replicates_of(file)
    if known and known.written:
        return known
    if is_file(beside):
        return _with_replicates(known or Sampling(), beside, counts)
    return known or WRITTEN


def _recorded(file: Path) -> Sampling | None:
    """The sampling in a record beside a context set; None if no record can be read."""
    mined = mined_in(file).get("counts", {})
    known = mined.get("kept") is not None
    values = {"occurrences": mined["kept"], "documents": mined.get("documents")} if known else {}
    values = values or merged_in(file).get("sampling", {})
    try:
        return Sampling(**SamplingEntry.model_validate(values).model_dump()) if values else None
    except (ValidationError, BvfError):
        return None


def _read_record(file: Path, key: str) -> dict[str, Any]:
    """A record that has an object under ``key``; empty if the file is none."""
    if not is_file(file):
        return {}
    try:
        record = parse_json(read_text(file), str(file))
    except BvfError:
        return {}
    is_record = isinstance(record, dict) and isinstance(record.get(key), dict) and record[key]
    return record if is_record else {}


def _with_replicates(known: Sampling, beside: Path, counts: Mapping[str, float]) -> Sampling:
    from bvf.files.contexts.replicates import read_replicates

    replicates = read_replicates(beside)
    row = {template: index for index, template in enumerate(replicates.templates)}
    for template, count in counts.items():
        if template not in row:
            raise BvfError(f'{beside}: has no replicates of "{template}"', OTHER_SET)
        there = replicates.counts[row[template]]
        if there != count:
            raise BvfError(
                f'{beside}: the count of "{template}" is {there:g} there, and {count:g} in the set', OTHER_SET
            )
    redrawn: NDArray[np.unsignedinteger] = replicates.redrawn[[row[template] for template in counts]]
    whole = None if known.cut else known.occurrences or float(replicates.counts.sum())
    return replace(known, occurrences=whole, replicates=redrawn)
