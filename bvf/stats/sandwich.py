"""Covariance of regression coefficients where rows are dependent within clusters (Liang and Zeger 1986)."""

import numpy as np

from bvf.arrays import FloatArray


def clustered_covariance(bread: FloatArray, meat: FloatArray, rows: int, clusters: int) -> FloatArray:
    """Return B M B G/(G - 1) (P - 1)/(P - K), shape (K, K), corrected as by statsmodels and Stata's regress.

    Args:
        bread: B, the inverse of the information, shape (K, K).
        meat: M, the sum over clusters of s s', where s is the sum of the cluster's scores, shape (K, K).
        rows: P, more than K.
        clusters: G, 2 or more.
    """
    correction = clusters / (clusters - 1.0) * (rows - 1.0) / (rows - len(bread))
    return correction * bread @ meat @ bread


def joint_statistic(coefficients: FloatArray, covariance: FloatArray, clusters: int) -> float:
    """Return Hotelling's F of the hypothesis that q coefficients are all 0: W (G - q) / (q (G - 1)) on q and G - q.

    W is Wald's statistic, and G > q the number of clusters. W / q on q and G - 1 rejects far too often where q is close
    to G, as the covariance is then estimated from few clusters more than it has rows. For q = 1 it is t squared.
    """
    q = len(coefficients)
    wald = float(coefficients @ np.linalg.solve(covariance, coefficients))
    return wald * (clusters - q) / (q * (clusters - 1.0))
