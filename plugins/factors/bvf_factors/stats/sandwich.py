"""Cluster-robust covariance of regression coefficients (Liang and Zeger 1986)."""

import numpy as np

from bvf.stats import FloatArray


def clustered_covariance(bread: FloatArray, meat: FloatArray, rows: int, clusters: int) -> FloatArray:
    """Return the covariance of K coefficients corrected for few clusters: B M B G/(G - 1) (P - 1)/(P - K), (K, K).

    Args:
        bread: B, the inverse of the information, shape (K, K).
        meat: M, the sum over clusters of s s', where s is the sum of the cluster's scores, shape (K, K).
        rows: P, the number of rows, more than K.
        clusters: G, the number of clusters, at least 2.
    """
    correction = clusters / (clusters - 1.0) * (rows - 1.0) / (rows - len(bread))
    return correction * bread @ meat @ bread


def joint_statistic(coefficients: FloatArray, covariance: FloatArray, clusters: int) -> float:
    """Return Hotelling's F = W (G - q) / (q (G - 1)), on q and G - q df, for the hypothesis that q coefficients are 0.

    W is Wald's statistic, and G > q the number of clusters. W / q on q and G - 1 df rejects far too often if q is near
    G, as a q x q covariance is then estimated from hardly more than q clusters. For q = 1 the F is t squared.
    """
    q = len(coefficients)
    wald = float(coefficients @ np.linalg.solve(covariance, coefficients))
    return wald * (clusters - q) / (q * (clusters - 1.0))
