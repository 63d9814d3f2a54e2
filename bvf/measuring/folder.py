"""The folder of a measurement: its record, its shards (scored blocks of questions), and records of commands."""

import json
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from bvf.arrays import BoolArray, IntArray
from bvf.domain.asked import PICTURES
from bvf.domain.measurement import MEASUREMENT, PRIOR_FOLDER, RECORD, Measurement, MeasurementRecord, Redrawn
from bvf.domain.media import Media
from bvf.domain.part import JobPart
from bvf.errors import BvfError
from bvf.files import locks
from bvf.files.contexts.replicates import Replicates, read_replicates
from bvf.files.digests import digest_of, digest_of_bytes
from bvf.files.folder import (
    INVOCATIONS,
    RECORD_OF_BEFORE,
    REPLICATES,
    SHARDS,
    TEMPORARY,
    Folder,
    is_run,
    lost_record,
    run_at,
)
from bvf.files.pictures import IMAGE, picture_in, small
from bvf.files.pieces import NumberedFiles
from bvf.files.shard_files import ENDING, Place, Rows, read_shard
from bvf.files.writing import OTHER_FOLDER, disk_errors_explained
from bvf.measuring.kind import kind_called
from bvf.measuring.questions import Questions, Shard

SAME_COMMAND = "run the same command again: what is scored is kept"
UNFINISHED = "run the same command again; bvf analyse --unfinished takes what is there of a run with --order contexts"
SMALL = 200_000_000
"""Bytes of log p-hat of all words, 4 per number, below which it is stored and read in any case."""
DIFFERENCES_SHOWN = 4


class UnfinishedError(BvfError):
    """A shard was not scored yet."""


