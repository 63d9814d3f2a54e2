"""How often levels of a frame that do nothing are found to differ: ``python benchmarks/coverage/frames.py [SAMPLES]``.

Ten groups in 40 templates, each in two levels of the frame and two of another one, which do nothing either.
"""

import sys

import numpy as np
from bvf_insights.explain.frames import sample_of_templates

from bvf.arrays import FloatArray
from bvf.builtin.criteria import Linf
from bvf.stats.comparing.comparison import differences
from bvf.stats.sampling.sampled_risk import sampled_risk

GROUPS, TEMPLATES, OTHER_LEVELS = 10, 40, 2
SCENES = {"fair": np.zeros(GROUPS), "all lean": np.full(GROUPS, 0.2), "both sides": np.linspace(-0.3, 0.3, GROUPS)}
OF_TEMPLATE, OF_CONTEXT = 0.1, 0.05
"""Standard deviations of a template's effect on all groups and on one, and of that of its wording."""


def predictions(leans: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Return p(y | x, c) in the contexts with each level, shape (X, C, 2) each."""
    of_template = sum(rng.normal(0.0, OF_TEMPLATE, (rows, TEMPLATES)) for rows in (1, GROUPS))
    both = rng.normal(0.0, OF_CONTEXT, (2, GROUPS, OTHER_LEVELS * TEMPLATES))
    first, second = np.clip(0.5 + leans[:, None] + np.tile(of_template, OTHER_LEVELS) + both, 0.01, 0.99)
    return np.stack([first, 1.0 - first], axis=2), np.stack([second, 1.0 - second], axis=2)


def main(samples: int) -> None:
    rng, group_weights = np.random.default_rng(5), np.full(GROUPS, 1.0 / GROUPS)
    weights = np.full(OTHER_LEVELS * TEMPLATES, 1.0 / (OTHER_LEVELS * TEMPLATES))
    sample, _ = sample_of_templates(weights, np.tile(np.arange(TEMPLATES), OTHER_LEVELS))
    print("p < .05, and intervals with 0, in % of samples: R, R^b, R^v")
    for scene, leans in SCENES.items():
        found = []
        for _ in range(samples):
            first, second = (sampled_risk(p, Linf(), sample).risk for p in predictions(leans, rng))
            apart = differences(second, first, group_weights, 0.95)
            figures = (apart.total, apart.of_mean, apart.rest)
            found.append([[each.p_value < 0.05 for each in figures], [each.low <= 0 <= each.high for each in figures]])
        size, coverage = 100.0 * np.mean(found, axis=0)
        print(f"{scene:<10} {' '.join(f'{each:5.1f}' for each in (*size, *coverage))}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
