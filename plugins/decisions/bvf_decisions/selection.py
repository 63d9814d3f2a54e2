"""The rule that says who is selected, as a criterion, and the candidates whom it selects."""

import re
from copy import copy
from typing import ClassVar

import numpy as np

from bvf import BvfError, Criterion
from bvf.errors import nearest
from bvf.stats import FloatArray

PART = re.compile(
    r"median|above=(?P<above>0?\.\d+|0|1)|top=(?P<top>[1-9]\d*|\d*\.?\d+%)|class=(?P<of>.+)|by=(?P<by>.+)"
)
RULES = "write median, above=0.5, top=24 or top=10%; after commas, class=NAME and by=FACTOR+FACTOR"


class Selection(Criterion):
    """Whom a model selects: candidates whose p of the favourable class is above the median or a number, or in the top.

    J(s) is the positive part of the stereotype s = p / p* - 1 of that class, as for ``direction:CLASS``.

    ``rule`` is ``median``, ``above=P``, ``top=N`` or ``top=P%``; after commas ``class=NAME``, the favourable class
    (without it, the first of the topic), and ``by=FACTOR+FACTOR`` (without it, all factors of the groups).
    """

    sublinear: ClassVar[bool] = True

    def __init__(self, rule: str = "median") -> None:
        said = dict[str, str]()
        for part in rule.split(","):
            match = PART.fullmatch(part.strip())
            if match is None:
                raise BvfError(f'criterion impact: "{part}" is no rule of selection', RULES)
            said |= {name: value for name, value in match.groupdict().items() if value}
        self.favourable, self.index, self.top = said.get("of", ""), 0, said.get("top", "")
        self.above = float(said["above"]) if "above" in said else None
        self.factors = tuple(said["by"].split("+")) if "by" in said else ()

    @property
    def described(self) -> str:
        """Whom it selects, in words."""
        if self.above is not None:
            return f"above {self.above:g}"
        return f"among the highest {self.top} of all candidates" if self.top else "above the median of all candidates"

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
        return np.asarray(np.maximum(s[..., self.index], 0.0))

    def selected(self, p: FloatArray) -> FloatArray:
        """Return 1 for each candidate who is selected and 0 for others, of the shape of ``p``.

        Candidates who are equal where the places end share those that are left.

        >>> Selection("top=2").selected(np.array([0.3, 0.9, 0.3, 0.1])).tolist()
        [0.5, 1.0, 0.5, 0.0]
        """
        if not self.top:
            return np.asarray(p > (np.median(p) if self.above is None else self.above), dtype=np.float64)
        places = p.size * float(self.top[:-1]) / 100.0 if self.top.endswith("%") else float(self.top)
        if places > p.size:
            raise BvfError(f"criterion impact: {places:g} places for {p.size} candidates", "choose fewer, or top=10%")
        last = np.sort(p, axis=None)[-max(int(np.ceil(places)), 1)]
        above, equal = p > last, p == last
        return np.asarray(np.where(equal, (places - above.sum()) / equal.sum(), above), dtype=np.float64)
