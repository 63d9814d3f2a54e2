"""The verdict in plain words: from the analysis, or else a sentence per figure."""

from collections.abc import Mapping
from typing import Any

from bvf.interfaces.analysis import Analysis, Verdict
from bvf.report.page.content import ModelVerdict
from bvf.results.columns import figure_text
from bvf.results.result import ResultBase


def verdict(result: ResultBase, name: str, analysis: Analysis[Any]) -> ModelVerdict:
    """Return the verdict on a result for the page, with the name of the model."""
    doubts = tuple(f"Doubtful: {sentence}" for sentence in result.warnings)
    found = analysis.verdict(result) or _one_by_one(result, analysis.figures)
    return ModelVerdict(name, found.tone, found.headline, (*doubts, *found.said))


def _one_by_one(result: ResultBase, figures: Mapping[str, str]) -> Verdict:
    values = [
        f"{name} is {figure_text(result, field)}."
        for field, name in figures.items()
        if getattr(result, field, None) is not None
    ]
    undefined = result.uncertainty.undefined
    why = [f"What other texts would give is not known: {undefined}."] if undefined else []
    return Verdict("cannot tell", values[0] if values else "See the tables below.", (*values[1:], *why))
