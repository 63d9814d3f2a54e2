"""Writes a folder for ``lm_eval --include_path``: tasks, a module that computes their figures, and a page."""

import json
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from bvf import ResultBase, load
from bvf.files import Folder, FolderKind, disk_errors_explained
from bvf.hooks import Plugins
from bvf_report.export.harness.page import page_of
from bvf_report.export.harness.tasks import DIGITS, HarnessTask, task_of

VERSION = 1
"""Version of what a task does with answers; the digest in its name tells questions apart."""
ANALYSIS = "bvf_risk"
AGGREGATIONS = {"R": "total_risk", "R_bias": "bias_risk", "R_volatility": "volatility_risk"}
OLD_TASK = re.compile(rf"bvf_(\w+_)?[0-9a-f]{{{DIGITS}}}\.(yaml|jsonl)", re.ASCII)
TASKS = FolderKind(dict.fromkeys((OLD_TASK.pattern, rf"{ANALYSIS}\.py", "README.md"), 10_000_000_000))


class _Function(str):
    """The name of a function that the harness imports, marked so in YAML."""


def write_tasks(results: Sequence[ResultBase], folder: Path | str, plugins: Plugins | None = None) -> list[HarnessTask]:
    """Write the tasks of runs to a folder, and return them. Runs with the same questions and analysis share a task.

    The folder can be copied anywhere and needs no bvf. Tasks of an earlier export in it are replaced.
    """
    available = plugins or load()
    tasks = [task_of(result, available) for result in results]
    place, once = Folder(Path(folder), TASKS), {task.name: task for task in tasks}
    with disk_errors_explained(folder, "choose another folder"):
        place.make()
        for name, task in once.items():
            lines = [json.dumps(row, ensure_ascii=False) for row in task.rows]
            place.write(f"{name}.jsonl", "\n".join(lines) + "\n")
            place.write(f"{name}.yaml", _yaml(task))
        place.write(f"{ANALYSIS}.py", (files(__package__) / f"{ANALYSIS}.py").read_text("utf-8"))
        place.write("README.md", page_of(list(zip(tasks, results, strict=True))))
        for name in place.names():
            if OLD_TASK.fullmatch(name) and name.rpartition(".")[0] not in once:
                place.delete(name)
    return list(once.values())


def _yaml(task: HarnessTask) -> str:
    import yaml

    class Dumper(yaml.SafeDumper):  # type: ignore[misc] # seen as Any
        """A YAML dumper that writes names of functions in the form that the harness reads."""

    Dumper.add_representer(_Function, lambda dumper, name: dumper.represent_scalar("!function", str(name)))
    return str(yaml.dump(_settings(task), Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120))


def _settings(task: HarnessTask) -> dict[str, Any]:
    """The settings of a task for the harness.

    Choices begin with a space only in languages that separate words by spaces.
    """
    questions = {"file": f"{task.name}.jsonl", "criterion": task.criterion, "scale": task.scale, "words": task.words}
    metrics = [
        {"metric": name, "aggregation": _Function(f"{ANALYSIS}.{function}"), "higher_is_better": False}
        for name, function in AGGREGATIONS.items()
    ]
    return {
        "task": task.name,
        "tag": "bvf",
        "custom_dataset": _Function(f"{ANALYSIS}.documents"),
        "dataset_kwargs": {"questions": questions},
        "test_split": "test",
        "output_type": "multiple_choice",
        "num_fewshot": 0,
        "doc_to_text": "left",
        "doc_to_choice": "choices",
        "doc_to_target": 0,
        "target_delimiter": "",
        "process_results": _Function(f"{ANALYSIS}.process_results"),
        "metric_list": metrics,
        "metadata": {"version": VERSION},
    }
