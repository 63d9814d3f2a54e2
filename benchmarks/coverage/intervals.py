"""How often intervals hold the truth, and how often two models are found to differ.

``python -m benchmarks coverage.intervals [SCENE ...] [--repetitions N] [--anew]`` draws samples from sources whose
figures are known; see `benchmarks.coverage.frame`. Writes the tables of docs/evidence/coverage.md and of comparisons
in docs/evidence/decisions.md, raw figures and a figure.
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom

from benchmarks.coverage.frame import Column, Simulation, Table, held, shares
from benchmarks.coverage.scenes import BIASES, QUANTITIES, SIZES, comparison_cells, hard_cells, interval_cells
from benchmarks.pages import PAGES, Record, drawing
from bvf.study.study import RISK

SYMBOLS = dict(zip(QUANTITIES, ("R", "R^b", "R^v", "particular R^b"), strict=True))
LOWEST, HIGHEST, ALLOWED = 0.93, 0.97, 0.02 + 1e-9
CLEAR = 0.4
"""R^b at which no group is in doubt."""
NOMINAL = 0.07
GROUPS_AND_BIAS = {"groups, R^b": "{groups}, {bias:g}"}


def over(quantity: str) -> Column:
    """The coverage of each R^b, and the lowest of all cells."""

    def column(cells: list[Record]) -> str:
        coverage = 100.0 * pd.json_normalize(cells).set_index("bias")[f"{quantity}.coverage"].dropna()
        of_bias = coverage.groupby("bias").mean()
        return f"{', '.join(f'{each:.1f}' for each in of_bias)} ({coverage.min():.1f})"

    return column


def goals(cells: list[Record]) -> str:
    """Say which goals were missed in how many cells, and how many of them chance alone would make."""
    clear = [cell for cell in cells if cell["bias"] == CLEAR]
    outside_R = [cell for cell in cells if abs(cell["R"]["coverage"] - 0.95) > ALLOWED]
    figures = [(cell[name]["coverage"], name, cell) for cell in cells for name in QUANTITIES[1:] if name in cell]
    low = sorted((figure for figure in figures if figure[0] < LOWEST), key=lambda figure: figure[0])
    high = [cell for cell in clear if cell["R_bias"]["coverage"] > HIGHEST]
    outside, below = 100.0 * np.mean([by_chance(cell["repetitions"]) for cell in cells], axis=0)
    named = "; ".join(f"{SYMBOLS[name]} {100 * share:.1f} ({short(cell)})" for share, name, cell in low[:6])
    return (
        f"- R is outside 95 ± 2 in {len(outside_R)} of {len(cells)} cells. By chance {outside:.0f} % would be, if each "
        "coverage were exactly 95.\n"
        f"- R^b, R^v or particular R^b is below 93 in {len(low)} of {len(figures)} figures (by chance: {below:.0f} %)"
        f"{f': {named}' if low else ''}.\n"
        f"- Where no group is in doubt (R^b .4), R^b is above 97 in {len(high)} of {len(clear)} cells.\n"
        f"{fair(cells)}"
    )


def by_chance(repetitions: int) -> tuple[float, float]:
    """How often a coverage of 95 is measured outside 95 +- 2, and below 93."""
    counts = np.arange(repetitions + 1)
    shares, chances = counts / repetitions, binom.pmf(counts, repetitions, 0.95)
    return chances[np.abs(shares - 0.95) > ALLOWED].sum(), chances[shares < LOWEST].sum()


def short(cell: Record) -> str:
    groups = f"{cell['groups']} groups, common {cell['shared']:g}" if cell["groups"] > 1 else "1 group"
    return f"{cell['criterion']}, {cell['classes']} classes, {groups}, R^b {cell['bias']:g}, n {cell['n']:,}"


def fair(cells: list[Record]) -> str:
    """Say how far the plug-in estimate of fair models is off on average, and how far cross-fit."""
    table = pd.json_normalize(cells)
    table = table[table["bias"] == 0]
    off = table[table["criterion"] == "linf"].groupby(["classes", "groups", "n"])["R_bias.off"].mean()
    most = (table["R_bias.cross_fit_off"].abs() / table["R_bias.off"]).max()
    return (
        f"- The printed R^b of a fair model is too high by {off.min():.3f} to {off.max():.3f} on average (linf). "
        f"Cross-fit errs by at most {most:.2f} of that."
    )


def found_too_often(cells: list[Record]) -> str:
    """Say in how many cells equal figures are found different in more samples than a level of 5 % allows."""
    more = [cell["R_bias"] for cell in cells if cell["R_bias"] > NOMINAL]
    same = [cell for cell in cells if abs(cell["true_volatility"]) < 1e-6 and cell["R_volatility"] > NOMINAL]
    most = f" (most: {100 * max(more):.1f})" if more else ""
    return (
        f"R^b is found different in more than 7 % of samples in {len(more)} of {len(cells)} cells{most}, R^v where it "
        f"is equal in {len(same)}."
    )


RISKS = {name: SYMBOLS[name] for name in RISK}
BY_UNIT = {f"{unit}.{name}": f"{SYMBOLS[name]} by {unit}" for unit in ("document", "occurrence") for name in RISK}
TESTS = {"R_bias": "R^b", "R_bias_by_cross_fit": "cross-fit alone", "R_bias_by_plug_in": "plug-in alone"}
NULLS = Table(
    "nulls",
    {"null of equal R^b": "{null}"},
    shares({**TESTS, "R_volatility": "R^v"}),
    found_too_often,
    left_out=("one", "|Y|", "fair, twice"),
)
CRITERION = {"J, classes": "{criterion}, {classes}"}


def draw(records: dict[str, list[Record]]) -> None:
    """Draw coverage over R^b, ours and BCa's, and how often equal R^b are found different, by both estimates."""
    with drawing(PAGES / "coverage/coverage.svg", 1, 2, figsize=(11, 4.8)) as (_, (left, right)):
        draw_coverage(left, records["intervals"], records["bootstrap"])
        draw_sizes(right, records["nulls"])


