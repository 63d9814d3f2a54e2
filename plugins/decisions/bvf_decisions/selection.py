"""Rules about one class and factors of groups, as criteria; one says who is selected."""

import re
from collections.abc import Sequence
from copy import copy
from typing import ClassVar, Self

import numpy as np

from bvf import BvfError, Criterion, Group
from bvf.errors import nearest
from bvf.stats import FloatArray


class Rule(Criterion):
    """A rule of parts that are joined by commas, each of which `part` matches; all have ``class=`` and ``by=``."""

    sublinear: ClassVar[bool] = True
    name: ClassVar[str]
    part: ClassVar[re.Pattern[str]]
    parts: ClassVar[str]  # what may be written
    example: ClassVar[str]

    def __init__(self, rule: str) -> None:
        self.said = dict[str, str]()
        for part in rule.split(","):
            match = self.part.fullmatch(part.strip())
            if match is None:
                raise BvfError(f'criterion {self.name}: "{part}" is not one of its rules', self.parts)
            self.said |= {name: value for name, value in match.groupdict().items() if value}
        self.favourable, self.index = self.said.get("of", ""), 0
        self.factors = tuple(self.said["by"].split("+")) if "by" in self.said else ()

    def for_classes(self, names: tuple[str, ...]) -> Self:
        """Return the rule for classes with these names; see `bvf.Criterion.for_classes`."""
        rule = copy(self)
        rule.favourable = self.favourable or names[0]
        if rule.favourable not in names:
            message = f'criterion {self.name}: there is no class "{rule.favourable}"'
            raise BvfError(message, nearest(rule.favourable, list(names)))
        rule.index = names.index(rule.favourable)
        return rule

    def refuse_unknown(self, topic: str, groups: Sequence[Group]) -> tuple[str, ...]:
        """Return the factors that some group has, and refuse those that the rule names and no group has."""
        known = tuple(dict.fromkeys(name for group in groups for name in group.factors))
        for name in self.factors:
            if name not in known:
                raise BvfError(f'criterion {self.name}: no group of {topic} has "{name}"', nearest(name, [*known]))
        return known


class Selection(Rule):
    """Whom a model selects: candidates whose p of the favourable class is above the median or a number, or in the top.

    J(s) is the positive part of the stereotype s = p / p* - 1 of that class, as for ``direction:CLASS``.

    ``rule`` is ``median``, ``above=P``, ``top=N`` or ``top=P%``; after commas ``class=NAME``, the favourable class
    (without it, the first of the topic), and ``by=FACTOR+FACTOR`` (without it, all factors of the groups).
    """

    name: ClassVar[str] = "impact"
    part: ClassVar[re.Pattern[str]] = re.compile(
        r"median|above=(?P<above>0?\.\d+|0|1)|top=(?P<top>[1-9]\d*|\d*\.?\d+%)|class=(?P<of>.+)|by=(?P<by>.+)"
    )
    parts: ClassVar[str] = "write median, above=0.5, top=24 or top=10%; after commas, class=NAME and by=FACTOR+FACTOR"
    example: ClassVar[str] = "impact:top=10%"

    def __init__(self, rule: str = "median") -> None:
        super().__init__(rule)
        self.top = self.said.get("top", "")
        self.above = float(self.said["above"]) if "above" in self.said else None

    @property
    def described(self) -> str:
        """Whom it selects, in words."""
        if self.above is not None:
            return f"above {self.above:g}"
        return f"among the highest {self.top} of all candidates" if self.top else "above the median of all candidates"

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
