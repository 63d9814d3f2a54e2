"""Measurements of bvf: a row for each group and context."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bvf import AnalysisConfig, Measurement, Study, load, read_measurement
from bvf.files import Row
from bvf.results import config_in
from bvf.stats import FloatArray, criterion_for
from bvf.study import prepared
from bvf_factors.reading.rows import LogRow, Unit, with_columns

CRITERION = "linf"


def measurement_rows(folder: Path) -> Iterator[Row]:
    """Yield a row with the class probabilities of a model for each group in each context.

    Columns are ``group``, the group's factors by name, ``context`` (the template and what was shown with it),
    ``context.NAME`` for each other column of the context file, ``weight`` (P(c)), ``topic``, ``model``, ``p.CLASS`` for
    the probability of each class, ``lean`` (of two classes p of the second minus p of the first) and ``risk``: J(s) by
    the maximal criterion with a uniform p*, on the scale where 1 is a fully stereotyped model. Cells are empty where a
    context has no value in a column; figures are where a prompt is missing.
    """
    measurement = read_measurement(folder, words=False)
    asked, model = measurement.record.asked, measurement.record.model.name
    study = study_of(measurement)
    probabilities, risks = study.measurement.probabilities, risks_of(study)
    properties = dict.fromkeys(name for template in asked.in_order for name in template.columns)
    for x, group in enumerate(asked.groups):
        for c, template in enumerate(asked.in_order):
            where = f'{folder}, "{group.name}" in "{template.template}"'
            columns = {f"context.{name}": template.columns.get(name, "") for name in properties}
            names = {"group": group.name, "context": template.context.key}
            unit = Unit("context", f"{asked.topic}, {template.context.key}", group.name)
            row = LogRow(where, {**names, **columns, "topic": asked.topic, "model": model}, unit)
            p = [_number(each) for each in probabilities[x, c]]
            figures = dict(zip((f"p.{name}" for name in asked.classes), p, strict=True))
            if len(p) == 2:
                figures["lean"] = None if p[0] is None or p[1] is None else p[1] - p[0]
            figures |= {"weight": float(asked.context_weights[c]), "risk": _number(risks[x, c])}
            yield with_columns(with_columns(row, figures), group.factors)


def study_of(measurement: Measurement) -> Study:
    """Return the study by the criterion of these rows. The reader of the run's own analysis reads generated texts."""
    plugins = load()
    reader = config_in(measurement.folder, AnalysisConfig(), plugins).reader
    config = AnalysisConfig(criterion=CRITERION, reader=reader)
    _, choices = prepared(config, measurement.record.asked, plugins)
    return Study.of(measurement, choices)


def risks_of(study: Study) -> FloatArray:
    """Return J(s) of every group in every context, shape (X, C). It is 0 or more, or NaN where the prompt is missing.

    A group's mean over contexts, weighted by P(c), is its r (Eq. 3).
    """
    measurement, asked = study.measurement, study.measurement.record.asked
    predictions, p_star = study.predictions, study.predictions.reference
    J = criterion_for(study.criterion, p_star)
    risks = np.full(measurement.probabilities.shape[:2], np.nan)
    kept = [asked.group_names.index(name) for name in predictions.group_names]
    risks[kept] = J(predictions.probabilities / p_star - 1.0) / study.risk.divisor
    return risks


def _number(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)
