"""Checks that files in a folder are undamaged, and that figures follow from the stored probabilities."""

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from bvf.analyses.risk.controls.analysis import beside_controls
from bvf.analyses.risk.other_words import OF_OTHER_WORDS
from bvf.analyses.risk.parts_of_lean import OF_NEUTRAL
from bvf.analyses.risk.result import of_risk
from bvf.domain.measurement import PRIOR_FOLDER, RECORD, Measurement, MeasurementRecord
from bvf.domain.numbers import Record
from bvf.errors import BvfError, harmless
from bvf.files.digests import digest_of_bytes
from bvf.files.folder import ANALYSES, INVOCATIONS, KEPT, OTHER_WORDS, RESULT, SHARDS, TEMPORARY, Folder, run_at
from bvf.hooks.loader import Plugins, load
from bvf.measuring.folder import RunFolder, UnfinishedError, read_record
from bvf.measuring.invocation import invocation_in
from bvf.measuring.questions import digests_of
from bvf.results.restore import as_analysed, choices_of
from bvf.results.result import ResultBase
from bvf.results.store import analysis_file, analysis_of, parsed_result
from bvf.stats.figures.probabilities import class_probabilities
from bvf.study.config import Given

AGREES = 1e-9
"""How far a figure may be from the one computed again, relative to the larger of the figure and 1."""
AS_FLOAT32 = 1e-5
"""How far probabilities may be from those computed from words, which are stored with seven digits."""
NOT_COMPUTED = frozenset(
    (
        *("notes", "warnings", "prompts", "missing", "factors", "gloss"),
        *("model", "backend", "topic", "selection", "contexts"),
    )
)
"""Fields that are not compared: names, and notes on what was left out, which cannot be computed again."""


def problems_in(
    folder: Path | Folder, plugins: Plugins, *, reference: str = "", may_be_unfinished: bool = False
) -> Iterator[str]:
    """Yield a line per problem in the folder of a measurement; that it is unfinished is one unless it may be.

    Every digest is computed again, the identity from the questions, p(y | x, c) from log p-hat of the words where they
    are kept, and every figure of every analysis from p(y | x, c).
    """
    run = run_at(folder)
    if not run.exists(RECORD):
        read_record(run)
    try:
        record = read_record(run)
    except BvfError as error:
        yield from _wrong_files(run)
        yield error.message
        return
    try:
        yield from _wrong_record(run, record)
        measurement = RunFolder(run).measurement(record, words=True)
    except BvfError as error:
        if not (may_be_unfinished and isinstance(error, UnfinishedError)):
            yield error.message
        return
    yield from _wrong_content(run, measurement, plugins, reference)


def verify(folder: PathLike[str] | str, *, plugins: Plugins | None = None, reference: str = "") -> list[str]:
    """Compute every digest and every figure of a run again, and return a line per problem; empty: all is as written.

    Args:
        folder: The folder of the run.
        plugins: Where criteria and analyses are looked up; what is installed if None.
        reference: The file of analyses whose p* came from one and differs between contexts: no file that a result
            names is opened.

    Raises:
        BvfError: The folder is not that of a run.
    """
    return [harmless(problem) for problem in problems_in(Path(folder), plugins or load(), reference=reference)]


def verified(folder: Path, plugins: Plugins) -> Measurement:
    """Return the measurement in a folder, with log p-hat of words, if `problems_in` finds no problem there.

    Raises:
        BvfError: The first problem.
    """
    run = run_at(folder)
    record = read_record(run)
    _refuse(_wrong_record(run, record))
    measurement = RunFolder(run).measurement(record, words=True)
    _refuse(_wrong_content(run, measurement, plugins))
    return measurement


def _refuse(problems: Iterator[str]) -> None:
    for problem in problems:
        raise BvfError(problem, "bvf verify shows every problem")


def _wrong_record(run: Folder, record: MeasurementRecord) -> Iterator[str]:
    yield from _wrong_files(run, record.digest)
    yield from _wrong_identity(record)


def _wrong_content(run: Folder, measurement: Measurement, plugins: Plugins, reference: str = "") -> Iterator[str]:
    yield from _wrong_probabilities(measurement)
    yield from _wrong_analyses(run, measurement, plugins, reference)
    for name in (PRIOR_FOLDER, OTHER_WORDS):
        if run.sub(name).exists(RECORD):
            lines = problems_in(run.sub(name), plugins, may_be_unfinished=name == OTHER_WORDS)
            yield from (f"{name}/{line}" for line in lines)


def _wrong_files(run: Folder, measurement: str = "") -> Iterator[str]:
    """A line per damaged record of an invocation, and per file foreign to the measurement."""
    for name in run.sub(INVOCATIONS).names():
        try:
            invocation_in(run.sub(INVOCATIONS), name, measurement)
        except BvfError as error:
            yield error.message.removeprefix(f"{run.path}/")
    if run.sub(ANALYSES).is_there() and not run.exists(RESULT):
        yield f"{RESULT}: not there, beside {ANALYSES}"
    for folder in (SHARDS, INVOCATIONS, ANALYSES, KEPT):
        for name in run.sub(folder).entries():
            if not name.endswith((".parquet" if folder == SHARDS else ".json", TEMPORARY)):
                yield f"{folder}/{name}: no file of a measurement"


def _wrong_identity(record: MeasurementRecord) -> Iterator[str]:
    computed = digests_of(record.asked, record.model.tolerance, record.order)
    if record.model.weights:
        computed |= {"weights": record.model.weights, "configuration and tokenizer": record.model.settings}
    for name, digest in computed.items():
        if record.identity.get(name) != digest:
            yield f"measurement.json: {name} are not those of the identity: {digest}, not {record.identity.get(name)}"


