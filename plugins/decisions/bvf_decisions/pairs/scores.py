"""Log odds of ordered pairs of people: what is due to whom, and to the place in the text, with errors of contexts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bvf.stats import BoolArray, ContextSample, FloatArray, IntArray, student_quantile, student_tail


@dataclass(frozen=True, eq=False)
class Estimate:
    """Numbers, (K,), and what each context of each sample adds to them, (K, C). None: contexts are no sample."""

    values: FloatArray
    moved_by: tuple[tuple[ContextSample | None, FloatArray], ...]

    @classmethod
    def mean(
        cls, values: FloatArray, weights: FloatArray, sample: ContextSample | None, arms: Sequence[BoolArray] = ()
    ) -> "Estimate":
        """Return the mean of values, (K, C), over contexts; of two ``arms`` of contexts, the difference of means."""
        mean, influence = np.zeros(len(values)), np.zeros(values.shape)
        for sign, arm in zip((1.0, -1.0), arms or [np.ones(len(weights), dtype=bool)], strict=False):
            share = arm * weights / (arm @ weights)
            own = values @ share
            mean += sign * own
            influence += sign * share / weights * (values - own[:, np.newaxis])
        return cls(mean, ((sample, influence),))

    def through(self, matrix: FloatArray) -> "Estimate":
        """Return linear combinations of the numbers, (J, K) @ (K,)."""
        return Estimate(matrix @ self.values, tuple((sample, matrix @ each) for sample, each in self.moved_by))

    def minus(self, other: "Estimate") -> "Estimate":
        """Return the differences from the numbers of other contexts."""
        theirs = tuple((sample, -each) for sample, each in other.moved_by)
        return Estimate(self.values - other.values, (*self.moved_by, *theirs))

    def _errors(self) -> tuple[FloatArray, FloatArray]:
        """Standard errors, and degrees of freedom by Satterthwaite, (K,) each; NaN: not known."""
        parts = [(sample.standard_errors(each) ** 2, sample.freedom) for sample, each in self.moved_by if sample]
        if len(parts) < len(self.moved_by):
            return np.full(len(self.values), np.nan), np.ones(len(self.values))
        total = np.sum([square for square, _ in parts], axis=0)
        of_parts = np.sum([square**2 / freedom for square, freedom in parts], axis=0)
        known = of_parts > 0
        return np.sqrt(total), np.divide(total**2, of_parts, out=np.full_like(total, np.inf), where=known)

    def ends(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Return both ends of the interval of each number, by Student's t; NaN: not known."""
        errors, freedom = self._errors()
        margin = student_quantile(0.5 + level / 2.0, freedom) * errors
        return self.values - margin, self.values + margin

    def p_values(self) -> FloatArray:
        """Return two-sided p values of the hypothesis that a number is 0; NaN: not known."""
        errors, freedom = self._errors()
        t = np.divide(np.abs(self.values), errors, out=np.full_like(errors, np.inf), where=errors != 0)
        return np.where(errors == 0, self.values == 0, 2.0 * student_tail(t, freedom))


@dataclass(frozen=True, eq=False)
class Design:
    """Which two people stand in each of X ordered pairs: indices of the first and of the second, (X,)."""

    first: IntArray
    second: IntArray

    def of_choice(self) -> tuple[FloatArray, FloatArray]:
        """Return what makes each person's log odds of being meant when first and when second: means over partners."""
        one, two = self._dummies()
        return (one / one.sum(axis=0)).T, -(two / two.sum(axis=0)).T

    def of_class(self) -> tuple[FloatArray, FloatArray] | None:
        """Return what makes each person's effect when first and when second, by least squares of an additive model.

        Effects add up to 0 in each place. None: the pairs do not tell the places apart; it takes three people or more.
        """
        one, two = self._dummies()
        number = one.shape[1]
        centred = np.eye(number) - 1.0 / number
        model = np.hstack([np.ones((len(one), 1)), one @ centred, two @ centred])
        if np.linalg.matrix_rank(model) < 2 * number - 1:
            return None
        solved = np.linalg.pinv(model)
        return centred @ solved[1 : number + 1], centred @ solved[number + 1 :]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Each pair once, the lower index first."""
        return [(g, h) for g, h in zip(self.first.tolist(), self.second.tolist(), strict=True) if g < h]

    def apart(self) -> FloatArray:
        """Return what makes the difference of both people of each pair, (K, G)."""
        one, _ = self._dummies()
        people = np.eye(one.shape[1])
        return np.array([people[g] - people[h] for g, h in self.pairs])

    def over(self) -> FloatArray:
        """Return what makes the log odds of one over the other, both orders alike, (K, X)."""
        either = np.eye(len(self.first))
        row = {both: either[x] for x, both in enumerate(zip(self.first.tolist(), self.second.tolist(), strict=True))}
        return np.array([(row[g, h] - row[h, g]) / 2.0 for g, h in self.pairs])

    def from_partners(self) -> FloatArray:
        """Return what makes the mean difference of each person from the partners, (G, G)."""
        one, two = self._dummies()
        met = one.T @ two
        return np.asarray(np.eye(len(met)) - met / met.sum(axis=1, keepdims=True))

    def _dummies(self) -> tuple[FloatArray, FloatArray]:
        people = np.eye(max(self.first.max(), self.second.max()) + 1)
        return people[self.first], people[self.second]


def spread(effects: FloatArray) -> tuple[float, FloatArray]:
    """Return the standard deviation of effects that add up to 0, and how much it grows with each of them."""
    size = float(np.sqrt((effects**2).mean()))
    return size, effects / (len(effects) * size) if size else np.zeros(len(effects))


def correlated(one: Estimate, other: Estimate, level: float) -> tuple[float, float, float]:
    """Return Pearson's correlation of two estimates of the same people and the ends of its interval (Fisher's z).

    NaN: an estimate is the same for all; ends are NaN where contexts are no sample. People are not drawn.
    """
    x, y = ((each.values - each.values.mean()) for each in (one, other))
    length = np.sqrt((x @ x) * (y @ y))
    r = float(x @ y / length) if length > 0 else np.nan
    if not abs(r) < 1.0:
        return r, np.nan, np.nan
    on_x = (y / length - r * x / (x @ x)) / (1.0 - r**2)
    on_y = (x / length - r * y / (y @ y)) / (1.0 - r**2)
    z = one.through(on_x[np.newaxis]).minus(other.through(-on_y[np.newaxis]))
    low, high = replace(z, values=np.array([np.arctanh(r)])).ends(level)
    return r, float(np.tanh(low[0])), float(np.tanh(high[0]))
