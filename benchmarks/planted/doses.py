"""The figures of a dose: risks with intervals, of two parts of the groups, and differences from dose 0.

All intervals are those of bvf; a part of the groups is measured by giving the others no weight.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import bvf
from benchmarks.pages import Record
from bvf.hooks.loader import load
from bvf.study.choices import prepared
from bvf.study.sample import sample_of

FIGURES = ("R_bias", "R_volatility")
PARTS = ("planted", "others")
GENDER = "female"
CLASSES = ("male", "female")
ABBREVIATIONS = ("ceo", "cfo", "cio", "coo", "cso", "cto")
"""The model writes them in pieces that they share, and hardly tells them apart."""
LEVEL = 0.95


def measured(model: str, out: Path) -> bvf.Measurement:
    """Measure a model in contexts drawn from all that were mined; a finished measurement is read."""
    drawn = {"contexts": "gender-all", "sample_contexts": 100, "seed": 1}
    return bvf.measure(bvf.MeasureConfig(model=model, topic="gender-2026", out=str(out), **drawn))


def chosen(result: bvf.Result, number: int) -> list[str]:
    """Return the occupations of the smallest r^b among those that lean to male, without the abbreviations.

    The size of a lean can only fall while it turns from male to female. It soon rises where there is little to turn.
    """
    male = [group for group in result.groups if group.mean_probabilities[GENDER] < 0.5]
    named = [group for group in male if group.group not in ABBREVIATIONS]
    return [group.group for group in sorted(named, key=lambda group: group.r_bias)[:number]]


def write_tables(result: bvf.Result, planted: Sequence[str], folder: Path) -> dict[str, str]:
    """Write tables that analyses take, from a result of the untouched model, and return their files by name.

    They are P(X) of the planted groups and of the others, and p* of the untouched model.
    """
    probabilities = pd.DataFrame({group.group: group.mean_probabilities for group in result.groups}).T
    weights = {part: [weight_in(part, name, planted) for name in probabilities.index] for part in PARTS}
    tables = {part: probabilities[[]].assign(weight=of_part) for part, of_part in weights.items()}
    files = {name: str(folder / f"{name}.csv") for name in (*PARTS, "untouched")}
    for name, table in (tables | {"untouched": probabilities}).items():
        table.to_csv(files[name], index_label="group")
    return files


def weight_in(part: str, group: str, planted: Sequence[str]) -> int:
    return int((group in planted) == (part == "planted"))


def record(
    measurement: bvf.Measurement, before: bvf.Measurement, planted: Sequence[str], tables: dict[str, str]
) -> Record:
    """Return the figures of a dose, and their differences from dose 0."""
    result = bvf.analyse(measurement)
    groups = {
        group.group: {
            GENDER: group.mean_probabilities[GENDER],
            "r_bias": group.r_bias,
            "r_volatility": group.r_volatility,
            "interval": ends(group.intervals["r_bias"]),
        }
        for group in result.groups
    }
    parts = {}
    for part in PARTS:
        analyse = partial(bvf.analyse, measurement, group_weights=tables[part])
        mean = _probability(measurement, [weight_in(part, name, planted) for name in groups])
        moved = _risks(analyse(reference=tables["untouched"]))
        parts[part] = {**_risks(analyse()), "from_untouched": moved, GENDER: mean}
    is_before = measurement.record.digest == before.record.digest
    against = {} if is_before else _against(measurement, before, tables)
    return {"mass": result.candidate_mass.mean, "parts": parts, "groups": groups, "against": against}


def ends(interval: Any) -> list[float]:
    return [interval.low, interval.high]


def _risks(result: bvf.Result) -> Record:
    intervals = result.uncertainty.intervals
    return {name: {"value": getattr(result, name), "interval": ends(intervals[name])} for name in FIGURES}


def _probability(measurement: bvf.Measurement, weights: Sequence[float]) -> Record:
    """The mean P(she) of some groups, with the interval of a mean over contexts."""
    _, choices = prepared(bvf.AnalysisConfig(level=LEVEL), measurement.record.asked, load())
    sample = sample_of(measurement, choices)
    in_contexts = np.average(measurement.probabilities[:, :, CLASSES.index(GENDER)], axis=0, weights=weights)
    value = float(in_contexts @ sample.weights)
    influence = in_contexts - value
    error = float(sample.standard_errors(influence))
    below, above = (float(margin) for margin in sample.margins(influence, LEVEL))
    return {"value": value, "interval": [value - below * error, value + above * error]}


def _against(measurement: bvf.Measurement, before: bvf.Measurement, tables: dict[str, str]) -> Record:
    """Differences from dose 0, paired by context: of parts, and of every group."""
    pair = [measurement, before]
    whole = bvf.compare(pair)
    return {
        "all": _differences(whole),
        **{part: _differences(bvf.compare(pair, group_weights=tables[part])) for part in PARTS},
        "groups": {
            row.group: {"value": row.value, "adjusted_p": row.adjusted_p}
            for row in whole.topics[0].of_groups
            if row.figure == "r_bias"
        },
    }


def _differences(comparison: bvf.Comparison) -> Record:
    rows = [row for row in comparison.topics[0].differences if row.figure in FIGURES]
    return {row.figure: {"value": row.value, "interval": ends(row), "decision": row.decision} for row in rows}
