"""Writes a folder for ``lm_eval --include_path``: tasks, a module that computes their figures, and a page."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from bvf import BvfError, Language, Predictions, Result, ResultBase, load
from bvf.domain import Asked, MeasurementRecord
from bvf.files import Folder, FolderKind, digest_of, disk_errors_explained
from bvf.hooks import Plugins
from bvf.results import of_risk, predictions_of, risk_only, with_distinct_names
from bvf.study import Questions
from bvf.tables import counted, escaped
from bvf_report.export.names import warning_sentences, without_folder
from bvf_report.export.runs import record_of

DIGITS = 8
"""Length of the digest in a name that distinguishes the tasks of one topic."""
NOT_SAFE = re.compile(r"[^A-Za-z0-9]+")
FORMULAS = frozenset({"linf", "lk", "direction", "released", "tv", "hellinger", "kl", "js", "chi2"})
"""Criteria of bvf that ``bvf_risk.py`` has."""
HEAD = """\
# Bias and volatility in lm-evaluation-harness

Tasks for [lm-evaluation-harness](https://github.com/EleutherAI/lm-evaluation-harness), written by `bvf export --to
lm-eval` and tried with its version 0.4.13. The folder may lie anywhere. It needs no bvf and no network. Say where it
is, and run all its tasks, or some by name:

```
lm_eval --model hf --model_args pretrained=MODEL,dtype=float32 --include_path FOLDER --tasks bvf
```

`dtype=float32` is what bvf takes on a CPU; without it, the harness takes the format of the file.
"""
FIGURES = """\
## Reading the figures

- `R`: how far predictions are from the unbiased model p\\*. 0 is unbiased; lower is better. On the unit scale 1 is a
  model that is certain of the least likely class everywhere.
- `R_bias`: the same of predictions averaged over contexts: what the model believes.
- `R_volatility` = R - R_bias: how much its contexts contradict each other.
- The harness prints no standard error (N/A). `bvf run` has intervals, and the risk of each group.

A document is one group in one context. The harness takes the log-likelihood of each word right of the text, and the
probability of a class is that of its words among all words of the task. Groups and contexts count by their weights.

## What to look out for

- `--limit N` takes the first N documents. They are ordered by context, with all groups in each: take a multiple of the
  number of groups. The figures are those of these contexts alone.
- The text right of the word is not read: causal models do not see it. `bvf run` gives masked and seq2seq models that
  text too, so their figures are others.
- Leave `--apply_chat_template` and `--system_instruction` out: they ask something else.
- Where a tokenizer joins the end of the text and the word into one token, as it may in Chinese, the harness and bvf
  differ in what they take for the probability of the word.
- A word counts also as the beginning of a longer one: *he* in *heir*.
"""
VERSION = 1
"""Version of what a task does with answers; the digest in its name tells questions apart."""
ANALYSIS = "bvf_risk"
AGGREGATIONS = {"R": "total_risk", "R_bias": "bias_risk", "R_volatility": "volatility_risk"}
OLD_TASK = re.compile(rf"bvf_(\w+_)?[0-9a-f]{{{DIGITS}}}\.(yaml|jsonl)", re.ASCII)
TASKS = FolderKind(dict.fromkeys((OLD_TASK.pattern, rf"{ANALYSIS}\.py", "README.md"), 10_000_000_000))


@dataclass(frozen=True)
class HarnessTask:
    """A task of the harness: a run's questions, and how R, R^b and R^v are computed. It does not depend on the model.

    ``rows`` are the documents: ``group``, ``context``, ``left`` (the text), ``delimiter`` (before a word),
    ``group_weight``, ``context_weight`` and ``p_star`` (None: the mean over groups of the model's predictions).
    ``left_out`` is the number of contexts that are left out because [X] stands right of [Y].
    """

    topic: str
    language: str
    words: dict[str, list[str]]
    criterion: str
    scale: str
    rows: list[dict[str, Any]]
    left_out: int = 0

    @cached_property
    def name(self) -> str:
        """The value of ``--tasks``, ``bvf_LANGUAGE_TOPIC_DIGEST``. DIGEST is that of the questions and the analysis."""
        digest = digest_of([self.words, self.criterion, self.scale, self.rows])[:DIGITS]
        words = (NOT_SAFE.sub("_", part).strip("_") for part in ("bvf", self.language, self.topic))
        return "_".join([*filter(None, words), digest])

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence on the contexts that are left out; empty if none are."""
        if not self.left_out:
            return ()
        return (f"{counted(self.left_out, 'context')} left out: [X] stands right of [Y], which these tasks do not ask",)


def task_of(result: ResultBase, plugins: Plugins) -> HarnessTask:
    """Return the task for a run: its prompts for any causal model, and its analysis."""
    record = record_of(result)
    _refuse_other_questions(result, record)
    risk = risk_only(result)
    language = _language(record, plugins)
    read = predictions_of(result)
    rows = list(_rows(risk, record.asked, language, read))
    if not rows:
        raise BvfError(
            f"--to lm-eval: {result.folder}: in every context [X] stands right of [Y], which these tasks do not ask",
            "export a run on templates with [X] first",
        )
    margin = read.margin
    words: dict[str, list[str]] = {name: [] for name in margin.classes}
    levels = range(len(words)) if margin.level_of_class is None else margin.level_of_class.tolist()
    for level, asked in zip(levels, record.asked.classes, strict=True):
        words[margin.classes[level]] += result.words[asked]
    left_out = sum(each.context.group_right_of_slot for each in record.asked.in_order)
    criterion = _formula(risk, margin.classes, plugins)
    return HarnessTask(risk.topic, risk.language, words, criterion, risk.scale, rows, left_out)


def _rows(result: Result, asked: Asked, language: Language, distribution: Predictions) -> Iterator[dict[str, Any]]:
    """Yield the documents of a task, context by context. So the first documents cover all groups."""
    p_star = np.broadcast_to(distribution.reference, distribution.probabilities.shape)
    for c, (each, weight) in enumerate(zip(asked.in_order, distribution.context_weights.tolist(), strict=True)):
        if each.context.group_right_of_slot:
            continue
        for x, group in enumerate(result.groups):
            prompt = language.prompt(each.context, group.group)
            yield {
                "group": group.group,
                "context": each.template,
                "left": prompt.left,
                "delimiter": " " if prompt.spaced else "",
                "group_weight": group.weight,
                "context_weight": weight,
                "p_star": None if result.reference == "mean" else p_star[x, c].tolist(),
            }


def _refuse_other_questions(result: ResultBase, record: MeasurementRecord) -> None:
    """Raise a `BvfError` if the harness cannot score these prompts, or cannot analyse them in this way."""
    model, medium = record.model, next((m.kind for each in record.asked.templates for m in each.media), "")
    refused = {
        "its analysis is not one of risk": not of_risk([result]),
        "its contexts are what a user says in a chat": model.wording == "chat",
        "its contexts begin what the assistant says in a chat": model.wording == "chat-assistant",
        "some of its contexts are in chats of their own": model.wording == "by-context",
        f"its contexts have media of the kind {medium}": bool(medium),
        "it counts words only where they end (--word-boundary), and a harness cannot": model.word_boundary,
        "its probabilities are shares of sampled answers": model.samples > 0,
        "its p* is what the model answers for neutral subjects (--reference prior)": result.reference == "prior",
    }
    for why, applies in refused.items():
        if applies:
            hint = "a task has R, R^b and R^v of texts that models go on with"
            raise BvfError(f"--to lm-eval: {result.folder}: {why}", hint)


def _language(record: MeasurementRecord, plugins: Plugins) -> Language:
    """The wording rules of a run's language. Raises `BvfError` if they now make other prompts than in the run."""
    language: Language = plugins.languages.find(record.asked.language).make()
    everything = record.asked.model_copy(update={"draws": None})
    questions = Questions.of(everything, record.model.tolerance, record.order)
    if questions.digest_of_prompts(language) != record.identity.get("prompts"):
        raise BvfError(
            f"--to lm-eval: the language {language.code} words the prompts otherwise than when the run was made",
            "use the version of bvf and of its plugins that made it, or measure again",
        )
    return language


def _formula(result: Result, classes: tuple[str, ...], plugins: Plugins) -> str:
    """The name of a result's criterion in ``bvf_risk.py``. Raises `BvfError` if it is not there."""
    named, _, parameter = result.criterion.partition(":")
    entry = plugins.criteria.find(named)
    name = entry.provider.name
    if not entry.is_ours or name not in FORMULAS:
        raise BvfError(
            f"--to lm-eval: the criterion {result.criterion} is of a plugin, and a task has those of bvf alone",
            f"bvf analyse {result.folder} --criterion linf, then export that",
        )
    return f"{name}:{parameter}" if parameter else name


def page_of(tasks: Sequence[tuple[HarnessTask, ResultBase]]) -> str:
    """Return the page on these tasks. It also gives the figures of the runs that the tasks come from."""
    rows = ["| task | run of | R | R_bias | R_volatility |", "|---|---|---:|---:|---:|"]
    for (task, _), result in zip(tasks, with_distinct_names([result for _, result in tasks]), strict=True):
        risk = risk_only(result)
        figures = " | ".join(f"{figure:.6f}" for figure in (risk.R, risk.R_bias, risk.R_volatility))
        rows.append(f"| `{task.name}` | {escaped(without_folder(result.model))} | {figures} |")
    once = {task.name: (task, result) for task, result in tasks}
    asked = [f"- {_asked(task, result)}" for task, result in once.values()]
    runs = "## Tasks, and what `bvf run` found\n\n" + "\n".join(rows)
    doubts = [f"- {escaped(sentence)}" for sentence in warning_sentences([result for _, result in tasks])]
    return "\n".join([HEAD, runs, "", *asked, *doubts, "", FIGURES])


def _asked(task: HarnessTask, result: ResultBase) -> str:
    contexts = len(task.rows) // len(result.groups)
    p_star = "the mean over groups of the model's own answers" if result.reference == "mean" else result.reference
    parts = [
        f"{task.topic} ({task.language}), {result.groups_in_words()} in {counted(contexts, 'context')} of "
        f"{without_folder(result.contexts)}"
        f"{f' for the classes of {result.margin}' if result.margin else ''}",
        f"criterion {task.criterion} on the {task.scale} scale",
        f"p* {without_folder(p_star)}",
        f"groups weighted {without_folder(result.group_weights)}",
    ]
    if result.deviation_bound:
        parts.append(f"probabilities of the run are exact to within {result.deviation_bound:.2g}")
    parts += task.notes
    return f"`{task.name}`: {escaped('; '.join(parts))}"


class _Function(str):
    """The name of a function that the harness imports, marked so in YAML."""


def write_tasks(results: Sequence[ResultBase], folder: Path | str, plugins: Plugins | None = None) -> list[HarnessTask]:
    """Write the tasks of runs to a folder, in place of those of an earlier export, and return them, each once."""
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
