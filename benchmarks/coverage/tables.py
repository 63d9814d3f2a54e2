"""The tables of the pages: percentages of samples, and which goals were missed."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from scipy.stats import binom

Record = dict[str, Any]
QUANTITIES = {"R": "R", "R_bias": "R^b", "R_volatility": "R^v", "particular_bias": "particular R^b"}
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
    """Coverage of intervals, goals that were missed, and mean errors."""
    lines = [
        [criterion, *(_over(some, quantity) for quantity in QUANTITIES)]
        for (criterion,), some in grouped(cells, lambda cell: (f"{cell['criterion']}, {cell['classes']}",))
    ]
    return section(
        "Intervals",
        f"Percentage of intervals that hold, with R^b of {values(cells, 'bias')}; in brackets the lowest of all cells: "
        f"n of {values(cells, 'n')} with one group, or with 40 of which contexts move none, half or .7 in common. "
        f"{samples(cells)}",
        markdown([["J, classes", *QUANTITIES.values()], *lines]),
        f"{goals(cells)}{fair(cells)}",
    )


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
        f"- R is outside 95 ± 2 in {len(outside_R)} of {len(cells)} cells. By chance {outside:.0f} % would be, if each "
        "coverage were exactly 95.\n"
        f"- R^b, R^v or particular R^b is below 93 in {len(low)} of {len(figures)} figures (by chance: {below:.0f} %)"
        f"{f': {named}' if low else ''}.\n"
        f"- Where no group is in doubt (R^b .4), R^b is above 97 in {len(high)} of {len(clear)} cells."
    )


def _by_chance(repetitions: int) -> tuple[float, float]:
    """How often a coverage of 95 is measured outside 95 +- 2, and below 93."""
    shares = np.arange(repetitions + 1) / repetitions
    chances = binom.pmf(np.arange(repetitions + 1), repetitions, 0.95)
    outside = np.abs(shares - 0.95) > ALLOWED
    return float(chances[outside].sum()), float(chances[shares < LOWEST].sum())


def fair(cells: list[Record]) -> str:
    """Say how far the plug-in estimate of fair models is off on average, and how far cross-fit; empty without them."""
    of_fair = [cell for cell in cells if cell["bias"] == 0]
    means = [
        np.mean([cell["R_bias"]["error"] for cell in some])
        for _, some in grouped(
            [cell for cell in of_fair if cell["criterion"] == "linf"],
            lambda cell: (f"{cell['classes']}, {cell['groups']}, {cell['n']}",),
        )
    ]
    if not means:
        return ""
    return (
        f"\n- The printed R^b of a fair model is too high by {min(means):.3f} to {max(means):.3f} on average (linf). "
        f"Cross-fit errs by at most {max(map(_share_of_errors, of_fair)):.2f} of that."
    )


def _share_of_errors(cell: Record) -> float:
    return float(abs(cell["R_bias"]["cross_fit_error"]) / cell["R_bias"]["error"])


def rare(cells: list[Record]) -> str:
    """Coverage where contexts that were perhaps not seen decide."""
    return section(
        "Rare contexts that turn everything around",
        "20 groups lean to one class by .5 in most templates, and to the other in a small share of the source. "
        "Small samples often have none of these templates, and then nothing in them says so. "
        f"n: {values(cells, 'n')}. {samples(cells)}",
        markdown(
            [
                ["share of the source", *(QUANTITIES[name] for name in RISKS)],
                *by_size(cells, lambda cell: (f"{cell['share']:g}",), held(*RISKS)),
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
    return section(
        "Documents that repeat themselves",
        "300 documents of 4 occurrences. Each is the document's favourite template with probability "
        f"{values(cells, 'repeating')}. {samples(cells)}",
        markdown(lines),
    )


def nulls(cells: list[Record]) -> str:
    """Sizes of the tests of differences."""
    tests = ("R_bias", "R_bias_by_cross_fit", "R_bias_by_plug_in", "R_volatility")
    figures = [lambda cell, name=name: percent(cell[name]) for name in tests]
    lines = [
        ["null of equal R^b", "R^b", "cross-fit alone", "plug-in alone", "R^v"],
        *by_size(cells, lambda cell: (cell["null"],), figures),
    ]
    over = [cell for cell in cells if 100 * cell["R_bias"] > NOMINAL]
    same = [cell for cell in cells if abs(cell["true_volatility"]) < 1e-6 and 100 * cell["R_volatility"] > NOMINAL]
    most = f" (most: {max(percent(cell['R_bias']) for cell in over)})" if over else ""
    return section(
        "Two models of the same R^b",
        "Percentage of samples in which a difference is found at 5 %, and what either estimate of R^b alone would "
        "find. R^v is equal on the first line only. n: 50, 200, 1,000; on the last line 1,200 (300 documents). "
        f"{samples(cells)}",
        markdown(lines),
        f"R^b is found different in more than 7 % of samples in {len(over)} of {len(cells)} cells{most}, R^v where it "
        f"is equal in {len(same)}.",
    )


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
    return section(
        "Two models that differ",
        f"40 groups, two classes, half of the variance in common; n of {values(cells, 'n')}. {samples(cells)}",
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
        "BCa (`scipy.stats.bootstrap`) of the same samples, 999 resamples; two classes, linf. Where it gives no "
        f"interval, it holds nothing. n: {values(cells, 'n')}. {samples(cells)}",
        markdown(lines),
        f"Where no group is in doubt (R^b .4), the width is more than 1.08 of BCa's in {wide} of {len(clear)} cells.",
    )


def _over_bca(cell: Record) -> float:
    return float(cell["ours"]["R_bias"]["width"] / cell["bca"]["R_bias"]["width"])


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
    """Say how many samples each cell has."""
    return f"{', '.join(f'{count:,}' for count in sorted({cell['repetitions'] for cell in cells}))} samples per cell."


def grouped(
    cells: list[Record], facts: Callable[[Record], tuple[str, ...]]
) -> Iterable[tuple[tuple[str, ...], list[Record]]]:
    order = list(dict.fromkeys(map(facts, cells)))
    together = sorted(cells, key=lambda cell: order.index(facts(cell)))
    return [(key, list(some)) for key, some in groupby(together, facts)]


COVERAGE = {
    "intervals": coverage,
    "rare": rare,
    "documents": documents,
    "bootstrap": widths,
}
COMPARISONS = {"nulls": nulls, "power": power}
