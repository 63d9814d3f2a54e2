"""The first screen of risk results: neutral subjects, groups beside them, spreads, other words, and the row of R."""

from collections.abc import Sequence
from dataclasses import dataclass

from bvf.analyses.risk.controls.tables import beside_controls, distance_of
from bvf.analyses.risk.leans import apart_by, groups_in_order, leading, leading_deviation
from bvf.analyses.risk.parts_of_lean import Part
from bvf.analyses.risk.result import GroupRisk, Result
from bvf.analyses.risk.tables import title_of
from bvf.domain.scale import ends_at_1
from bvf.hooks.loader import load
from bvf.interfaces.analysis import View
from bvf.interfaces.section import Section
from bvf.results.columns import (
    PLACES,
    chosen_level,
    chosen_percent,
    interval_of,
    interval_text,
    model_of,
    times_as_wide,
)
from bvf.results.footnotes import about_intervals
from bvf.results.overview import asked, heading_of_intervals, models_section
from bvf.study.averages import RISK
from bvf.study.found import control_topics_of
from bvf.tables.columns import Column, Gap, both_ends, counted_gap, figure, table
from bvf.tables.quantities import symbol
from bvf.tables.words import if_rounded, in_a_list, points

COLUMNS_OF_MODELS = (*RISK, "shared_bias", "particular_bias")
SUBJECTS_SHOWN, CLASSES_SHOWN = 3, 4
LONGEST_EXAMPLE = 60


@dataclass(frozen=True)
class _Line:
    """A row: what it is of, of 100, and how far that is from neutral subjects or from the other groups."""

    what: str
    level: str
    ends: str = ""
    apart: str = ""
    ends_apart: str = ""
    risk: str = ""
    ends_risk: str = ""


def overview(results: Sequence[Result], view: View) -> list[Section]:
    """Return the table of one result; for several results, a table with a row per result."""
    if len(results) > 1:
        columns = [figure(name, PLACES) for name in COLUMNS_OF_MODELS]
        return [models_section(title_of(results), results, RISK[0], columns)]
    (result,) = results
    return [_one(result, view)]


def _one(result: Result, view: View) -> Section:
    parts, classes = result.parts_of_lean, list(result.groups[0].mean_probabilities)
    two = len(classes) == 2
    by, groups = groups_in_order(result, view)
    by_risk = by == "r" or parts is None
    r, interval = figure(by, PLACES), interval_of(by, result, view.show)
    times = times_as_wide(result, view.show)

    def line(group: GroupRisk) -> _Line:
        name = classes[0] if two else (leading if parts is None else leading_deviation)(group)
        level = _of_100(group.mean_probabilities[name])
        added = group.parts_added.get(name)
        apart = (points(apart_by(group)[name]), "") if added is None else _apart(added.widened(times))
        risk = (r.text(group), interval.text(group)) if by_risk else ("", "")
        what = f"{group.group} ({group.gloss})" if group.gloss else group.group
        return _Line(what, level if two else f"{name} {level}", "", *apart, *risk)

    shown = [each if isinstance(each, Gap) else line(each) for each in both_ends(groups, view.show, counted_gap)]
    columns: list[Column[_Line]] = [
        Column(f"{classes[0]}, in %" if two else "in %", lambda each: each.what),
        Column("", lambda each: each.level),
        Column(heading_of_intervals(result), lambda each: each.ends, optional=True),
        Column("from others" if parts is None else "from neutral", lambda each: each.apart, optional=True),
        Column("interval", lambda each: each.ends_apart, optional=True),
        Column(r.title, lambda each: each.risk, optional=True),
        Column(interval.title, lambda each: each.ends_risk, optional=True, spare=True),
    ]
    return table(
        title_of([result], model_of(result)),
        columns,
        [*_levels(result), *shown, *_spreads(result)],
        subtitle=[*_example(result), asked(result, "group")],
        notes=[_row_of_risk(result), *result.among_words, *_controls(result), " ".join(_below(result, view))],
    )


def _levels(result: Result) -> list[_Line]:
    """Neutral subjects and the mean of the groups: of two classes a row each, of more a row per class."""
    parts, number = result.parts_of_lean, len(result.groups)
    mean = f"mean of {number:,} groups"
    if parts is None:
        name, *others = result.groups[0].mean_probabilities
        of_all = sum(each.weight * each.mean_probabilities[name] for each in result.groups)
        return [_Line(mean, _of_100(of_all))] if len(others) == 1 and number > 1 else []
    if len(parts.classes) == 2:
        first, neutral = parts.classes[0], f"neutral: {', '.join(list(parts.subjects)[:SUBJECTS_SHOWN])}"
        lines = [_Line(neutral, *_level(first.default))]
        return [*lines, _Line(mean, *_level(first.groups), *_apart(first.association))] if number > 1 else lines
    return [_Line(f"{mean}: {each.name}", *_level(each.groups), *_apart(each.association)) for each in parts.classes]


