"""The parts of a page that are about the factors of a benchmark."""

from bvf.errors import BvfError
from bvf.factors.rows import result_sections
from bvf.factors.run import FactorsResult
from bvf.report.page.content import Block, Part, Picture, table_of
from bvf.views.coverage import coverage_of
from bvf.views.ecdf import ecdf
from bvf.views.forest import forest_of
from bvf.views.sunburst import sunburst_of

ROWS_SHOWN = 24


def factor_part(analysis: FactorsResult, number: int) -> Part:
    """Return pictures and tables of an analysis of factors; a note says what cannot be drawn.

    Args:
        analysis: The analysis.
        number: Its number on the page, for its anchor.
    """
    blocks: list[Block] = []
    for view in (coverage_of, sunburst_of, forest_of):
        try:
            blocks.append(Picture(view(analysis)))
        except BvfError as error:
            blocks.append(f"Not drawn: {error.message}.")
    of_most_factors = analysis.subgroups[-1].found
    blocks.append(Picture(ecdf({analysis.title: [each.rate for each in of_most_factors if not each.few]})))
    is_number = all(each.disparity is None for level in analysis.subgroups for each in level.found)
    blocks += [
        table_of(section) for section in result_sections(analysis.title, analysis, ROWS_SHOWN, is_number=is_number)
    ]
    return Part(f"factors-{number}", f"Factors: {analysis.title}", tuple(blocks))
