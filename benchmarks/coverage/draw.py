"""The plots of coverage of R^b, and of how often models of equal R^b are found different."""

from pathlib import Path
from typing import Any

Record = dict[str, Any]


def draw(records: dict[str, list[Record]], file: Path) -> None:
    """Draw coverage over R^b, ours and BCa's, and the sizes of tests, both estimates and either alone."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "bvf"
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
    _coverage(left, records["intervals"], records["bootstrap"])
    _sizes(right, records["nulls"])
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def _coverage(axes: Any, intervals: list[Record], bootstrap: list[Record]) -> None:
    order = (0.0, 0.05, 0.1, 0.4)
    for at, n in enumerate((50, 200, 1000)):
        of_n = [cell for cell in intervals if cell["n"] == n]
        places = [order.index(cell["bias"]) + 0.2 * (at - 1) for cell in of_n]
        axes.plot(places, [100 * cell["R_bias"]["coverage"] for cell in of_n], ".", color=f"C{at}", label=f"n = {n:,}")
    of_bca = [100 * cell["bca"]["R_bias"]["coverage"] for cell in bootstrap]
    axes.plot([order.index(cell["bias"]) + 0.35 for cell in bootstrap], of_bca, "x", color="grey", label="BCa")
    axes.axhline(95, color="black", linewidth=0.8)
    axes.set_xticks(range(len(order)), [f"{bias:g}" for bias in order])
    axes.set_xlabel("true R$^b$")
    axes.set_ylabel("% of 95 % intervals of R$^b$ that hold it")
    axes.legend(frameon=False)


def _sizes(axes: Any, nulls: list[Record]) -> None:
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
