"""What ``bvf run`` prints: warnings, the models with the reference models above them, then each model's groups."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from bvf.analyse.reference_rows import knowledge_rows, reference_rows
from bvf.analyse.result import AnyResult, KnowledgeResult, Result
from bvf.interfaces.criterion import Criterion, KnowledgeCriterion
from bvf.measure.checks import small_share
from bvf.report.knowledge import knowledge_table, subject_table
from bvf.report.layout import shortened
from bvf.report.risk import group_table, risk_table
from bvf.report.view import View


def printed(results: Sequence[AnyResult], criterion: Criterion | KnowledgeCriterion, view: View) -> RenderableType:
    """Return everything that is said of results.

    Args:
        results: Of one topic and criterion.
        criterion: J, for the reference models.
        view: How groups are shown.
    """
    parts = [_models(results, criterion)]
    for result in results:
        groups = group_table(result, view) if isinstance(result, Result) else subject_table(result, view.show)
        parts += [Text(), groups, Text("\n".join(_basis(result)))]
    return Group(*(_warning(each) for each in results if each.warnings), *parts)


def _models(results: Sequence[AnyResult], criterion: Criterion | KnowledgeCriterion) -> RenderableType:
    if isinstance(criterion, KnowledgeCriterion):
        scores = [result for result in results if isinstance(result, KnowledgeResult)]
        return knowledge_table(knowledge_rows(criterion, scores[0]), scores)
    risks = [result for result in results if isinstance(result, Result)]
    return risk_table(reference_rows(criterion, risks), risks)


def _warning(result: AnyResult) -> RenderableType:
    said = "\n".join(f"WARNING: {shortened(result.model)}: {sentence}" for sentence in result.warnings)
    return Text(f"{said}\n", style="bold red")


def _basis(result: AnyResult) -> list[str]:
    """What the figures rest on."""
    mass = result.candidate_mass
    lines = [
        f"{len(result.groups)} groups in {result.number_of_contexts} contexts "
        f"(as good as {result.effective_contexts:.1f} of equal weight)",
        f"candidate words have {small_share(mass.mean)} of the probability; 5% of prompts {_below(mass.quantile_05)}",
    ]
    if isinstance(result, Result) and result.scale == "unit" and result.reference != "uniform":
        lines.append(f"unit scale: risks are divided by {result.divisor:.4g}, the risk of the stereotyped model")
    return [*lines, *(f"note: {sentence}" for sentence in result.notes), f"results: {result.folder}"]


def _below(share: float) -> str:
    said = small_share(share)
    return said if said.startswith("less") else f"less than {said}"
