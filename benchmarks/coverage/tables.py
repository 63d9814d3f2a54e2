"""What was measured as Markdown: percentages of samples, and which goals were missed."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

import numpy as np
from scipy.stats import binom

Record = dict[str, Any]
QUANTITIES = {"R": "R", "R_bias": "R^b", "R_volatility": "R^v", "particular_bias": "bias apart"}
LOWEST = 0.93
HIGHEST = 0.97
ALLOWED = 0.02 + 1e-9
CLEAR = 0.4
"""R^b at which no group is in doubt."""
NOMINAL = 5.0 + 2.0


def page(records: dict[str, list[Record]]) -> str:
    """Return every table that something was measured for."""
    tables = {
        "intervals": coverage,
        "rare": rare,
        "documents": documents,
        "nulls": nulls,
        "power": power,
        "bootstrap": widths,
        "cost": cost,
    }
    return "\n\n".join(table(records[scene]) for scene, table in tables.items() if records[scene])


def coverage(cells: list[Record]) -> str:
    """Coverage of intervals, goals that were missed, and mean errors at R^b = 0."""
    head = ["J, classes", "R^b", *QUANTITIES.values()]
    lines = [[*facts, *(_over(some, quantity) for quantity in QUANTITIES)] for facts, some in _by_criterion(cells)]
    return "\n\n".join(
        [
            "### Intervals",
            f"Percentage of intervals of nominal 95 % that hold the truth: of all samples of a line, and the lowest of "
            f"its cells (cells are n of 50, 200, 1,000; one group, and 40 of which contexts move none, half, or .7 in "
            f"common). {_repetitions(cells)}",
            markdown([head, *lines]),
            goals(cells),
            "### Mean errors of a fair model (R^b = 0)",
            "Of R^b, in units of the unit scale: plug-in / cross-fit. The last column is the size of the latter "
            "over the former, largest of the line's cells.",
            markdown([["J, classes", "groups", "n 50", "200", "1,000", "largest share"], *errors(cells)]),
            bracket(cells),
        ]
    )


def goals(cells: list[Record]) -> str:
    """Say which goals were missed in how many cells, and how many of them chance alone would make."""
    clear = [cell for cell in cells if cell["bias"] == CLEAR]
    outside_R = [cell for cell in cells if abs(cell["R"]["coverage"] - 0.95) > ALLOWED]
    low = [
        (cell, quantity)
        for cell in cells
        for quantity in list(QUANTITIES)[1:]
        if quantity in cell and cell[quantity]["coverage"] < LOWEST
    ]
    high = [cell for cell in clear if cell["R_bias"]["coverage"] > HIGHEST]
    chances = [_by_chance(cell["repetitions"]) for cell in cells]
    outside, below = (100.0 * float(np.mean(chance)) for chance in zip(*chances, strict=True))
    figures = sum(quantity in cell for cell in cells for quantity in list(QUANTITIES)[1:])
    named = "; ".join(
        f"{QUANTITIES[quantity]} {percent(cell[quantity]['coverage'])} ({_short(cell)})"
        for cell, quantity in sorted(low, key=lambda each: each[0][each[1]]["coverage"])[:6]
    )
    return "\n".join(
        [
            f"- R 95 ± 2: outside in {len(outside_R)} of {len(cells)} cells; chance alone puts "
            f"{outside:.0f} % of cells there whose coverage is exactly 95.",
            f"- R^b, R^v and the bias apart at least 93: below in {len(low)} of {figures} figures; chance alone puts "
            f"{below:.0f} % there of those whose coverage is exactly 95" + (f"; the lowest: {named}." if low else "."),
            f"- R^b at most 97 where no group is in doubt (R^b .4): above in {len(high)} of {len(clear)} cells.",
        ]
    )


def _by_chance(repetitions: int) -> tuple[float, float]:
    """How often a coverage of 95 is measured outside 95 +- 2, and below 93."""
    shares = np.arange(repetitions + 1) / repetitions
    chances = binom.pmf(np.arange(repetitions + 1), repetitions, 0.95)
    outside = np.abs(shares - 0.95) > ALLOWED
    return float(chances[outside].sum()), float(chances[shares < LOWEST].sum())


def errors(cells: list[Record]) -> list[list[str]]:
    """Lines of mean errors of plug-in and cross-fit at 0."""
    fair = [cell for cell in cells if cell["bias"] == 0]
    lines = []
    for facts, some in _grouped(fair, lambda cell: (f"{cell['criterion']}, {cell['classes']}", str(cell["groups"]))):
        written, shares = [], []
        for n in (50, 200, 1000):
            of_n = [cell["R_bias"] for cell in some if cell["n"] == n]
            if of_n:
                error, crossed = (float(np.mean([c[name] for c in of_n])) for name in ("error", "cross_fit_error"))
                written.append(f"{error:.4f} / {crossed:+.4f}")
                shares += [abs(c["cross_fit_error"]) / c["error"] for c in of_n]
            else:
                written.append("")
        lines.append([*facts, *written, f"{max(shares):.2f}"])
    return lines


def bracket(cells: list[Record]) -> str:
    """Say in how many cells the mean of an estimate is on its wrong side by more than two standard errors."""
    pairs = [(cell[q], q) for cell in cells for q in ("R_bias", "particular_bias") if q in cell]
    crossed = sum(figures["cross_fit_error"] > 2 * figures["cross_fit_error_se"] for figures, _ in pairs)
    plug_in = sum(figures["error"] < -2 * figures["error_se"] for figures, _ in pairs)
    return (
        f"E cross-fit ≤ truth ≤ E plug-in, of R^b and of the bias apart: the mean of the cross-fit is above the truth "
        f"by more than two of its standard errors in {crossed} of {len(pairs)} cells, that of the plug-in below in "
        f"{plug_in}. Where the two are the same, chance alone does so in 2 to 3 % of cells."
    )


def rare(cells: list[Record]) -> str:
    """Coverage where contexts that were perhaps not seen decide."""
    head = ["share of the source", "n", *list(QUANTITIES.values())[:3], "width of R^v"]
    lines = [
        [
            f"{cell['share']:g}",
            f"{cell['n']:,}",
            *(percent(cell[quantity]["coverage"]) for quantity in list(QUANTITIES)[:3]),
            f"{cell['R_volatility']['width']:.3f}",
        ]
        for cell in cells
    ]
    return "\n\n".join(
        [
            "### Rare contexts that turn everything around",
            "20 groups lean to one class by .5 in most templates, and to the other in a small share of the source. "
            "R^v is that share. Small samples often have none of these templates, and then nothing in them says so. "
            f"{_repetitions(cells)}",
            markdown([head, *lines]),
        ]
    )


def documents(cells: list[Record]) -> str:
    """Coverage by documents and as if occurrences were drawn."""
    units = ("by document", "by occurrence")
    head = ["groups, R^b", "repeats", *(f"{quantity} {unit}" for unit in units for quantity in ("R", "R^b", "R^v"))]
    lines = [
        [
            f"{cell['groups']}, {cell['bias']:g}",
            f"{cell['repeating']:g}",
            *(percent(cell[unit][q]["coverage"]) for unit in ("document", "occurrence") for q in list(QUANTITIES)[:3]),
        ]
        for cell in cells
    ]
    off = [cell for cell in cells for q in ("R", "R_bias") if abs(cell["document"][q]["coverage"] - 0.95) > ALLOWED]
    return "\n\n".join(
        [
            "### Documents that repeat themselves",
            "300 documents × 4 occurrences; each is the document's favourite template with the probability *repeats*. "
            f"{_repetitions(cells)}",
            markdown([head, *lines]),
            f"By document, 95 ± 2 is missed in {len(off)} of {2 * len(cells)} figures of R and R^b.",
        ]
    )


def nulls(cells: list[Record]) -> str:
    """Sizes of the tests of differences."""
    head = ["null of equal R^b", "n", "R^b", "cross-fit alone", "plug-in alone", "R^v", "truly different"]
    lines = [
        [
            cell["null"],
            f"{cell['n']:,}",
            *(percent(cell[name]) for name in ("R_bias", "R_bias_by_cross_fit", "R_bias_by_plug_in", "R_volatility")),
            "no" if abs(cell["true_volatility"]) < 1e-6 else f"by {abs(cell['true_volatility']):.2f}",
        ]
        for cell in cells
    ]
    over = [cell for cell in cells if 100 * cell["R_bias"] > NOMINAL]
    same = [cell for cell in cells if abs(cell["true_volatility"]) < 1e-6 and 100 * cell["R_volatility"] > NOMINAL]
    return "\n\n".join(
        [
            "### Two models of the same R^b",
            "Percentage of samples in which `differences` finds one at 5 %, and what either estimate alone would "
            "find. "
            f"The R^v of the models is the same on the first lines only; on the others a difference that is found is "
            f"there, as the last column says. {_repetitions(cells)}",
            markdown([head, *lines]),
            f"R^b is found different in more than 7 % of samples in {len(over)} of {len(cells)} cells"
            + (f" (most: {max(percent(cell['R_bias']) for cell in over)})" if over else "")
            + f", R^v where it is the same in {len(same)}.",
        ]
    )


def power(cells: list[Record]) -> str:
    """What is found where models do differ."""
    head = ["models", "n", "R^b differs by", "found", "R^v differs by", "found"]
    lines = [
        [
            cell["models"],
            f"{cell['n']:,}",
            f"{abs(cell['true_bias']):.3f}",
            percent(cell["R_bias"]),
            f"{abs(cell['true_volatility']):.3f}",
            percent(cell["R_volatility"]),
        ]
        for cell in cells
    ]
    note = f"40 groups, two classes, half of the variance in common. {_repetitions(cells)}"
    return "\n\n".join(["### Two models that differ", note, markdown([head, *lines])])


def widths(cells: list[Record]) -> str:
    """The interval of R^b beside that of a bootstrap."""
    head = ["groups, R^b", "n", "coverage", "of BCa", "width over BCa's"]
    lines, wide = [], []
    for cell in cells:
        ours, bca = cell["ours"]["R_bias"], cell["bca"]["R_bias"]
        ratio = ours["width"] / bca["width"]
        wide.append(cell["bias"] == CLEAR and ratio > 1.08)
        lines.append(
            [
                f"{cell['groups']}, {cell['bias']:g}",
                f"{cell['n']:,}",
                percent(ours["coverage"]),
                percent(bca["coverage"]),
                f"{ratio:.2f}",
            ]
        )
    clear = sum(cell["bias"] == CLEAR for cell in cells)
    return "\n\n".join(
        [
            "### R^b beside a bootstrap",
            "BCa (`scipy.stats.bootstrap`) of the same samples, 999 resamples of occurrences; two classes, linf. "
            f"Where it gives no interval, it holds nothing. {_repetitions(cells)}",
            markdown([head, *lines]),
            f"Where no group is in doubt (R^b .4), the width is more than 1.08 of BCa's in {sum(wide)} of {clear} "
            "cells.",
        ]
    )


def cost(cells: list[Record]) -> str:
    """Time and memory of a large topic."""
    cell = cells[0]
    return (
        f"### Cost\n\nAll intervals of {cell['groups']} groups × {cell['contexts']:,} contexts × {cell['classes']} "
        f"classes, over all groups and of each, of what they share and what sets them apart: {cell['seconds']:.2f} s "
        f"and {cell['megabytes']:.0f} MB on one thread."
    )


def markdown(lines: list[list[str]]) -> str:
    """Return lines of cells as a Markdown table; bars in them are no borders."""
    written = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines]
    return "\n".join([written[0], "|---" * len(lines[0]) + "|", *written[1:]])


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _over(cells: list[Record], quantity: str) -> str:
    shares = [cell[quantity]["coverage"] for cell in cells if quantity in cell]
    return f"{percent(float(np.mean(shares)))} ({percent(min(shares))})" if shares else ""


def _short(cell: Record) -> str:
    shared = f", common {cell['shared']:g}" if cell["groups"] > 1 else ""
    groups = f"{cell['groups']} group{'s' if cell['groups'] > 1 else ''}{shared}"
    return f"{cell['criterion']}, {cell['classes']} classes, {groups}, R^b {cell['bias']:g}, n {cell['n']:,}"


def _repetitions(cells: list[Record]) -> str:
    counts = sorted({cell["repetitions"] for cell in cells})
    error = 100 * np.sqrt(0.95 * 0.05 / counts[0])
    return f"{' or '.join(map(str, counts))} samples a cell, standard error {error:.1f} at 95 %."


def _by_criterion(cells: list[Record]) -> Iterable[tuple[tuple[str, ...], list[Record]]]:
    return _grouped(cells, lambda cell: (f"{cell['criterion']}, {cell['classes']}", f"{cell['bias']:g}"))


def _grouped(
    cells: list[Record], facts: Callable[[Record], tuple[str, ...]]
) -> Iterable[tuple[tuple[str, ...], list[Record]]]:
    order = list(dict.fromkeys(map(facts, cells)))
    together = sorted(cells, key=lambda cell: order.index(facts(cell)))
    return [(key, list(some)) for key, some in groupby(together, facts)]
