"""How often a planted law of r^v is found: ``python benchmarks/laws/run.py``.

Prints the figures of "Laws of r^v" in docs/evidence/decisions.md, and more.
"""

from collections import Counter
from collections.abc import Callable

import numpy as np
from bvf_insights.explain.shapes import compared_laws

from bvf.arrays import FloatArray

TRIALS = 500
SIZES = (10, 20, 40, 80)
LAWS = ("log-normal", "normal", "Pareto")
DRAWN: dict[str, Callable[[np.random.Generator, int], FloatArray]] = {
    "log-normal, deviation of logs 1.4": lambda rng, n: rng.lognormal(-6.0, 1.4, n),
    "log-normal, deviation of logs 0.5": lambda rng, n: rng.lognormal(-6.0, 0.5, n),
    "normal, 4 deviations above 0": lambda rng, n: np.abs(rng.normal(4.0, 1.0, n)),
    "Pareto, exponent 1.5": lambda rng, n: 0.001 * (1.0 + rng.pareto(1.5, n)),
    "exponential (none of them)": lambda rng, n: rng.exponential(0.001, n),
}


def main() -> None:
    rng = np.random.default_rng(1)
    counts = {name: [counted(draw, n, rng) for n in SIZES] for name, draw in DRAWN.items()}
    for number, title in enumerate(("better than both others", "fits best")):
        print(f"{title}: {', '.join(LAWS)}\n\n| values drawn from | {' | '.join(f'n {n}' for n in SIZES)} |")
        print("|---" * (len(SIZES) + 1) + "|")
        for name, of_sizes in counts.items():
            shares = (", ".join(f"{each[number][law] / TRIALS:.1%}" for law in LAWS) for each in of_sizes)
            print(f"| {name} | {' | '.join(shares)} |")
        print()


def counted(
    draw: Callable[[np.random.Generator, int], FloatArray], n: int, rng: np.random.Generator
) -> tuple[Counter[str], Counter[str]]:
    """Return in how many samples each law is better than both others, and in how many it fits best."""
    better, best = Counter[str](), Counter[str]()
    for _ in range(TRIALS):
        _, laws, pairs = compared_laws(draw(rng, n), 0.05)
        first = laws[0].law
        best[first] += 1
        better[first] += all(pair.decision == "better" for pair in pairs if pair.law == first)
    return better, best


if __name__ == "__main__":
    main()
