"""Standard errors of J(E_c[v]) whatever the signs are of influences of groups near a kink of J.

In a group near a kink, the subgradient at the mean of the sample need not be that at the true mean. Then influences of
groups may cancel only because of the signs that they have in this sample.

Axes: X groups, C contexts. Methods take weights of the groups, shape (..., X), and return errors, shape (...).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bvf.arrays import BoolArray, FloatArray
from bvf.stats.sampling.samples import ContextSample

OF_PARTS = 1.2
"""The error of the cross-fit estimate of a doubtful group, for intervals, in errors of its plug-in estimate.

It is 1.35 at most, but where it is largest, the estimate errs downward by most: this was measured for a sublinear J.
"""
OF_ANY_PARTS = float(np.sqrt(2.0))
"""The same for any J: an upper bound."""


@dataclass(frozen=True)
class Signs:
    """Influences of an occurrence of each context, and the groups whose influence on J(E_c[v]) has a doubtful sign.

    Args:
        sample: The contexts.
        on_total: Influences on E_c[J(v)], shape (X, C).
        on_mean: Influences on J(E_c[v]), with the signs that they have in the sample, shape (X, C).
        in_doubt: A mask of the doubtful groups, shape (X,).
        together: Influences on J(E_c[v]) if the doubtful groups lean to the same class, for each class, (X, C) each.
        of_parts: `OF_PARTS`, or `OF_ANY_PARTS` for a J that is not sublinear.
    """

    sample: ContextSample
    on_total: FloatArray
    on_mean: FloatArray
    in_doubt: BoolArray
    together: Sequence[FloatArray]
    of_parts: float = OF_PARTS

    def of_mean(self, p_x: FloatArray, of_doubtful: float = 1.0) -> FloatArray:
        """The largest standard error of the plug-in estimate of J(E_c[v]), over the signs of doubtful groups.

        Errors of doubtful groups are ``of_doubtful`` times as large.
        """
        return self._largest(*self.on_mean_by_signs(p_x, of_doubtful))

    def on_mean_by_signs(self, p_x: FloatArray, of_doubtful: float = 1.0) -> list[FloatArray]:
        """Influences on J(E_c[v]) for each of the signs that doubtful groups may have, shape (..., C) each."""
        clear, doubtful = p_x @ self.clear_on_mean, of_doubtful * (p_x @ self._doubtful(self.on_mean))
        together = [clear + of_doubtful * (p_x @ self._doubtful(each)) for each in self.together]
        return [clear + doubtful, clear - doubtful, *together]

    def of_doubtful_together(self, p_x: FloatArray) -> FloatArray:
        """The largest standard error of what doubtful groups add to J(E_c[v]) if they lean to the same class."""
        return self._largest(*(p_x @ self._doubtful(each) for each in self.together))

    def of_rest(self, p_x: FloatArray) -> FloatArray:
        """That of the plug-in estimate of E_c[J(v)] - J(E_c[v]), if doubtful groups move with the others or against."""
        on_rest = self.on_total - self.on_mean
        clear, doubtful = p_x @ self._clear(on_rest), p_x @ self._doubtful(on_rest)
        return self._largest(clear + doubtful, clear - doubtful)

    def of_rest_by_signs(self, p_x: FloatArray, of_doubtful: float) -> FloatArray:
        """The largest one of E_c[J(v)] - J(E_c[v]), over the signs of doubtful groups in J(E_c[v])."""
        on_total = p_x @ self.on_total
        return self._largest(*(on_total - each for each in self.on_mean_by_signs(p_x, of_doubtful)))

    def of_mean_by_parts(self, p_x: FloatArray) -> FloatArray:
        """That of the cross-fit estimate of J(E_c[v]), which rests on a part of the sample at a time (`of_parts`)."""
        clear, doubtful = p_x @ self.clear_on_mean, self.of_parts * (p_x @ self._doubtful(self.on_mean))
        return self._largest(clear + doubtful, clear - doubtful)

    def of_rest_by_parts(self, p_x: FloatArray) -> FloatArray:
        """That of E_c[J(v)] minus the cross-fit estimate of J(E_c[v])."""
        clear = p_x @ self._clear(self.on_total - self.on_mean)
        doubtful = p_x @ self._doubtful(self.on_total - self.of_parts * self.on_mean)
        return self._largest(clear + doubtful, clear - doubtful)

    @cached_property
    def clear_on_mean(self) -> FloatArray:
        """Influences of clear groups on J(E_c[v]), shape (X, C)."""
        return self._clear(self.on_mean)

    def _clear(self, influence: FloatArray) -> FloatArray:
        return np.where(self.in_doubt[:, np.newaxis], 0.0, influence)

    def _doubtful(self, influence: FloatArray) -> FloatArray:
        return np.where(self.in_doubt[:, np.newaxis], influence, 0.0)

    def _largest(self, *influences: FloatArray) -> FloatArray:
        largest: FloatArray = np.max([self.sample.standard_errors(each) for each in influences], axis=0)
        return largest
