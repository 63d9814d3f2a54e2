"""The rule that says who is selected, as a criterion, and the candidates whom it selects."""

import re
from copy import copy
from typing import ClassVar

import numpy as np

from bvf import BvfError, Criterion
from bvf.errors import nearest
from bvf.stats import FloatArray

NUMBER = r"(\d*\.?\d+)"
PARTS = {
    "median": re.compile("median()"),
    "above": re.compile(f"above={NUMBER}"),
    "top": re.compile(r"top=(\d+)"),
    "share": re.compile(f"top={NUMBER}%"),
    "class": re.compile("class=(.+)"),
    "by": re.compile("by=(.+)"),
}
MOST = {"above": 1.0, "share": 100.0}


class Selection(Criterion):
    """Whom a model selects: candidates whose p of the favourable class is above the median or a number, or in the top.

    J(s) is the positive part of the stereotype s = p / p* - 1 of that class, as for ``direction:CLASS``.

    Args:
        rule: ``median``, ``above=P``, ``top=N`` or ``top=P%``; after commas ``class=NAME``, the favourable class
            (without it, the first of the topic), and ``by=FACTOR+FACTOR`` (without it, all factors of the groups).

    Raises:
        BvfError: The rule is none of these, or a number is out of range.
    """

    sublinear: ClassVar[bool] = True

    def __init__(self, rule: str = "median") -> None:
        self.how, self.number, self.favourable, self.index = "median", 0.0, "", 0
        self.factors: tuple[str, ...] = ()
        for part in rule.split(","):
            matches = [(name, match[1]) for name, of in PARTS.items() if (match := of.fullmatch(part.strip()))]
            for name, value in matches:
                if name == "class":
                    self.favourable = value
                elif name == "by":
                    self.factors = tuple(value.split("+"))
                else:
                    self.how, self.number = name, float(value or 0.0)
            if not matches or self.number > MOST.get(self.how, np.inf) or (self.how[:1] in "st" and not self.number):
                message = f'criterion impact: "{part}" is no rule of selection'
                raise BvfError(message, "write median, above=0.5, top=24 or top=10%; after commas class=NAME, by=A+B")

    @property
    def described(self) -> str:
        """Whom it selects, in words."""
        return {
            "median": "above the median of all candidates",
            "above": f"above {self.number:g}",
            "top": f"among the {self.number:g} highest of all candidates",
            "share": f"among the highest {self.number:g} % of all candidates",
        }[self.how]

    def for_classes(self, names: tuple[str, ...]) -> "Selection":
        """Return the rule for classes with these names; see `bvf.Criterion.for_classes`."""
        rule = copy(self)
        rule.favourable = self.favourable or names[0]
        if rule.favourable not in names:
            message = f'criterion impact: there is no class "{rule.favourable}"'
            raise BvfError(message, nearest(rule.favourable, list(names)))
        rule.index = names.index(rule.favourable)
        return rule

    def risk(self, s: FloatArray, /) -> FloatArray:
        positive: FloatArray = np.maximum(s[..., self.index], 0.0)
        return positive

    def selected(self, p: FloatArray) -> FloatArray:
        """Return 1 for each candidate who is selected and 0 for others, of the shape of ``p``.

        Candidates who are equal where the places end share those that are left.

        >>> Selection("top=2").selected(np.array([0.3, 0.9, 0.3, 0.1])).tolist()
        [0.5, 1.0, 0.5, 0.0]

        Raises:
            BvfError: There are fewer candidates than places.
        """
        if self.how in ("median", "above"):
            return np.asarray(p > (np.median(p) if self.how == "median" else self.number), dtype=np.float64)
        places = self.number if self.how == "top" else p.size * self.number / 100.0
        if places > p.size:
            raise BvfError(f"criterion impact: top={places:g} of {p.size} candidates", "choose fewer, or top=10%")
        last = np.sort(p, axis=None)[p.size - int(np.ceil(places))]
        above, equal = p > last, p == last
        return np.asarray(np.where(equal, (places - above.sum()) / equal.sum(), above), dtype=np.float64)
