"""Texts on why exported figures are doubtful: the warnings of results and controls, without folder names."""

from collections.abc import Iterable, Sequence

from bvf import ResultBase
from bvf.results import names_of, of_risk
from bvf_report.export.names import without_folders


def in_a_cell(warnings: Iterable[str]) -> str:
    """Return warnings as the text of one cell; empty if there are none."""
    return "; ".join(map(without_folders, warnings))


def warning_sentences(results: Sequence[ResultBase]) -> list[str]:
    """Return a sentence per warning of each result, including the model's name."""
    named = zip(names_of(results), results, strict=True)
    return [_sentence(name, warning) for name, result in named for warning in result.warnings]


def control_sentences(results: Sequence[ResultBase]) -> list[str]:
    """Return a sentence per warning of each control, including the names of model and control topic."""
    studies = of_risk(results)
    return [
        _sentence(name, f"control {control.topic}: {warning}")
        for name, study in zip(names_of(studies), studies, strict=True)
        for control in study.controls
        for warning in control.warnings
    ]


def _sentence(name: str, warning: str) -> str:
    return f"Warning, {without_folders(name)}: {without_folders(warning)}."
