"""Weights that choose each group in turn, for the figures of all groups at once."""

from bvf.arrays import FloatArray


def each_group(number: int) -> FloatArray:
    """Return weights of the groups, shape (X, X): row x has 1 for group x and 0 for others.

    They are sparse: time and memory grow with the number of groups, not with its square.
    """
    from scipy.sparse import eye_array  # which --help does without

    weights: FloatArray = eye_array(number, format="csr")
    return weights
