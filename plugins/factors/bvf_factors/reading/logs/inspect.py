"""Logs of inspect-ai, version 2 of its format: ``.eval`` (a zip archive) and ``.json``."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bvf import BvfError
from bvf.files import Row, parse_json
from bvf_factors.reading.logs.archive import opened
from bvf_factors.reading.logs.columns import WRITE_AGAIN, field_of, objects_in
from bvf_factors.reading.units import LogRow, Unit

VERSION = 2
HEADER = "header.json"
SAMPLES, SAMPLE, SKELETON = "samples/", ".json", "/skeleton.json"
KEPT = ("id", "epoch", "input", "target")
OPTIONAL = ("choices", "metadata")


def is_log(values: Mapping[str, object]) -> bool:
    """Whether a JSON file is a log of inspect-ai."""
    return {"version", "eval", "status"} <= values.keys()


def archive_rows(file: Path) -> Iterator[Row]:
    """Yield the samples of an ``.eval`` log as rows with the columns that `log_rows` lists."""
    with opened(file) as archive:
        if HEADER not in archive.names:
            raise BvfError(
                f"{file}: not a log of inspect-ai, or one that has not ended: {HEADER} is not there",
                "wait until the evaluation ends, or repair the log with inspect log recover",
            )
        header = parse_json(archive.text(HEADER), f"{file}, {HEADER}")
        log = _Header(header, f"{file}, {HEADER}")
        if any(name.startswith(SAMPLES) and name.endswith(SKELETON) for name in archive.names):
            raise BvfError(f"{file}: its samples are in pieces, which cannot be read", "write a log without pieces")
        for name in archive.names:
            if name.startswith(SAMPLES) and name.endswith(SAMPLE):
                where = f"{file}, {name}"
                yield log.row(parse_json(archive.text(name), where), where)


def log_rows(values: dict[str, Any], file: Path) -> Iterator[Row]:
    """Yield the samples of a ``.json`` log.

    Columns are ``task``, ``model``, ``run`` (when it was begun), ``id``, ``epoch``, ``input``, ``target``, ``choices``,
    ``metadata``, ``output`` (the text of the model), ``scores`` (of each scorer its ``value`` and ``answer``),
    ``error`` (what stopped a sample, else None) and ``invalidated``. Scorers that did not score a sample have empty
    cells.
    """
    log = _Header(values, str(file))
    for where, sample in objects_in(field_of(values, "samples", str(file), list), f"{file}, sample"):
        yield log.row(sample, where)


class _Header:
    """The task, the model and the scorers of all samples of a log."""

    def __init__(self, header: Any, where: str) -> None:
        version = field_of(header, "version", where)
        if version != VERSION:
            raise BvfError(
                f"{where}: version {version!r} of the log format of inspect-ai cannot be read",
                f"version {VERSION} can; inspect log convert writes it",
            )
        self.task, self.model = (field_of(header, f"eval.{name}", where, str) for name in ("task", "model"))
        scorers = field_of(header, "eval.scorers", where, list) if header["eval"].get("scorers") else []
        self.run = header["eval"].get("created")
        self.scorers = [field_of(each, "name", where, str) for each in scorers]

    def row(self, sample: Any, where: str) -> Row:
        values = {name: field_of(sample, name, where) for name in KEPT}
        for name in OPTIONAL:
            if sample.get(name) is not None:
                values[name] = sample[name]
        error = sample.get("error")
        values["output"] = field_of(sample, "output.completion", where) if sample.get("output") else None
        values["scores"] = self._scores(sample, where)
        values["error"] = field_of(error, "message", where) if error else None
        values["invalidated"] = sample.get("invalidation") is not None
        unit = Unit("id", f"{self.task}, {values['id']}", repetition=f"{values['epoch']}")
        return LogRow(where, {"task": self.task, "model": self.model, "run": self.run, **values}, unit)

    def _scores(self, sample: Any, where: str) -> dict[str, Any]:
        given = sample.get("scores") or {}
        if not isinstance(given, dict):
            raise BvfError(f'{where}: "scores" is a {type(given).__name__}, not an object', WRITE_AGAIN)
        scores = {
            name: {"value": field_of(score, "value", f"{where}, score {name}"), "answer": score.get("answer")}
            for name, score in given.items()
        }
        return {**{name: {"value": None, "answer": None} for name in self.scorers}, **scores}
