"""Builds the page of a report from folders of runs."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from bvf_insights.regress.config import RegressConfig

from bvf.analyses.compare.analysis import compared_by_choices
from bvf.analyses.compare.tables import sections
from bvf.analyses.gate.analysis import gate
from bvf.analyses.gate.config import checked_gate
from bvf.analyses.gate.reports import lines
from bvf.analyses.gate.result import GateResult
from bvf.analyses.risk.controls.tables import control_sections
from bvf.analyses.risk.result import of_risk
from bvf.domain.measurement import Measurement, MeasurementRecord
from bvf.domain.variants.formats import FORMAT
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.measuring.folder import read_record
from bvf.results.alike import grouped, headings, method, question
from bvf.results.below_tables import not_of_the_run
from bvf.results.kept import analysis_of
from bvf.results.names import names_of, with_names_apart
from bvf.results.reported import read_reported, reported_in
from bvf.results.result import ResultBase
from bvf.running.run import result_in
from bvf.study.averages import RISK
from bvf.study.config import AnalysisConfig
from bvf.study.found import folders_of_runs
from bvf.tables.symbols import symbols
from bvf_report.page.audit import audit_parts, limits_part
from bvf_report.page.content import Block, Page, Part, refuse_if_none
from bvf_report.page.contexts import compared_alike, compared_by, context_parts
from bvf_report.page.files import file_part
from bvf_report.page.provenance import provenance_of
from bvf_report.page.results import Seen, result_parts, seen, together
from bvf_report.page.scenario import Scenario
from bvf_report.page.social import social_parts
from bvf_report.page.verdict import WHAT_IS_NEGLIGIBLE, verdict, what_p_star_is
from bvf_report.pictures.compare.compared import comparison
from bvf_report.pictures.compare.pairs import by_label
from bvf_report.pictures.compare.said import said
from bvf_report.pictures.compare.topics import topic_matrix
from bvf_report.pictures.controls import controls
from bvf_report.pictures.risk.scale import scale

MOST_DIFFERENCES = 24
NOT_STATED = Scenario()


def page_of(  # noqa: PLR0913 - each is a choice of its own
    sources: Sequence[Path],
    plugins: Plugins,
    *,
    config: AnalysisConfig | None = None,
    scenario: Scenario | None = None,
    limits: dict[str, object] | None = None,
    by: str = "",
    social: RegressConfig | None = None,
) -> Page:
    """Return a page with everything that is known about finished runs.

    Args:
        sources: Folders of runs, folders that contain such folders, or files of plugins.
        plugins: The plugins in which analyses and criteria are looked up.
        config: Choices of the analysis (criterion, p*, ...) that differ from those of the runs' own analyses.
        scenario: The scenario that an auditor states; None: none.
        limits: Limits, from `bvf.analyses.gate.config.read_gate`, for all runs, or for all files where there is no
            run; None: figures have no limits.
        by: A label of the runs, over which they are compared; empty: none.
        social: The configuration of regressions on social factors; None: no regression.

    Raises:
        BvfError: A folder holds no finished run, no plugin reads a file, limits do not fit a run, or ``by`` or
            ``social`` fits none of the runs.
    """
    found = {source: reported_in(source, plugins) for source in sources}
    files = [read_reported(file, plugins) for file in found.values() if file is not None]
    folders = [source for source, file in found.items() if file is None]
    runs = list(dict.fromkeys(run for folder in folders for run in folders_of_runs(folder)))
    config, records = config or AnalysisConfig(), [read_record(run) for run in runs]
    read = [result_in(run, config, plugins, foreign=True, read=each) for run, each in zip(runs, records, strict=True)]
    results: list[ResultBase] = with_names_apart(read)
    file_parts = [file_part(file, number) for number, file in enumerate(files)]
    all_seen = _named(results, records)
    compared = _comparison(all_seen, plugins, by)
    of_society = social_parts(results, social, plugins) if social else []
    if not results:
        decided = [_gated(source, limits, plugins) for source in sources] if limits is not None else []
        file_parts += [Part("limits", "Limits", tuple(chain.from_iterable(map(lines, decided))))] if decided else []
        return Page(files[0].what, ", ".join(file.title for file in files), tuple(file_parts))
    gates = [_gated(run, {**config.given(), **limits}, plugins) for run in runs] if limits is not None else []
    return _page(all_seen, plugins, [*compared, *of_society, *file_parts], scenario or NOT_STATED, gates)


def page_of_run(result: ResultBase, measurement: Measurement, plugins: Plugins) -> Page:
    """Return the page of a run whose measurement was read already, with log p-hat of words."""
    return _page(_named(with_names_apart([result]), [measurement]), plugins)


def _page(
    all_seen: Sequence[Seen],
    plugins: Plugins,
    others: Sequence[Part] = (),
    scenario: Scenario = NOT_STATED,
    gates: Sequence[GateResult] = (),
) -> Page:
    """The page of some results, with ``others`` among its sections: comparisons and files."""
    results = [each.result for each in all_seen]
    known = [(each.name, each.result, provenance_of(each.result, plugins, each.measurement)) for each in all_seen]
    parts = _verdicts(all_seen, plugins)
    parts += _scales(results)
    parts += _of_topics(results, plugins)
    parts.append(limits_part(known))
    parts += _controls(results)
    for number, each in enumerate(all_seen):
        parts += result_parts(each, number, analysis_of(each.result, plugins), plugins)
    parts += [*others, *audit_parts(scenario, known, gates)]
    topics = ", ".join(dict.fromkeys(f"{result.topic} ({result.language})" for result in results))
    return Page("Bias and volatility", f"{topics}: {', '.join(dict.fromkeys(r.model for r in results))}", tuple(parts))


def _named(results: Sequence[ResultBase], read: Sequence[Measurement | MeasurementRecord]) -> list[Seen]:
    """The results and their names. Where results were not analysed alike, the names contain the difference."""
    groups = grouped(results, method)
    analysed = {
        id(result): heading for group, heading in zip(groups, headings(groups, method), strict=True) for result in group
    }
    return [
        seen(result, ", ".join(filter(None, (name, analysed[id(result)]))), each)
        for result, name, each in zip(results, names_of(results), read, strict=True)
    ]


def _verdicts(all_seen: Sequence[Seen], plugins: Plugins) -> list[Part]:
    """The section with the verdicts.

    Results that cannot be rows of one table have a section each, headed by the difference.
    """
    groups = grouped(all_seen, lambda each: question(each.result))
    studies = of_risk([each.result for each in all_seen])
    before, explained = what_p_star_is(studies), [WHAT_IS_NEGLIGIBLE] if studies else []
    if len(groups) == 1:
        return [Part("verdict", "Verdict", (*_of_group(all_seen, plugins, before), *explained))]
    first = f"{len(groups)} kinds of results stand under what tells them apart: their figures are never averaged."
    of_each = zip(headings(groups, lambda each: question(each.result)), groups, strict=True)
    parts = [
        Part(f"verdict-{number}", heading, _of_group(group, plugins), 3)
        for number, (heading, group) in enumerate(of_each)
    ]
    return [Part("verdict", "Verdict", (first, *before, *explained)), *parts]


def _of_group(group: Sequence[Seen], plugins: Plugins, before: Sequence[str] = ()) -> tuple[Block, ...]:
    """The verdicts of results that may stand in one table; sentences ``before`` them follow those on their analysis."""
    analysed = not_of_the_run([each.result for each in group])
    return (*analysed, *before, *(verdict(each, analysis_of(each.result, plugins), plugins) for each in group))


def _scales(results: Sequence[ResultBase]) -> list[Part]:
    """A section with a picture of R, R^b (bias) and R^v (volatility) per set of comparable risk results."""
    groups = grouped(of_risk(results))
    if not groups:
        return []
    blocks = list[Block]()
    for group, heading in zip(groups, headings(groups), strict=True):
        blocks += [*([f"{heading}:"] if heading else []), scale(group)]
    R, bias, volatility = symbols(*RISK)
    return [Part("scale", f"{R}, {bias} and {volatility} between reference models", tuple(blocks))]


def _of_topics(results: Sequence[ResultBase], plugins: Plugins) -> list[Part]:
    """A section for each set of results that were analysed alike, with the pictures in which they stand together.

    Those of risk have a section of their own, `_scales`.
    """
    groups = grouped(results, method)
    named = zip(groups, headings(groups, method), strict=True)
    several = [(group, heading) for group, heading in named if len(group) > 1 and not of_risk(group)]
    made = [(together(group, analysis_of(group[0], plugins)), heading) for group, heading in several]
    return [
        Part(f"together-{number}", f"Results together: {heading}" if heading else "Results together", blocks)
        for number, (blocks, heading) in enumerate(made)
        if blocks
    ]


def _controls(results: Sequence[ResultBase]) -> list[Part]:
    blocks: list[Block] = []
    for study in of_risk(results):
        if study.controls:
            sections = control_sections(study)
            blocks += [warning for section in sections for warning in section.warnings]
            blocks += [*([controls(study)] if study.controls[0].groups else []), *sections]
    return [Part("controls", "Controls", tuple(blocks))] if blocks else []


def _comparison(all_seen: Sequence[Seen], plugins: Plugins, by: str) -> list[Part]:
    """The sections on comparisons: of context sets, and of models analysed with the same choices."""
    stored = [each for each in all_seen if of_risk([each.result]) and each.result.folder]
    key = compared_by(stored)
    groups = grouped(stored, key)
    fewest, what = (1, "formats") if by == FORMAT else (2, "models")
    found = [_compared(group, plugins, by) for group in groups if len(group) >= fewest]
    if by:
        refuse_if_none(found, f"--by {by}: no two runs of risk are here that were analysed alike")
    if len(stored) < fewest:
        return []
    over_sets = [part for group in groups for part in context_parts(group, plugins)]
    titles = [heading for group, heading in zip(groups, headings(groups, key), strict=True) if len(group) >= fewest]
    parts = list[Part]()
    for heading, blocks in zip(titles, found, strict=True):
        if isinstance(blocks, BvfError) and over_sets:
            continue
        id = f"comparison-{len(parts)}" if parts else "comparison"
        title = f"Comparison of {what}: {heading}" if heading else f"Comparison of {what}"
        said = (f"Not compared: {blocks.message}.",) if isinstance(blocks, BvfError) else blocks
        parts.append(Part(id, title, said))
    if not parts and not over_sets:
        apart = "; ".join(headings(groups, key))
        parts.append(Part("comparison", "Comparison", (f"Not compared, as no two were analysed alike: {apart}.",)))
    return [*over_sets, *parts]


def _compared(alike: Sequence[Seen], plugins: Plugins, by: str) -> tuple[Block, ...] | BvfError:
    try:
        compared = compared_by_choices(*compared_alike(alike, plugins), plugins, by=by)
    except BvfError as error:
        return error
    blocks: list[Block] = [*comparison(compared), *said(compared)]
    if any(topic.trends or topic.matched for topic in compared.topics):
        blocks += by_label(compared)
    if len(compared.topics) > 1:
        blocks.append(topic_matrix(compared))
    return (*blocks, *sections(compared, MOST_DIFFERENCES))


def _gated(source: Path, limits: dict[str, object], plugins: Plugins) -> GateResult:
    return gate(source, checked_gate(dict(limits), "--gate"), plugins=plugins)
