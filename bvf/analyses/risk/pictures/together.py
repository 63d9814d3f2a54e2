"""Checks whether one picture may show several risk results."""

from collections.abc import Sequence

from bvf.analyses.risk.result import Result, risk_only
from bvf.errors import BvfError
from bvf.results.result import ResultBase

ASKED = ("topic", "language", "margin", "reference")
"""Fields in which results agree if their leans can be compared."""
JUDGED = ("criterion", "scale")
"""Fields in which results agree if their risks can be compared."""


def together(results: Sequence[ResultBase], fields: Sequence[str]) -> list[Result]:
    """Return the results if all are of risk and agree in the fields; otherwise raise `BvfError` with what differs."""
    of_risk = [risk_only(result) for result in results]
    first = of_risk[0]
    for each in of_risk[1:]:
        for field in fields:
            ours, theirs = getattr(first, field), getattr(each, field)
            if ours != theirs:
                raise BvfError(
                    f"{first.folder or first.model} has the {field} {ours or 'none'}, and "
                    f"{each.folder or each.model} {theirs or 'none'}",
                    "draw them apart, or bvf analyse one of them as the other",
                )
    return of_risk