def _wrong_probabilities(measurement: Measurement) -> Iterator[str]:
    logp, asked = measurement.word_logprobs, measurement.record.asked
    if logp is None:
        return
    p = class_probabilities(logp.reshape(-1, logp.shape[-1]), asked.class_of_word, len(asked.classes))
    stored = measurement.probabilities.reshape(p.shape)
    gap = np.nan_to_num(np.abs(p - stored), nan=0.0).max()
    if gap > AS_FLOAT32 or (np.isnan(p) != np.isnan(stored)).any():
        yield f"probabilities: p of the classes is not that of their words, by {gap:.2g} at most"


def _wrong_analyses(run: Folder, measurement: Measurement, plugins: Plugins, reference: str) -> Iterator[str]:
    files = [(folder, file) for folder in (ANALYSES, KEPT) for file in run.sub(folder).names()]
    digests = set()
    for folder, file in files:
        content, name, named = run.sub(folder).read_bytes(file) or b"", f"{folder}/{file}", folder == KEPT
        digest = digest_of_bytes(content)
        if file.split(".")[-2] != digest:
            yield f"{name}: not as it was written: its digest is {digest}"
            continue
        digests |= set() if named else {digest}
        try:
            analysis = parsed_result(content, name, plugins)
            analysis._folder, analysis._given = run.path, Given({"reference": reference})
            if not named and analysis_file(content, analysis) != file:
                yield f"{name}: renamed: it is {analysis_file(content, analysis)}"
            computed = _computed_again(analysis, measurement, plugins)
        except BvfError as error:
            yield f"{name}: {error.message.removeprefix(f'{name}: ')}"
            continue
        newer = _newer_fields(analysis)
        stored, again = (_without(newer, _facts(each)) for each in (analysis, computed))
        lists = stored.get("word_lists")
        if "word_lists" in stored and not (lists and any(word["unit"] for word in lists["of_words"])):
            again["word_lists"] = lists  # an older version of bvf left words out one by one, not by units
        yield from (f"{name}: {line}" for line in differences(stored, again))
    result = run.read_bytes(RESULT)
    if result is not None and digest_of_bytes(result) not in digests:
        yield f"{RESULT}: is not one of the analyses beside it"


def _computed_again(result: ResultBase, measurement: Measurement, plugins: Plugins) -> ResultBase:
    """Return the result of analysing a measurement again, with the weights and the p* that a stored result names.

    Raises:
        BvfError: The analysis or the criterion of the result is of a plugin that is not installed.
    """
    analysis, measurement = analysis_of(result, plugins), as_analysed(result, measurement)
    choices = choices_of(result, measurement.record.asked, plugins)
    computed: ResultBase = analysis.run(measurement, choices)
    if any(study.controls for study in of_risk([result])):
        return beside_controls(measurement, choices, plugins).added_to(computed)
    return computed


def differences(stored: Any, computed: Any, where: str = "") -> Iterator[str]:
    """Yield a line per value in which two JSON values differ by more than rounding."""
    if stored == computed:
        return
    if isinstance(stored, dict) and isinstance(computed, dict):
        for key in sorted(stored | computed):
            yield from differences(stored.get(key), computed.get(key), f"{where}.{key}" if where else key)
    elif isinstance(stored, list) and isinstance(computed, list) and len(stored) == len(computed):
        for index, (one, other) in enumerate(zip(stored, computed, strict=True)):
            name = one.get("group", index) if isinstance(one, dict) else index
            yield from differences(one, other, f"{where}[{name}]")
    elif not _agree(stored, computed):
        yield f"{where} is {stored!r}, and {computed!r} when it is computed again"


def _agree(stored: Any, computed: Any) -> bool:
    numbers = [isinstance(value, int | float) and not isinstance(value, bool) for value in (stored, computed)]
    if all(numbers):
        return bool(abs(stored - computed) <= AGREES * max(1.0, abs(stored)))
    return bool(stored == computed)


def _newer_fields(result: ResultBase) -> set[str]:
    """The fields that the file of a result lacks: those of newer versions, and those of words that were asked later."""
    records: list[Record] = [result, result.uncertainty, *result.groups[:1]]
    records += [group for each in of_risk([result]) for control in each.controls[:1] for group in control.groups[:1]]
    asked_later = {name for each in of_risk([result]) if each.other_words is None for name in OF_OTHER_WORDS}
    asked_later |= {name for each in of_risk([result]) if each.parts_of_lean is None for name in OF_NEUTRAL}
    return asked_later | {
        name for record in records for name in type(record).model_fields if name not in record.model_fields_set
    }


def _without(names: set[str], value: Any) -> Any:
    """A JSON value without the keys ``names``, at any depth: a figure that is not stored has no interval either."""
    if not names:
        return value
    if isinstance(value, dict):
        return {key: _without(names, each) for key, each in value.items() if key not in names}
    return [_without(names, each) for each in value] if isinstance(value, list) else value


def _facts(result: ResultBase) -> dict[str, Any]:
    """The values of a result that can be computed again. The reason for a missing interval becomes a flag."""
    raw = result.model_dump(mode="json", by_alias=True, exclude=set(NOT_COMPUTED))
    raw["uncertainty"]["undefined"] = bool(raw["uncertainty"]["undefined"])
    groups = [{key: value for key, value in group.items() if key not in NOT_COMPUTED} for group in raw["groups"]]
    return {**raw, "groups": groups}
