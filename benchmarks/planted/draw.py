"""The figure: where the groups go with the dose, and what becomes of their bias and their volatility."""

from pathlib import Path
from typing import Any

Record = dict[str, Any]
COLOURS = {"planted": "C3", "others": "C0"}


def draw(record: Record, file: Path) -> None:
    """Draw P(female) of every group, R^b and R^v of both parts over doses, and r^v of planted groups over P(female)."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "bvf"
    import matplotlib.pyplot as plt

    rows = record["doses"]
    figure, panels = plt.subplots(2, 2, figsize=(11, 8.6), layout="constrained")
    _probabilities(panels[0, 0], rows, record["planted"])
    _risk(panels[0, 1], rows, "R_bias", "R$^b$")
    _risk(panels[1, 0], rows, "R_volatility", "R$^v$")
    _torn(panels[1, 1], rows, record["planted"])
    for axes in panels.flat[:3]:
        axes.set_xticks(range(len(rows)), [row["dose"] for row in rows])
        axes.set_xlabel("planted sentences per occupation")
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
    plt.close(figure)


def _probabilities(axes: Any, rows: list[Record], planted: list[str]) -> None:
    for group in rows[0]["groups"]:
        colour = COLOURS["planted" if group in planted else "others"]
        axes.plot([row["groups"][group]["female"] for row in rows], color=colour, linewidth=0.5, alpha=0.35)
    for part, colour in COLOURS.items():
        _with_intervals(axes, [row["parts"][part]["female"] for row in rows], colour, f"mean of the {part}", 0.0)
    axes.axhline(0.5, color="black", linewidth=0.8)
    axes.set_ylim(0, 1)
    axes.set_ylabel("P(female), a thin line per group")
    axes.legend(frameon=False, loc="upper left")


def _risk(axes: Any, rows: list[Record], name: str, label: str) -> None:
    for shift, (part, colour) in zip((-0.06, 0.06), COLOURS.items(), strict=True):
        uniform = [row["parts"][part][name] for row in rows]
        _with_intervals(axes, uniform, colour, f"{part}, p* uniform", shift)
        moved = [row["parts"][part]["from_untouched"][name] for row in rows]
        _with_intervals(axes, moved, colour, f"{part}, p* of the untouched model", 2.5 * shift, "--")
    axes.set_ylim(bottom=0)
    axes.set_ylabel(label)
    axes.legend(frameon=False)


def _torn(axes: Any, rows: list[Record], planted: list[str]) -> None:
    from matplotlib import colormaps

    shades = colormaps["viridis"].resampled(len(rows)).colors
    for at, row in enumerate(rows):
        groups = [row["groups"][name] for name in planted]
        places, volatile = ([group[name] for group in groups] for name in ("female", "r_volatility"))
        axes.plot(places, volatile, "o", markersize=4, color=shades[at], label=row["dose"])
    axes.axvline(0.5, color="black", linewidth=0.8)
    axes.set_xlabel("P(female) of a planted group")
    axes.set_ylabel("r$^v$, p* uniform")
    axes.legend(frameon=False, title="dose")


def _with_intervals(axes: Any, figures: list[Record], colour: str, label: str, shift: float, line: str = "-") -> None:
    values = [figure["value"] for figure in figures]
    below = [max(0.0, figure["value"] - figure["interval"][0]) for figure in figures]
    above = [max(0.0, figure["interval"][1] - figure["value"]) for figure in figures]
    places = [place + shift for place in range(len(values))]
    style = {"color": colour, "marker": "o", "markersize": 4, "linestyle": line, "capsize": 3}
    axes.errorbar(places, values, yerr=[below, above], label=label, **style)
