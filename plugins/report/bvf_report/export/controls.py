"""Rows of exported tables for runs and their controls. Numbers are rounded for papers, or in full precision."""

from collections.abc import Sequence
from typing import Any

from bvf import BvfError, Result, ResultBase
from bvf.interfaces import Quantity
from bvf.results import ControlResult, distance_of, of_risk
from bvf.tables import APART, OF_RISK
from bvf_report.export.doubts import in_a_cell

RATIO = Quantity("ratio", "ratio", "", "R of the topic over R of the control")
DIFFERENCE = Quantity("difference", "difference", "", "R of the topic less R of the control")
APART_RATIO = Quantity("apart_ratio", "ratio of apart", "", "How far groups are apart in the topic, over the control")
OF_CONTROLS = (*OF_RISK[:3], RATIO, DIFFERENCE, APART, APART_RATIO)
"""The columns of a table for a paper."""
FIELDS = (
    *(
        "R",
        "R_bias",
        "R_volatility",
        "particular_bias",
        "apart",
        "ratio",
        "difference",
        "bias_ratio",
        "bias_difference",
    ),
    *("particular_bias_ratio", "particular_bias_difference", "apart_ratio", "apart_difference"),
)
"""The columns of a spreadsheet; the two ends of its interval follow each."""


def studies_of(results: Sequence[ResultBase]) -> list[Result]:
    """Return the results that have controls."""
    studies = [result for result in of_risk(results) if result.controls]
    if not studies:
        raise BvfError("--table controls: none of these runs has controls", "bvf run --controls asks them too")
    return studies


def of_topic(study: Result) -> dict[str, float | str | None]:
    """Return the warnings of a run, and its figures that are compared with those of its controls."""
    of_study = {f"{name}_of_topic": getattr(study, name) for name in ("R", "R_bias", "R_volatility", "particular_bias")}
    return {**of_study, "apart_of_topic": distance_of(study), "warnings_of_topic": in_a_cell(study.warnings)}


def control_row(control: ControlResult) -> dict[str, Any]:
    """Return the figures of a control by name, the ends of each interval, and its warnings."""
    row: dict[str, Any] = {"control": control.topic}
    for name in ("contexts", "number_of_contexts", "same_contexts", "classes"):
        row[name] = getattr(control, name)
    for name in FIELDS:
        row[name] = getattr(control, name)
        row[f"{name}_low"], row[f"{name}_high"] = control.intervals.get(name, (None, None))
    row["warnings"] = in_a_cell(control.warnings)
    return row
