"""The table of groups: lean, risks with intervals, and distribution over contexts."""

from collections.abc import Sequence

from bvf import Section
from bvf.drawing import Value
from bvf.interfaces import Cell
from bvf.results import OF_A_CLASS, titles_of_classes
from bvf.study import RISK_OF_GROUP
from bvf.tables import NOTHING, OF_GROUPS_OF_RISK, between, decimals
from bvf_report.pictures.risk.distributions import Distributions
from bvf_report.pictures.risk.leanings import Leaning, Leanings


def group_table(leans: Leanings, spread: Distributions) -> Section:
    """Return the table of groups, one per row."""
    glossed = any(each.gloss for each in leans.groups)
    columns = ("group", *(("gloss",) if glossed else ()), "leans to", "on average", "p*")
    titles = titles_of_classes(leans.classes)
    divided = any(each.particular for each in leans.groups)
    figures = [each for each in OF_GROUPS_OF_RISK if (divided or each.field in RISK_OF_GROUP) and not each.of_some]
    ordered = sorted(figures, key=lambda each: each.field in RISK_OF_GROUP)
    rows = tuple(
        (
            each.group,
            *((each.gloss,) if glossed else ()),
            _leans_to(each, leans.classes),
            *_lean(each),
            *_of_classes(each, titles),
            *(_cell(value) for value in (each.particular, each.r, each.r_bias, each.r_volatility) if value),
            Cell(decimals(each.spread)[0], each.spread),
            Cell("", float(spread.means[x, each.leads]), spark=tuple(map(float, spread.shares[x, each.leads]))),
        )
        for x, each in enumerate(leans.groups)
    )
    notes = [
        "on average: mean probability of the class that the group leans to. p*: that of the reference. "
        f"{'; '.join(f'{each.symbol}: {each.in_legends}' for each in ordered)}. "
        "spread: standard deviation of that probability over contexts.",
        *([f"{titles[0]} to {titles[-1]}: {OF_A_CLASS}."] if titles else []),
        *(
            ["contexts: shares of contexts by that probability, from 0 on the left to 1 on the right."]
            if spread
            else []
        ),
        *([f"No intervals: {leans.undefined}."] if leans.undefined else []),
    ]
    return Section(
        title=f"{len(leans.groups)} groups of {leans.topic}",
        columns=(*columns, *titles, *(each.symbol for each in ordered), "spread", "contexts"),
        rows=rows,
        names=3 if glossed else 2,
        searched=True,
        notes=tuple(notes),
    )


def _leans_to(each: Leaning, classes: Sequence[str]) -> str:
    if abs(each.lean[each.leads].value) < NOTHING:
        return "neither" if len(classes) == 2 else "none"
    return f"{classes[each.leads]}, not always" if each.changes_sides else classes[each.leads]


def _lean(each: Leaning) -> tuple[Cell, Cell]:
    p_star = each.p_star[each.leads]
    mean = each.lean[each.leads].value + p_star
    return Cell(f"{mean:.0%}", mean), Cell(f"{p_star:.0%}", p_star)


def _of_classes(each: Leaning, titles: Sequence[str]) -> list[Cell]:
    """The cells of a group in the class columns ``titles``; empty if there are no such columns."""
    means = [lean.value + p_star for lean, p_star in zip(each.lean, each.p_star, strict=True)]
    return [Cell(f"{mean:.1%}", mean) for _, mean in zip(titles, means, strict=False)]


def _cell(value: Value) -> Cell:
    return Cell(decimals(value.value)[0], value.value, between(value.low, value.high, 3))
