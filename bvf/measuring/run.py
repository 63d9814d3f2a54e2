"""Measuring: what is not stored yet is asked of the model, and stored."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Unpack

from bvf.arrays import FloatArray
from bvf.domain.config import settings_of
from bvf.domain.measurement import Measurement, MeasurementRecord, ScoreCheck
from bvf.domain.model_names import model_name
from bvf.domain.part import Part, parse_part
from bvf.errors import BvfError, OutOfMemoryError
from bvf.files.digests import digest_of
from bvf.files.pieces import each_once
from bvf.files.writing import OTHER_FOLDER, is_read_only
from bvf.hooks.loader import Plugins, load
from bvf.interfaces.backend import Backend, Metered
from bvf.measuring.below_runs import default_folder
from bvf.measuring.checks import check_scores, handful
from bvf.measuring.config import MeasureConfig
from bvf.measuring.folder import Folder, read_record, refuse_other, words_are_small
from bvf.measuring.invocation import invocation_of, versions_of_answers
from bvf.measuring.keywords import MeasureKeywords
from bvf.measuring.model import ChosenModel, refuse_changed
from bvf.measuring.parts import Inventory, inventory
from bvf.measuring.plan import Plan
from bvf.measuring.plan import plan as plan_of
from bvf.measuring.scoring import Receipt, scoring_of
from bvf.measuring.shards import Shard
from bvf.measuring.stages import CHECKING, LOADING, SCORING


@dataclass(frozen=True)
class Progress:
    """How far a run is, in prompts; ``reused`` of them were stored by an earlier run.

    ``stage`` says what is being done, in the words of `bvf.measuring.stages`.
    """

    done: int
    total: int
    reused: int
    stage: str = SCORING


OnProgress = Callable[[Progress], None]
Further = Callable[[Measurement], int | None]
Load = Callable[[ChosenModel], Backend]


def measure(
    config: MeasureConfig | None = None,
    *,
    plugins: Plugins | None = None,
    on_progress: OnProgress | None = None,
    **choices: Unpack[MeasureKeywords],
) -> Measurement:
    """Ask a model, and store what it answers.

    Args:
        config: What to ask, and whom; or say it with keywords.
        plugins: What is installed; looked up if None.
        on_progress: Called when a stage begins, and after every shard.
        choices: Fields of `MeasureConfig`: ``bvf.measure(model="gpt2", topic="gender")``.

    Returns:
        The measurement, which also lies in ``measurement.folder``. One that was finished before is read, and no model
        is loaded.

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
) -> Measurement:
    """Do what `measure` does, from a plan.

    Args:
        plan: What is asked.
        plugins: What is installed.
        on_progress: Called when a stage begins, and after every shard.
        further: Given what is measured, says how many contexts are to be drawn in all; None: these are enough.
        loading: Loads the model.

    Raises:
        BvfError: As `measure`.
    """
    if plan.config.part:
        raise BvfError(f"part {plan.config.part} of a measurement is no measurement", "bvf.run_part scores a part")
    folder = folder_of(plan)
    finished = _finished(folder, plan) if is_read_only(folder.path) else None
    if finished is not None:
        return finished
    with folder.locked():
        stored = folder.record()
        if stored is not None:
            _refuse_another(folder, stored, plan)
            plan = plan.going_on(stored.asked.draws)
        asking = _Asking(plugins, folder, on_progress, loading=loading)
        measurement = folder.measurement(asking.finished(plan, stored))
        while further is not None and plan.draws is not None and (number := further(measurement)) is not None:
            plan = plan.drawing(number)
            measurement = folder.measurement(asking.finished(plan, measurement.record))
        folder.tidy()
        return measurement


