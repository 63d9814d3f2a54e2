"""Builds the page of a report, with its verdicts in plain words, from folders of runs.

Verdicts are made by the analysis, or else are a sentence per figure.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bvf import (
    Analysis,
    AnalysisConfig,
    BvfError,
    Measurement,
    Picture,
    ReportedFile,
    ResultBase,
    Section,
    Verdict,
    View,
    gate,
)
from bvf.domain import CandidateMass, MeasurementRecord
from bvf.hooks import Plugins
from bvf.results import (
    Figure,
    Figures,
    GateResult,
    PageParts,
    PageResult,
    PageResults,
    Part,
    analysis_of,
    comparable_choices,
    decision_of,
    figure_text,
    grouped,
    headings,
    measurement_of,
    model_in_title,
    names_of,
    not_of_the_run,
    of_risk,
    question,
    read_reported,
    reported_in,
    result_in,
    rows_with_intervals,
    study_of,
    what_of,
    with_distinct_names,
)
from bvf.results import Place as At
from bvf.stats import ContextSample
from bvf.study import folders_of_runs, low_mass, read_record
from bvf.terminal import note
from bvf_report.page.content import Block, Facts, ModelVerdict, Page
from bvf_report.page.provenance import Scenario, audit_parts, limits_part, provenance_of
from bvf_report.page.rooms import GROUPS_DRAWN

NOT_JUDGED = (
    "bvf describes these figures and does not judge them: words that mean nothing here give figures above 0, too. "
    "`bvf run --controls` measures some beside the topic, and `bvf gate` judges by a limit of yours. An interval was "
    f"tested for {ContextSample.MEASURED_FROM} drawn contexts and more, and where the compared words have "
    f"{CandidateMass.FLOOR:.0%} of the probability or more."
)
P_STAR = {
    "uniform": "every class is as probable as any other",
    "mean": "the mean prediction of the model over all groups",
    "prior": "the model's own prediction for neutral subjects in the same context",
}
"""What p* is, by the value of ``--reference``; another value names a table."""
NOT_STATED = Scenario()
NO_LIMITS = "none was given (bvf report DIR --gate gate.toml holds figures to limits)"
MOST_IN_SHORT = 3
"""The most results whose findings, and questions whose tables, stand at the head of a page."""


def verdict(source: PageResult, plugins: Plugins) -> ModelVerdict:
    """Return the verdicts on a result, preceded by reasons to doubt them."""
    result, analysis = source.result, analysis_of(source.result, plugins)
    of_controls = (
        f"control {control.topic}: {warning}"
        for study in of_risk([result])
        for control in study.controls
        for warning in control.warnings
    )
    doubts = tuple(f"Doubtful: {sentence}" for sentence in (*result.warnings, *of_controls))
    found = analysis.verdicts(result) or [_one_by_one(result, analysis.figures)]
    return ModelVerdict(source.name, tuple(_with_what_is_needed(found, source, analysis, plugins)), doubts)


def _with_what_is_needed(
    found: Sequence[Verdict], source: PageResult, analysis: Analysis[Any], plugins: Plugins
) -> Sequence[Verdict]:
    """The verdicts; an undecided one whose figure has an interval also says which contexts would decide it."""
    uncertainty = source.result.uncertainty
    undecided = [each for each in found if each.tone == "cannot tell" and each.figure in uncertainty.intervals]
    if not undecided or low_mass(source.result.candidate_mass, source.result.generation):
        return found
    try:
        figures = Figures(study_of(source.result, plugins, source.measurement), analysis, source.result)
    except BvfError:
        return found
    return [_with_need(each, figures) if each in undecided else each for each in found]


def _with_need(verdict: Verdict, figures: Figures) -> Verdict:
    if verdict.limit is None:
        return verdict
    needed = decision_of(figures, Figure(verdict.figure), verdict.limit).what_would_decide
    return replace(verdict, said=(*verdict.said[:1], f"To decide: {needed}.", *verdict.said[1:]))


def _one_by_one(result: ResultBase, figures: Mapping[str, str]) -> Verdict:
    values = [
        f"{name} is {figure_text(result, field)}."
        for field, name in figures.items()
        if getattr(result, field, None) is not None
    ]
    undefined = result.uncertainty.why_none
    why = [f"What other texts would give is not known: {undefined}."] if undefined else []
    return Verdict("cannot tell", values[0] if values else "See the tables below.", (*values[1:], *why))


def page_of(  # noqa: PLR0913 - each is a choice of its own
    sources: Sequence[Path],
    plugins: Plugins,
    *,
    config: AnalysisConfig | None = None,
    scenario: Scenario | None = None,
    limits: dict[str, Any] | None = None,
    by: str = "",
    options: Mapping[str, Any] | None = None,
) -> Page:
    """Return a page with everything that is known about finished runs.

    Args:
        sources: Folders of runs, folders that contain such folders, or files of plugins.
        plugins: The plugins in which analyses and criteria are looked up, and whose rooms add sections.
        config: Choices of the analysis (criterion, p*, ...) that differ from those of the runs' own analyses.
        scenario: The scenario that an auditor states; None: none.
        limits: Limits, from `bvf.analyses.gate.config.read_gate`, for all runs, or for all files where there is no
            run; None: figures have no limits.
        by: A label of the runs, over which they are compared; empty: none.
        options: The options of sections that plugins add, by field, such as ``{"against": ("wages",)}``.

    Raises:
        BvfError: A folder holds no finished run, no plugin reads a file, limits do not fit a run, or ``by`` or an
            option of a section fits none of the runs.
    """
    rooms = _rooms(plugins, options or {})
    found = {source: reported_in(source, plugins) for source in sources}
    files = [read_reported(file, plugins) for file in found.values() if file is not None]
    folders = [source for source, file in found.items() if file is None]
    runs = list(dict.fromkeys(run for folder in folders for run in folders_of_runs(folder)))
    config, records = config or AnalysisConfig(), [read_record(run) for run in runs]
    read = [result_in(run, config, plugins, unknown=True, read=each) for run, each in zip(runs, records, strict=True)]
    shown = PageResults(_named(with_distinct_names(read), records, rooms), plugins, by)
    of_rooms = _of_rooms(rooms, shown)
    file_parts = [_file_part(file, number) for number, file in enumerate(files)]
    if not runs:
        decided = [gate(source, plugins=plugins, **limits) for source in sources] if limits is not None else []
        lines = tuple(line for each in decided for line in each.lines)
        file_parts += [Part("limits", "Limits", lines)] if lines else []
        return Page(files[0].what, ", ".join(file.title for file in files), tuple(file_parts))
    held = None if limits is None else {**config.given(), **limits}
    gates = [] if held is None else [gate(run, plugins=plugins, **held) for run in runs]
    return _page(shown, rooms, of_rooms, file_parts, scenario or NOT_STATED, gates)


def page_of_run(result: ResultBase, measurement: Measurement, plugins: Plugins) -> Page:
    """Return the page of a run whose measurement was read already, with log p-hat of words."""
    rooms = _rooms(plugins, {})
    shown = PageResults(_named(with_distinct_names([result]), [measurement], rooms), plugins)
    return _page(shown, rooms, _of_rooms(rooms, shown))


def _rooms(plugins: Plugins, options: Mapping[str, Any]) -> list[PageParts]:
    """What plugins add to a page, in the order of their places."""
    rooms = list[PageParts]()
    for entry, chosen in plugins.page_parts.with_options(options):
        try:
            rooms.append(entry.make(*([] if chosen is None else [chosen])))
        except BvfError as error:
            if entry.is_ours:
                raise
            note(f"warning: {error.message}: left out")
    return sorted(rooms, key=lambda room: room.place)


def _of_rooms(rooms: Sequence[PageParts], shown: PageResults) -> dict[At, list[Part]]:
    """The sections of rooms on all results together, by their places."""
    parts: dict[At, list[Part]] = {place: [] for place in At}
    for room in rooms:
        above = [part for place, there in parts.items() if place > At.CHECKS for part in there]
        parts[room.place] += room.of_page(shown, above)
    return parts


def _page(
    shown: PageResults,
    rooms: Sequence[PageParts],
    of_rooms: Mapping[At, Sequence[Part]],
    of_files: Sequence[Part] = (),
    scenario: Scenario = NOT_STATED,
    gates: Sequence[GateResult] = (),
) -> Page:
    plugins, results = shown.plugins, [each.result for each in shown.all]
    known = [(each.name, each.result, provenance_of(each.result, plugins, each.measurement)) for each in shown.all]
    said = [verdict(each, plugins) for each in shown.all]
    parts = [
        _in_short(shown, said, scenario, gates),
        *_verdicts(shown.all, said),
        *of_rooms[At.SUMMARY],
        *_together([result for result in results if not _is_of_a_room(result, rooms)], plugins),
        limits_part(known),
        *of_rooms[At.CHECKS],
        *(part for number, each in enumerate(shown.all) for part in _of_result(each, number, rooms, shown)),
        *(part for place, there in of_rooms.items() if place > At.CHECKS for part in there),
        *of_files,
        *audit_parts(scenario, known),
    ]
    topics = ", ".join(dict.fromkeys(f"{result.topic} ({result.language})" for result in results))
    models = ", ".join(dict.fromkeys(map(model_in_title, results)))
    return Page("Bias and volatility", f"{topics}: {models}", tuple(parts))


def _named(
    results: Sequence[ResultBase], read: Sequence[Measurement | MeasurementRecord], rooms: Sequence[PageParts]
) -> tuple[PageResult, ...]:
    """The results and their names. Where results were not analysed alike, the names contain the difference.

    Only for a result that a room shows itself, what was not ``read`` of its measurement is read.
    """
    groups = grouped(results, comparable_choices)
    analysed = {
        id(result): heading
        for group, heading in zip(groups, headings(groups, comparable_choices), strict=True)
        for result in group
    }
    names = [
        ", ".join(filter(None, (name, analysed[id(result)])))
        for result, name in zip(results, names_of(results), strict=True)
    ]
    named = list[PageResult]()
    for result, name, each in zip(results, names, read, strict=True):
        try:
            measurement = measurement_of(result, each) if _is_of_a_room(result, rooms) else None
            named.append(PageResult(result, name, measurement))
        except BvfError as error:
            named.append(PageResult(result, name, unread=error.message))
    return tuple(named)


def _is_of_a_room(result: ResultBase, rooms: Sequence[PageParts]) -> bool:
    return any(room.results is not None and isinstance(result, room.results) for room in rooms)


def _in_short(
    shown: PageResults, said: Sequence[ModelVerdict], scenario: Scenario, gates: Sequence[GateResult]
) -> Part:
    """The head of the page: what was asked, by whom, whether limits hold, and what was found in few words."""
    named = [f"{each.name}: " if len(shown.all) > 1 else "" for each in shown.all]
    asked_by = ", ".join(filter(None, (scenario.conducted_by, scenario.signed))) or "not stated (--scenario FILE)"
    verdicts = Counter(decision.verdict for each in gates for decision in each.decisions)
    limits = [("limits", ", ".join(f"{number} {verdict}" for verdict, number in verdicts.items()) or NO_LIMITS)]
    for name, each in zip(named, gates, strict=False):
        limits.append(("limits are for", f"{name}{each.described}"))
        limits += [("limit", f"{name}{decision.said(each.level)}") for decision in each.decisions]
        limits += [("doubt", f"{name}{warning}") for warning in each.warnings]
    tables = list[Section]()
    for group in grouped([each.result for each in shown.all], question)[:MOST_IN_SHORT]:
        tables += analysis_of(group[0], shown.plugins).overview(group, View())
    asked = [("asked", " ".join(each.subtitle)) for each in tables if each.subtitle]
    findings = [
        f"{name}{sentence}"
        for name, its in zip(named, said, strict=True)
        for sentence in (*its.doubts, *(each.finding or each.headline for each in its.verdicts))
        if len(said) <= MOST_IN_SHORT
    ]
    facts = Facts((*asked, ("asked by", asked_by), *limits))
    return Part("in-short", "In short", (facts, *findings, *(replace(each, subtitle=()) for each in tables)))


def _verdicts(all_results: Sequence[PageResult], said: Sequence[ModelVerdict]) -> list[Part]:
    """The sections with the verdicts: one for each set of results that may be rows of one table."""
    groups = grouped(list(zip(all_results, said, strict=True)), lambda each: question(each[0].result))
    studies = of_risk([each.result for each in all_results])
    references = dict.fromkeys(study.reference for study in studies)
    p_star = "; ".join(f"{P_STAR.get(each, 'the shares in the table')} ({each})" for each in references)
    before = [f"p* is the prediction that counts as unbiased. Here: {p_star}."] if studies else []
    explained = [NOT_JUDGED, *(f"{each.rstrip('.')}." for each in what_of(studies))] if studies else []
    if len(groups) == 1:
        return [Part("verdict", "What was found", (*_of_group(groups[0], before), *explained))]
    first = f"{len(groups)} kinds of results stand under what tells them apart: their figures are never averaged."
    of_each = zip(headings(groups, lambda each: question(each[0].result)), groups, strict=True)
    parts = [Part(f"verdict-{number}", heading, _of_group(group), 3) for number, (heading, group) in enumerate(of_each)]
    return [Part("verdict", "What was found", (first, *before, *explained)), *parts]


def _of_group(group: Sequence[tuple[PageResult, ModelVerdict]], before: Sequence[str] = ()) -> tuple[Block, ...]:
    """The verdicts of results that may stand in one table; sentences ``before`` them follow those on their analysis."""
    return (*not_of_the_run([each.result for each, _ in group]), *before, *(said for _, said in group))


def _together(results: Sequence[ResultBase], plugins: Plugins) -> list[Part]:
    """A section for each set of results that were analysed alike, with the pictures in which they stand together."""
    groups = grouped(results, comparable_choices)
    several = [pair for pair in zip(groups, headings(groups, comparable_choices), strict=True) if len(pair[0]) > 1]
    made = [(_drawn(analysis_of(group[0], plugins).pictures_of_topics, group), heading) for group, heading in several]
    return [
        Part(f"together-{number}", f"Results together: {heading}" if heading else "Results together", blocks)
        for number, (blocks, heading) in enumerate(made)
        if blocks
    ]


def _of_result(each: PageResult, number: int, rooms: Sequence[PageParts], shown: PageResults) -> list[Part]:
    """The sections on one result: what rooms show of it, below what its analysis shows if no room shows it itself."""
    parts = [part for room in rooms for part in room.of_result(each, number, shown)]
    if _is_of_a_room(each.result, rooms):
        return parts
    analysis = analysis_of(each.result, shown.plugins)
    tables = rows_with_intervals([each.result], analysis, View(show=0))
    return [Part(f"result-{number}", each.name, (*_drawn(analysis.pictures, [each.result]), *tables)), *parts]


def _drawn(
    pictures: Callable[[Sequence[ResultBase]], Sequence[Picture]], results: Sequence[ResultBase]
) -> tuple[Block, ...]:
    """The pictures that an analysis makes of results, or a note on why there are none."""
    try:
        return tuple(picture.with_ends(GROUPS_DRAWN) for picture in pictures(results))
    except BvfError as error:
        return (f"Not drawn: {error.message}.",)


def _file_part(file: ReportedFile, number: int) -> Part:
    """The section with the pictures and tables of a file of a plugin. Sentences name pictures that cannot be drawn."""
    blocks: list[Block] = []
    for each in file.pictures:
        try:
            blocks.append(file.picture(each))
        except BvfError as error:
            blocks.append(f"Not drawn: {error.message}.")
    return Part(f"file-{number}", f"{file.what}: {file.title}", (*blocks, *file.sections()))
