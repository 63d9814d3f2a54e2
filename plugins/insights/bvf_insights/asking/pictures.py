"""The picture of ways of asking: a matrix of correlations over groups."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bvf.drawing import ColumnNames, MarkedPicture, Marks, Matrix, RowNames, caption_of, shown_name
from bvf.tables import between, correlation, counted, percent
from bvf_insights.asking.result import AskingComparison

BELOW = 0.9
"""Inches below the cells, for names."""


@dataclass(frozen=True)
class Asking(MarkedPicture):
    """The picture of correlations of ways of asking, two by two, over the groups that both have."""

    kind: ClassVar[str] = "asking"
    title: ClassVar[str] = "Correlations of ways of asking"

    compared: AskingComparison

    def caption(self) -> str:
        known = [each for each in self.compared.agreements if each.correlation is not None]
        last = max(known, key=lambda each: each.correlation or 0.0, default=None)
        most, topic, to = "", shown_name(self.compared.topic), shown_name(self.compared.to)
        if last is not None:
            ends, both = between(last.low, last.high, 2), f"{shown_name(last.first)} and {shown_name(last.second)}"
            interval = f"({percent(self.compared.level)}: {ends}), {counted(last.groups, 'group')}"
            most = f"{both} agree most: {correlation(last.correlation)} {interval}."
        return caption_of(
            f"Pearson's correlations over groups of {topic}: how each way of asking ties them to {to}. White: too few "
            "groups in both.",
            most,
        )

    def marks(self) -> Marks:
        """A matrix of correlations; a browser says the interval."""
        names = [each.name for each in self.compared.ways]
        values = np.full((len(names), len(names)), np.nan)
        texts = [[""] * len(names) for _ in names]
        for each in self.compared.agreements:
            one, other = names.index(each.first), names.index(each.second)
            for i, j in ((one, other), (other, one)):
                values[i, j] = np.nan if each.correlation is None else each.correlation
                texts[i][j] = f"({between(each.low, each.high, 2)}), {each.groups} groups"
        cells = Matrix(values, (-1.0, 1.0), "r", diverging=True, digits="+.2f", texts=texts, hover="%{z} %{customdata}")
        across = ColumnNames(names, BELOW, slant=30)
        return Marks([cells], across, RowNames(names, pitch=0.3, edges=BELOW + 0.2), grid="")
