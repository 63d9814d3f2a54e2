"""Scores of a benchmark as printed tables: a column per model, or the range over prompt wordings."""

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from bvf.domain.model_names import parts_of
from bvf.interfaces.analysis import Section
from bvf.interfaces.benchmark import Score
from bvf.study.apart import distinct_names
from bvf.tables.words import counted, decimals
from bvf_factors.benchmarks.asking import Asked
from bvf_factors.benchmarks.benchmarking import AS_PUBLISHED, Answered

if TYPE_CHECKING:
    import pandas as pd

Key = tuple[str, tuple[tuple[str, str], ...]]
MODELS_ABREAST = 4
CHOSEN = {
    "sum": "the answer with the highest log-probability",
    "bytes": "the answer with the highest log-probability per byte",
    "letters": "the letter with the highest log-probability",
    "pmi": "the answer whose log-probability the question raises most",
}
WHOLE = {"sum": "log-probability", "tokens": "log-probability per token", "bytes": "log-probability per byte"}


def score_sections(models: Sequence[Answered], show: int) -> list[Section]:
    """Return tables of scores, a column per model. For several wordings: each model's mean and range."""
    asked = models[0].asked
    several = len(asked.wordings) > 1
    abreast = 1 if several else MODELS_ABREAST
    parts = [models[start : start + abreast] for start in range(0, len(models), abreast)]
    made = []
    for part in parts:
        scores = [_by_key(answered) for answered in part]
        keys = sorted({key: None for each in scores for key in each}, key=lambda key: len(key[1]))
        shown = keys[: show or None] if not several or show else keys
        left = len(keys) - len(shown)
        names = distinct_names([each.model for each in part], [parts_of(each.path)[::-1] for each in part])
        columns = ("mean", "sd", "lowest", "highest") if several else names
        rows = [(_name(key), *(_spread(scores[0][key]) if several else _values(scores, key))) for key in shown]
        made.append(
            Section(
                f"{asked.benchmark.title}: {part[0].model}" if several else asked.benchmark.title,
                ("score", *columns),
                rows,
                said=[_summary(part[0])],
                notes=[*([f"{counted(left, 'more score')}: --show all"] if left else []), *asked.notes],
            )
        )
    return made


def as_json(models: Sequence[Answered]) -> list[dict[str, Any]]:
    """Return the scores of every model and prompt wording as JSON values."""
    return [
        {
            "schema": "bvf.benchmark_scores/1",
            "benchmark": each.asked.name,
            "model": each.model,
            "path": each.path,
            "folder": str(each.folder),
            "by": each.asked.by,
            "notes": list(each.asked.notes),
            "wording": wording,
            "scores": [
                {"name": score.name, "of": dict(score.of), "value": score.value, "items": score.items}
                for score in each.asked.benchmark.scores(answers)
            ],
        }
        for each in models
        for wording, answers in each.answers.items()
    ]


def score_frame(models: Sequence[Answered]) -> "pd.DataFrame":
    """Return a row per model, prompt wording and score."""
    import pandas as pd

    return pd.DataFrame(
        [
            {"model": each["model"], "wording": each["wording"], "score": score["name"], **score["of"]}
            | {"value": score["value"], "items": score["items"]}
            for each in as_json(models)
            for score in each["scores"]
        ]
    )


def _by_key(answered: Answered) -> Mapping[Key, list[Score]]:
    """The scores of a model by score name and subset of the items. Each list has one score per wording."""
    scores: dict[Key, list[Score]] = {}
    for answers in answered.answers.values():
        for score in answered.asked.benchmark.scores(answers):
            scores.setdefault((score.name, tuple(score.of.items())), []).append(score)
    return scores


def _name(key: Key) -> str:
    name, of = key
    return f"{name}, {', '.join(value for _, value in of)}" if of else name


def _values(scores: Sequence[Mapping[Key, list[Score]]], key: Key) -> tuple[str, ...]:
    """The score of each model as text; empty for a model without it."""
    cells = []
    for each in scores:
        value = each[key][0].value if key in each else None
        cells.append("" if key not in each else "undefined" if value is None else decimals(value)[0])
    return tuple(cells)


def _spread(scores: Sequence[Score]) -> tuple[str, ...]:
    values = [score.value for score in scores if score.value is not None]
    if not values:
        return ("undefined", "", "", "")
    spread = stdev(values) if len(values) > 1 else None
    return decimals(fmean(values), spread, min(values), max(values))


def _summary(answered: Answered) -> str:
    asked = answered.asked
    if AS_PUBLISHED in answered.answers:
        return f"{counted(len(answered.answers[AS_PUBLISHED]), 'published answer')}."
    return f"{counted(len(asked.items), 'item')}{_wordings(asked)}. {_how(answered)}."


def _wordings(asked: Asked) -> str:
    texts, orders = ({getattr(each, field) for each in asked.wordings} for field in ("text", "order"))
    drawn = any(isinstance(order, int) for order in orders)
    return "".join(
        (
            f", in {counted(len(texts), 'wording')}" if len(texts) > 1 else "",
            f", in {len(orders)} orders of the choices" if len(orders) > 1 else "",
            ", with the choices in an order drawn for each item" if drawn else "",
        )
    )


def _how(answered: Answered) -> str:
    asked, by = answered.asked, answered.asked.by or "sum"
    if asked.benchmark.asks != "answers":
        return "Sentences are compared" + ("" if by == "sum" else f" by their {WHOLE[by]}")
    if not answered.whole:
        return f"Chosen: {CHOSEN[by]}"
    follows = any(not item.inside for item in asked.items)
    following = f", or the one that is most probable after its context{' per byte' if by == 'bytes' else ''}"
    return f"Chosen: the whole sentence with the highest {WHOLE[by]}{following if follows else ''}"
