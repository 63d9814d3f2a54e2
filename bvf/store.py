"""The folder of a run: shards that survive a kill, the record, the result."""

import errno
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bvf.arrays import FloatArray
from bvf.errors import BvfError
from bvf.plan import Plan, Shard
from bvf.result import AnyResult

DIGEST_LENGTH = 16
BOUND = "deviation_bound"
"""Column of a shard beside those of the classes, where `--tolerance` leaves words out."""
REMARKS = b"remarks"
"""Key of what the backend remarked, in the metadata of a shard."""


@dataclass(frozen=True)
class Scored:
    """Answers to N questions.

    Args:
        probabilities: p(y | x, c), shape (N, Y).
        bounds: How far from exact each can be, shape (N,).
        remarks: What the backend has to say of how it read the model.
    """

    probabilities: FloatArray
    bounds: FloatArray
    remarks: tuple[str, ...] = ()


class Store:
    """A results folder.

    A shard is written under a temporary name and renamed to ``NNNNN.DIGEST.parquet``, where DIGEST is that of its
    bytes: a file that was cut off or damaged is known as such, and scored again.
    """

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        self.plan = plan
        self.shards = folder / "probabilities"

    def open(self, identity: dict[str, Any]) -> None:
        """Make the folder, or go on in one with the same identity.

        Raises:
            BvfError: The folder holds another run (shows the difference), or something else; or it cannot be made.
        """
        record = self.folder / "run.json"
        if record.exists():
            self._compare(record, identity)
        elif self.folder.is_dir() and any(self.folder.iterdir()):
            raise BvfError(f"{self.folder} is not empty and holds no run", "choose another folder with --out")
        with full_disk_explained(self.folder):
            self.shards.mkdir(parents=True, exist_ok=True)
            if not record.exists():
                self.write_record({"identity": identity})

    def is_scored(self, shard: Shard) -> bool:
        """Whether the shard is there and whole; a damaged one is deleted."""
        files = list(self.shards.glob(f"{shard.index:05d}.*.parquet"))
        for file in files:
            if file.name.split(".")[1] != _digest(file):
                file.unlink()
        return any(file.exists() for file in files)

    def write_shard(self, shard: Shard, scored: Scored) -> None:
        """Store the scores of a shard's questions; the bounds only where words may be left out.

        Raises:
            BvfError: The disk is full; what was stored before is kept.
        """
        contexts = self.plan.contexts
        x, c = np.divmod(np.arange(shard.start, shard.stop), len(contexts.templates))
        columns: dict[str, Any] = {
            "group": pa.array([self.plan.groups[i] for i in x]),
            "context": pa.array([contexts.templates[i].text for i in c]),
            "weight": pa.array(contexts.weights()[c]),
        }
        columns.update({name: pa.array(scored.probabilities[:, y]) for y, name in enumerate(self.plan.classes)})
        if self.plan.config.tolerance:
            columns[BOUND] = pa.array(scored.bounds)
        temporary = self.shards / f"{shard.index:05d}.tmp"
        with full_disk_explained(self.folder, temporary):
            table = pa.table(columns).replace_schema_metadata({REMARKS: json.dumps(scored.remarks)})
            pq.write_table(table, temporary)
            temporary.rename(self.shards / f"{shard.index:05d}.{_digest(temporary)}.parquet")

    def scored(self) -> Scored:
        """Return the scores of the whole run.

        Raises:
            BvfError: A shard is not there.
        """
        values = np.full((self.plan.size, len(self.plan.classes)), np.nan)
        bounds = np.zeros(self.plan.size)
        columns = [*self.plan.classes, *([BOUND] if self.plan.config.tolerance else [])]
        remarks: dict[str, None] = {}
        for shard in self.plan.shards():
            files = list(self.shards.glob(f"{shard.index:05d}.*.parquet"))
            if not files:
                raise BvfError(f"{self.shards}: shard {shard.index} is not there", "run the same command again")
            table = pq.read_table(files[0], columns=columns)
            own = slice(shard.start, shard.stop)
            values[own] = np.column_stack([table[name].to_numpy() for name in self.plan.classes])
            if BOUND in columns:
                bounds[own] = table[BOUND].to_numpy()
            remarks |= dict.fromkeys(json.loads(table.schema.metadata[REMARKS]))
        return Scored(values, bounds, tuple(remarks))

    def write_record(self, record: dict[str, Any]) -> None:
        """Write ``run.json``."""
        self._write("run.json", json.dumps(record, indent=1, ensure_ascii=False) + "\n")

    def write_result(self, result: AnyResult) -> None:
        """Write ``result.json``."""
        self._write("result.json", result.model_dump_json(by_alias=True, indent=1) + "\n")

    def _write(self, name: str, text: str) -> None:
        temporary = self.folder / f"{name}.tmp"
        with full_disk_explained(self.folder, temporary):
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(self.folder / name)

    def _compare(self, record: Path, identity: dict[str, Any]) -> None:
        try:
            stored = json.loads(record.read_text(encoding="utf-8"))["identity"]
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise BvfError(f"{record} is damaged", "choose another folder with --out, or delete this one") from error
        here, there = _flat(identity), _flat(stored)
        different = [key for key in sorted(here | there) if here.get(key) != there.get(key)]
        if different:
            shown = "; ".join(
                f"{key}: {there.get(key, 'nothing')} there, {here.get(key, 'nothing')} now" for key in different[:4]
            )
            raise BvfError(f"{self.folder} holds another run ({shown})", "choose another folder with --out")


@contextmanager
def full_disk_explained(folder: Path, temporary: Path | None = None) -> Iterator[None]:
    """Turn an error of the disk into one line, and take a half-written file away."""
    try:
        yield
    except OSError as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            hint = "free some space, then run the same command again: finished shards are kept"
            raise BvfError(f"{folder}: the disk is full", hint) from error
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise BvfError(f"{folder}: cannot be written: {reason}", "choose another folder with --out") from error


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:DIGEST_LENGTH]


def _flat(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        flat.update(_flat(value, f"{prefix}{key}.") if isinstance(value, dict) and value else {prefix + key: value})
    return flat
