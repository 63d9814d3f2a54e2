"""Documents are drawn again as the digests of their names say: worked numbers, and what must hold for any."""

import hashlib
import math

import numpy as np
from bvf_mining.replicates import LIMITS, REPLICATES, document_weights, replicate_counts
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest, poisson

DOCUMENTS = st.dictionaries(
    st.text(max_size=5), st.dictionaries(st.sampled_from("abcd"), st.integers(1, 9), min_size=1), max_size=6
)


def plainly_drawn(name):
    """How often a document is drawn in each replicate, number by number."""
    digest = hashlib.shake_128(name.encode()).digest(800)
    numbers = [int.from_bytes(digest[4 * b : 4 * b + 4], "little") / 2**32 for b in range(200)]
    drawn = []
    for number in numbers:
        k, below = 0, math.exp(-1)
        while number >= below:
            k += 1
            below += math.exp(-1) / math.factorial(k)
        drawn.append(k)
    return drawn


@given(st.text())
def test_a_document_is_drawn_as_the_digest_of_its_name_says(name):
    assert document_weights(name).tolist() == plainly_drawn(name)


@given(DOCUMENTS, st.randoms())
def test_counts_are_sums_over_documents_in_any_order(documents, rng):
    names = rng.sample(list(documents), len(documents))
    counts = replicate_counts([(name, documents[name]) for name in names], "abcd")
    drawn = {name: plainly_drawn(name) for name in documents}
    for row, template in zip(counts.tolist(), "abcd", strict=True):
        for b, count in enumerate(row):
            assert count == sum(times.get(template, 0) * drawn[name][b] for name, times in documents.items())


def test_draws_are_poisson_and_independent():
    drawn = np.array([document_weights(f"document {n}") for n in range(2000)])
    expected = poisson(1).pmf(np.arange(6)) * drawn.size
    seen = np.bincount(drawn.ravel())[:6]
    assert (((seen - expected) ** 2 / expected).sum()) < 20.5  # chi square, 5 degrees: one in a thousand
    correlations = np.corrcoef(drawn.T)[np.triu_indices(REPLICATES, 1)]
    assert kstest(correlations * math.sqrt(2000), "norm").pvalue > 0.001
    assert (np.diff(LIMITS) > 0).all()


def test_no_document_is_no_count():
    assert replicate_counts([], "ab").tolist() == [[0] * REPLICATES] * 2
