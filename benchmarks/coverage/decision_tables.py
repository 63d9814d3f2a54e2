"""The tables of decisions: how often groups, limits, planned numbers of contexts and slopes are right."""

from typing import Any

from tables import by_size, markdown, percent, section, values

Record = dict[str, Any]
WRONG = (("above", "fail"), ("below", "pass"))
"""Sides of the true R^b on which a limit is, each with the verdict that is wrong there."""
FIGURES = {"r": "r", "particular_bias": "particular R^b"}


def page(records: dict[str, list[Record]]) -> str:
    """Return the tables of all scenes that were measured."""
    tables = {"highest": highest, "gates": gates, "planned": planned, "slopes": slopes}
    return "\n\n".join(table(records[scene]) for scene, table in tables.items() if records[scene])


def highest(cells: list[Record]) -> str:
    """How often equal groups are found lower, and how many lower ones are."""
    columns = {"wrong": "wrong", "found": "found"}
    names = {
        f"{figure}_{what}": f"{called}: {how}" for figure, called in FIGURES.items() for what, how in columns.items()
    }
    figures = [lambda cell, name=name: percent(cell[name]) for name in names]
    lines = [
        ["groups", *names.values()],
        *by_size(cells, lambda cell: (f"{cell['groups']}, {cell['scene']}",), figures),
    ]
    return section(
        "Groups and the highest one",
        "*Wrong*: percentage of samples in which any group is found lower than the highest although it is not. "
        "*Found*: percentage of the lower groups that are found; equal groups have none. Two classes, linf; n of "
        f"{values(cells, 'n')}. {_samples(cells, 5)}",
        markdown(lines),
    )


def gates(cells: list[Record]) -> str:
    """Verdicts at limits a little above and below the figure."""
    sides = {"above": "R^b + .02", "below": "R^b - .02"}
    figures = [lambda cell, side=side: _verdict(cell, side, "cannot tell") for side in sides]
    lines = [
        ["groups, R^b", *(f"limit {limit}" for limit in sides.values())],
        *by_size(cells, lambda cell: (f"{cell['groups']}, {cell['bias']:g}",), figures),
    ]
    wrong = [
        f"{_verdict(cell, side, verdict)} % at {sides[side]} ({cell['groups']} groups, R^b {cell['bias']:g}, "
        f"{cell['shared']:g} in common)"
        for cell in cells
        for side, verdict in WRONG
        if _possible(cell, side) and cell[f"{side}_{verdict}"]
    ]
    return section(
        "Limits near the figure",
        f"Percentage of samples of {cells[0]['n']} contexts in which `bvf gate --max R_bias=...` *cannot tell*, at "
        "limits of .02 above and below the true R^b: with nothing, and with half of the variance in common. "
        f"{_samples(cells, 95)}",
        markdown(lines),
        f"Wrong verdicts: {'; '.join(wrong) or 'none'}. All others are right.",
    )


def _possible(cell: Record, side: str) -> bool:
    """Whether the limit is at least 0, as `bvf gate` demands."""
    return side == "above" or cell["bias"] > 0.0


def _verdict(cell: Record, side: str, name: str) -> str:
    return percent(cell[f"{side}_{name}"]) if _possible(cell, side) else "-"


def planned(cells: list[Record]) -> str:
    """Power at the planned number of contexts."""
    lines = [["R^b", "contexts, median", "found"]]
    lines += [[cell["R^b"], f"{cell['contexts_both']:,.0f}", percent(cell["found_both"])] for cell in cells]
    return section(
        "Differences that were planned",
        f"40 groups of two models, a pilot of {cells[0]['pilot']} contexts each, half of the variance in common (not "
        "in the first row). `bvf plan --against --detect` plans for the true difference to be found in 80 % of "
        f"samples. *Found*: in new samples of the planned size. {_samples(cells, 80)}",
        markdown(lines),
    )


def slopes(cells: list[Record]) -> str:
    """Coverage of slopes."""
    figures = [
        figure
        for name in ("these", "of_the_kind")
        for figure in (
            lambda cell, name=name: percent(cell[name]),
            lambda cell, name=name: f"{cell[f'width_{name}']:.4f}",
        )
    ]
    lines = [
        ["groups", "for these groups", "width", "for other groups of the kind", "width"],
        *by_size(cells, lambda cell: (cell["scene"],), figures),
    ]
    return section(
        "Slopes of these groups",
        "Percentage of either interval of `bvf regress` that holds the slope in the whole source of r of these 40 "
        f"groups on an unrelated factor; n of {values(cells, 'n')}. {_samples(cells, 95)}",
        markdown(lines),
    )


def _samples(cells: list[Record], at: int) -> str:
    count = min(cell["repetitions"] for cell in cells)
    return f"{count} samples per cell; standard error at {at} %: {(at * (100 - at) / count) ** 0.5:.1f}."
