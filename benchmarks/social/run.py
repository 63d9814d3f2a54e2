"""How often a slope on wages is found where there is none: ``python benchmarks/social/run.py``."""

import csv
from importlib.resources import files

import numpy as np
from bvf_insights.stats.weighted_line import weighted_line
from scipy.stats import t as student

from bvf.arrays import FloatArray

DRAWS, ALPHA = 20_000, 0.05


def main() -> None:
    """Print the share of slopes that are called different from 0, by noise and by standard error."""
    x, weights = occupations()
    rng, share = np.random.default_rng(0), weights / weights.sum()
    noises = {
        "the same everywhere": np.ones(len(x)),
        "the heavier the group, the less (variance 1 / weight)": share**-0.5,
        "more where wages are high (exp of 1,000 $)": np.exp(x),
    }
    print("| noise | t with eff. n - 2 | t with n - 2 | classical error |\n|---|---|---|---|")
    for what, size in noises.items():
        rates = np.mean([called(x, size * rng.normal(size=len(x)), weights) for _ in range(DRAWS)], axis=0)
        print(f"| {what} | {' | '.join(f'{rate:.1%}' for rate in rates)} |")


def occupations() -> FloatArray:
    """Return weekly wages in 1,000 $ and employment of the occupations that have both."""
    tables = files("bvf_en") / "statistics"
    wages, employment = (
        csv.DictReader((tables / name).read_text("utf-8").splitlines())
        for name in ("occupations.csv", "employment-2022.csv")
    )
    weights = {row["group"]: float(row["weight"]) for row in employment}
    known = [(float(row["weekly_wage"]) / 1000, weights[row["group"]]) for row in wages if row["weekly_wage"]]
    return np.array(known).T


def called(x: FloatArray, y: FloatArray, weights: FloatArray) -> list[bool]:
    """Whether the slope is called different from 0 by HC3 with either t, and by the classical error."""
    line = weighted_line(x, y, weights)
    by_groups = student.ppf(1 - ALPHA / 2, len(x) - 2)
    by_weights = student.ppf(1 - ALPHA / 2, line.freedom)
    margins = (by_weights * line.error, by_groups * line.error, by_groups * line.classical_error)
    return [abs(line.slope) > margin for margin in margins]


if __name__ == "__main__":
    main()
