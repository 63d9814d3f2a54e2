"""Shares of classes from what a model expected in each of its texts, in place of what chance drew.

Of a text it is known which class its first word is of (the *rule*), and what chance did to that: how many words of each
class were expected up to there and did not come (`bvf.interfaces.Writing`), which is 0 on average. Their sum s is an
unbiased estimate of the probability that a class is named first. The shares of a prompt are E_k[s] / A, where A is the
sum of E_k[s] over classes; where that is less than half of what it is in the group, as it may be by chance, they are
r + E_k[s - r sum_y s] / A with this half as A, and r the shares of the group. Both are means of vectors of texts.

A reader does not always read what the rule names. Per prompt the difference is as noisy as counts are, so it is taken
over all contexts of a group: e = E_c,k[reader - rule] / E_c[A], and p = (share + e) / (1 + sum_y e). The vector of a
text takes the difference in all texts of its number, so that halves of the texts are independent estimates.

Axes: X groups, C contexts, K texts, Y classes.
"""

import numpy as np

from bvf.stats import FloatArray

LEAST = 0.5
"""The least A of a prompt, as a share of that of its group."""


def vectors_of_texts(sums: FloatArray, added: FloatArray, weights: FloatArray) -> FloatArray:
    """Return `Answers.each`: vectors that sum to 1 and whose means over the texts of a prompt are p, and errors of e.

    The shape is (X, C, K + 1, Y). They are NaN in a group in which no class is named.

    Args:
        sums: s, shape (X, C, K, Y).
        added: reader - rule, 1, 0 or -1, shape (X, C, K, Y).
        weights: P(C), shape (C,), sums to 1.
    """
    by_group = np.einsum("xcky,c->xy", sums, weights)[:, np.newaxis, np.newaxis] / sums.shape[2]
    named = by_group.sum(axis=3, keepdims=True)
    named = np.where(named > 0.0, named, np.nan)
    r, A = by_group / named, np.maximum(sums.mean(axis=2, keepdims=True).sum(axis=3, keepdims=True), LEAST * named)
    by_text = np.einsum("xcky,c->xky", added, weights)[:, np.newaxis] / named
    vectors = r + (sums - r * sums.sum(axis=3, keepdims=True)) / A
    pooled = by_text.mean(axis=2, keepdims=True)
    kept = 1.0 + pooled.sum(axis=3, keepdims=True)
    p = (vectors.mean(axis=2, keepdims=True) + pooled) / kept
    vectors = (vectors + by_text - p * (by_text - pooled).sum(axis=3, keepdims=True)) / kept
    errors = weights[:, np.newaxis, np.newaxis] * (added.mean(axis=2, keepdims=True) / named - pooled)
    return np.concatenate([vectors, (errors - r * errors.sum(axis=3, keepdims=True)) / kept], axis=2)
