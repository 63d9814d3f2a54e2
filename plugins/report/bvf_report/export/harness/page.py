"""Writes the page on a folder of tasks: their questions, how to run them, and how to read the figures."""

from collections.abc import Sequence

from bvf import ResultBase
from bvf.results import groups_of, risk_only, with_distinct_names
from bvf.study import MEAN
from bvf.tables import counted, escaped
from bvf_report.export.doubts import warning_sentences
from bvf_report.export.harness.tasks import HarnessTask
from bvf_report.export.names import without_folder

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
    p_star = "the mean over groups of the model's own answers" if result.reference == MEAN else result.reference
    parts = [
        f"{task.topic} ({task.language}), {groups_of(result)} in {counted(contexts, 'context')} of "
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