def draw_coverage(axes: Any, intervals: list[Record], bootstrap: list[Record]) -> None:
    for at, n in enumerate(SIZES):
        of_n = [cell for cell in intervals if cell["n"] == n]
        places = [BIASES.index(cell["bias"]) + 0.2 * (at - 1) for cell in of_n]
        axes.plot(places, [100 * cell["R_bias"]["coverage"] for cell in of_n], ".", color=f"C{at}", label=f"n = {n:,}")
    of_bca = [100 * cell["bca"]["R_bias"]["coverage"] for cell in bootstrap]
    axes.plot([BIASES.index(cell["bias"]) + 0.35 for cell in bootstrap], of_bca, "x", color="grey", label="BCa")
    axes.axhline(95, color="black", linewidth=0.8)
    axes.set_xticks(range(len(BIASES)), [f"{bias:g}" for bias in BIASES])
    axes.set_xlabel("true R$^b$")
    axes.set_ylabel("% of 95 % intervals of R$^b$ that hold it")
    axes.legend(frameon=False)


def draw_sizes(axes: Any, nulls: list[Record]) -> None:
    shown = {"R_bias": "both (bvf)", "R_bias_by_cross_fit": "cross-fit alone", "R_bias_by_plug_in": "plug-in alone"}
    for at, (name, label) in enumerate(shown.items()):
        rows = [-row - 0.25 * (at - 1) for row in range(len(nulls))]
        axes.plot([100 * cell[name] for cell in nulls], rows, "o|x"[at], color=f"C{at}", label=label)
    axes.axvline(5, color="black", linewidth=0.8)
    names = [f"{cell['null']}, n {cell['n']:,}" for cell in nulls]
    axes.set_yticks([-row for row in range(len(nulls))], names, fontsize=6)
    axes.set_xscale("symlog", linthresh=10)
    axes.set_xlim(-0.5, 105)
    axes.set_xticks([0, 5, 10, 20, 50, 100], ["0", "5", "10", "20", "50", "100"])
    axes.set_xlabel("% of samples in which equal R$^b$ are called different")
    axes.legend(frameon=False, loc="lower right")


main = Simulation(
    __doc__,
    "coverage/coverage.json",
    [*interval_cells(), *comparison_cells(), *hard_cells()],
    300,
    {
        "coverage.md": (
            Table("intervals", CRITERION, [(symbol, over(name)) for name, symbol in SYMBOLS.items()], goals),
            Table("rare", {"share of the source": "{share:g}"}, held(RISKS)),
            Table("documents", GROUPS_AND_BIAS, held(BY_UNIT), left_out=("40",)),
            Table(
                "cut sets",
                {"set": "{cut}", "contexts": "{asked}"},
                [*held(RISKS), *held({f"texts.{name}": f"{SYMBOLS[name]} of the texts" for name in RISK})],
                left_out=("80", "400", "600 documents"),
            ),
        ),
        "decisions.md": (NULLS,),
    },
    draw,
)
