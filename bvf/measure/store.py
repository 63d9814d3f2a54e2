"""The folder of a run: shards that survive a kill, the record, the result."""

import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.errors import BvfError
from bvf.files.digests import digest_of, digest_of_bytes
from bvf.files.shards import FOLDER, Answers, Place, read_shard, shard_files, write_shard
from bvf.files.writing import TEMPORARY, disk_errors_explained, write_text
from bvf.measure.plan import Plan, Shard
from bvf.measure.record import IDENTITY, RECORD, RESULT, RESULT_DIGEST, read_record

OTHER_FOLDER = "choose another folder with --out"
LONGEST_WRITING = 60.0
"""Seconds after which nobody is writing a shard any more."""
SAME_COMMAND = "run the same command again"


@dataclass(frozen=True)
class Scored:
    """Answers to N questions.

    Args:
        probabilities: p(y | x, c), shape (N, Y).
        bounds: How far from exact each can be, shape (N,).
        remarks: What the backend has to say of how it read the model.
        shard: Where the questions stand; None: they are those of the whole run.
    """

    probabilities: FloatArray
    bounds: FloatArray
    remarks: tuple[str, ...] = ()
    shard: Shard | None = None


class Store:
    """A results folder.

    The name of a shard has the digest of its bytes, and the shard says in its metadata which run and which questions
    it belongs to. A file that was cut off, damaged, renamed or brought here from elsewhere is known as such, and
    scored again.

    Args:
        folder: Made by `open`.
        plan: What is asked.
        identity: A JSON object: everything that an answer depends on.
    """

    def __init__(self, folder: Path, plan: Plan, identity: dict[str, Any]) -> None:
        self.folder = folder
        self.plan = plan
        self.shards = folder / FOLDER
        self._identity = json.loads(json.dumps(identity))
        self._run = digest_of(self._identity)
        self._context_weights = plan.contexts.weights()

    def open(self) -> None:
        """Make the folder, or go on in one with the same identity.

        Raises:
            BvfError: The folder holds another run (shows the difference), or something else; or it cannot be made.
        """
        record = self.folder / RECORD
        with self._written():
            if record.exists():
                self._compare(record)
            elif self.folder.is_dir() and not self._is_unused():
                raise BvfError(f"{self.folder} is not empty and holds no run", OTHER_FOLDER)
            self.shards.mkdir(parents=True, exist_ok=True)
            if not record.exists():
                self._write_record({IDENTITY: self._identity})

    def missing(self) -> list[Shard]:
        """Return the shards that are not stored.

        A file that is damaged or belongs to another place or run is deleted; so is every file of a shard that is
        there twice.

        Raises:
            BvfError: A file can neither be read nor deleted, or is no file.
        """
        wanted = {shard.index: shard for shard in self.plan.shards()}
        with self._written():
            for index, files in self._files().items():
                if index not in wanted or len(files) > 1 or self._read(files[0], wanted[index]) is None:
                    for file in files:
                        file.unlink(missing_ok=True)
                else:
                    del wanted[index]
        return list(wanted.values())

    def write_shard(self, shard: Shard, scored: Scored) -> None:
        """Store the scores of a shard's questions; the bounds only where words may be left out.

        Raises:
            BvfError: The disk is full; what was stored before is kept.
        """
        bounds = scored.bounds if self.plan.config.tolerance else None
        answers = Answers(*self._asked(shard), scored.probabilities, bounds, scored.remarks)
        with self._written():
            write_shard(self.shards, self._place(shard), self.plan.classes, answers)

    def scored(self) -> Scored:
        """Return the scores of the whole run.

        Raises:
            BvfError: A shard is not there, or there twice, or is not what was written.
        """
        values = np.full((self.plan.size, len(self.plan.classes)), np.nan)
        bounds = np.zeros(self.plan.size)
        remarks: dict[str, None] = {}
        for shard, answers in self._stored():
            values[shard.start : shard.stop] = answers.probabilities
            if answers.bounds is not None:
                bounds[shard.start : shard.stop] = answers.bounds
            remarks |= dict.fromkeys(answers.remarks)
        return Scored(values, bounds, tuple(remarks))

    def write_result(self, text: str, record: dict[str, Any]) -> None:
        """Write ``result.json``, and before it ``run.json`` with its digest, by which a reader knows it as whole.

        Args:
            text: The result as JSON.
            record: What is told of the run besides its identity.
        """
        with self._written():
            self._write_record({IDENTITY: self._identity, **record, RESULT_DIGEST: digest_of_bytes(text.encode())})
            write_text(self.folder / RESULT, text)
            self._tidy()

    def _tidy(self) -> None:
        """Delete what kills left half-written; what another process may be writing now stays."""
        for file in self.shards.glob(f"*{TEMPORARY}"):
            with suppress(FileNotFoundError):
                if time.time() - file.stat().st_mtime > LONGEST_WRITING:
                    file.unlink()

    def _stored(self) -> Iterator[tuple[Shard, Answers]]:
        with self._written():
            files = self._files()
            for shard in self.plan.shards():
                own = files.get(shard.index, [])
                if len(own) != 1:
                    raise BvfError(f"{self.shards}: shard {shard.index} is there {len(own)} times", SAME_COMMAND)
                answers = self._read(own[0], shard)
                if answers is None:
                    raise BvfError(f"{own[0]} is not as it was written", SAME_COMMAND)
                yield shard, answers

    def _files(self) -> dict[int, list[Path]]:
        files: dict[int, list[Path]] = {}
        for index, file in shard_files(self.shards):
            files.setdefault(index, []).append(file)
        return files

    def _read(self, file: Path, shard: Shard) -> Answers | None:
        """What is stored of a shard; None if it is not of this run and place."""
        found = read_shard(file, self.plan.classes, bool(self.plan.config.tolerance))
        if found is None or found[0] != self._place(shard):
            return None
        groups, contexts, weights = self._asked(shard)
        answers = found[1]
        asked = answers.groups == groups and answers.contexts == contexts and np.array_equal(answers.weights, weights)
        return answers if asked else None

    def _place(self, shard: Shard) -> Place:
        return Place(self._run, shard.index, shard.start, shard.stop)

    def _asked(self, shard: Shard) -> tuple[list[str], list[str], FloatArray]:
        templates = self.plan.contexts.templates
        x, c = np.divmod(np.arange(shard.start, shard.stop), len(templates))
        return [self.plan.groups[i] for i in x], [templates[i].text for i in c], self._context_weights[c]

    def _write_record(self, record: dict[str, Any]) -> None:
        write_text(self.folder / RECORD, json.dumps(record, indent=1, ensure_ascii=False) + "\n")

    def _is_unused(self) -> bool:
        """Whether nothing is there but what a run leaves that ended before its first shard."""
        entries = [entry for entry in self.folder.iterdir() if entry != self.shards]
        if self.shards.is_dir():
            entries += self.shards.iterdir()
        return all(entry.name.endswith(TEMPORARY) for entry in entries)

    def _written(self) -> AbstractContextManager[None]:
        return disk_errors_explained(self.folder, OTHER_FOLDER)

    def _compare(self, record: Path) -> None:
        try:
            stored = read_record(record.parent).identity
        except BvfError as error:
            raise BvfError(f"{record} is damaged", f"{OTHER_FOLDER}, or delete this one") from error
        if stored == self._identity:
            return
        here, there = _flat(self._identity), _flat(stored)
        different = [key for key in sorted(here | there) if here.get(key) != there.get(key)]
        shown = "; ".join(
            f"{key}: {there.get(key, 'nothing')} there, {here.get(key, 'nothing')} now" for key in different[:4]
        )
        raise BvfError(
            f"{self.folder} holds another run ({shown or 'the same keys, not in the same places'})", OTHER_FOLDER
        )


def _flat(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        flat.update(_flat(value, f"{prefix}{key}.") if isinstance(value, dict) and value else {prefix + key: value})
    return flat
