"""The sections of a page on how figures of groups relate to wages, education and other social factors."""

from collections.abc import Sequence

from bvf_insights.regress.analysis import regress
from bvf_insights.regress.config import RegressConfig
from bvf_insights.regress.pictures import regression_line
from bvf_insights.regress.tables import sections

from bvf.analyses.risk.result import Result, of_risk
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.results.alike import grouped, headings
from bvf.results.result import ResultBase
from bvf_report.page.content import Block, Part, refuse_if_none

GROUPS_SHOWN = 24
EXPLAINED = "Groups differ in many ways at once: a slope says what goes together in these groups, and nothing of why."


def social_parts(results: Sequence[ResultBase], config: RegressConfig, plugins: Plugins) -> list[Part]:
    """Return a section per topic and criterion: pictures and tables of regressions on social factors, or why none.

    Raises:
        BvfError: No result is of risk, or none can be regressed on these factors.
    """
    groups = grouped([result for result in of_risk(results) if result.folder])
    found = [_blocks(alike, config, plugins) for alike in groups]
    refuse_if_none(found, f"--against {', '.join(config.against)}: no run of risk is here")
    titled = zip(groups, headings(groups), found, strict=True)
    return [
        Part(
            f"social-{number}",
            f"Social factors: {heading or alike[0].topic}",
            (f"Not regressed: {blocks.message}.",) if isinstance(blocks, BvfError) else blocks,
        )
        for number, (alike, heading, blocks) in enumerate(titled)
    ]


def _blocks(results: Sequence[Result], config: RegressConfig, plugins: Plugins) -> tuple[Block, ...] | BvfError:
    try:
        regressions = regress(results, config, plugins=plugins)
    except BvfError as error:
        return error
    pictures = [regression_line(regressions, each) for each in regressions.regressions]
    return (EXPLAINED, *pictures, *sections(regressions, GROUPS_SHOWN))
