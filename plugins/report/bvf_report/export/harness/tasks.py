"""Makes a task of lm-evaluation-harness from a run, and refuses runs that the harness cannot repeat."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bvf import BvfError, Language, Result, ResultBase
from bvf.domain import Asked, MeasurementRecord
from bvf.files import digest_of
from bvf.hooks import Plugins
from bvf.results import of_risk, predictions_of, risk_only
from bvf.study import MEAN, PRIOR, margin_of, questions_of
from bvf.tables import counted
from bvf_report.export.asked import record_of

DIGITS = 8
"""Length of the digest in a name that distinguishes the tasks of one topic."""
NOT_SAFE = re.compile(r"[^A-Za-z0-9]+")
FORMULAS = frozenset({"linf", "lk", "direction", "released", "tv", "hellinger", "kl", "js", "chi2"})
"""Criteria of bvf that ``bvf_risk.py`` has."""


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
    rows = list(_rows(risk, record.asked, language))
    if not rows:
        raise BvfError(
            f"--to lm-eval: {result.folder}: in every context [X] stands right of [Y], which these tasks do not ask",
            "export a run on templates with [X] first",
        )
    margin = margin_of(record.asked, result.margin)
    words: dict[str, list[str]] = {name: [] for name in margin.classes}
    levels = range(len(words)) if margin.level_of_class is None else margin.level_of_class.tolist()
    for level, asked in zip(levels, record.asked.classes, strict=True):
        words[margin.classes[level]] += result.words[asked]
    left_out = sum(each.context.group_right_of_slot for each in record.asked.in_order)
    criterion = _formula(risk, margin.classes, plugins)
    return HarnessTask(risk.topic, risk.language, words, criterion, risk.scale, rows, left_out)


def _rows(result: Result, asked: Asked, language: Language) -> Iterator[dict[str, Any]]:
    """Yield the documents of a task, context by context. So the first documents cover all groups."""
    distribution = predictions_of(result)
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
                "p_star": None if result.reference == MEAN else p_star[x, c].tolist(),
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
        "its p* is what the model answers for neutral subjects (--reference prior)": result.reference == PRIOR,
    }
    for why, applies in refused.items():
        if applies:
            hint = "a task has R, R^b and R^v of texts that models go on with"
            raise BvfError(f"--to lm-eval: {result.folder}: {why}", hint)


def _language(record: MeasurementRecord, plugins: Plugins) -> Language:
    """The wording rules of a run's language. Raises `BvfError` if they now make other prompts than in the run."""
    language: Language = plugins.languages.find(record.asked.language).make()
    everything = record.asked.model_copy(update={"draws": None})
    questions = questions_of(everything, record.model.tolerance, record.order)
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
