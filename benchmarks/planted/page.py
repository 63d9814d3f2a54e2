"""The tables and the figure of the page: risks by dose, of both parts of the groups, and what is found to differ."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

from benchmarks.pages import Record, drawing, markdown
from benchmarks.planted.doses import PARTS

SPLIT = {"R_bias": "R^b", "R_volatility": "R^v"}
COLOURS = {"planted": "C3", "others": "C0"}


def tables(figures: Record) -> dict[str, str]:
    """Return every table by the name of its place: the planted groups, and a line per dose with both parts' figures."""
    columns = [(part, name) for part in PARTS for name in SPLIT]
    lines = [["dose", *(f"{SPLIT[name]}, {part}" for part, name in columns)]]
    for row in figures["doses"]:
        lines.append([row["dose"], *(shown(row["parts"][part][name]) for part, name in columns)])
    planted = ", ".join(figures["planted"])
    return {
        "planted": f"{figures['date']}. Planted: {planted}. In brackets: intervals of 95 %.",
        "parts": markdown(lines),
    }


def shown(figure: Record) -> str:
    low, high = figure["interval"]
    return f"{figure['value']:.3f} ({low:.3f} to {high:.3f})"


def draw(figures: Record, file: Path) -> None:
    """Draw P(female) of every group, R^b and R^v of both parts over doses, and r^v of planted groups over P(female)."""
    rows, planted = figures["doses"], figures["planted"]
    with drawing(file, 2, 2, figsize=(11, 8.6)) as (_, ((leans, bias), (volatility, torn))):
        for group in rows[0]["groups"]:
            colour = COLOURS["planted" if group in planted else "others"]
            leans.plot([row["groups"][group]["female"] for row in rows], color=colour, linewidth=0.5, alpha=0.35)
        for part, colour in COLOURS.items():
            with_intervals(leans, [row["parts"][part]["female"] for row in rows], colour, f"mean of the {part}")
        leans.axhline(0.5, color="black", linewidth=0.8)
        leans.set_ylim(0, 1)
        leans.set_ylabel("P(female), a thin line per group")
        leans.legend(frameon=False, loc="upper left")
        draw_risk(bias, rows, "R_bias", "R$^b$")
        draw_risk(volatility, rows, "R_volatility", "R$^v$")
        for row, shade in zip(rows, matplotlib.colormaps["viridis"].resampled(len(rows)).colors, strict=True):
            groups = [row["groups"][name] for name in planted]
            places, volatile = ([group[name] for group in groups] for name in ("female", "r_volatility"))
            torn.plot(places, volatile, "o", markersize=4, color=shade, label=row["dose"])
        torn.axvline(0.5, color="black", linewidth=0.8)
        torn.set_xlabel("P(female) of a planted group")
        torn.set_ylabel("r$^v$, p* uniform")
        torn.legend(frameon=False, title="dose")
        for axes in (leans, bias, volatility):
            axes.set_xticks(range(len(rows)), [row["dose"] for row in rows])
            axes.set_xlabel("planted sentences per occupation")


def draw_risk(axes: Any, rows: Sequence[Record], name: str, label: str) -> None:
    for shift, (part, colour) in zip((-0.06, 0.06), COLOURS.items(), strict=True):
        uniform = [row["parts"][part][name] for row in rows]
        with_intervals(axes, uniform, colour, f"{part}, p* uniform", shift)
        moved = [row["parts"][part]["from_untouched"][name] for row in rows]
        with_intervals(axes, moved, colour, f"{part}, p* of the untouched model", 2.5 * shift, "--")
    axes.set_ylim(bottom=0)
    axes.set_ylabel(label)
    axes.legend(frameon=False)


def with_intervals(
    axes: Any, figures: Sequence[Record], colour: str, label: str, shift: float = 0.0, line: str = "-"
) -> None:
    values = [figure["value"] for figure in figures]
    below = [max(0.0, figure["value"] - figure["interval"][0]) for figure in figures]
    above = [max(0.0, figure["interval"][1] - figure["value"]) for figure in figures]
    places = [place + shift for place in range(len(values))]
    style = {"color": colour, "marker": "o", "markersize": 4, "linestyle": line, "capsize": 3}
    axes.errorbar(places, values, yerr=[below, above], label=label, **style)
