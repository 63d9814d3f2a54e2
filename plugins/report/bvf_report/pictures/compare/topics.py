"""The picture of R by model and topic, and of rank correlations between topics."""

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from bvf import Comparison
from bvf.drawing import FONT, ColumnNames, MarkedPicture, Marks, Matrix, RowNames, caption_of, shown_name, whole_name
from bvf.stats import FloatArray
from bvf.tables import between, counted
from bvf_report.pictures.compare.trend import equal_to_p

CORRELATIONS = 3
"""The most correlations between topics in a caption; the tables of the comparison show all."""
BELOW = 1.0
"""Inches below the cells for slanted names of topics."""


@dataclass(frozen=True)
class TopicMatrix(MarkedPicture):
    """The picture of R by model and topic, and of rank correlations between topics."""

    kind: ClassVar[str] = ""
    title: ClassVar[str] = "R of models by topics"

    models: tuple[str, ...]  # M
    topics: tuple[str, ...]  # T
    R: FloatArray  # (M, T); NaN where a model was not asked a topic
    low: FloatArray  # (M, T); NaN where there is no interval
    high: FloatArray  # (M, T)
    correlations: FloatArray  # Spearman's, (T, T); NaN for fewer than three models
    p_values: FloatArray  # of permutation tests, (T, T)

    def caption(self) -> str:
        sentences = [
            f"R of {counted(len(self.models), 'model')} in {counted(len(self.topics), 'topic')}: the darker the higher."
        ]
        for t, topic in enumerate(self.topics):
            m = int(np.nanargmax(self.R[:, t]))
            sentences.append(f"Highest in {shown_name(topic)}: {whole_name(self.models[m])} {self.R[m, t]:.3f}.")
        pairs = combinations(range(len(self.topics)), 2)
        known = [(i, j) for i, j in pairs if np.isfinite(self.correlations[i, j])]
        sentences += [
            f"Spearman's correlation of {shown_name(self.topics[i])} and {shown_name(self.topics[j])} over models is "
            f"{self.correlations[i, j]:+.2f} ({equal_to_p(self.p_values[i, j])})."
            for i, j in known[:CORRELATIONS]
        ]
        return caption_of(
            *sentences, "" if known else "Too few models to say whether topics put them in the same order."
        )

    def marks(self) -> Marks:
        """A matrix of R by model and topic. A cell is white if the model was not measured on the topic."""
        texts = [
            ["" if np.isnan(low) else f"({between(low, high, 3)})" for low, high in zip(*ends, strict=True)]
            for ends in zip(self.low, self.high, strict=True)
        ]
        most = float(np.nanmax(self.R)) or 1.0
        cells = Matrix(self.R, (0.0, most), "R", digits=".3f", texts=texts, hover="R %{z} %{customdata}")
        across = ColumnNames(self.topics, BELOW, slant=30, font=FONT)
        return Marks([cells], across, RowNames(self.models, pitch=0.2, edges=BELOW + 0.2), grid="")


def topic_matrix(compared: Comparison) -> TopicMatrix:
    """Return the picture of a comparison that has several topics."""
    models = tuple(dict.fromkeys(model.name for topic in compared.topics for model in topic.models))
    topics = tuple(topic.topic for topic in compared.topics)
    R, low, high = np.full((3, len(models), len(topics)), np.nan)
    for t, topic in enumerate(compared.topics):
        for model in topic.models:
            m, interval = models.index(model.name), model.intervals.get(next(iter(model.figures)))
            R[m, t] = model.first_figure
            if interval is not None:
                low[m, t], high[m, t] = interval.low, interval.high
    correlations, p_values = np.full((2, len(topics), len(topics)), np.nan)
    for each in compared.correlations:
        i, j = topics.index(each.first), topics.index(each.second)
        if each.correlation is not None:
            correlations[i, j] = correlations[j, i] = each.correlation
            p_values[i, j] = p_values[j, i] = each.p_value
    return TopicMatrix(models, topics, R, low, high, correlations, p_values)
