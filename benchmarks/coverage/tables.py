"""The tables of the pages: percentages of samples, and which goals were missed."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from scipy.stats import binom

Record = dict[str, Any]
QUANTITIES = {"R": "R", "R_bias": "R^b", "R_volatility": "R^v", "particular_bias": "bias apart"}
RISKS = ("R", "R_bias", "R_volatility")
LOWEST = 0.93
HIGHEST = 0.97
ALLOWED = 0.02 + 1e-9
CLEAR = 0.4
"""R^b at which no group is in doubt."""
NOMINAL = 5.0 + 2.0


def page(records: dict[str, list[Record]], tables: dict[str, Callable[[list[Record]], str]]) -> str:
    """Return the tables of the scenes that were measured."""
    return "\n\n".join(table(records[scene]) for scene, table in tables.items() if records.get(scene))


def section(title: str, *parts: str) -> str:
    """Return a heading and what stands below it."""
    return "\n\n".join([f"## {title}", *parts])


def by_size(
    cells: list[Record], facts: Callable[[Record], tuple[str, ...]], figures: Sequence[Callable[[Record], str]]
) -> list[list[str]]:
    """Return a line per combination of facts, with each figure of all sizes in their order, or once if equal."""
    lines = []
    for key, some in grouped(cells, facts):
        of_sizes = [list(map(figure, some)) for figure in figures]
        lines.append([*key, *(", ".join(each if len(set(each)) > 1 else each[:1]) for each in of_sizes)])
    return lines


def held(*names: str) -> list[Callable[[Record], str]]:
    """Return the coverage of each of some figures, as `by_size` takes it."""
    return [lambda cell, name=name: percent(cell[name]["coverage"]) for name in names]


def coverage(cells: list[Record]) -> str:
    """Coverage of intervals, goals that were missed, and mean errors at R^b = 0."""
    lines = [
        [criterion, *(_over(some, quantity) for quantity in QUANTITIES)]
        for (criterion,), some in grouped(cells, lambda cell: (f"{cell['criterion']}, {cell['classes']}",))
    ]
    intervals = section(
        "Intervals",
        "Percentage of intervals of nominal 95 % that hold the truth, with R^b of "
        f"{values(cells, 'bias')}: of all samples, and in brackets the lowest of all cells of the line (cells are n of "
        "50, 200, 1,000; one group, and 40 of which contexts move none, half, or .7 in common). "
        f"{samples(cells)}",
        markdown([["J, classes", *QUANTITIES.values()], *lines]),
        goals(cells),
    )
    largest = max((_share_of_errors(cell) for cell in cells if cell["bias"] == 0), default=0.0)
    of_fair_model = section(
        "Mean errors of a fair model (R^b = 0)",
        "Of R^b by linf, in units of the unit scale: plug-in / cross-fit, and the largest share that the latter has of "
        f"the former ({largest:.2f} by any J). n is {values(cells, 'n')}.",
        markdown([["classes, groups", "mean errors", "largest share"], *errors(cells)]),
        bracket(cells),
    )
    return f"{intervals}\n\n{of_fair_model}"


def goals(cells: list[Record]) -> str:
    """Say which goals were missed in how many cells, and how many of them chance alone would make."""
    clear = [cell for cell in cells if cell["bias"] == CLEAR]
    outside_R = [cell for cell in cells if abs(cell["R"]["coverage"] - 0.95) > ALLOWED]
    figures = [
        (cell[quantity]["coverage"], QUANTITIES[quantity], cell)
        for cell in cells
        for quantity in list(QUANTITIES)[1:]
        if quantity in cell
    ]
    low = [figure for figure in figures if figure[0] < LOWEST]
    high = [cell for cell in clear if cell["R_bias"]["coverage"] > HIGHEST]
    chances = [_by_chance(cell["repetitions"]) for cell in cells]
    outside, below = (100.0 * float(np.mean(chance)) for chance in zip(*chances, strict=True))
    lowest = sorted(low, key=lambda figure: figure[0])[:6]
    named = "; ".join(f"{quantity} {percent(share)} ({_short(cell)})" for share, quantity, cell in lowest)
    return (
        f"- R 95 ± 2: outside in {len(outside_R)} of {len(cells)} cells; chance alone puts "
        f"{outside:.0f} % of cells there whose coverage is exactly 95.\n"
        f"- R^b, R^v and the bias apart at least 93: below in {len(low)} of {len(figures)} figures; chance alone puts "
        f"{below:.0f} % there of those whose coverage is exactly 95{f'; the lowest: {named}' if low else ''}.\n"
        f"- R^b at most 97 where no group is in doubt (R^b .4): above in {len(high)} of {len(clear)} cells."
    )


def _by_chance(repetitions: int) -> tuple[float, float]:
    """How often a coverage of 95 is measured outside 95 +- 2, and below 93."""
    shares = np.arange(repetitions + 1) / repetitions
    chances = binom.pmf(np.arange(repetitions + 1), repetitions, 0.95)
    outside = np.abs(shares - 0.95) > ALLOWED
    return float(chances[outside].sum()), float(chances[shares < LOWEST].sum())


def errors(cells: list[Record]) -> list[list[str]]:
    """Lines of mean errors of plug-in and cross-fit at 0, by the default criterion."""
    fair = [cell for cell in cells if cell["bias"] == 0 and cell["criterion"] == "linf"]
    lines = []
    for facts, some in grouped(fair, lambda cell: (f"{cell['classes']}, {cell['groups']}",)):
        written = []
        for _, of_n in grouped(some, lambda cell: (str(cell["n"]),)):
            means = (np.mean([cell["R_bias"][name] for cell in of_n]) for name in ("error", "cross_fit_error"))
            written.append("{:.4f} / {:+.4f}".format(*means))
        lines.append([*facts, ", ".join(written), f"{max(map(_share_of_errors, some)):.2f}"])
    return lines


def _share_of_errors(cell: Record) -> float:
    return float(abs(cell["R_bias"]["cross_fit_error"]) / cell["R_bias"]["error"])


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
    figures = [*held(*RISKS), lambda cell: f"{cell['R_volatility']['width']:.3f}"]
    return section(
        "Rare contexts that turn everything around",
        "20 groups lean to one class by .5 in most templates, and to the other in a small share of the source. "
        "R^v is that share. Small samples often have none of these templates, and then nothing in them says so. "
        f"Each cell has n of {values(cells, 'n')}. {samples(cells)}",
        markdown(
            [
                ["share of the source", *(QUANTITIES[name] for name in RISKS), "width of R^v"],
                *by_size(cells, lambda cell: (f"{cell['share']:g}",), figures),
            ]
        ),
    )


def documents(cells: list[Record]) -> str:
    """Coverage by documents and as if occurrences were drawn."""
    both = [(unit, name) for unit in ("document", "occurrence") for name in RISKS]
    figures = [lambda cell, unit=unit, name=name: percent(cell[unit][name]["coverage"]) for unit, name in both]
    lines = [
        ["groups, R^b", *(f"{QUANTITIES[name]} by {unit}" for unit, name in both)],
        *by_size(cells, lambda cell: (f"{cell['groups']}, {cell['bias']:g}",), figures),
    ]
    off = [cell for cell in cells for q in ("R", "R_bias") if abs(cell["document"][q]["coverage"] - 0.95) > ALLOWED]
    return section(
        "Documents that repeat themselves",
        "300 documents × 4 occurrences; each is the document's favourite template with the probability "
        f"{values(cells, 'repeating')} (the figures of each cell). {samples(cells)}",
        markdown(lines),
        f"By document, 95 ± 2 is missed in {len(off)} of {2 * len(cells)} figures of R and R^b.",
    )


def nulls(cells: list[Record]) -> str:
    """Sizes of the tests of differences."""
    tests = ("R_bias", "R_bias_by_cross_fit", "R_bias_by_plug_in", "R_volatility")
    figures = [lambda cell, name=name: percent(cell[name]) for name in tests]
    lines = [
        ["null of equal R^b", "R^b", "cross-fit alone", "plug-in alone", "R^v", "R^v truly differs by"],
        *by_size(cells, lambda cell: (cell["null"],), [*figures, _truly]),
    ]
    over = [cell for cell in cells if 100 * cell["R_bias"] > NOMINAL]
    same = [cell for cell in cells if abs(cell["true_volatility"]) < 1e-6 and 100 * cell["R_volatility"] > NOMINAL]
    most = f" (most: {max(percent(cell['R_bias']) for cell in over)})" if over else ""
    return section(
        "Two models of the same R^b",
        "Percentage of samples in which a difference is found at 5 %, and what either estimate alone would find. "
        "R^v is the same on the first line only. Each cell has n of 50, 200 and 1,000, the last line 1,200 (300 "
        f"documents). {samples(cells)}",
        markdown(lines),
        f"R^b is found different in more than 7 % of samples in {len(over)} of {len(cells)} cells{most}, R^v where it "
        f"is the same in {len(same)}.",
    )


def _truly(cell: Record) -> str:
    truth = abs(cell["true_volatility"])
    return "0" if truth < 1e-6 else f"{truth:.2f}"


def power(cells: list[Record]) -> str:
    """How often differences of models are found that do differ."""
    figures = [
        figure
        for name in ("bias", "volatility")
        for figure in (
            lambda cell, name=name: f"{abs(cell[f'true_{name}']):.3f}",
            lambda cell, name=name: percent(cell[f"R_{name}"]),
        )
    ]
    lines = [
        ["models", "R^b differs by", "found", "R^v differs by", "found"],
        *by_size(cells, lambda cell: (cell["models"],), figures),
    ]
    note = "40 groups, two classes, half of the variance in common."
    return section(
        "Two models that differ",
        f"{note} Each cell has n of {values(cells, 'n')}. {samples(cells)}",
        markdown(lines),
    )


def widths(cells: list[Record]) -> str:
    """The interval of R^b beside that of a bootstrap."""
    figures = [lambda cell, of=of: percent(cell[of]["R_bias"]["coverage"]) for of in ("ours", "bca")]
    lines = [
        ["groups, R^b", "coverage", "of BCa", "width over BCa's"],
        *by_size(
            cells,
            lambda cell: (f"{cell['groups']}, {cell['bias']:g}",),
            [*figures, lambda cell: f"{_over_bca(cell):.2f}"],
        ),
    ]
    clear = [_over_bca(cell) for cell in cells if cell["bias"] == CLEAR]
    wide = sum(ratio > 1.08 for ratio in clear)
    return section(
        "R^b beside a bootstrap",
        "BCa (`scipy.stats.bootstrap`) of the same samples, 999 resamples of occurrences; two classes, linf. "
        f"Where it gives no interval, it holds nothing. Each cell has n of {values(cells, 'n')}. {samples(cells)}",
        markdown(lines),
        f"Where no group is in doubt (R^b .4), the width is more than 1.08 of BCa's in {wide} of {len(clear)} cells.",
    )


def _over_bca(cell: Record) -> float:
    return float(cell["ours"]["R_bias"]["width"] / cell["bca"]["R_bias"]["width"])


def cost(cells: list[Record]) -> str:
    """Time and memory of a large topic."""
    cell = cells[0]
    return section(
        "Cost",
        f"All intervals of {cell['groups']} groups × {cell['contexts']:,} contexts × {cell['classes']} classes, over "
        f"all groups and of each, of what they share and what sets them apart: {cell['seconds']:.2f} s and "
        f"{cell['megabytes']:.0f} MB on one thread.",
    )


def markdown(lines: list[list[str]]) -> str:
    """Return lines of cells as a Markdown table, with bars in cells escaped."""
    written = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines]
    return "\n".join([written[0], "|---" * len(lines[0]) + "|", *written[1:]])


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _over(cells: list[Record], quantity: str) -> str:
    """Return the coverage of each R^b, and the lowest of all cells."""
    of_bias = [
        np.mean([cell[quantity]["coverage"] for cell in some if quantity in cell])
        for _, some in grouped(cells, lambda cell: (f"{cell['bias']:g}",))
        if any(quantity in cell for cell in some)
    ]
    lowest = min(cell[quantity]["coverage"] for cell in cells if quantity in cell)
    return f"{', '.join(map(percent, of_bias))} ({percent(lowest)})"


def _short(cell: Record) -> str:
    shared = f", common {cell['shared']:g}" if cell["groups"] > 1 else ""
    groups = f"{cell['groups']} group{'s' if cell['groups'] > 1 else ''}{shared}"
    return f"{cell['criterion']}, {cell['classes']} classes, {groups}, R^b {cell['bias']:g}, n {cell['n']:,}"


def values(cells: list[Record], fact: str) -> str:
    """Return the values of a number in some cells, each once."""
    return ", ".join(dict.fromkeys(f"{cell[fact]:,g}" for cell in cells))


def samples(cells: list[Record]) -> str:
    """Say how many samples each cell has, how sure its coverage is, and when it was measured."""
    counts = sorted({cell["repetitions"] for cell in cells})
    error = 100 * np.sqrt(0.95 * 0.05 / counts[0])
    dates = sorted({cell["on"].rpartition(", ")[2] for cell in cells})
    number = ", ".join(f"{count:,}" for count in counts)
    return f"{number} samples a cell, standard error {error:.1f} at 95 %; {' and '.join(dates)}."


def grouped(
    cells: list[Record], facts: Callable[[Record], tuple[str, ...]]
) -> Iterable[tuple[tuple[str, ...], list[Record]]]:
    order = list(dict.fromkeys(map(facts, cells)))
    together = sorted(cells, key=lambda cell: order.index(facts(cell)))
    return [(key, list(some)) for key, some in groupby(together, facts)]


COVERAGE = {"intervals": coverage, "rare": rare, "documents": documents, "bootstrap": widths, "cost": cost}
COMPARISONS = {"nulls": nulls, "power": power}
