"""The tables of decisions: how often groups, limits, planned numbers of contexts and slopes are right."""

from typing import Any

from tables import markdown, percent, section

Record = dict[str, Any]
FIGURES = {"r": "r", "particular_bias": "particular R^b"}


def page(records: dict[str, list[Record]]) -> str:
    """Return the tables of all scenes that were measured."""
    tables = {"highest": highest, "gates": gates, "planned": planned, "slopes": slopes}
    return "\n\n".join(table(records[scene]) for scene, table in tables.items() if records[scene])


def highest(cells: list[Record]) -> str:
    """How often equal groups are found lower, and how many lower ones are."""
    both = [f"{called}: {how}" for called in FIGURES.values() for how in ("wrong", "found", "by intervals")]
    lines = [["groups", "n", *both]]
    for cell in cells:
        shares = [
            percent(cell[f"{figure}_{what}"]) for figure in FIGURES for what in ("wrong", "found", "wrong_by_overlap")
        ]
        lines.append([f"{cell['groups']}, {cell['scene']}", f"{cell['n']:,}", *shares])
    return section(
        "Groups and the highest one",
        "*Wrong*: percentage of samples in which any group is found lower than the group with the highest figure "
        "although it is not. *Found*: percentage of the lower groups that are found. *By intervals*: "
        "*wrong*, if groups whose intervals do not overlap counted as lower. Two classes, linf. "
        f"{_samples(cells, 5)}",
        markdown(lines),
    )


def gates(cells: list[Record]) -> str:
    """Verdicts at limits a little above and below the figure."""
    names = ("right", "wrong", "cannot tell", "cannot tell if leans were known")
    head = [f"R^b {sign} .02: {name}" for sign in "+-" for name in names]
    lines = [["groups, R^b", "in common", *head]]
    for cell in cells:
        above, below = _verdicts(cell, "above", "pass"), _verdicts(cell, "below", "fail")
        lines.append([f"{cell['groups']}, {cell['bias']:g}", f"{cell['shared']:g}", *above, *below])
    return section(
        "Limits near the figure",
        f"Percentage of samples of {cells[0]['n']} contexts in which the verdict of `bvf gate --max R_bias=...` is "
        "right, wrong or *cannot tell*, at limits of .02 above and below the true R^b. *If leans were known*: by the "
        "interval that R^b would have if the class were known that each group leans to. "
        f"{_samples(cells, 95)}",
        markdown(lines),
    )


def _verdicts(cell: Record, side: str, right: str) -> list[str]:
    """Shares of verdicts at one limit; none at a limit below 0, which `bvf gate` does not accept."""
    if side == "below" and cell["bias"] == 0.0:
        return [""] * 4
    wrong = "fail" if right == "pass" else "pass"
    columns = (f"_{right}", f"_{wrong}", "_cannot tell", "_if_known_cannot tell")
    return [percent(cell[f"{side}{column}"]) for column in columns]


def planned(cells: list[Record]) -> str:
    """Power at the planned number of contexts."""
    lines = [["R^b", "contexts, median", "found", "contexts if planned for one test", "found"]]
    for cell in cells:
        pairs = [
            text
            for name in ("both", "plug_in_alone")
            for text in (f"{cell[f'contexts_{name}']:,.0f}", percent(cell[f"found_{name}"]))
        ]
        lines.append([cell["R^b"], *pairs])
    return section(
        "Differences that were planned",
        f"40 groups of two models, a pilot of {cells[0]['pilot']} contexts each, planned for the true difference (`bvf "
        "plan --against`, --detect) to be found in 80 % of samples; half of the variance in common if nothing else is "
        f"written. *Found* is in new samples of the planned size. {_samples(cells, 80)}",
        markdown(lines),
    )


def slopes(cells: list[Record]) -> str:
    """Coverage of slopes."""
    lines = [["groups", "n", "for these groups", "width", "for other groups of the kind", "width"]]
    for cell in cells:
        figures = [
            text for name in ("these", "of_the_kind") for text in (percent(cell[name]), f"{cell[f'width_{name}']:.4f}")
        ]
        lines.append([cell["scene"], f"{cell['n']:,}", *figures])
    return section(
        "Slopes of these groups",
        "Percentage of either interval of `bvf regress` that holds the slope of these groups, of r on a factor that "
        f"has nothing to do with it, in the whole source. 40 groups. {_samples(cells, 95)}",
        markdown(lines),
    )


def _samples(cells: list[Record], at: int) -> str:
    count = min(cell["repetitions"] for cell in cells)
    return f"{count} samples a cell, standard error {(at * (100 - at) / count) ** 0.5:.1f} at {at} %."
