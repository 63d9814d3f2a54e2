"""Tables of at most 80 columns: the models, and the groups that stand out."""

from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.cells import cell_len, chop_cells
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bvf.report.reference import LIMIT_NOTE, ReferenceRow
from bvf.result import AnyResult, GroupKnowledge, GroupRisk, KnowledgeResult, Result

GROUPS_SHOWN = 8
WIDTH, EDGES, BETWEEN = 80, 2, 3
NAME_WIDTH = 40
LEAST_ROOM = 8
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
        risks = sorted(result.groups, key=lambda g: -g.r)[:GROUPS_SHOWN]
        rows = [(*_decimals(group.r, group.r_bias, group.r_volatility), leaning(group)) for group in risks]
        title = f"{shortened(result.model)}: groups with the highest risk"
        return _glossed(title, ("group", "r", "r^b", "r^v", "leans to"), risks, rows)
    scores = sorted(result.groups, key=lambda g: g.expected_score)[:GROUPS_SHOWN]
    rows = [(*_decimals(group.mastery, group.expected_score, group.confidence_gap), group.truth) for group in scores]
    title = f"{shortened(result.model)}: subjects known least"
    return _glossed(title, ("subject", "mastery", "expected score", "confidence gap", "answer"), scores, rows)


def leaning(group: GroupRisk) -> str:
    """Return the class whose mean probability exceeds p* most, relative to p*; a dash where none does."""
    mean, p_star = group.mean_probabilities, group.reference_probabilities
    most = max(mean, key=lambda name: mean[name] / p_star[name])
    return f"{most} {mean[most]:.0%}" if mean[most] > p_star[most] + NOTHING else "-"


def shortened(name: str) -> str:
    """Return a model's name, cut in the middle where it would be wider than 40 columns.

    >>> shortened("someone/a-model-with-a-name-that-is-far-too-long")
    'someone/a-model-wit…that-is-far-too-long'
    """
    half = NAME_WIDTH // 2
    if cell_len(name) <= NAME_WIDTH:
        return name
    return f"{chop_cells(name, half - 1)[0]}…{chop_cells(name[::-1], half)[0][::-1]}"


def _risk_table(references: Sequence[ReferenceRow], results: Sequence[Result]) -> RenderableType:
    first = results[0]
    title = f"Discrimination risk: {first.topic} ({first.language}), criterion {first.criterion}, {first.scale} scale"
    names, blank = _names(results)
    scale = [(row.name, *blank, *_decimals(row.R, row.R_bias, row.R_volatility)) for row in references]
    rows = [(*_name(each, names), *_decimals(each.R, each.R_bias, each.R_volatility)) for each in results]
    table = _titled(title, (*names, "R", "R^b", "R^v"), rows, above=scale, names=len(names))
    return Group(table, Text(LIMIT_NOTE, style="dim"))


def _knowledge_table(results: Sequence[KnowledgeResult]) -> RenderableType:
    first = results[0]
    title = f"Knowledge: {first.topic} ({first.language}), criterion {first.criterion}"
    names, _ = _names(results)
    rows = [
        (
            *_name(each, names),
            *_decimals(each.mastery, each.expected_score, each.confidence_gap),
            f"{each.accuracy:.1%}",
            "-" if each.consistency is None else f"{each.consistency:.1%}",
        )
        for each in results
    ]
    columns = (*names, "mastery", "expected", "gap", "accuracy", "consistency")
    return _titled(title, columns, rows, names=len(names))


def _names(results: Sequence[AnyResult]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns that name a row, and what is blank in them for a reference model: contexts, if there are several."""
    several = len({result.contexts for result in results}) > 1
    return (("model", "contexts"), ("",)) if several else (("model",), ())


def _name(result: AnyResult, names: tuple[str, ...]) -> tuple[str, ...]:
    return (shortened(result.model), shortened(Path(result.contexts).stem))[: len(names)]


def _glossed(
    title: str, columns: Sequence[str], groups: Sequence[GroupRisk | GroupKnowledge], rows: Sequence[Sequence[str]]
) -> RenderableType:
    """A row a group under its name, and beside it what that means in English where the topic says so."""
    if not any(group.gloss for group in groups):
        return _titled(title, columns, [(group.group, *row) for group, row in zip(groups, rows, strict=True)])
    glossed = [(group.group, group.gloss, *row) for group, row in zip(groups, rows, strict=True)]
    return _titled(title, (columns[0], "meaning", *columns[1:]), glossed, names=2)


def _titled(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    above: Sequence[Sequence[str]] = (),
    names: int = 1,
) -> RenderableType:
    """A title, and a table whose columns but the first ``names`` are aligned to the right; ``above`` is over a rule."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, room in zip(columns, _rooms_for_names([columns, *above, *rows], names), strict=False):
        table.add_column(column, no_wrap=True, max_width=room)
    for column in columns[names:]:
        table.add_column(column, no_wrap=True, justify="right")
    for row in above:
        table.add_row(*row, style="dim")
    if above:
        table.add_section()
    for row in rows:
        table.add_row(*row)
    return Group(Text(title, style="bold"), table)


def _rooms_for_names(rows: Sequence[Sequence[str]], names: int) -> list[int]:
    """How wide the first ``names`` columns may be if the others are to be seen whole: what is left, in equal parts."""
    wanted = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    left = WIDTH - EDGES - BETWEEN * (len(wanted) - 1) - sum(wanted[names:])
    unused = [left - sum(wanted[:names]) + own for own in wanted[:names]]
    return [max(LEAST_ROOM, left // names, room) for room in unused]


def _decimals(*values: float) -> tuple[str, ...]:
    return tuple(f"{value:.4f}".replace("-0.0000", "0.0000") for value in values)