class RunFolder:
    """The folder of a measurement: its record, and the files of its shards (blocks of scored questions).

    The name of a shard has the digest of its bytes, and its metadata name the measurement and the questions. So a file
    that was cut off, damaged, renamed or copied from elsewhere is recognised, and its questions are scored again.
    """

    def __init__(self, folder: Path | Folder) -> None:
        self.files = run_at(folder)
        self.path, self.shards = self.files.path, self.files.sub(SHARDS)

    def locked(self, part: JobPart | None = None) -> AbstractContextManager[None]:
        """Keep other runs (but not other parts of this run, if ``part`` is given) out of the folder in the block."""
        return locks.locked(self.files, part, _is_unused)

    def record(self) -> MeasurementRecord | None:
        """Return the record of the measurement in this folder; None for an empty folder."""
        if self.files.exists(RECORD):
            return read_record(self.files)
        if self.files.exists(RECORD_OF_BEFORE):
            raise BvfError(
                f"{self.path} holds a run of an earlier version of bvf, which cannot be continued", OTHER_FOLDER
            )
        if not _is_unused(self.files):
            raise BvfError(f"{self.path} is not empty and holds no measurement", OTHER_FOLDER)
        return None

    def write_record(
        self, record: MeasurementRecord, replicates: Redrawn | None = None, *, unless_there: bool = False
    ) -> None:
        """Write the record, and replicates of shape (C, R). ``unless_there`` keeps a record that is there already."""
        with self._written():
            self.shards.make()
            if replicates is not None:
                keys = tuple(each.context.key for each in record.asked.templates)
                counts = np.array([each.count for each in record.asked.templates])
                with self.files.replacing(REPLICATES) as out:
                    Replicates(keys, counts, replicates).write(out)
            write = self.files.write_new if unless_there else self.files.write
            whole = record.model_copy(update={"content": content_of(record)})
            write(RECORD, whole.model_dump_json(by_alias=True, indent=1) + "\n")

    def write_pictures(self, shown: Iterable[Media]) -> None:
        """Write a small version of each picture, named by its digest, for reports."""
        with self._written():
            for media in dict.fromkeys(each for each in shown if each.kind == IMAGE):
                small_one = small(picture_in(media.file, media.digest))
                self.files.sub(PICTURES).write(media.thumbnail, small_one)

    def write_invocation(self, name: str, record: dict[str, object]) -> None:
        """Write the record of one invocation, or replace it."""
        with self._written():
            whole = json.dumps({**record, "content": digest_of(record)}, indent=1, ensure_ascii=False)
            self.files.sub(INVOCATIONS).write(f"{name}.json", f"{whole}\n")

    def missing(self, record: MeasurementRecord, questions: Questions, part: JobPart | None = None) -> list[Shard]:
        """Return the shards that are not stored. With ``part``, only shards of that part of the run.

        A file that is damaged, or is of another shard or measurement, is deleted. If machines that round differently
        stored a shard twice, always the same file is kept; none if the files differ by more than rounding.
        """
        wanted = {shard.index: shard for shard in questions.shards() if part is None or part.takes(shard.index)}
        with self._written():
            self.shards.make()
            for index, files in NumberedFiles(self.shards, ENDING).names().items():
                if part is not None and not part.takes(index):
                    continue
                kept = self._kept(files, record, questions, wanted[index]) if index in wanted else None
                if kept is not None:
                    del wanted[index]
                for name in files:
                    if kept is None or name != kept[0]:
                        self.shards.delete(name)
        return list(wanted.values())

    def stored(self) -> set[int]:
        """Return the indices of the shards that have a file here. The files' content is not checked."""
        with self._written():
            return set(NumberedFiles(self.shards, ENDING).names())

    def measurement(
        self, record: MeasurementRecord, *, words: bool | None = None, unfinished: bool = False
    ) -> Measurement:
        """Return the measurement with its probabilities; ``words`` and ``unfinished``: see `read_measurement`."""
        questions = Questions.of(record.asked, record.model.tolerance, record.order)
        reads = record.keeps_words and (words_are_small(questions) if words is None else words)
        asked, shape = np.zeros(questions.size, np.bool_), (len(questions.groups), len(questions.templates))

        def parts() -> Iterator[tuple[IntArray, Rows]]:
            for shard, rows in self._all(record, questions, unfinished):
                places = questions.questions(shard)
                asked[places] = True
                yield places, rows

        found = kind_called(questions.reading).gathered(questions, parts(), words=reads)
        there = _whole_rounds(np.asarray(asked.reshape(shape).all(axis=0)), questions.rounds)

        def pick(values: NDArray[Any]) -> NDArray[Any]:
            whole = values.reshape(*shape, *values.shape[1:])
            return whole if len(there) == shape[1] else whole[:, there]

        if not len(there):
            raise BvfError(f"{self.path}: no block of contexts was asked of every group yet", SAME_COMMAND)
        return Measurement(
            _with_contexts(record, there.tolist()),
            pick(found.probabilities),
            np.zeros((shape[0], len(there))) if found.bounds is None else pick(found.bounds),
            found.remarks,
            None if found.logp is None else pick(found.logp),
            self.path,
            self._replicates(record, there),
            self.path / PRIOR_FOLDER,
            found.answers.each(pick),
        )

    def _replicates(self, record: MeasurementRecord, there: IntArray) -> Redrawn | None:
        """Bootstrap replicates of the counts of the contexts at these indices; None if none are stored."""
        if not record.asked.sampling.replicates:
            return None
        redrawn = read_replicates(self.path / REPLICATES, self.files.read_bytes(REPLICATES) or b"").redrawn
        if digest_of_bytes(redrawn.tobytes()) != record.asked.sampling.replicates:
            raise BvfError(f"{self.path / REPLICATES}: not as it was written", SAME_COMMAND)
        return redrawn[record.asked.places][there]

    def tidy(self) -> None:
        """Delete half-written files of killed processes, and locks. Files that may still be written stay."""
        locks.forget_parts(self.files)
        self.files.tidy()

    def _all(self, record: MeasurementRecord, questions: Questions, unfinished: bool) -> Iterator[tuple[Shard, Rows]]:
        with self._written():
            files = NumberedFiles(self.shards, ENDING).names()
            for shard in questions.shards():
                copies = files.get(shard.index, [])
                if unfinished and not copies:
                    continue
                if not copies:
                    raise UnfinishedError(f"{self.path}: unfinished, shard {shard.index} is not there", UNFINISHED)
                kept = self._kept(copies, record, questions, shard)
                if kept is None and len(copies) > 1:
                    raise BvfError(f"{self.shards.path}: shard {shard.index} occurs {len(copies)} times", SAME_COMMAND)
                if kept is None:
                    raise BvfError(f"{self.shards.path_of(copies[0])} is not as it was written", SAME_COMMAND)
                yield shard, kept[1]

    def _kept(
        self, files: list[str], record: MeasurementRecord, questions: Questions, shard: Shard
    ) -> tuple[str, Rows] | None:
        """The first file by name that holds the shard, and its content. None: no file holds it, or two differ."""
        contents = [(name, self._stored(name, record, questions, shard)) for name in files]
        kept = [(name, stored) for name, stored in contents if stored is not None]
        kind = kind_called(questions.reading)
        alike = all(kind.are_alike(kept[0][1], other, questions) for _, other in kept[1:])
        return kept[0] if kept and alike else None

    def _stored(self, name: str, record: MeasurementRecord, questions: Questions, shard: Shard) -> Rows | None:
        """The content of a shard's file. None: it is damaged, or of another measurement or shard."""
        kind = kind_called(questions.reading)
        content = read_shard(self.shards, name, kind.layout(record), questions.samples)
        if content is None or content[0] != Place(record.digest, shard.index, shard.start, shard.stop):
            return None
        rows = content[1]
        is_it = (rows.groups, rows.contexts) == questions.asked(shard) and kind.is_sound(rows, questions)
        return rows if is_it else None

    def _written(self) -> AbstractContextManager[None]:
        return disk_errors_explained(self.path, OTHER_FOLDER)


