"""Cluster-robust standard errors of subgroups against others (Liang, Zeger 1986)."""

from dataclasses import dataclass

import numpy as np

from bvf.arrays import FloatArray, IntArray
from bvf_factors.reading.cells import Cells, cell_of_rows
from bvf_factors.reading.table import Table

NO_ERROR = 1e-9


@dataclass(frozen=True)
class ClusterErrors:
    """Cluster-robust standard errors of subgroups against others, (S,) each.

    NaN if clusters are too few or do not vary.

    Args:
        of_difference: Of the difference of rates, or of means.
        of_log_odds: Of the difference of log odds; NaN also where one of the four counts is 0.
        freedom: Degrees of freedom of t: one less than the clusters of the subgroup, or of the others if those are
            fewer, as for the levels of a regression.
    """

    of_difference: FloatArray
    of_log_odds: FloatArray
    freedom: FloatArray


def cluster_errors(table: Table, outcome: FloatArray, cells: Cells, parents: IntArray | None) -> ClusterErrors:
    """Return the errors of the subgroups that are the cells of some factors.

    ``parents`` has a number per cell; a cell is compared with the others of its number. None: with all other rows.
    """
    flat, there, sizes = cell_of_rows(tuple(table.factor(name) for name in cells.factors))
    x = np.searchsorted(np.ravel_multi_index(tuple(cells.levels.T), sizes), flat[there])
    number, size = int(table.clusters.max()) + 1, len(cells.rows)
    every = np.ones(table.rows, dtype=bool) if parents is None else there
    family = np.zeros(size, dtype=np.intp) if parents is None else parents
    of_row = np.zeros(table.rows, dtype=np.intp) if parents is None else family[x]
    places, rows, sums = _sums(x * number + table.clusters[there], outcome[there])
    totals, all_rows, all_sums = _sums(of_row * number + table.clusters[every], outcome[every])
    x, parent = places // number, totals // number
    at = np.searchsorted(totals, family[x] * number + places % number)

    def of_family(values: FloatArray) -> FloatArray:
        return np.bincount(parent, values)[family].astype(np.float64)

    def of_cell(values: FloatArray) -> FloatArray:
        return np.bincount(x, values, size).astype(np.float64)

    with np.errstate(divide="ignore", invalid="ignore"):
        n, others_n = cells.rows, of_family(all_rows) - cells.rows
        p, others_p = cells.outcome / n, (of_family(all_sums) - cells.outcome) / others_n
        whole = all_sums[at] - others_p[x] * all_rows[at]
        inside, outside = sums - p[x] * rows, whole - (sums - others_p[x] * rows)
        squares = of_family(all_sums**2) - 2 * others_p * of_family(all_sums * all_rows)
        elsewhere = np.maximum(squares + others_p**2 * of_family(all_rows**2) - of_cell(whole**2), 0.0)
        clusters = of_family(np.ones(len(totals)))
        mine, mine_alone = of_cell(np.ones(len(x))), of_cell((all_rows[at] == rows).astype(np.float64))
        family_n = n + others_n
        correction = clusters / (clusters - 1.0) * (family_n - 1.0) / (family_n - 2.0)  # as in a regression
        freedom = np.minimum(mine, clusters - mine_alone) - 1.0

        def error(of_inside: FloatArray, of_outside: FloatArray) -> FloatArray:
            here = of_cell((of_inside[x] * inside - of_outside[x] * outside) ** 2)
            found = np.sqrt(correction * (here + of_outside**2 * elsewhere))
            known: FloatArray = np.where((freedom > 0) & np.isfinite(found) & (found > NO_ERROR), found, np.nan)
            return known

        of_odds = error(1.0 / (n * p * (1.0 - p)), 1.0 / (others_n * others_p * (1.0 - others_p)))
        return ClusterErrors(error(1.0 / n, 1.0 / others_n), of_odds, freedom)


def _sums(keys: IntArray, outcome: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """The distinct keys, ascending, and the number of rows and the sum of outcomes of each."""
    different, place = np.unique(keys, return_inverse=True)
    return different, np.bincount(place).astype(np.float64), np.bincount(place, outcome).astype(np.float64)
