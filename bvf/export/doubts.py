"""Texts on what makes exported figures doubtful: the warnings of results and controls, without folders."""

from collections.abc import Iterable, Sequence

from bvf.analyses.risk.result import of_risk
from bvf.export.names import without_folder, without_folders
from bvf.results.result import ResultBase


def in_a_cell(warnings: Iterable[str]) -> str:
    """Return warnings as the text of one cell; empty if there are none."""
    return "; ".join(map(without_folders, warnings))


def warning_sentences(results: Sequence[ResultBase]) -> list[str]:
    """Return a sentence per warning of each result, with its model."""
    return [_sentence(result.model, warning) for result in results for warning in result.warnings]


def control_sentences(results: Sequence[ResultBase]) -> list[str]:
    """Return a sentence per warning of each control, with the model and the topic of the control."""
    return [
        _sentence(study.model, f"control {control.topic}: {warning}")
        for study in of_risk(results)
        for control in study.controls
        for warning in control.warnings
    ]


def _sentence(model: str, warning: str) -> str:
    return f"Warning, {without_folder(model)}: {without_folders(warning)}."
