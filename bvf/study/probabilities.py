"""Predictions as an array with named axes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bvf.arrays import FloatArray
from bvf.errors import BvfError, nearest

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Probabilities:
    """The array p(y | x, c), with names along its axes. numpy and `bvf.decompose` take it as an array.

    Args:
        values: Shape (X, C, Y), 0 to 1, sums to 1 over Y; NaN where it is missing.
        groups: Names of the groups X.
        contexts: Texts of the contexts C.
        classes: Names of the classes Y.
        context_weights: P(C), shape (C,), sums to 1.
        group_weights: P(X), shape (X,), sums to 1.
    """

    values: FloatArray
    groups: tuple[str, ...]
    contexts: tuple[str, ...]
    classes: tuple[str, ...]
    context_weights: FloatArray
    group_weights: FloatArray

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of groups, contexts and classes."""
        return self.values.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __getitem__(self, place: Any) -> Any:
        return self.values[place]

    def __repr__(self) -> str:
        groups, contexts, classes = self.shape
        return f"Probabilities({groups} groups, {contexts} contexts, {classes} classes: {', '.join(self.classes)})"

    def of(self, group: str = "", context: str = "", attribute: str = "") -> FloatArray:
        """Return the values of a named group, context or class (attribute). The named axes are dropped.

        Raises:
            BvfError: There is no such group, context or class.
        """
        places = (
            _place(group, self.groups, "group"),
            _place(context, self.contexts, "context"),
            _place(attribute, self.classes, "class"),
        )
        return self.values[places]

    def to_series(self) -> "pd.Series[float]":
        """Return the values as a series indexed by ``group``, ``context`` and ``attribute``."""
        import pandas as pd

        names = ["group", "context", "attribute"]
        index = pd.MultiIndex.from_product([self.groups, self.contexts, self.classes], names=names)
        return pd.Series(self.values.ravel(), index=index, name="probability")


def _place(name: str, names: tuple[str, ...], what: str) -> int | slice:
    if not name:
        return slice(None)
    if name not in names:
        raise BvfError(f'there is no {what} "{name}"', nearest(name, list(names)[:1000]))
    return names.index(name)
