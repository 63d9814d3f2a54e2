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
    """What makes figures of G people and K pairs of the log odds of X ordered pairs, as matrices."""

    pairs: list[tuple[int, int]]  # each once, the lower index first
    first: FloatArray  # of people in the first place, (G, X)
    second: FloatArray  # and in the second one, (G, X)
    score: FloatArray  # of people, in both places, (G, X)
    over: FloatArray  # of the first person of a pair over the second, in both orders, (K, X)
    centred: FloatArray  # of people from those of each alone, (G, G)
    apart: FloatArray  # of pairs from those of each alone, (K, G)

    @classmethod
    def of(cls, first: IntArray, second: IntArray, *, who: bool) -> "Design | None":
        """Return the design of ordered pairs, from the indices of both people, (X,).

        Where the question is ``who`` is meant, people are compared with their partners, by means. Else an additive
        model has effects of both places, each of which add up to 0, by least squares. None: these pairs do not tell the
        places apart; it takes three people or more.
        """
        people, each = np.eye(max(first) + 1), np.eye(len(first))
        one, two, number = people[first], people[second], len(people)
        row = {both: x for x, both in enumerate(zip(first.tolist(), second.tolist(), strict=True))}
        pairs = [(g, h) for g, h in row if g < h]
        apart = np.array([people[g] - people[h] for g, h in pairs])
        if who:
            met = one.T @ two
            partners = met.sum(axis=1, keepdims=True)
            ours, theirs = one.T / partners, -two.T / partners
            over = np.array([each[row[g, h]] - each[row[h, g]] for g, h in pairs]) / 2.0
            return cls(pairs, ours, theirs, (ours + theirs) / 2.0, over, people - met / partners, apart)
        centred = people - 1.0 / number
        model = np.hstack([np.ones((len(one), 1)), one @ centred, two @ centred])
        if np.linalg.matrix_rank(model) < 2 * number - 1:
            return None
        solved = np.linalg.pinv(model)
        ours, theirs = centred @ solved[1 : number + 1], centred @ solved[number + 1 :]
        return cls(pairs, ours, theirs, ours + theirs, apart @ (ours + theirs), centred, apart)


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