def measure_part(plan: Plan, plugins: Plugins, on_progress: OnProgress | None = None) -> Inventory:
    """Score the shards of the part that a plan names; other parts may be at work in the folder at the same time.

    The first part that has checked its model on a handful of questions writes the record, and the others use it.

    Args:
        plan: What is asked; its configuration says of which part.
        plugins: What is installed.
        on_progress: Called when a stage begins, and after every shard, with the prompts of this part.

    Returns:
        What is stored of all parts.

    Raises:
        BvfError: Anything that the user can mend; finished shards are kept.
    """
    part, folder = parse_part(plan.config.part), folder_of(plan)
    with folder.locked(part):
        asking = _Asking(plugins, folder, on_progress, part)
        stored = folder.record()
        if stored is None and any(part.takes(shard.index) for shard in plan.questions.shards()):
            stored = asking.begun(plan)
        if stored is not None:
            _refuse_another(folder, stored, plan)
            plan = plan.going_on(stored.asked.draws)
            asking.finished(plan, stored)
        return inventory(folder, part, plan.questions.shards())


def _refuse_another(folder: Folder, stored: MeasurementRecord, plan: Plan) -> None:
    refuse_other(folder.path, stored.identity, plan.identity)
    refuse_changed(folder.path, stored.model.probe, plan.model.description.probe)


def folder_of(plan: Plan) -> Folder:
    """Return where a measurement lies, or will lie."""
    out = plan.config.out
    return Folder(Path(out) if out else default_folder(plan, plan.identity))


def _finished(folder: Folder, plan: Plan) -> Measurement | None:
    """The measurement in a folder in which nothing can be written; None where it is not finished."""
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
    """Return log p of the words in a handful of prompts, shape (P, W), by the model in float32; None: it is too large.

    The model is loaded for this, and dropped afterwards.
    """
    model = plan.model
    try:
        exact = model.request.options.model_copy(update=dict(model.description.rounds))
        whole = replace(model, request=replace(model.request, options=exact))
        return whole.load().word_logprobs(handful(plan), plan.questions.words)
    except OutOfMemoryError:
        return None


class _Report:
    """Tells how far the scoring is."""

    def __init__(self, on_progress: OnProgress | None, shards: Sequence[Shard], todo: Sequence[Shard]) -> None:
        self.tell = on_progress or (lambda _: None)
        self.total = _prompts_in(shards)
        self.reused = self.done = self.total - _prompts_in(todo)

    def stage(self, stage: str) -> None:
        self.tell(Progress(self.done, self.total, self.reused, stage))

    def now(self, shard: Shard | None = None) -> None:
        self.done += shard.stop - shard.start if shard else 0
        self.stage(SCORING)


def _prompts_in(shards: Sequence[Shard]) -> int:
    return sum(shard.stop - shard.start for shard in shards)


