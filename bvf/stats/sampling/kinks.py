"""Bounds of an average of J(E_c[v]) over groups, some of which are near a kink of J.

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

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bvf.arrays import FloatArray
from bvf.stats.figures.last_axis import summed
from bvf.stats.sampling.samples import NO_ERROR, ContextSample
from bvf.stats.sampling.signs import Signs

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
