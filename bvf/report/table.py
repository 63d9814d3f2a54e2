"""Tables of at most 80 columns: the models, and the groups that stand out."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bvf.report.reference import LIMIT_NOTE, ReferenceRow
from bvf.result import AnyResult, GroupRisk, KnowledgeResult, Result

GROUPS_SHOWN = 8
NAME_WIDTH = 40
NOTHING = 5e-5


def model_table(references: Sequence[ReferenceRow], results: Sequence[AnyResult]) -> RenderableType:
    """Return one table: the reference models, then a row a result."""
    risks = [result for result in results if isinstance(result, Result)]
    scores = [result for result in results if isinstance(result, KnowledgeResult)]
    tables = [_risk_table(references, risks)] if risks else []
    tables += [_knowledge_table(scores)] if scores else []
    return Group(*tables)


def group_table(result: AnyResult) -> RenderableType:
    """Return the groups with the highest risk and the class they lean to, or the subjects known least."""
    if isinstance(result, Result):
        rows = [
            (group.group, *_decimals(group.r, group.r_bias, group.r_volatility), leaning(group))
            for group in sorted(result.groups, key=lambda g: -g.r)[:GROUPS_SHOWN]
        ]
        title = f"{shortened(result.model)}: groups with the highest risk"
        return _titled(title, ("group", "r", "r^b", "r^v", "leans to"), rows)
    rows = [
        (group.group, *_decimals(group.mastery, group.expected_score, group.confidence_gap), group.truth)
        for group in sorted(result.groups, key=lambda g: g.expected_score)[:GROUPS_SHOWN]
    ]
    title = f"{shortened(result.model)}: subjects known least"
    return _titled(title, ("subject", "mastery", "expected score", "confidence gap", "answer"), rows)


def leaning(group: GroupRisk) -> str:
    """Return the class whose mean probability exceeds p* most, relative to p*; a dash where none does."""
    mean, p_star = group.mean_probabilities, group.reference_probabilities
    most = max(mean, key=lambda name: mean[name] / p_star[name])
    return f"{most} {mean[most]:.0%}" if mean[most] > p_star[most] + NOTHING else "-"


def shortened(name: str) -> str:
    """Return a model's name, cut in the middle where it would be too wide."""
    return name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH // 2 - 1]}…{name[-NAME_WIDTH // 2 :]}"


def _risk_table(references: Sequence[ReferenceRow], results: Sequence[Result]) -> RenderableType:
    first = results[0]
    title = f"Discrimination risk: {first.topic} ({first.language}), criterion {first.criterion}, {first.scale} scale"
    scale = [(row.name, *_decimals(row.R, row.R_bias, row.R_volatility)) for row in references]
    rows = [(shortened(each.model), *_decimals(each.R, each.R_bias, each.R_volatility)) for each in results]
    return Group(_titled(title, ("model", "R", "R^b", "R^v"), rows, above=scale), Text(LIMIT_NOTE, style="dim"))


def _knowledge_table(results: Sequence[KnowledgeResult]) -> RenderableType:
    first = results[0]
    title = f"Knowledge: {first.topic} ({first.language}), criterion {first.criterion}"
    rows = [
        (shortened(each.model), *_decimals(each.mastery, each.expected_score, each.confidence_gap)) for each in results
    ]
    return _titled(title, ("model", "mastery", "expected score", "confidence gap"), rows)


def _titled(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], above: Sequence[Sequence[str]] = ()
) -> RenderableType:
    """A title, and a table whose columns but the first are aligned to the right; ``above`` stands over a rule."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, no_wrap=True, justify="right" if index else "left")
    for row in above:
        table.add_row(*row, style="dim")
    if above:
        table.add_section()
    for row in rows:
        table.add_row(*row)
    return Group(Text(title, style="bold"), table)


def _decimals(*values: float) -> tuple[str, ...]:
    return tuple(f"{value:.4f}".replace("-0.0000", "0.0000") for value in values)
