"""The base class of what analyses, comparisons and regressions find: a record that makes tables of itself."""

from collections.abc import Sequence
from typing import ClassVar

from bvf.domain.record import Record
from bvf.hooks.importing import imported
from bvf.interfaces.section import Section
from bvf.tables.html import as_html


class Finding(Record):
    """What an analysis, a comparison or a regression found, and which function makes tables of it.

    Attributes:
        tables: ``module:function`` that returns the tables of a finding, or None if they cannot be made.
        row_fields: Fields whose elements `bvf export --table` writes as rows; for the first, `to_frame` has them.
        portable: ``module:function`` that returns the finding without folders of this machine in its names; empty: it
            has none.
    """

    tables: ClassVar[str]
    row_fields: ClassVar[tuple[str, ...]] = ()
    portable: ClassVar[str] = ""

    def _repr_html_(self) -> str | None:
        """The tables of the finding as HTML, for notebooks; None if they cannot be made."""
        sections: Sequence[Section] | None = imported(self.tables)(self)
        return None if sections is None else as_html(sections)