class _Asking:
    """One invocation: the model is loaded when the first question is asked, and kept for those that follow."""

    def __init__(
        self,
        plugins: Plugins,
        folder: Folder,
        on_progress: OnProgress | None,
        part: Part | None = None,
        loading: Load = ChosenModel.load,
    ) -> None:
        self.loading = loading
        self.plugins, self.folder, self.on_progress, self.part = plugins, folder, on_progress, part
        self.started = time.time()
        of_part = f"-part-{part.number}-of-{part.of}" if part else ""  # several may begin in the same moment
        self.name = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}{of_part}"
        self.written: list[str] = []
        self.loaded: tuple[Backend | None, ScoreCheck] | None = None

    def begun(self, plan: Plan) -> MeasurementRecord:
        """Write what is measured, and return what stands there now: another part may have been earlier."""
        shards = self._shards(plan)
        _, check = self._loaded(plan, _Report(self.on_progress, shards, shards))
        record = _record_of(plan, check, _keeps_words(plan), plan.config.label, versions_of_answers(plan))
        self.folder.begin(record, plan.contexts.sampling.replicates)
        return read_record(self.folder.path)

    def finished(self, plan: Plan, stored: MeasurementRecord | None) -> MeasurementRecord:
        """Ask what is not stored yet, and return the record."""
        stored = stored or self.begun(plan)
        record = self._there(stored, plan)
        questions = plan.questions
        todo = self.folder.missing(record, questions, self.part)
        report = _Report(self.on_progress, self._shards(plan), todo)
        if todo:
            _refuse_other_versions(self.folder, record, plan)
            self._ask(plan, record, todo, report)
        else:
            report.now()
        return record

    def _ask(self, plan: Plan, record: MeasurementRecord, todo: list[Shard], report: "_Report") -> None:
        backend, check = self._loaded(plan, report)
        report.now()
        told = invocation_of(plan, self.plugins, check, self.started)
        scoring = scoring_of(plan, self.folder.shards, record.digest, record.keeps_words, backend)
        self.folder.write_invocation(self.name, {**told, "shards": self.written})
        kinds = Shard, Receipt
        for shard, receipt in each_once(plan.engine, todo, scoring, kinds, lambda each, its: its.shard == each):
            self.written.append(receipt.file)
            now = {"seconds": round(time.time() - self.started, 3), "shards": self.written}
            self.folder.write_invocation(self.name, {**told, **now})
            report.now(shard)

    def _shards(self, plan: Plan) -> list[Shard]:
        """The shards that this invocation is for."""
        return [each for each in plan.questions.shards() if self.part is None or self.part.takes(each.index)]

    def _there(self, stored: MeasurementRecord, plan: Plan) -> MeasurementRecord:
        """The stored record with what its topic says today; a part writes it only where more contexts are drawn."""
        if self.part and stored.asked.draws == plan.asked.draws:
            _refuse_other_words(self.folder, stored, plan)
            return stored
        return _renewed(self.folder, stored, plan)

    def _loaded(self, plan: Plan, report: "_Report") -> tuple[Backend | None, ScoreCheck]:
        if self.loaded is None:
            report.stage(LOADING)
            in_float32 = handful_in_float32(plan) if plan.model.description.rounds else None
            self.loaded = _loaded_and_checked(plan, self.loading, in_float32, report)
        return self.loaded


def _loaded_and_checked(
    plan: Plan, loading: Load, in_float32: FloatArray | None, report: "_Report"
) -> tuple[Backend | None, ScoreCheck]:
    """The loaded model and what its check says; the model is dropped if it will not score here."""
    backend = loading(plan.model)
    report.stage(CHECKING)
    if isinstance(backend, Metered):
        backend.check_budget(handful(plan), plan.questions.words, report.total - report.done)
    sample = plan.config.mass_sample
    check = check_scores(plan, backend, None if sample == "all" else sample, in_float32)
    return None if plan.engine.elsewhere else backend, check


def _renewed(folder: Folder, stored: MeasurementRecord, plan: Plan) -> MeasurementRecord:
    """The stored record with what its topic says today; raises `BvfError` if words are wanted that were not kept."""
    _refuse_other_words(folder, stored, plan)
    labels = plan.config.label or stored.labels
    record = _record_of(plan, stored.check, stored.keeps_words, labels, stored.begun_with)
    as_it_began: dict[str, object] = {"probe": stored.model.probe}
    if not plan.config.name and stored.model.name != model_name(stored.model.path):
        as_it_began["name"] = stored.model.name
    record = record.model_copy(update={"model": record.model.model_copy(update=as_it_began)})
    if record != stored:
        folder.write_record(record, plan.contexts.sampling.replicates)
    return record


def _refuse_other_words(folder: Folder, stored: MeasurementRecord, plan: Plan) -> None:
    if plan.config.keep_words and not stored.keeps_words:
        raise BvfError(f"{folder.path}: measured without --keep-words", "choose another --out, to measure again")


def _refuse_other_versions(folder: Folder, record: MeasurementRecord, plan: Plan) -> None:
    """Refuse to score on with other versions than those that the scoring was begun with, where these are known."""
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


def _keeps_words(plan: Plan) -> bool:
    return plan.config.keep_words or words_are_small(plan.questions)
