"""An analysis of factors printed as JSON: its report sections and pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from bvf import BvfError, Picture, ReportedFile, Section
from bvf.domain import first_wrong
from bvf.interfaces import ROWS_SHOWN
from bvf_factors.pictures.coverage import Coverage, coverage_of
from bvf_factors.pictures.ecdf import Ecdf, ecdf
from bvf_factors.pictures.forest import Forest, forest_of
from bvf_factors.pictures.sunburst import Sunburst, sunburst_of
from bvf_factors.run import FactorsResult
from bvf_factors.tables import result_sections


class FactorsFile(ReportedFile):
    """An analysis that ``bvf factors analyse --format json`` printed. The file's name replaces a missing title."""

    what = "Factors of a benchmark"
    pictures = (Coverage, Sunburst, Forest, Ecdf)

    def __init__(self, values: Mapping[str, Any], name: str) -> None:
        try:
            analysis = FactorsResult.model_validate(dict(values))
        except ValidationError as error:
            raise BvfError(f"not an analysis of factors: {first_wrong(error)}") from error
        self.analysis = analysis if analysis.title else analysis.model_copy(update={"title": name})
        self.title = self.analysis.title

    def sections(self, show: int = ROWS_SHOWN) -> list[Section]:
        """Return the tables of all results."""
        is_number = all(each.disparity is None for level in self.analysis.subgroups for each in level.found)
        first, *others = result_sections(self.title, self.analysis, show, is_number=is_number)
        return [replace(first, notes=[*first.notes, *self.analysis.notes]), *others]

    def picture(self, of: type[Picture], *, show: int = ROWS_SHOWN, factors: Sequence[str] = ()) -> Picture:
        """Return a picture of two factors, of the levels furthest from 0, or of the rates of subgroups."""
        if of is Coverage:
            return coverage_of(self.analysis, *factors)
        if of is Sunburst:
            return sunburst_of(self.analysis, *factors)
        if of is Forest:
            return forest_of(self.analysis, show, factors)
        of_most_factors = self.analysis.subgroups[-1].found
        return ecdf({self.title: [each.rate for each in of_most_factors if not each.few]})
