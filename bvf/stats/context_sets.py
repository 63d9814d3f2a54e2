"""Context sets put together, written, and compared."""

import csv
import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import jensenshannon
from scipy.stats import spearmanr

from bvf.domain.context import ContextSet, Template

LEAST_FOR_RANKS = 3
WHOLE_AS_FLOATS = 2.0**53


@dataclass(frozen=True)
class Comparison:
    """How alike two context sets are.

    Args:
        templates: How many each has.
        shared: How many both have.
        shared_weight: Share of each set's weight that lies on those.
        rank_correlation: Spearman's, of the weights of the shared ones; None for fewer than three, or if all are equal.
        jensen_shannon: Distance of the two distributions, base 2: 0 for the same, 1 for no template in common.
    """

    templates: tuple[int, int]
    shared: int
    shared_weight: tuple[float, float]
    rank_correlation: float | None
    jensen_shannon: float


def merged(sets: list[ContextSet], name: str) -> ContextSet:
    """Return the templates of all sets with the sums of their counts, the heaviest first."""
    counts: dict[str, float] = {}
    for one in sets:
        for template, count in zip(one.templates, one.counts, strict=True):
            counts[template.text] = counts.get(template.text, 0.0) + count
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    templates = tuple(Template(text) for text, _ in ordered)
    return ContextSet(name, templates, tuple(count for _, count in ordered), "; ".join(one.source for one in sets))


def as_csv(contexts: ContextSet) -> str:
    """Return the set as a table that reads back to the same templates and counts."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("template", "count"))
    writer.writerows((t.text, exact(count)) for t, count in zip(contexts.templates, contexts.counts, strict=True))
    return text.getvalue()


def exact(count: float) -> str:
    """Return a count in as many digits as it has.

    >>> exact(12345679.0), exact(0.123456789), exact(1e300)
    ('12345679', '0.123456789', '1e+300')
    """
    whole = abs(count) < WHOLE_AS_FLOATS and float(count).is_integer()
    return str(int(count)) if whole else repr(float(count))


def compared(first: ContextSet, second: ContextSet) -> Comparison:
    """Return how much two sets overlap, and how far their distributions are from each other."""
    p, q = ({t.text: float(w) for t, w in zip(s.templates, s.weights(), strict=True)} for s in (first, second))
    shared = sorted(set(p) & set(q))
    every = sorted(set(p) | set(q))
    return Comparison(
        templates=(len(p), len(q)),
        shared=len(shared),
        shared_weight=(sum(p[text] for text in shared), sum(q[text] for text in shared)),
        rank_correlation=_rank_correlation(_weights(p, shared), _weights(q, shared)),
        jensen_shannon=float(jensenshannon(_weights(p, every), _weights(q, every), base=2)),
    )


def _weights(weights: dict[str, float], texts: list[str]) -> NDArray[np.float64]:
    return np.array([weights.get(text, 0.0) for text in texts])


def _rank_correlation(p: NDArray[np.float64], q: NDArray[np.float64]) -> float | None:
    if len(p) < LEAST_FOR_RANKS or len(set(p)) == 1 or len(set(q)) == 1:
        return None
    return float(spearmanr(p, q).statistic)
