"""Writes tables as CSV in full precision. No cell can be read as a formula by a spreadsheet."""

from collections.abc import Sequence

from bvf.results.result import ResultBase
from bvf.tables.markup import frame_as_csv
from bvf_report.export.wide_tables import Table, wide_table


def csv_text(results: Sequence[ResultBase], table: Table = "models") -> str:
    """Return a table as CSV: UTF-8, commas, a line feed after every row, an empty cell for a missing value.

    Numbers have all their digits. A text that begins with ``=``, ``+``, ``-`` or ``@`` has an apostrophe before it, so
    that no spreadsheet runs it; control characters are written out.
    """
    return frame_as_csv(wide_table(results, table))
