"""Runs of HELM 0.5: ``scenario_state.json``. ``per_instance_stats.json`` and ``run_spec.json`` lie beside it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bvf import BvfError
from bvf.files import Row, is_file, parse_json, read_text
from bvf_factors.reading.rows import WRITE_AGAIN, LogRow, Unit, field_of, objects_in

STATE, STATS, SPEC = "scenario_state.json", "per_instance_stats.json", "run_spec.json"
OF_STATE = ("reference_index", "request_mode", "train_trial_index", "prompt_truncated")
REQUESTS = OF_STATE[:2]
"""Columns in which the requests differ that are made for one answer."""
OF_INSTANCE = ("split", "sub_split", "extra_data")
CORRECT = "correct"
"""The tag of a correct reference."""
UNPERTURBED = "none"
OF_STATES = {"request_states"}
"""Fields by which a JSON file is known as the state of a run."""
Key = tuple[str, str, int]


def state_rows(values: dict[str, Any], file: Path) -> Iterator[Row]:
    """Yield a row for each request of a run.

    Columns are ``task`` (the run's name, if ``run_spec.json`` is there), ``model``, ``id``, ``input``, ``split``,
    ``sub_split``, ``extra_data``, ``perturbation`` (its name, or none), ``references`` (of each its ``text`` and
    ``tags``), ``correct`` (the text of the first that is right), ``reference_index``, ``request_mode``,
    ``train_trial_index``, ``prompt_truncated``, ``prompt``, ``completion`` and ``logprob`` (of the first completion),
    ``output_mapping``, ``prediction`` (the completion without spaces around it, as ``output_mapping`` has it) and
    ``stats`` (the mean of each metric). HELM writes no field that has no value; those of a request are empty cells.
    """
    states = field_of(values, "request_states", str(file), list)
    stats = _stats(file.with_name(STATS)) if is_file(file.with_name(STATS)) else {}
    metrics = dict.fromkeys(name for means in stats.values() for name in means)
    spec = file.with_name(SPEC)
    task = {"task": field_of(parse_json(read_text(spec), str(spec)), "name", str(spec), str)} if is_file(spec) else {}
    known = False
    for where, state in objects_in(states, f"{file}, request"):
        instance = field_of(state, "instance", where, dict)
        key = _key(instance, "id", state, where)
        known = known or key in stats
        perturbed = instance.get("perturbation") is not None
        references = [
            {"text": field_of(each, "output.text", where), "tags": field_of(each, "tags", where, list)}
            for each in field_of(instance, "references", where, list)
        ]
        columns = {
            **task,
            "model": field_of(state, "request.model", where, str),
            "id": instance["id"],
            "input": field_of(instance, "input.text", where, str),
            **{name: instance.get(name) for name in OF_INSTANCE},
            "perturbation": field_of(instance, "perturbation.name", where, str) if perturbed else UNPERTURBED,
            "references": references,
            "correct": next((each["text"] for each in references if CORRECT in each["tags"]), None),
            **{name: state.get(name) for name in OF_STATE},
            "prompt": field_of(state, "request.prompt", where, str),
            **_answer(state, where),
            "stats": {**metrics, **stats.get(key, {})},
        }
        question, *repetition = key
        unit = Unit("id", f"{task.get('task')}, {question}", f"{repetition}", REQUESTS)
        yield LogRow(where, columns, unit)
    if stats and states and not known:
        raise BvfError(f"{file.with_name(STATS)}: has no instance of {file.name}", "put files of one run into a folder")


def _stats(file: Path) -> dict[Key, dict[str, float | None]]:
    """The mean of each metric, by instance."""
    stats, values = dict[Key, dict[str, float | None]](), parse_json(read_text(file), str(file))
    if not isinstance(values, list):
        raise BvfError(f"{file}: is not a list of statistics", WRITE_AGAIN)
    for where, entry in objects_in(values, f"{file}, instance"):
        means = stats.setdefault(_key(entry, "instance_id", entry, where), {})
        for stat in field_of(entry, "stats", where, list):
            name, mean = field_of(stat, "name.name", where, str), stat.get("mean")
            if name in means and means[name] != mean:
                raise BvfError(
                    f'{where}: "{name}" is {means[name]} and {mean}', "a metric has one value for each instance"
                )
            means[name] = mean
    return stats


def _key(instance: dict[str, Any], name: str, trial: dict[str, Any], where: str) -> Key:
    """The key of an instance in one trial. Its identifier alone is the same for all of its perturbations."""
    perturbation = json.dumps(instance.get("perturbation"), sort_keys=True)
    return field_of(instance, name, where, str), perturbation, field_of(trial, "train_trial_index", where, int)


def _answer(state: dict[str, Any], where: str) -> dict[str, Any]:
    mapping = state.get("output_mapping")
    if not isinstance(mapping, dict | None):
        raise BvfError(f'{where}: "output_mapping" is a {type(mapping).__name__}, not an object', WRITE_AGAIN)
    completions = field_of(state, "result.completions", where, list)
    if not completions:
        return {"completion": None, "logprob": None, "output_mapping": mapping, "prediction": None}
    text = field_of(completions[0], "text", where, str)
    logprob = field_of(completions[0], "logprob", where)
    predicted = text.strip() if mapping is None else mapping.get(text.strip())
    return {"completion": text, "logprob": logprob, "output_mapping": mapping, "prediction": predicted}
