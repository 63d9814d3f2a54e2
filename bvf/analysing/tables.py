"""Results as tables: warnings, the models with their intervals, then the groups of each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bvf.analysing.beside_rows import beside_section
from bvf.analysing.control_rows import control_sections
from bvf.analysing.interval_rows import sensitivity, what_of, with_intervals
from bvf.analysing.kept import analysis_of
from bvf.analysing.markup import html
from bvf.analysing.names import with_names_apart
from bvf.analysing.result import Result, ResultBase
from bvf.analysing.trust import small_share
from bvf.hooks.loader import load
from bvf.interfaces.analysis import Analysis, Section, View

if TYPE_CHECKING:
    import pandas as pd


def result_sections(results: Sequence[ResultBase], analysis: Analysis[Any], view: View) -> list[Section]:
    """Return a table of all results, one per result with controls, their groups side by side, then one per result.

    Args:
        results: Of one topic and criterion.
        analysis: That they come from.
        view: How groups are shown.
    """
    results = with_names_apart(results)
    together, *of_each = analysis.rows(results, view)
    warnings = [f"WARNING: {result.model}: {sentence}" for result in results for sentence in result.warnings]
    together = replace(together, warnings=warnings, notes=[*together.notes, *what_of(results)])
    rest_on = [
        replace(section, notes=[*section.notes, *_basis(result, sensitivity(result, analysis.figures))])
        for result, section in zip(results, of_each, strict=True)
    ]
    studies = [result for result in results if isinstance(result, Result) and result.controls]
    beside = [section for study in studies for section in control_sections(study)]
    groups = beside_section(results, view)
    return [with_intervals(together, results, analysis.figures), *beside, *([groups] if groups else []), *rest_on]


def notebook_html(results: Sequence[ResultBase], warnings: Sequence[str] = ()) -> str | None:
    """Return the tables of results as HTML; None where the analysis that they come from is not installed.

    Args:
        results: Of one topic and criterion; one at least.
        warnings: What is said above all tables.
    """
    plugins = load()
    if not any(entry.make().results is type(results[0]) for entry in plugins.analyses):
        return None
    first, *others = result_sections(results, analysis_of(results[0], plugins), View())
    return html([replace(first, warnings=[*warnings, *first.warnings]), *others])


def group_frame(results: Sequence[ResultBase]) -> "pd.DataFrame":
    """Return a row per result and group, with the model and the contexts left of the columns of `to_frame`."""
    import pandas as pd

    frames = []
    for result in with_names_apart(results):
        frame = result.to_frame()
        frame.insert(0, "model", result.model)
        frame.insert(1, "contexts", result.contexts)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def _basis(result: ResultBase, sensitivity: list[str]) -> list[str]:
    """What the figures rest on, and what depends on the choice of contexts."""
    mass = result.candidate_mass
    lines = [
        f"{len(result.groups)} groups in {result.number_of_contexts} contexts "
        f"(as good as {result.effective_contexts:.1f} of equal weight)",
        f"candidate words have {small_share(mass.mean)} of the probability; 5% of prompts {_below(mass.quantile_05)}",
    ]
    where = [f"results: {result.folder}"] if result.folder else []
    return [*lines, *sensitivity, *(f"note: {sentence}" for sentence in result.notes), *where]


def _below(share: float) -> str:
    said = small_share(share)
    return said if said.startswith("less") else f"less than {said}"
