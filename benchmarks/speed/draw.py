"""The plot of the speeds."""

from pathlib import Path
from typing import Any


def draw(rows: list[Any], file: Path) -> None:
    """Draw prompts a second of every program and workload, on a logarithmic scale."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    bars: list[tuple[str, str, float]] = []
    for row in rows:
        bars.append((row.workload, "bvf", row.bvf))
        bars += [(row.workload, f"bvf --tolerance {loose.tolerance:g}", loose.bvf) for loose in row.within]
        bars += [(row.workload, f"bvf {each.options}", each.bvf) for each in row.together]
        bars.append((row.workload, "plain loop", row.plain))
        bars += [(row.workload, name, rate) for name, rate in row.others.items()]
    colours = dict(zip(dict.fromkeys(name for _, name, _ in bars), plt.get_cmap("tab10").colors, strict=False))
    figure, axes = plt.subplots(figsize=(7, 0.28 * len(bars) + 2), layout="constrained")
    seen: set[str] = set()
    for y, (_, name, rate) in enumerate(bars):
        axes.barh(-y, rate, color=colours[name], label="" if name in seen else name)
        axes.text(rate * 1.1, -y, f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}", va="center", fontsize=8)
        seen.add(name)
    axes.set_yticks([-y for y in range(len(bars))], [workload for workload, _, _ in bars])
    axes.set_xscale("log")
    axes.set_xlim(right=5 * max(rate for _, _, rate in bars))
    axes.set_xlabel("prompts a second")
    figure.legend(loc="outside lower center", ncols=2, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file)
