"""Writes tables as CSV in full precision. No cell can be read as a formula by a spreadsheet."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bvf.errors import harmless
from bvf.export.wide_tables import Table, wide_table
from bvf.results.result import ResultBase

if TYPE_CHECKING:
    import pandas as pd

FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t")
"""Characters that begin a formula in some spreadsheet; four of them are as wide as Chinese characters."""


def csv_text(results: Sequence[ResultBase], table: Table = "models") -> str:
    """Return a table as CSV: UTF-8, commas, a line feed after every row, an empty cell for a missing value.

    Numbers have all their digits. A text that begins with ``=``, ``+``, ``-`` or ``@`` has an apostrophe before it, so
    that no spreadsheet runs it; control characters are written out.
    """
    return csv_of(wide_table(results, table))


def csv_of(frame: "pd.DataFrame") -> str:
    """Return a data frame as CSV in the form that `csv_text` describes."""
    from pandas.api.types import is_numeric_dtype

    safe = frame.apply(lambda column: column if is_numeric_dtype(column) else column.map(as_text))
    text: str = safe.rename(columns=as_text).to_csv(index=False, lineterminator="\n")
    return text


def as_text(value: Any) -> Any:
    """Return a text that no spreadsheet reads as a formula. Other values are returned unchanged.

    >>> as_text("=1+1"), as_text("nurse"), as_text(-0.5)
    ("'=1+1", 'nurse', -0.5)
    """
    if not isinstance(value, str):
        return value
    text = harmless(value)
    return f"'{text}" if text.lstrip(" \n").startswith(FORMULA) else text
