"""Standard errors and bounds of an average of J(E_c[v]) over groups, some of which are near a kink of J.

In a group near a kink, the subgradient at the mean of the sample need not be that at the true mean. Then influences of
groups may cancel only because of the signs that they have in this sample (`Signs`).

With two classes J is |mean|, with a kink at 0. Let z be the mean in its standard errors. Then |z| is too large by
e(u) = 2 phi(u) - 2 u Phi(-u) on average, for the true u >= 0: by 0.8 at the kink, and by hardly anything two standard
errors away from it. Two upper bounds use more than the plug-in estimate:

- *Corrected*: |z| - c(z). The average of c(z) is at most e(u) for every u, so this errs upward still, but by less. Its
  variance is at most `ERROR`^2, and two of them are no more correlated than the means (Gebelein's inequality). Errors
  of single groups are skewed, so c counts in so far as groups move by themselves.
- *Moved*: J at means that are moved along the average, each by its covariance with it.

Near a kink between two subgradients g and g' of any J, J is their mean plus half of |(g - g') mean|.

Axes: X groups, D doubtful groups, C contexts, Y entries of a vector.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bvf.arrays import BoolArray, FloatArray, summed
from bvf.stats.sampling.samples import NO_ERROR, ContextSample

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


ERROR = 1.1
"""The error of a corrected estimate of a doubtful group, in errors of its plug-in estimate: sqrt(1.21)."""
HEIGHT, BEND, WIDTH = 0.77, 0.815, 0.8
"""c(z) is (`HEIGHT` - `BEND` z^2) exp(-z^2 / 2 / `WIDTH`^2)."""


def correction(z: FloatArray) -> FloatArray:
    """Return c(z), which is on average at most what |z| is too large by, for z with a standard error of 1."""
    return (HEIGHT - BEND * z**2) * np.exp(-0.5 * (z / WIDTH) ** 2)


@dataclass(frozen=True)
class Kinks:
    """Groups near a kink of J.

    Methods take weights of all groups, and return bounds as differences from the plug-in estimate of J(E_c[v]).

    Args:
        value: J, maps (X, 1, Y) to (X, 1).
        sample: The contexts.
        means: The mean vectors of all groups in the sample, shape (X, 1, Y).
        on_means: Influences of an occurrence of each context on those of doubtful groups, shape (D, Y, C).
        across: The difference of the subgradients of J on both sides of the kink, shape (D, Y).
        signs: The influences of all groups on J(E_c[v]).
    """

    value: Callable[[FloatArray], FloatArray]
    sample: ContextSample
    means: FloatArray
    on_means: FloatArray
    across: FloatArray
    signs: Signs

    def corrections(self, p_x: FloatArray) -> FloatArray:
        """The sum of the corrections of doubtful groups, in so far as they move by themselves, shape (...).

        Of N groups of equal weight that share nothing it is 1 - 1 / N of it, of a single group nothing.
        """
        weights, error = p_x[..., self.signs.in_doubt], self._errors
        alone, together = weights @ error, self.signs.of_doubtful_together(p_x)
        share = np.divide(together, alone, out=np.ones_like(alone), where=alone > NO_ERROR)
        each = error * correction(self._distances)
        return np.asarray(np.maximum(1.0 - share**2, 0.0) * (weights @ each))

    def rise(self, p_x: FloatArray, margin: float, beside: FloatArray | float = 0.0) -> float:
        """How far the sum over groups, less a mean ``beside`` it, rises with means that are moved along it.

        It is the largest over the signs that doubtful groups may have. ``p_x`` are weights, shape (X,), ``margin`` is
        the number of standard errors, and ``beside`` the influences on that mean, shape (C,).
        """
        straight = self.sample.scores(p_x @ self.signs.clear_on_mean - beside)
        rises = []
        for influence in self.signs.on_mean_by_signs(p_x):
            along = self.sample.scores(influence - beside)
            along = margin * along / max(float(np.linalg.norm(along)), NO_ERROR)
            moved = self.means.copy()
            moved[self.signs.in_doubt, 0] += self._scores @ along
            rises.append(float(straight @ along + p_x @ (self.value(moved) - self.value(self.means))[:, 0]))
        return max(rises)

    @cached_property
    def _scores(self) -> FloatArray:
        return self.sample.scores(self.on_means)

    @cached_property
    def _errors(self) -> FloatArray:
        """The standard error of half of what differs across the kink, shape (D,)."""
        influence = (self.across[..., np.newaxis] * self.on_means).sum(axis=1)
        return 0.5 * self.sample.standard_errors(influence)

    @cached_property
    def _distances(self) -> FloatArray:
        """z, the distance of the mean from the kink in its standard errors, shape (D,)."""
        half = 0.5 * summed(self.across * self.means[self.signs.in_doubt, 0])
        return np.divide(half, self._errors, out=np.full_like(half, np.inf), where=self._errors > NO_ERROR)
