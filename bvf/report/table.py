"""What ``bvf run``, ``analyse`` and ``show`` print: warnings, the models, then the groups of each."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from bvf.analysing.formatting import shortened
from bvf.analysing.interval_rows import interval_section, sensitivity
from bvf.analysing.result import ResultBase
from bvf.analysing.trust import small_share
from bvf.interfaces.analysis import Analysis, View
from bvf.report.layout import drawn


def printed(results: Sequence[ResultBase], analysis: Analysis[Any], view: View) -> RenderableType:
    """Return everything that is said of results.

    Args:
        results: Of one topic and criterion.
        analysis: That they come from.
        view: How groups are shown.
    """
    together, *of_each = analysis.rows(results, view)
    parts = [drawn(together)]
    for result, section in zip(results, of_each, strict=True):
        sure = interval_section(result, analysis.figures)
        parts += [Text(), *([drawn(sure), Text()] if sure else []), drawn(section)]
        parts.append(Text("\n".join(_basis(result, sensitivity(result, analysis.figures)))))
    return Group(*(_warning(each) for each in results if each.warnings), *parts)


def _warning(result: ResultBase) -> RenderableType:
    said = "\n".join(f"WARNING: {shortened(result.model)}: {sentence}" for sentence in result.warnings)
    return Text(f"{said}\n", style="bold red")


def _basis(result: ResultBase, sensitivity: list[str]) -> list[str]:
    """What the figures rest on, and what hangs on the choice of contexts."""
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
