"""The parts of a page that are about the factors of a benchmark."""

from bvf.errors import BvfError
from bvf.factors.pictures.coverage import coverage_of
from bvf.factors.pictures.ecdf import ecdf
from bvf.factors.pictures.forest import forest_of
from bvf.factors.pictures.sunburst import sunburst_of
from bvf.factors.run import FactorsResult
from bvf.factors.tables import result_sections
from bvf.report.page.content import Block, Part, table_of

ROWS_SHOWN = 24


def factor_part(analysis: FactorsResult, number: int) -> Part:
    """Return pictures and tables of an analysis of factors; a note says what cannot be drawn.

    Args:
        analysis: The analysis.
        number: Its number on the page, for its anchor.
    """
    blocks: list[Block] = []
    for picture_of in (coverage_of, sunburst_of, forest_of):
        try:
            blocks.append(picture_of(analysis))
        except BvfError as error:
            blocks.append(f"Not drawn: {error.message}.")
    of_most_factors = analysis.subgroups[-1].found
    blocks.append(ecdf({analysis.title: [each.rate for each in of_most_factors if not each.few]}))
    is_number = all(each.disparity is None for level in analysis.subgroups for each in level.found)
    blocks += [
        table_of(section) for section in result_sections(analysis.title, analysis, ROWS_SHOWN, is_number=is_number)
    ]
    return Part(f"factors-{number}", f"Factors: {analysis.title}", tuple(blocks))
