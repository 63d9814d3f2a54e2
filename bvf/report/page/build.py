"""Builds the page of a report from folders of runs."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from bvf.analyses.compare.analysis import compare
from bvf.analyses.compare.pictures.compared import comparison
from bvf.analyses.compare.pictures.pairs import by_label
from bvf.analyses.compare.pictures.topics import topic_matrix
from bvf.analyses.compare.result import Comparison
from bvf.analyses.compare.tables import sections
from bvf.analyses.gate.analysis import gate
from bvf.analyses.gate.config import checked_gate
from bvf.analyses.gate.result import GateResult
from bvf.analyses.regress.config import RegressConfig
from bvf.analyses.risk.controls.pictures import controls
from bvf.analyses.risk.controls.tables import control_sections
from bvf.analyses.risk.pictures.scale import scale
from bvf.analyses.risk.result import Result, of_risk
from bvf.errors import BvfError
from bvf.files.parsing import is_file
from bvf.hooks.loader import Plugins
from bvf.report.page.audit import audit_parts, limits_part
from bvf.report.page.content import Block, Page, Part, table_of
from bvf.report.page.contexts import compared_alike, context_parts
from bvf.report.page.files import file_part
from bvf.report.page.provenance import provenance_of
from bvf.report.page.results import Seen, result_parts, seen
from bvf.report.page.scenario import Scenario
from bvf.report.page.social import social_parts
from bvf.report.page.verdict import WHAT_IS_NEGLIGIBLE, verdict
from bvf.results.kept import analysis_of, read_result
from bvf.results.names import names_of, with_names_apart
from bvf.results.reported import read_reported
from bvf.results.result import ResultBase
from bvf.study.averages import RISK
from bvf.study.found import folders_of_runs
from bvf.tables.symbols import symbols

MOST_DIFFERENCES = 24


def page_of(
    sources: Sequence[Path],
    plugins: Plugins,
    *,
    scenario: Scenario | None = None,
    limits: dict[str, object] | None = None,
    by: str = "",
    social: RegressConfig | None = None,
) -> Page:
    """Return a page with everything that is known about finished runs.

    Args:
        sources: Folders of runs, folders that contain such folders, or files of plugins.
        plugins: The plugins in which analyses and criteria are looked up.
        scenario: The scenario that an auditor states; None: none.
        limits: Limits, from `bvf.analyses.gate.config.read_gate`; None: figures have no limits.
        by: A label of the runs, over which they are compared; empty: none.
        social: The configuration of regressions on social factors; None: no regression.

    Raises:
        BvfError: A folder holds no finished run, no plugin reads a file, or limits do not fit a run.
    """
    files = [read_reported(source, plugins) for source in sources if is_file(source)]
    folders = [source for source in sources if not is_file(source)]
    runs = list(dict.fromkeys(run for folder in folders for run in folders_of_runs(folder)))
    results: list[ResultBase] = with_names_apart([read_result(run, plugins) for run in runs])
    file_parts = [file_part(file, number) for number, file in enumerate(files)]
    if not results:
        return Page(files[0].what, ", ".join(file.title for file in files), tuple(file_parts))
    all_seen = [seen(result, name) for result, name in zip(results, names_of(results), strict=True)]
    known = [(each.name, each.result, provenance_of(each.result)) for each in all_seen]
    verdicts = [verdict(each, analysis_of(each.result, plugins), plugins) for each in all_seen]
    explained = [WHAT_IS_NEGLIGIBLE] if of_risk(results) else []
    parts = [Part("verdict", "Verdict", (*_several(results), *verdicts, *explained))]
    parts += _scales(results)
    parts.append(limits_part(known))
    parts += _controls(results)
    for number, each in enumerate(all_seen):
        parts += result_parts(each, number, analysis_of(each.result, plugins), plugins)
    parts += _comparison(all_seen, plugins, by)
    parts += social_parts(results, social, plugins) if social else []
    parts += file_parts
    gates = [_gated(run, limits, plugins) for run in runs] if limits is not None else []
    parts += audit_parts(scenario or Scenario(), known, gates)
    topics = ", ".join(dict.fromkeys(f"{result.topic} ({result.language})" for result in results))
    return Page("Bias and volatility", f"{topics}: {', '.join(dict.fromkeys(r.model for r in results))}", tuple(parts))


def _several(results: Sequence[ResultBase]) -> list[str]:
    topics = list(dict.fromkeys(result.topic for result in results))
    if len(topics) == 1:
        return []
    return [f"{len(topics)} topics stand side by side: their figures are never averaged."]


def _scales(results: Sequence[ResultBase]) -> list[Part]:
    """Parts with a picture for each topic, criterion and scale, so that only comparable models share a picture."""
    R, bias, volatility = symbols(*RISK)
    blocks: list[Block] = []
    for _, alike in groupby(sorted(of_risk(results), key=_question), key=_question):
        blocks.append(scale(list(alike)))
    return [Part("scale", f"{R}, {bias} and {volatility} between reference models", tuple(blocks))] if blocks else []


def _controls(results: Sequence[ResultBase]) -> list[Part]:
    blocks: list[Block] = []
    for study in of_risk(results):
        if study.controls:
            sections = control_sections(study)
            blocks += [warning for section in sections for warning in section.warnings]
            blocks += [*([controls(study)] if study.controls[0].groups else []), *map(table_of, sections)]
    return [Part("controls", "Controls", tuple(blocks))] if blocks else []


def _question(result: Result) -> tuple[str, ...]:
    return result.topic, result.language, result.margin, result.criterion, result.scale


def _comparison(all_seen: Sequence[Seen], plugins: Plugins, by: str) -> list[Part]:
    """The parts on comparisons: of context sets if there are several, and of models measured with the same prompts."""
    stored = [each for each in all_seen if of_risk([each.result]) and each.result.folder]
    if len(stored) < 2:
        return []
    over_sets = context_parts(stored, plugins)
    try:
        compared = _compared(stored, plugins, by)
    except BvfError as error:
        return over_sets or [Part("comparison", "Comparison", (f"Not compared: {error.message}.",))]
    blocks: list[Block] = [*comparison(compared)]
    if any(topic.trends or topic.matched for topic in compared.topics):
        blocks += by_label(compared)
    if len(compared.topics) > 1:
        blocks.append(topic_matrix(compared))
    blocks += [table_of(section) for section in sections(compared, MOST_DIFFERENCES)]
    return [*over_sets, Part("comparison", "Comparison of models", tuple(blocks))]


def _compared(of_risk: Sequence[Seen], plugins: Plugins, by: str) -> Comparison:
    measurements, config = compared_alike(of_risk)
    return compare(measurements, config, plugins=plugins, by=by)


def _gated(run: Path, limits: dict[str, object], plugins: Plugins) -> GateResult:
    return gate(run, checked_gate(dict(limits), "--gate"), plugins=plugins)