def read_record(folder: Path | Folder) -> MeasurementRecord:
    """Return the record in a folder. Raises `BvfError` if there is none, or if it is damaged or of another schema."""
    run = run_at(folder)
    file = run.path / RECORD
    if not run.exists(RECORD):
        if is_run(run):
            raise lost_record(run.path)
        earlier = "it is of an earlier version of bvf: measure again"
        hint = earlier if run.exists(RECORD_OF_BEFORE) else "name a folder that bvf run has written"
        raise BvfError(f"{run.path}: no measurement is there", hint)
    raw = run.read_json(RECORD)
    schema = raw.get("schema") if isinstance(raw, dict) else None
    if schema != MEASUREMENT:
        raise BvfError(
            f"{file}: its schema is {schema!r}, not {MEASUREMENT!r}",
            "use the version of bvf that wrote it, or measure again",
        )
    damaged = BvfError(f"{file} is damaged", f"restore it, or {OTHER_FOLDER} to measure again")
    try:
        record = MeasurementRecord.model_validate(raw)
        record.asked.context_set()  # raises for a bad template or count
    except (ValidationError, RecursionError, BvfError) as error:
        raise damaged from error
    if record.digest != digest_of(record.identity) or record.content != content_of(record):
        raise damaged
    return record.model_copy(update={"content": "", "model": record.model.with_short_name()})


def _is_unused(folder: Folder) -> bool:
    """Whether a folder holds only what a run leaves when it ends before its first shard."""
    names = [name for name in folder.entries() if name != SHARDS and not locks.is_of_locks(folder, name)]
    return all(name == REPLICATES or name.endswith(TEMPORARY) for name in (*names, *folder.sub(SHARDS).entries()))


def content_of(record: MeasurementRecord) -> str:
    """Return a digest of everything in a record. Fields that later versions added are included only where set."""
    values = record.model_dump(mode="json", exclude={"content"})
    model, asked = values["model"], values["asked"]
    added = [(template, name) for template in asked["templates"] for name in ("media", "chat", "before")]
    added += [(template["chat"], "before") for template in asked["templates"] if template["chat"]]
    added += [(group, "features") for group in asked["groups"]]
    of_model = ("path", "user", "chat_variables", "chat_date", "package", "left_only", "read_as", "base")
    added += [(model, name) for name in (*of_model, "longer_words", "start")]
    of_asked = ("selection", "generation", "thinking", "kind", "units", "kinds", "word_forms", "openings", "no_neutral")
    added += [(asked, name) for name in (*of_asked, "large")]
    added += [(asked["sampling"], "capped_at"), (values, "labels"), (values, "begun_with")]
    parts = [(asked["openings"], "columns"), (asked["selection"], "own"), (asked["draws"], "in_turn")]
    parts.append((values["check"]["candidate_mass"], "by_format"))
    for fields, name in (*added, *(part for part in parts if part[0])):
        if not fields[name]:
            del fields[name]
    return digest_of(values)


def words_are_small(questions: Questions) -> bool:
    """Return whether log p-hat of all words takes so few bytes that it is stored in any case."""
    return 4 * questions.size * len(questions.words) < SMALL


def read_measurement(
    folder: Path | str | Folder, *, words: bool | None = None, unfinished: bool = False
) -> Measurement:
    """Read a measurement. Neither the model nor a plugin that made it is needed.

    Args:
        folder: The folder of the measurement.
        words: Read log p-hat of every word too, if it is kept; None: only if it is small.
        unfinished: If the run was cut off, take the contexts in which every group has been scored.

    Raises:
        BvfError: The folder has no measurement, or one that is damaged or, without ``unfinished``, not finished.
    """
    run = run_at(folder)
    return RunFolder(run).measurement(read_record(run), words=words, unfinished=unfinished)


def _whole_rounds(asked: BoolArray, rounds: tuple[int, ...]) -> IntArray:
    """Indices of contexts where ``asked``, shape (C,), is true. Contexts of incomplete rounds are left out."""
    whole = max((end for end in rounds if asked[:end].all()), default=0) if rounds else len(asked)
    return np.flatnonzero(asked[:whole])


def _with_contexts(record: MeasurementRecord, kept: list[int]) -> MeasurementRecord:
    """The record with only the contexts at these indices, and a note on their number. Unchanged if all are kept."""
    contexts, draws = record.asked.in_order, record.asked.draws
    if len(kept) == len(contexts):
        return record
    if draws is None:
        asked = record.asked.model_copy(update={"templates": tuple(contexts[c] for c in kept)})
    else:
        asked = record.asked.with_draws(draws.up_to(draws.rounds[record.asked.contexts_by_round.index(len(kept))]))
    note = f"unfinished: every group was asked in {len(kept)} of {len(contexts)} contexts, and only those are used"
    return record.model_copy(update={"asked": asked, "notes": (*record.notes, note)})


def refuse_other(folder: Path, stored: dict[str, str], wanted: dict[str, str]) -> None:
    """Raise `BvfError` if a stored measurement differs from the wanted one. The error says in what."""
    different = [key for key in sorted(stored | wanted) if stored.get(key) != wanted.get(key)]
    shown = [f"{key}: {stored.get(key, 'nothing')} there, {wanted.get(key, 'nothing')} now" for key in different]
    if shown:
        raise BvfError(f"{folder} holds another measurement ({'; '.join(shown[:DIFFERENCES_SHOWN])})", OTHER_FOLDER)
