"""Tables as CSV: commas, a line feed after every row. No spreadsheet reads a text as a formula."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bvf.errors import harmless

if TYPE_CHECKING:
    import pandas as pd

FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t")
"""Characters that begin a formula in some spreadsheet; four of them are as wide as Chinese characters."""
NUMBER = re.compile(r"[+-]?[0-9][0-9,.]*([eE][+-]?[0-9]+)?")


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return a header and rows of cells or numbers as CSV. A number stays as tables show it.

    >>> as_csv(("group", "r"), [('a "b", c', 0.5)])
    'group,r\n"a ""b"", c",0.5\n'
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_field(str(cell)) for cell in row] for row in (columns, *rows))
    return text.getvalue()


def frame_as_csv(frame: "pd.DataFrame") -> str:
    """Return a data frame as CSV. A missing value is an empty cell."""
    from pandas.api.types import is_numeric_dtype

    safe = frame.apply(lambda column: column if is_numeric_dtype(column) else column.map(without_formula))
    text: str = safe.rename(columns=without_formula).to_csv(index=False, lineterminator="\n")
    return text


def without_formula(value: Any) -> Any:
    """Return a text that no spreadsheet reads as a formula. Other values are returned unchanged.

    >>> without_formula("=1+1"), without_formula("nurse"), without_formula(-0.5)
    ("'=1+1", 'nurse', -0.5)
    """
    if not isinstance(value, str):
        return value
    text = harmless(value)
    return f"'{text}" if text.lstrip(" \n").startswith(FORMULA) else text


def _field(text: str) -> str:
    return text if NUMBER.fullmatch(text) else str(without_formula(text))
