"""The rows of any readable file or folder, recognised by its name and content."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from bvf_mining.corpora import format_of, whole_content

from bvf import BvfError
from bvf.domain import RECORD
from bvf.files import TABLE_ENDINGS, Row, decoded, is_file, json_rows, parse_json, read_rows, read_text
from bvf_factors.benchmarks.answer_folder import ROWS, answers_in, record_in
from bvf_factors.reading.logs import every_eval_ever, helm, inspect, lm_eval
from bvf_factors.reading.rows import LogRow, Unit, field_of, flattened

JSON_LINES, JSON, ARCHIVE = ".jsonl", ".json", ".eval"
TAKEN = (
    f"it takes tables ({', '.join(TABLE_ENDINGS)}), samples_*.jsonl of lm-evaluation-harness, .eval and .json logs of "
    "inspect-ai, a run of HELM or its scenario_state.json, instances of Every Eval Ever, and folders of bvf run and of "
    "bvf factors run"
)


def rows_of(source: Path) -> Iterator[Row]:
    """Yield the rows of a table, or of the log of an evaluation. No value of a row is an object or a list.

    JSON lines may be compressed: ``.jsonl.gz``, ``.jsonl.zst``, ``.jsonl.bz2``. The columns of logs are documented at
    the functions that read them: `lm_eval.sample_rows`, `inspect.log_rows`, `helm.state_rows`,
    `every_eval_ever.instance_rows` and `measurement.measurement_rows`. All have the ``model``, and the ``task`` or
    ``topic``, if the log names it.
    """
    row = None
    for row in _rows(source):
        yield flattened(row)
    if row is None:
        raise BvfError(f"{source}: no rows", "there is one for each sample")


def _rows(source: Path) -> Iterator[Row]:
    if source.is_dir():
        known = (source / name for name in (RECORD, helm.STATE) if is_file(source / name))
        file = next(known, source / ROWS if answers_in(source) else None)
        if file is None:
            raise BvfError(f"{source}: there is neither {RECORD} nor {helm.STATE} in this folder", TAKEN)
        source = file
    if not is_file(source):
        raise BvfError(f"{source}: is neither a file nor a folder", TAKEN)
    if source.name == RECORD:
        from bvf_factors.reading.logs.measurement import measurement_rows  # imports pandas

        return measurement_rows(source.parent)
    if source.suffix == ARCHIVE:
        return inspect.archive_rows(source)
    if source.suffix == JSON:
        return _rows_of_json(source)
    if format_of(source) == JSON_LINES:
        return _rows_of_lines(source)
    if source.suffix in TABLE_ENDINGS:
        return read_rows(source)
    raise BvfError(f"{source}: cannot read rows from this kind of file", TAKEN)


def _rows_of_json(file: Path) -> Iterator[Row]:
    values = parse_json(read_text(file), str(file))
    if isinstance(values, dict) and values.keys() >= inspect.OF_LOGS:
        return inspect.log_rows(values, file)
    if isinstance(values, dict) and values.keys() >= helm.OF_STATES:
        return helm.state_rows(values, file)
    raise BvfError(f"{file}: is neither a log of inspect-ai nor a scenario_state.json of HELM", TAKEN)


def _rows_of_lines(file: Path) -> Iterator[Row]:
    lines = json_rows(decoded(whole_content(file), str(file)), str(file))
    first = next(lines, None)
    if first is None:
        return lines
    rows = chain([first], lines)
    folder = answers_in(file) if file.name == ROWS else None
    if folder is not None:
        return _answers(rows, str(record_in(folder).get("benchmark", "")))
    if first.values.keys() >= every_eval_ever.OF_INSTANCES:
        return every_eval_ever.instance_rows(rows)
    if first.values.keys() >= lm_eval.OF_SAMPLES:
        return lm_eval.sample_rows(rows, file)
    return rows


def _answers(rows: Iterable[Row], benchmark: str) -> Iterator[Row]:
    """Yield the answers to a benchmark as they are stored: one for each item in each wording, or one for each text."""
    for row in rows:
        item, wording = (field_of(row.values, name, row.where) for name in ("item", "wording"))
        sample = row.values.get("sample", "")
        repetition = f"{benchmark}, {wording}{f', text {sample}' if sample else ''}"
        yield LogRow(row.where, row.values, Unit("item", f"{benchmark}, {item}", repetition=repetition))
