"""Shares of classes from what a model expected in each of its texts, in place of what chance drew.

Of a text it is known which class its first word is of (the *rule*), and what chance did to that: how many words of each
class were expected up to there and did not come (`bvf.interfaces.Writing`), which is 0 on average. Their sum s is an
unbiased estimate of the probability that a class is named first. The shares of a prompt are E_k[s] / A, where A is the
sum of E_k[s] over classes; where that is within its noise and less than a fifth of what it is in the group, they are
r + E_k[s - r sum_y s] / A with the smaller of both as A, and r the shares of the group. Both are means of vectors of
texts, and the first holds everywhere where there are many texts.

A reader does not always read what the rule names. Per prompt the difference is as noisy as counts are. So T_yz, how
often z is read where the rule names y, is taken over all contexts of a group: p = share T / sum_z share T. The vector
of a text has the T of all texts of its number (to first order), so that halves of the texts are independent estimates.

Axes: X groups, C contexts, K texts, Y classes.
"""

import numpy as np

from bvf.stats import FloatArray

LEAST, ERRORS = 0.2, 2.0
"""The least A of a prompt: this share of that of its group, or so many standard errors, whichever is less."""


def vectors_of_texts(rule: FloatArray, owed: FloatArray, read: FloatArray, weights: FloatArray) -> FloatArray:
    """Return `Answers.each`: vectors of texts whose means are p, and what prompts say of T, shape (X, C, K + 1, Y).

    They are NaN in a group in which no class is named or read.

    Args:
        rule: 1 where the first word of a text is of the class, else 0, shape (X, C, K, Y).
        owed: How many words of the class were expected in it and did not come, shape (X, C, K, Y).
        read: 1 where the reader reads the class, else 0, shape (X, C, K, Y).
        weights: P(C), shape (C,), sums to 1.
    """
    sums = rule + owed
    of_group = np.einsum("xcky,c->xy", sums, weights)[:, np.newaxis, np.newaxis] / sums.shape[2]
    named = _known(of_group.sum(axis=3, keepdims=True))
    total = sums.sum(axis=3, keepdims=True)
    least, number = LEAST * named, sums.shape[2]
    if number > 1:
        of_texts = np.einsum("xcky,c->xky", total.var(axis=2, ddof=1, keepdims=True), weights)[:, np.newaxis]
        least = np.minimum(least, ERRORS * np.sqrt(of_texts / number))
    r, A = of_group / named, np.maximum(total.mean(axis=2, keepdims=True), least)
    each = r + (sums - r * total) / A
    both = np.einsum("xcky,xckz,c->xkyz", rule, read, weights)
    times = np.einsum("xcky,c->xky", rule, weights)[..., np.newaxis]
    never = times.mean(axis=1, keepdims=True) == 0.0
    every = np.where(never, 1.0, times.mean(axis=1, keepdims=True))
    T = np.where(never, np.eye(rule.shape[3]), both.mean(axis=1, keepdims=True) / every)
    share = each.mean(axis=2, keepdims=True)
    kept = _known((share @ T).sum(axis=3, keepdims=True))
    moved = (each - share) @ T + np.einsum("xcy,xkyz->xckz", share[:, :, 0], (both - times * T) / every)
    apart = (read.mean(axis=2, keepdims=True) - rule.mean(axis=2, keepdims=True) @ T) / named
    whole, p = np.concatenate([share @ T + moved, apart], axis=2), share @ T / kept
    far = np.concatenate([moved, apart], axis=2).sum(axis=3, keepdims=True)
    return np.asarray((whole - p * far) / kept)


def _known(total: FloatArray) -> FloatArray:
    return np.where(total > 0.0, total, np.nan)
