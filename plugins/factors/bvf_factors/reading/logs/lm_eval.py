"""Samples of lm-evaluation-harness (0.4): ``samples_TASK_DATE.jsonl``, written by its ``EvaluationTracker``."""

import re
from collections.abc import Iterable, Iterator
from math import isnan
from pathlib import Path

from bvf_mining.corpora import reading

from bvf.files import Row, parse_json, read_text
from bvf_factors.reading.rows import LogRow, Unit, field_of, with_columns

NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>[^_]+)\.jsonl(\.[a-z0-9]+)?")
OF_SAMPLES = {"doc_id", "resps", "filtered_resps"}
"""Fields by which a line is known as a sample."""
FIELDS = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps")
BOOLEANS = ("True", "False")
"""Booleans in responses, which are written as texts."""
CONTRASTED = "acc_mutual_info"
"""A metric for which each choice is asked again without its context, after all the others."""


def sample_rows(rows: Iterable[Row], file: Path) -> Iterator[Row]:
    """Yield samples with the columns ``task``, ``model``, ``run`` and ``choice``.

    A sample has a row for each ``filter`` of its task, all of one answer. ``choice`` is the index of the most probable
    answer, the first if tied; only for samples whose responses are the log-likelihoods of two answers or more, and None
    where one is NaN. ``task`` and ``run``, its date, are there if the file has the name that the program gave it, and
    ``model`` if the results lie beside it.
    """
    of_file = _task_and_model(file)
    for row in rows:
        for name in FIELDS:
            field_of(row.values, name, row.where)
        unit = Unit("doc_id", f"{of_file.get('task')}, {row.values['doc_id']}", copies=("filter",))
        yield with_columns(LogRow(row.where, row.values, unit), {**of_file, **_choice(row)})


def _task_and_model(file: Path) -> dict[str, object]:
    name = NAME.fullmatch(file.name)
    if name is None:
        return {}
    with reading(str(file.parent)):
        beside = sorted(each for each in file.parent.iterdir() if each.name.endswith(f"_{name['date']}.json"))
    for results in beside:
        values = parse_json(read_text(results), str(results))
        if isinstance(values, dict) and isinstance(values.get("model_name"), str):
            return {"task": name["task"], "run": name["date"], "model": values["model_name"]}
    return {"task": name["task"], "run": name["date"]}


def _choice(row: Row) -> dict[str, object]:
    responses = field_of(row.values, "filtered_resps", row.where, list)
    logps = [_loglikelihood(each) for each in responses]
    metrics = row.values.get("metrics")
    if isinstance(metrics, list) and CONTRASTED in metrics:
        logps = logps[: len(logps) // 2]
    known = [each for each in logps if each is not None]
    if len(logps) < 2 or len(known) < len(logps):
        return {}
    return {"choice": None if any(map(isnan, known)) else known.index(max(known))}


def _loglikelihood(response: object) -> float | None:
    """The log-likelihood in a response [log-likelihood, is greedy]; None if the response is not such a pair."""
    if not isinstance(response, list) or len(response) != 2 or str(response[1]) not in BOOLEANS:
        return None
    try:
        return float(response[0])
    except (TypeError, ValueError, OverflowError):
        return None