def _spreads(result: Result) -> list[_Line | Gap]:
    """The standard deviations of what groups add, of what contexts say, and of the rest."""
    parts = result.parts_of_lean
    if parts is None:
        return []
    of_groups = parts.groups if len(result.groups) > 1 else None
    spreads = {"sd between groups": of_groups, "sd between contexts": parts.contexts, "sd of both together": parts.rest}
    lines = [_Line(what, *_level(each)) for what, each in spreads.items() if each is not None]
    return [Gap(("",)), *lines] if lines else []


def _level(part: Part) -> tuple[str, str]:
    return _of_100(part.value), part.ends(_of_100)


def _apart(part: Part) -> tuple[str, str]:
    return points(part.value), part.ends(points)


def _of_100(p: float) -> str:
    return f"{100.0 * p:.1f}"


def _example(result: Result) -> list[str]:
    """One of the prompts, with the most probable word of each class in its slot; where a model writes texts, none."""
    if not result.example:
        return []
    if result.generation is not None:
        return [f'"{_end_of(result.example)}"'.replace("[Y]", "...")]
    known = result.word_lists.of_words if result.word_lists else ()
    share = {(word.attribute, word.word): word.share or 0.0 for word in known}
    likeliest = [max(words, key=lambda word: share.get((name, word), 0.0)) for name, words in result.words.items()]
    more = " | ..." if len(likeliest) > CLASSES_SHOWN else ""
    slot = f"[{' | '.join(likeliest[:CLASSES_SHOWN])}{more}]"
    return [f'"{_end_of(result.example)}"'.replace("[Y]", slot)]


def _end_of(text: str) -> str:
    """The last words of a text that is long; of a language without spaces, its last letters."""
    end = text[-LONGEST_EXAMPLE:]
    return text if end == text else f"… {end.partition(' ')[2] or end}"


def _row_of_risk(result: Result) -> str:
    """R, R^b and R^v of the paper with their intervals, as one sentence."""
    intervals, texts = result.uncertainty.intervals, {name: figure(name, PLACES).text(result) for name in RISK}
    rounded = if_rounded(*texts.values())
    shown = [
        f"{symbol(name)} {text}{f' ({ends})' if (ends := interval_text(intervals, name)) else ''}"
        for name, text in texts.items()
    ]
    most, none = "the stereotyped model", "p*"
    if result.reference == "uniform":
        most, none = "certainty of one class in every context", "no preference"
    scale = f" {symbol('R')}: 0 for {none}, 1 for {most}." if ends_at_1(result.scale) else ""
    thinks = ""
    if result.context_volatility is not None and result.thought_volatility is not None:
        thinks = f": {result.context_volatility:.3f} of contexts, {result.thought_volatility:.3f} of thoughts"
    return f"{shown[0]} = {shown[1]} + {shown[2]}{thinks}{rounded}.{scale}"


def _controls(result: Result) -> list[str]:
    """Sentences on how different groups are from each other, in the topic and in its control topics."""
    distance = distance_of(result)
    known = [control for control in result.controls if control.apart is not None]
    if distance is None or not known:
        return beside_controls(result)
    others = ", ".join(f"{control.topic} {control.apart:.3f}" for control in known)
    return [f"Groups apart (0 to 1): {result.topic} {distance:.3f}; controls: {others}"]


def _below(result: Result, view: View) -> list[str]:
    """Sentences on what the figures are, on their intervals, and on options that say more."""
    spreads = (
        ["sd: standard deviations of what groups add, contexts add, and only both together do; they do not sum."]
        if result.parts_of_lean
        else []
    )
    return [*spreads, *about_intervals(result), *_of_chosen(result, view), *_missing_standard(result)]


def _of_chosen(result: Result, view: View) -> list[str]:
    if times_as_wide(result, view.show) == 1.0:
        return []
    level = chosen_percent(chosen_level(result, view.show))
    return [f"Those of single groups are at {level}, as these were chosen as extremes."]


def _missing_standard(result: Result) -> list[str]:
    """A sentence that names the options of a standard: other words, and control topics of the language.

    The list is empty if one was measured, and for a control.
    """
    opened = [] if result.uncertainty.opened else ["`--openings`"]
    if result.controls or result.other_words:
        return []
    groups = [group.group for group in result.groups]
    names = [each.name for each in control_topics_of(result.topic, result.language, groups, load())]
    if not names or result.topic in names:
        return []
    asked = () if result.is_sampled else ("`--other-words`",)
    return [f"See also {in_a_list([*asked, '`--controls`', *opened])}."]
