"""The figures of a dose: risks with intervals, of all groups and of two parts, and differences from dose 0.

All intervals are those of bvf; a part of the groups is measured by giving the others no weight.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import bvf
from bvf.hooks.loader import load
from bvf.study.choices import prepared
from bvf.study.sample import sample_of

Record = dict[str, Any]
FIGURES = ("R", "R_bias", "R_volatility")
GENDER = "female"
CLASSES = ("male", "female")
ABBREVIATIONS = ("ceo", "cfo", "cio", "coo", "cso", "cto")
"""The model writes them in pieces that they share, and hardly tells them apart."""
LEVEL = 0.95


@dataclass(frozen=True)
class Tables:
    """Files that analyses take: P(X) of the planted groups and of the others, and p* of the untouched model."""

    parts: Mapping[str, Path]
    untouched: Path


def measured(model: str, out: Path) -> bvf.Measurement:
    """Measure a model in contexts drawn from all that were mined; a finished measurement is read."""
    drawn = {"contexts": "gender-all", "sample_contexts": 100, "seed": 1}
    return bvf.measure(bvf.MeasureConfig(model=model, topic="gender", out=str(out), **drawn))


def chosen(result: bvf.Result, number: int) -> list[str]:
    """Return the occupations of the smallest r^b among those that lean to male, without the abbreviations.

    The size of a lean can only fall while it turns from male to female. It soon rises where there is little to turn.
    """
    male = [group for group in result.groups if group.mean_probabilities[GENDER] < 0.5]
    named = [group for group in male if group.group not in ABBREVIATIONS]
    return [group.group for group in sorted(named, key=lambda group: group.r_bias)[:number]]


def tables(result: bvf.Result, planted: Sequence[str], folder: Path) -> Tables:
    """Write the tables, from a result of the untouched model."""
    names = [group.group for group in result.groups]
    parts = {"planted": folder / "planted.csv", "others": folder / "others.csv"}
    for part, file in parts.items():
        weights = [(name, int((name in planted) == (part == "planted"))) for name in names]
        _write(file, ("group", "weight"), weights)
    p_star = [(group.group, *(group.mean_probabilities[name] for name in CLASSES)) for group in result.groups]
    _write(folder / "untouched.csv", ("group", *CLASSES), p_star)
    return Tables(parts, folder / "untouched.csv")


def record(measurement: bvf.Measurement, before: bvf.Measurement, using: Tables) -> Record:
    """Return the figures of a dose, and their differences from dose 0."""
    result = bvf.analyse(measurement)
    names = [group.group for group in result.groups]
    groups = {
        group.group: {
            GENDER: group.mean_probabilities[GENDER],
            "r_bias": group.r_bias,
            "r_volatility": group.r_volatility,
            "interval": ends(group.intervals["r_bias"]),
        }
        for group in result.groups
    }
    parts = {
        part: {
            **_risks(bvf.analyse(measurement, group_weights=str(file))),
            "from_untouched": _risks(bvf.analyse(measurement, group_weights=str(file), reference=str(using.untouched))),
            GENDER: _probability(measurement, [_weights(file)[name] for name in names]),
        }
        for part, file in using.parts.items()
    }
    against = _against(measurement, before, using)
    mass = result.candidate_mass.mean
    return {"mass": mass, "all": _risks(result), "parts": parts, "groups": groups, "against": against}


def ends(interval: Any) -> list[float]:
    """Both ends of an interval of a result."""
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


def _against(measurement: bvf.Measurement, before: bvf.Measurement, using: Tables) -> Record:
    """Differences from dose 0, paired by context: of parts, and of every group."""
    if measurement.record.digest == before.record.digest:
        return {}
    of_parts = {
        part: _differences(bvf.compare([measurement, before], group_weights=str(file)))
        for part, file in using.parts.items()
    }
    whole = bvf.compare([measurement, before])
    of_groups = {
        row.group: {"value": row.value, "interval": [row.low, row.high], "adjusted_p": row.adjusted_p}
        for row in whole.topics[0].of_groups
        if row.figure == "r_bias"
    }
    return {"all": _differences(whole), "parts": of_parts, "groups": of_groups}


def _differences(comparison: bvf.Comparison) -> Record:
    return {
        row.figure: {"value": row.value, "interval": [row.low, row.high], "decision": row.decision}
        for row in comparison.topics[0].differences
        if row.figure in FIGURES
    }


def _weights(file: Path) -> dict[str, float]:
    with file.open(encoding="utf-8", newline="") as rows:
        return {row["group"]: float(row["weight"]) for row in csv.DictReader(rows)}


def _write(file: Path, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([head, *rows])
