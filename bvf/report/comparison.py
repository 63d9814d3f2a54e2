"""What ``bvf compare`` prints."""

from itertools import chain

from rich.console import Group, RenderableType
from rich.text import Text

from bvf.analysing.comparison import Comparison
from bvf.analysing.comparison_rows import sections
from bvf.interfaces.analysis import View
from bvf.report.layout import drawn


def printed_comparison(comparison: Comparison, view: View) -> RenderableType:
    """Return all tables of a comparison, one below the other."""
    tables = ((drawn(section), Text()) for section in sections(comparison, view.show))
    return Group(*list(chain.from_iterable(tables))[:-1])
