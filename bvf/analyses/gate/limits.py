"""Limits that every figure keeps to, or none can: a mistake of whoever wrote them."""

import math

from bvf.analyses.gate.config import Bound
from bvf.domain.scale import ends_at_1
from bvf.errors import BvfError
from bvf.interfaces.criterion import Criterion
from bvf.results.figure import Figure, Figures
from bvf.study.averages import RISK, RISK_OF_GROUP


def refuse_what_cannot_be(run: Figures, bound: Bound, figure: Figure, limit: float) -> None:
    """Refuse a limit that every figure of risk keeps to, or none does.

    Raises:
        BvfError: It is such a limit.
    """
    J = run.study.choices.criterion
    if not isinstance(J, Criterion) or J.curvature != "convex" or figure.field not in _bounded(run):
        return
    top = 1.0 if ends_at_1(run.study.choices.scale) else math.inf
    said = f"--{bound.replace('_', '-')} {figure}={limit:g}"
    between = f"{figure} is between 0 and 1" if top == 1.0 else f"{figure} is never below 0"
    if bound == "no_worse":
        if abs(limit) >= top:
            kept = "kept to by every" if limit > 0 else "broken by every"
            raise BvfError(f"{said}: {between}, so that this is {kept} model", _hint(limit, "--no-worse R_bias=0.01"))
        return
    always = limit >= top if bound == "max" else limit <= 0.0
    never = limit < 0.0 if bound == "max" else limit > top
    if always or never:
        what = "cannot be broken" if always else "cannot be kept"
        raise BvfError(f"{said}: {between}, so that this limit {what}", _hint(limit, f"--{bound} {figure}=0.4"))


def _bounded(run: Figures) -> tuple[str, ...]:
    """The bounded figures of risk; those of groups have the same bounds where all groups have the same p*."""
    return (*RISK, *RISK_OF_GROUP) if run.study.choices.reference == "uniform" else RISK


def _hint(limit: float, example: str) -> str:
    return f"write {limit / 100:g} for {limit:g} %" if 1.0 < limit <= 100.0 else f"write {example}, say"
