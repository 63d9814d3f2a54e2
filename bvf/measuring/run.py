"""Measuring: the model scores the prompts whose probabilities are not stored yet."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, Unpack

from bvf.arrays import FloatArray
from bvf.asking.model import ChosenModel, folder_in_runs, refuse_changed, slug
from bvf.domain.config import settings_of
from bvf.domain.measurement import Measurement, MeasurementRecord, ScoreCheck
from bvf.domain.model_names import model_name
from bvf.domain.part import JobPart
from bvf.errors import BvfError, OutOfMemoryError
from bvf.files.digests import digest_of
from bvf.files.pieces import each_once
from bvf.files.writing import OTHER_FOLDER, is_read_only
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.backend import Backend, Metered
from bvf.measuring.config import MeasureConfig
from bvf.measuring.folder import RunFolder, read_record, refuse_other, words_are_small
from bvf.measuring.invocation import invocation_of, versions_of_answers
from bvf.measuring.keywords import MeasureKeywords
from bvf.measuring.parts import Inventory
from bvf.measuring.plan import Plan, plan_of
from bvf.measuring.questions import Block, Shard, blocks_of
from bvf.measuring.scoring import Destination, Receipt, scoring_of
from bvf.measuring.stages import CHECKING, LOADING, SCORING


@dataclass(frozen=True)
class Progress:
    """The progress of a run: prompts done (of these, ``reused`` from an earlier run), prompts in all, and the stage."""

    done: int
    total: int
    reused: int
    stage: str = SCORING


OnProgress = Callable[[Progress], None]
Further = Callable[[Measurement], int | None]
Load = Callable[[ChosenModel], Backend]


class Beside(Protocol):
    """What is read beside a run, in the same forward passes."""

    def plan_of(self, plan: Plan, record: MeasurementRecord, backend: Backend | None, todo: int) -> Plan | None:
        """Return the plan of it; None: there is nothing.

        ``record`` is that of the run, ``backend`` its model (None: other processes have it), and ``todo`` the number of
        shards of the plan that are to be scored now.
        """
        ...

    def failed(self, error: Exception) -> None:
        """Raise the error, or note it: the run goes on without."""
        ...


def measure(
    config: MeasureConfig | None = None,
    *,
    plugins: Plugins | None = None,
    on_progress: OnProgress | None = None,
    **choices: Unpack[MeasureKeywords],
) -> Measurement:
    """Score prompts with a model, and store the probabilities.

    Args:
        config: Which prompts to score, and with which model; or give keywords instead.
        plugins: What is installed; looked up if None.
        on_progress: Called when a stage begins, and after every shard.
        choices: Fields of `MeasureConfig`: ``bvf.measure(model="gpt2", topic="gender")``.

    Returns:
        The measurement, which is also stored in ``measurement.folder``. One that was finished before is read, and no
        model is loaded.

    Raises:
        BvfError: Anything that the user can mend; finished shards are kept.
    """
    config = settings_of(MeasureConfig, config, choices, "measure")
    available = plugins or load(extra=config.plugin, without=config.without)
    return measure_plan(plan_of(config, available), available, on_progress)


def measure_plan(
    plan: Plan,
    plugins: Plugins,
    on_progress: OnProgress | None = None,
    further: Further | None = None,
    loading: Load = ChosenModel.load,
    beside: Beside | None = None,
) -> Measurement:
    """Measure the prompts of a plan, as `measure` does for a configuration.

    ``further`` gets the measurement and returns how many contexts to draw in all; None: there are enough. Without it,
    the measurement has as many contexts as the plan draws, also where an earlier run drew more in the folder.
    """
    if plan.config.part:
        raise BvfError(f"part {plan.config.part} of a measurement is not a measurement", "bvf.run_part scores a part")
    folder = folder_of(plan)
    wanted = None if further or plan.draws is None else plan.draws.number
    finished = _finished(folder, plan) if is_read_only(folder.path) else None
    if finished is not None:
        return finished.first_draws(wanted)
    with folder.locked():
        stored = folder.record()
        if stored is not None:
            _refuse_other_model_or_questions(folder, stored, plan)
            plan = plan.going_on(stored.asked.draws)
        asking = _Asking(plugins, folder, on_progress, loading=loading, beside=beside)
        measurement = folder.measurement(asking.finished(plan, stored))
        while further is not None and plan.draws is not None and (number := further(measurement)) is not None:
            plan = plan.drawing(number)
            measurement = folder.measurement(asking.finished(plan, measurement.record))
        folder.tidy()
        return measurement.first_draws(wanted)


def measure_part(plan: Plan, plugins: Plugins, on_progress: OnProgress | None = None) -> Inventory:
    """Score the shards (blocks of prompts) of a plan's part of the run, and return the `Inventory` of all shards.

    Other parts may be at work in the folder at the same time. The first part that has checked its model on a handful
    of questions writes the record, and the others use it.
    """
    part, folder = JobPart.parse(plan.config.part), folder_of(plan)
    with folder.locked(part):
        asking = _Asking(plugins, folder, on_progress, part)
        stored = folder.record()
        if stored is None and any(part.takes(shard.index) for shard in plan.questions.shards()):
            stored = asking.begun(plan)
        if stored is not None:
            _refuse_other_model_or_questions(folder, stored, plan)
            plan = plan.going_on(stored.asked.draws)
            asking.finished(plan, stored)
        indices, there = [shard.index for shard in plan.questions.shards()], folder.stored()
        return Inventory(folder.path, part, len(indices), tuple(index for index in indices if index not in there))


def _refuse_other_model_or_questions(folder: RunFolder, stored: MeasurementRecord, plan: Plan) -> None:
    refuse_other(folder.path, stored.identity, plan.identity)
    refuse_changed(folder.path, stored.model.probe, plan.model.description.probe)


def folder_of(plan: Plan) -> RunFolder:
    """Return the folder of the measurement of a plan, which may not exist: ``--out``, or one below ``runs``.

    The latter is called TOPIC-LANGUAGE-NAME-DIGEST. If the same measurement already has a folder there under another
    ``--name``, it is that one.
    """
    if plan.config.out:
        return RunFolder(Path(plan.config.out))

    def holds_it(folder: Path) -> bool:
        try:
            record = read_record(folder)
        except BvfError:
            return False
        return record.identity == plan.identity and record.model.path == plan.model.path

    first = [slug(plan.topic.name), plan.language.code]
    return RunFolder(folder_in_runs(first, plan.model.name, digest_of(plan.identity), holds_it))


def _finished(folder: RunFolder, plan: Plan) -> Measurement | None:
    """The measurement in a read-only folder; None if it is not finished. Refuses another measurement."""
    stored = folder.record()
    if stored is None:
        return None
    refuse_other(folder.path, stored.identity, plan.identity)
    _refuse_other_words(folder, stored, plan)
    if plan.going_on(stored.asked.draws).draws != stored.asked.draws:
        return None
    try:
        return folder.measurement(stored)
    except BvfError:
        return None


def handful_in_float32(plan: Plan) -> FloatArray | None:
    """Return log p of words in a few prompts, shape (P, W), by the model in float32; None if out of memory.

    The model is loaded for this, and dropped afterwards.
    """
    model = plan.model
    try:
        exact = model.request.options.model_copy(update=dict(model.description.rounds))
        whole = replace(model, request=replace(model.request, options=exact))
        return plan.questions.in_forms(plan.handful, whole.load().word_logprobs)
    except OutOfMemoryError:
        return None


class _Report:
    """Reports the progress of scoring, in prompts."""

    def __init__(self, on_progress: OnProgress | None, shards: Sequence[Shard], todo: Sequence[Shard]) -> None:
        self.on_progress = on_progress or (lambda _: None)
        self.total = sum(shard.size for shard in shards)
        self.reused = self.done = self.total - sum(shard.size for shard in todo)

    def stage(self, stage: str) -> None:
        self.on_progress(Progress(self.done, self.total, self.reused, stage))

    def scored(self, block: Block) -> None:
        self.done += sum(block.sizes)
        self.stage(SCORING)


class _Asking:
    """One invocation. The model is loaded when the first prompt is scored, and kept for the following ones."""

    def __init__(
        self,
        plugins: Plugins,
        folder: RunFolder,
        on_progress: OnProgress | None,
        part: JobPart | None = None,
        loading: Load = ChosenModel.load,
        beside: Beside | None = None,
    ) -> None:
        self.loading, self.beside = loading, beside
        self.plugins, self.folder, self.on_progress, self.part = plugins, folder, on_progress, part
        self.started = time.time()
        of_part = f"-part-{part.number}-of-{part.of}" if part else ""  # several may begin in the same moment
        self.name = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}{of_part}"
        self.written: list[str] = []
        self.loaded: tuple[Backend | None, ScoreCheck] | None = None

    def begun(self, plan: Plan) -> MeasurementRecord:
        """Check the model and write the record.

        The stored record is returned, which another process may have written before.
        """
        shards = self._shards(plan)
        _, check = self._loaded(plan, _Report(self.on_progress, shards, shards))
        keeps_words = not plan.asked.samples and (plan.config.keep_words or words_are_small(plan.questions))
        record = _record_of(plan, check, keeps_words, plan.config.label, versions_of_answers(plan))
        self.folder.write_record(record, plan.stored_contexts.sampling.replicates, unless_there=True)
        self.folder.write_pictures(media for template in plan.stored_contexts.templates for media in template.media)
        return read_record(self.folder.files)

    def finished(self, plan: Plan, stored: MeasurementRecord | None) -> MeasurementRecord:
        """Score the prompts that are not stored yet, and return the record."""
        stored = stored or self.begun(plan)
        if self.part and stored.asked.draws == plan.asked.draws:
            _refuse_other_words(self.folder, stored, plan)
            record = stored
        else:
            record = _renewed(self.folder, stored, plan)
        questions = plan.questions
        todo = self.folder.missing(record, questions, self.part)
        report = _Report(self.on_progress, self._shards(plan), todo)
        if todo:
            _refuse_other_versions(self.folder, record, plan)
            self._ask(plan, record, todo, report)
        else:
            report.stage(SCORING)
        return record

    def _ask(self, plan: Plan, record: MeasurementRecord, todo: list[Shard], report: _Report) -> None:
        backend, check = self._loaded(plan, report)
        report.stage(SCORING)
        others, beside = self._begun_beside(plan, record, backend, len(todo))
        note = [self._noting(plan, check, record.digest), *others]
        if plan.engine.elsewhere:
            self.loaded, backend = (None, check), None
        to = Destination.of(record.digest, self.folder.shards, plan.kind.layout(record))
        scoring = scoring_of(plan, to, backend, beside)
        on_accelerator, kinds = not plan.model.description.in_main_memory, (Block, Receipt)
        blocks = blocks_of(todo, on_accelerator=on_accelerator, samples=plan.questions.samples)
        for block, receipt in each_once(plan.engine, blocks, scoring, kinds, lambda each, its: its.block == each):
            for noted, files in zip(note, (receipt.files, receipt.beside), strict=False):
                noted(files)
            report.scored(block)

    def _noting(self, plan: Plan, check: ScoreCheck, measurement: str) -> Callable[[Sequence[str]], None]:
        """Write the record of this invocation; return what adds files to it."""
        invocation = invocation_of(plan, self.plugins, check, self.started, measurement)
        self.folder.write_invocation(self.name, {**invocation, "shards": self.written})

        def note(files: Sequence[str]) -> None:
            self.written += files
            now = {"seconds": round(time.time() - self.started, 3), "shards": self.written}
            self.folder.write_invocation(self.name, {**invocation, **now})

        return note

    def _begun_beside(
        self, plan: Plan, record: MeasurementRecord, backend: Backend | None, todo: int
    ) -> tuple[list[Callable[[Sequence[str]], None]], Destination | None]:
        """Begin what is read beside the shards of a plan; return what notes files of it, if there is anything."""
        if self.beside is None:
            return [], None
        try:
            of_beside = self.beside.plan_of(plan, record, backend, todo)
            if of_beside is None:
                return [], None
            asking = _Asking(self.plugins, folder_of(of_beside), None, loading=lambda model: backend or model.load())
            stored = asking.folder.record()
            if stored is not None:
                _refuse_other_model_or_questions(asking.folder, stored, of_beside)
            stored = asking.begun(of_beside) if stored is None else _renewed(asking.folder, stored, of_beside)
        except Exception as error:  # noqa: BLE001 - `failed` raises it where it matters
            self.beside.failed(error)
            return [], None
        asking.loaded, asking.loading = None, self.loading  # an engine that works elsewhere frees the model
        columns = of_beside.kind.layout(stored)
        to = Destination.of(stored.digest, asking.folder.shards, columns, stored.asked.words)
        return [asking._noting(of_beside, stored.check, stored.digest)], to

    def _shards(self, plan: Plan) -> list[Shard]:
        """The shards that this invocation scores: all, or those of its part of the run."""
        return [each for each in plan.questions.shards() if self.part is None or self.part.takes(each.index)]

    def _loaded(self, plan: Plan, report: _Report) -> tuple[Backend | None, ScoreCheck]:
        """The loaded model and the result of its check."""
        if self.loaded is not None:
            return self.loaded
        report.stage(LOADING)
        is_compared = plan.model.description.rounds and not plan.asked.samples
        in_float32 = handful_in_float32(plan) if is_compared else None
        backend = self.loading(plan.model)
        report.stage(CHECKING)
        if isinstance(backend, Metered):
            asked = max(1, plan.asked.samples) * (report.total - report.done)
            backend.check_budget(plan.handful, plan.questions.words, asked)
        checked = plan.with_checking(lambda part: report.stage(f"{CHECKING}: {part}"))
        self.loaded = backend, plan.kind.check(checked, backend, in_float32)
        return self.loaded


def _renewed(folder: RunFolder, stored: MeasurementRecord, plan: Plan) -> MeasurementRecord:
    """Write the stored record with the current texts and tables of its topic, and return it."""
    _refuse_other_words(folder, stored, plan)
    labels = plan.config.label or stored.labels
    record = _record_of(plan, stored.check, stored.keeps_words, labels, stored.begun_with)
    as_it_began: dict[str, object] = {"probe": stored.model.probe}
    if not plan.config.name and stored.model.name != model_name(stored.model.path):
        as_it_began["name"] = stored.model.name
    record = record.model_copy(update={"model": record.model.model_copy(update=as_it_began)})
    if record != stored:
        folder.write_record(record, plan.stored_contexts.sampling.replicates)
    return record


def _refuse_other_words(folder: RunFolder, stored: MeasurementRecord, plan: Plan) -> None:
    if plan.config.keep_words and not stored.keeps_words:
        raise BvfError(f"{folder.path}: measured without --keep-words", "choose another --out, to measure again")


def _refuse_other_versions(folder: RunFolder, record: MeasurementRecord, plan: Plan) -> None:
    """Refuse to continue a measurement if versions of libraries have changed since it was begun."""
    here = versions_of_answers(plan)
    for name, version_there in record.begun_with.items():
        if here.get(name) != version_there:
            raise BvfError(
                f"{folder.path} was begun with {name} {version_there}, and here is {here.get(name, 'none')}",
                f"install what it was begun with, or {OTHER_FOLDER}; bvf merge and bvf analyse need no version",
            )


def _record_of(
    plan: Plan, check: ScoreCheck, keeps_words: bool, labels: dict[str, str], begun_with: dict[str, str]
) -> MeasurementRecord:
    identity = plan.identity
    return MeasurementRecord(
        identity=identity,
        digest=digest_of(identity),
        asked=plan.asked,
        model=plan.measured_model,
        check=check,
        order=plan.config.order,
        keeps_words=keeps_words,
        notes=plan.notes,
        labels=labels,
        begun_with=begun_with,
    )
