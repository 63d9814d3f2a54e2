"""The interfaces of criteria: the risk J of a stereotype vector, and the score of a true answer's probability."""

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from bvf.arrays import FloatArray, floats
from bvf.errors import ContractError

Curvature = Literal["convex", "concave", "neither"]


class Criterion(ABC):
    """The risk J(s) of a stereotype vector s = p / p* - 1 (Eq. 1 and 2).

    Calling a criterion checks argument and result; implement `risk` and nothing else.

    - ``curvature``: whether J is convex or concave in s.
    - ``sublinear``: J(a s) = a J(s) for every a >= 0, and J(s + t) <= J(s) + J(t), for all real vectors. Then
      R <= shared + particular, and both are computed.
    - ``needs_uniform_reference``: J is defined only if p* is the same for every attribute; a run refuses another p*.
    """

    curvature: ClassVar[Curvature] = "convex"
    sublinear: ClassVar[bool] = False
    needs_uniform_reference: ClassVar[bool] = False

    def __call__(self, stereotype: ArrayLike, /) -> FloatArray:
        """Return J for every vector along the last axis.

        Args:
            stereotype: Stereotype, shape (..., Y), Y >= 2, every entry >= -1 or NaN; a sublinear criterion is also
                given differences of stereotypes, whose entries may be any number.

        Returns:
            Risk, shape (...), float64, >= 0; 0 at s = 0; NaN where the stereotype is.

        Raises:
            ContractError: `risk` returned another shape, or no numbers.
        """
        s = np.asarray(stereotype, dtype=np.float64)
        j = floats(self.risk(s), f"{type(self).__name__}.risk", ContractError)
        if j.shape != s.shape[:-1]:
            raise ContractError(f"{type(self).__name__}.risk gave shape {j.shape}, not {s.shape[:-1]}")
        return j

    @abstractmethod
    def risk(self, s: FloatArray, /) -> FloatArray:
        """Return J of each vector along the last axis, vectorised. Shape (..., Y) becomes (...)."""

    def subgradient(self, s: FloatArray, /) -> FloatArray | None:
        """Return a subgradient g of J at each vector, shape (..., Y); None to have it computed numerically.

        For a convex J, J(t) >= J(s) + g (t - s) for every t. Intervals of R^b rest on it.
        """
        return None

    def for_classes(self, names: tuple[str, ...]) -> "Criterion":
        """Return the criterion for classes with these names: ``self`` unless J depends on class names.

        Raises:
            BvfError: The criterion depends on a class that is not among the names.
        """
        return self

    def for_reference(self, p_star: FloatArray) -> "Criterion":
        """Return the criterion for a reference p*: ``self`` if J does not depend on p*.

        A new one depends on p*, and is refused if p* changes with the context. p* is above 0, of a shape that
        broadcasts against every s that follows: (X, 1, Y) in a run, where s has shape (X, C, Y). So the probabilities
        are ``p_star * (1 + s)``.
        """
        return self

    def towards(self, mean_stereotype: FloatArray) -> "Criterion":
        """Return the criterion for given E_c[s], shape (X, 1, Y): ``self`` unless J depends on mean stereotypes."""
        return self


class KnowledgeCriterion(ABC):
    """A concave, increasing score J of the probability of the true answer (Appendix E.1).

    J is 0 for a probability of 0 and 1 for a probability of 1. Implement `score` and nothing else.
    """

    def __call__(self, true_p: ArrayLike, /) -> FloatArray:
        """Return J for every probability.

        Args:
            true_p: Probability of the true answer, any shape, 0 to 1 or NaN.

        Returns:
            Score, same shape, float64, 0 to 1.

        Raises:
            ContractError: `score` returned another shape, or no numbers.
        """
        p = np.asarray(true_p, dtype=np.float64)
        j = floats(self.score(p), f"{type(self).__name__}.score", ContractError)
        if j.shape != p.shape:
            raise ContractError(f"{type(self).__name__}.score gave shape {j.shape}, not {p.shape}")
        return j

    @abstractmethod
    def score(self, p: FloatArray, /) -> FloatArray:
        """Return the score of each probability, vectorised. The shape stays the same."""
