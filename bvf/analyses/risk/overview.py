"""The first screen of risk results: neutral subjects, groups beside them, spreads, other words, and the row of R."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from string import ascii_uppercase

from rich.cells import cell_len, chop_cells

from bvf.analyses.risk.leans import groups_in_order
from bvf.analyses.risk.other_words import FURTHER_APART
from bvf.analyses.risk.parts_of_lean import NO_NEUTRAL, Part
from bvf.analyses.risk.result import GroupRisk, Result
from bvf.analyses.risk.tables import title_of
from bvf.domain.scale import ends_at_1
from bvf.interfaces.analysis import View
from bvf.interfaces.section import Section
from bvf.results.columns import PLACES, chosen_level, chosen_percent, interval_text, model_in_title, times_as_wide
from bvf.results.footnotes import of_drawn_groups
from bvf.results.result import names_of
from bvf.results.sections import asked, models_section
from bvf.study.study import RISK
from bvf.tables.columns import Column, Gap, both_ends, counted_gap, figure, table
from bvf.tables.quantities import symbol
from bvf.tables.words import between, decimals, if_rounded, percent, points

COLUMNS_OF_MODELS = (*RISK, "shared_bias", "particular_bias")
IN_EXAMPLE, CLASSES_SHOWN = 4, 3
MOST_BESIDE = 4
"""The most models that stand beside each other, a column for each."""
WIDEST_EXAMPLE, MOST_AFTER = 76, 16
"""The width of an example, and of what is shown of it after the slot."""
ENDS = {"r": ("highest r", "lowest r"), "two": ("most {}", "least {}"), "more": ("farthest", "next")}
"""What the two groups that are shown are called, by what orders groups."""
FEW = 5
"""So many groups are all shown, without standard deviations."""
TIMES_OTHER_WORDS = "apart / other words"


@dataclass(frozen=True)
class _Line:
    """A row: what it is of, of 100, and how far that is from neutral subjects or from the other groups."""

    what: str
    level: str
    ends: str = ""
    apart: str = ""
    ends_apart: str = ""
    neutral: str = ""
    risk: str = ""


@dataclass(frozen=True)
class _Chosen:
    """A group that is shown: what it is called, the class that is shown of it, and what each result has of it."""

    called: str
    of_class: str
    each: Sequence[GroupRisk]


def overview(results: Sequence[Result], view: View) -> list[Section]:
    """Return the table of one result. A few that have the same rows stand beside each other; others have a row each."""
    if view.at_first == View.at_first and max(len(result.groups) for result in results) <= FEW:
        view = replace(view, at_first=0)
    alike = len(results) <= MOST_BESIDE and len(set(map(_than, results))) == 1
    chosen = _chosen(results, view) if alike else []
    if len(results) == 1:
        return [_one(results[0], chosen, view)]
    if chosen:
        return [_beside(results, chosen, view)]
    columns = [figure(name, PLACES) for name in COLUMNS_OF_MODELS]
    return [models_section(title_of(results), results, RISK[0], columns)]


def _one(result: Result, chosen: Sequence[_Chosen | Gap], view: View) -> Section:
    lines = _lines([result], 0, chosen, view)
    columns: list[Column[_Line]] = [
        Column(_heading(result), lambda each: each.what),
        Column("neutral", lambda each: each.neutral, optional=True),
        Column(f"{_classes(result)[0]}, %" if _are_two(result) else "groups", lambda each: each.level),
        Column(f"{percent(result.uncertainty.level)} interval", lambda each: each.ends, optional=True),
        Column(_than(result), lambda each: each.apart, optional=True),
        Column("interval", lambda each: each.ends_apart, optional=True),
        Column("r", lambda each: each.risk, optional=True),
    ]
    about = [each for each in _about_spreads(result) if each != f"{_heading(result)}."]
    below = " ".join([*about, *_beside_words(result)])
    return table(
        _title([result], model_in_title(result)),
        columns,
        lines,
        subtitle=[*_example(result), " ".join([_basis(result, view), *_no_neutral(result)])],
        notes=[*_rows_of_risk(result), *_controls(result), *filter(None, [below])],
    )


def _beside(results: Sequence[Result], chosen: Sequence[_Chosen | Gap], view: View) -> Section:
    """A table with the rows of one result, and a column per result, called by a letter."""
    cells = list[dict[str, str]]()
    for place, result in enumerate(results):
        lines = [*_lines(results, place, chosen, view), *_in_short(result)]
        shown = [each for each in lines if isinstance(each, _Line)]
        cells.append({each.what: f"{each.level} ({each.apart})" if each.apart else each.level for each in shown})
    letters, words = ascii_uppercase[: len(results)], map(_words, results)
    named = zip(letters, names_of(results), words, strict=True)
    names = [f"{letter}: {name}{f' (words: {share})' if share else ''}" for letter, name, share in named]
    example = _example(results[0]) if len({result.example for result in results}) == 1 else []
    sizes = dict.fromkeys(f"{asked(result, 'group')}." for result in results)
    scale = f"{_classes(results[0])[0]}, %" if _are_two(results[0]) else "%"
    return Section(
        _title(results),
        (f"{scale} ({_than(results[0])})", *letters),
        [
            (what, *(of_one.get(what, "not asked" if what == TIMES_OTHER_WORDS else "") for of_one in cells))
            for what in dict.fromkeys(chain(*cells))
        ],
        subtitle=[*example, *names, *sizes],
        notes=[" ".join([*_no_neutral(results[0]), *_about_spreads(results[0]), "`bvf compare` tests differences."])],
    )


def _lines(results: Sequence[Result], place: int, chosen: Sequence[_Chosen | Gap], view: View) -> list[_Line | Gap]:
    """The rows of one of the results: levels, groups, and spreads."""
    result = results[place]
    parts, times = result.parts_of_lean, times_as_wide(result, view.at_first)
    by_risk = _are_by_risk(result, view) and len(result.groups) > 1

    def line(shown: _Chosen | Gap) -> _Line | Gap:
        if isinstance(shown, Gap):
            return shown
        group, name = shown.each[place], shown.of_class
        apart = _apart(_added(result, group)[name].widened(times))
        neutral = (
            ""
            if parts is None or not result.has_neutral or _are_two(result)
            else _of_100(parts.of_class(name).default.value)
        )
        risk = figure("r", PLACES).text(group) if by_risk else ""
        return _Line(shown.called, _of_100(group.mean_probabilities[name]), "", *apart, neutral, risk)

    return [*_levels(result, _listed(results)), *map(line, chosen), *_spreads(result)]


def _chosen(results: Sequence[Result], view: View) -> list[_Chosen | Gap]:
    """The groups that are shown of all results, in their order on average."""
    of_each = [{group.group: group for group in result.groups} for result in results]
    common = [[by_name[name] for by_name in of_each] for name in of_each[0] if all(name in each for each in of_each)]
    two, by_risk = _are_two(results[0]), _are_by_risk(results[0], view)
    found = list[tuple[float, _Chosen]]()
    for groups in common:
        added = [_added(result, group) for result, group in zip(results, groups, strict=True)]
        together = {name: sum(each[name].value for each in added) for name in added[0]}
        farthest = next(iter(together)) if two else max(together, key=lambda name: abs(together[name]))
        height = together[farthest] if two else abs(together[farthest])
        called = f"{groups[0].group} ({groups[0].gloss})" if groups[0].gloss else groups[0].group
        chosen = _Chosen(called if two else f"{called}, {farthest}", farthest, groups)
        found.append((sum(group.r for group in groups) if by_risk else height, chosen))
    in_order = [chosen for _, chosen in sorted(found, key=lambda each: -each[0])]
    kind, left = "r" if by_risk else "two" if two else "more", len(in_order) - view.at_first
    shown = both_ends(in_order, view.at_first, counted_gap)
    if kind == "more" and 0 < view.at_first < len(in_order):  # the last ones are the nearest
        shown = [*in_order[: view.at_first], counted_gap(left)]
    if view.at_first != 2 or left <= 0:
        return shown
    ends = (each for each in shown if isinstance(each, _Chosen))
    among = "" if len(found) == max(map(len, of_each)) else " in common"
    among += " on average" if len(results) > 1 else ""
    names = (f"{end.format(_classes(results[0])[0])}{among}" for end in ENDS[kind])
    return [replace(each, called=f"{name}: {each.called}") for name, each in zip(names, ends, strict=True)]


def _are_by_risk(result: Result, view: View) -> bool:
    return groups_in_order(result, view)[0] == "r"


def _are_two(result: Result) -> bool:
    return len(_classes(result)) == 2


def _classes(result: Result) -> list[str]:
    return list(result.groups[0].mean_probabilities)


def _than(result: Result) -> str:
    """What groups are compared with."""
    return "from neutral" if result.has_neutral else "from others"


def _title(results: Sequence[Result], model: str = "") -> str:
    *others, last = _classes(results[0])
    asks = f"{', '.join(others)} or {last}?" if len(others) < CLASSES_SHOWN else f"which of {len(others) + 1} classes?"
    return f"{title_of(results, model)}: {asks}"


def _heading(result: Result) -> str:
    _, *others = _classes(result)
    if len(others) == 1:
        return "sd: standard deviation" if _spreads(result) else ""
    return "in %" if len(others) < (n := _most_classes(result)) else f"in %, {n} of {len(others) + 1} classes"


def _added(result: Result, group: GroupRisk) -> dict[str, Part]:
    """What a group adds to each class: to neutral subjects, or where unknown to all groups."""
    if known := group.parts_added or group.from_mean:
        return known
    if not (apart := group.apart) or result.reference != "uniform":  # it leaves out the p* of each group then
        apart = {name: group.mean_probabilities[name] - mean for name, mean in _means(result).items()}
    return {name: Part.of(value) for name, value in apart.items()}


def _means(result: Result) -> dict[str, float]:
    """The mean probability of each class over groups."""
    return {name: sum(x.weight * x.mean_probabilities[name] for x in result.groups) for name in _classes(result)}


def _listed(results: Sequence[Result]) -> list[str]:
    """The classes whose levels are shown: the first of two, and the likeliest of more."""
    names, means = _classes(results[0]), [_means(result) for result in results]
    if len(names) == 2:
        return names[:1]
    return sorted(names, key=lambda name: -sum(each[name] for each in means))[: _most_classes(results[0])]


def _most_classes(result: Result) -> int:
    """How many levels are shown at most: a sentence takes the line of one."""
    return CLASSES_SHOWN - len(_no_neutral(result))


def _levels(result: Result, shown: Sequence[str]) -> list[_Line]:
    """Neutral subjects and the mean of the groups: of two classes a row each, of more a row per class."""
    parts, number = result.parts_of_lean, len(result.groups)
    of_all, (first, *others) = _means(result), _classes(result)
    called = f"mean of {number:,} groups" if len(others) == 1 else "mean: {}" if number > 1 else "{}"
    if parts is None:
        return [_Line(called.format(name), _of_100(of_all[name])) for name in shown if number > 1]
    if not result.has_neutral:
        return [_Line(called.format(name), *_level(parts.of_class(name).groups)) for name in shown]
    lines = [
        _Line(called.format(each.name), *_level(each.groups), *_apart(each.association), _of_100(each.default.value))
        for each in map(parts.of_class, shown)
    ]
    if len(others) > 1:
        return lines
    neutral = _Line(f"neutral, such as {next(iter(parts.subjects))}", *_level(parts.of_class(first).default))
    return [neutral, *(replace(each, neutral="") for each in lines if number > 1)]


def _spreads(result: Result) -> list[_Line]:
    """The standard deviations of what groups add, of what contexts say, and of the rest; none of few groups."""
    parts = result.parts_of_lean
    if parts is None or 1 < len(result.groups) <= FEW:
        return []
    sd = {"sd between groups": parts.groups if len(result.groups) > 1 else None, "sd between contexts": parts.contexts}
    sd |= {"sd group by context": parts.rest} if _are_two(result) else {}
    return [_Line(what, *_level(each)) for what, each in sd.items() if each is not None]


def _in_short(result: Result) -> list[_Line]:
    """How far apart groups are beside other words, and R with its interval and parts, as short rows."""
    ratio = None if result.other_words is None else result.other_words.ratio
    lines = [] if ratio is None else [_Line(TIMES_OTHER_WORDS, f"{ratio:.1f}")]
    whole, bias, volatility = (figure(name, PLACES).text(result).removeprefix("0") for name in RISK)
    lines.append(_Line("R", whole))
    if (ends := result.uncertainty.intervals.get(RISK[0])) is not None:
        level = percent(result.uncertainty.level)
        both = [text.removeprefix("0") for text in decimals(ends.low, ends.high, places=PLACES)]
        lines.append(_Line(f"  {level} interval", " to ".join(both)))
    return lines if result.between.keys() & {*RISK} else [*lines, _Line("  = R^b + R^v", f"{bias} + {volatility}")]


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
    left, gap, right = result.example.partition("[Y]")
    slot = "..." if gap and result.generation is not None else _slot(result) if gap else ""
    if cell_len(right) > MOST_AFTER:
        cut = chop_cells(right, MOST_AFTER)[0]
        right = f"{cut.rpartition(' ')[0] or cut} …"
    end = left.rstrip()
    room = WIDEST_EXAMPLE - cell_len(slot) - cell_len(right) - (len(left) - len(end))
    return [f'"{_end_of(end, room)}{left[len(end) :]}{slot}{right}"']


def _slot(result: Result) -> str:
    """The most probable word of each class, of as many classes as leave room for a prompt."""
    known = result.word_lists.of_words if result.word_lists else ()
    share = {(word.attribute, word.word): word.share or 0.0 for word in known}
    likeliest = [max(words, key=lambda word: share.get((name, word), 0.0)) for name, words in result.words.items()]
    for number in range(IN_EXAMPLE, 0, -1):
        slot = f"[{' | '.join([*likeliest[:number], *(['...'] if len(likeliest) > number else [])])}]"
        if cell_len(slot) <= WIDEST_EXAMPLE // 2:
            return slot
    return "[...]"


def _end_of(text: str, room: int) -> str:
    """The last words of a text that is wider than ``room``; of a language without spaces, its last letters."""
    if cell_len(text) <= room:
        return text
    end = chop_cells(text[::-1], room)[0][::-1]
    return f"… {end.partition(' ')[2] or end}"


def _words(result: Result) -> str:
    """How probable the words are; of a model that writes texts it is said elsewhere how many could be read."""
    mass = result.candidate_mass
    return "" if result.generation else f"{mass.in_percent(mass.mean)} of the probability"


def _basis(result: Result, view: View) -> str:
    """Sentences on how probable the words are, on what was asked, and on what intervals hold for."""
    known, size = result.uncertainty, asked(result, "group")
    if known.undefined:
        options = " or ".join(each.partition(":")[0] for each in known.instead.split("; "))
        offered = f" ({options} takes them for a sample)" if options else ""
        size += f". No interval for other texts: {known.undefined}{offered}"
    elif known.intervals:
        level = chosen_percent(chosen_level(result, view.at_first))
        single = "" if times_as_wide(result, view.at_first) == 1.0 else f" ({level} for picked groups)"
        population = known.in_short
        if known.opened:  # as is said of the contexts already
            population = population.replace(f" of {known.opened}", "").removesuffix(", after openings")
        drawn = of_drawn_groups(result.selection, len(result.groups))
        size += f"; {percent(known.level)} intervals{single}: {population}{', but no other groups' if drawn else ''}"
    words, all_of_them = _words(result), "both" if _are_two(result) else "all"
    return f"{f'Words of {all_of_them}: {words}, 100% below. ' if words else ''}{size}."


def _rows_of_risk(result: Result) -> list[str]:
    """R with its interval and its scale, and a line on R^b and R^v, whose sum it is."""
    texts = [figure(name, PLACES).text(result) for name in RISK]
    known = result.uncertainty
    interval = interval_text(known.intervals, RISK[0])
    if not interval and result.sampled is not None:
        of_noise = result.sampled.intervals[RISK[0]]
        interval = f"{between(of_noise.low, of_noise.high, PLACES)} by sampling alone, {percent(known.level)}"
    whole, bias, volatility = (f"{symbol(name)} {text}" for name, text in zip(RISK, texts, strict=True))
    even, one = result.reference == "uniform", result.criterion.partition("direction:")[2]
    none, most = ("even", f"certain of {one or 'one class'}") if even else ("p*", "stereotyped")
    are = f"{one} is never above" if one else "predictions are"
    scale = f": 0 if {are} {none}, 1 if {most}" if ends_at_1(result.scale) else ""
    by = "by contexts"
    if result.context_volatility is not None and result.thought_volatility is not None:
        by += f" {result.context_volatility:.3f}, by thoughts {result.thought_volatility:.3f}"
    sums = "" if not result.between.keys().isdisjoint(RISK) else "≈ " if if_rounded(*texts) else "= "
    parts = f"{bias} (on average) {'+' if sums else 'and'} {volatility} ({by})"
    alike = "" if result.R_if_alike is None else f"; R {figure('shared', PLACES).text(result)} if groups were alike"
    return [f"{whole}{f' ({interval})' if interval else ''}{scale}", f"{sums}{parts}{alike}"]


def _controls(result: Result) -> list[str]:
    """Sentences on how different groups are from each other, in the topic and in its control topics."""
    known = [control for control in result.controls if control.apart is not None]
    if result.apart is None or not known:
        return result.beside_controls
    others = ", ".join(f"{control.topic} {control.apart:.3f}" for control in known)
    return [f"Groups apart (0 to 1): {result.topic} {result.apart:.3f}; controls: {others}"]


def _beside_words(result: Result) -> list[str]:
    """A sentence on whether groups are further apart than by other words, or the option that asks these."""
    others = result.other_words
    if others is None:
        sampled = result.is_sampled or len(result.groups) == 1
        return [] if sampled else ["No unrelated words asked (`--other-words`)."]
    ends = f" ({between(*others.ratio_ends, 1)})" if others.ratio_ends else ""
    place = f"more than by {round(others.place * len(others.sets))} of {len(others.sets)}"
    one = "pair" if _are_two(result) else "set"
    times = place if others.ratio is None else f"{others.ratio:.1f} x the median {one}{ends}"
    return [f"Further apart than by unrelated words? {FURTHER_APART[others.outcome].capitalize()}: {times}"]


def _about_spreads(result: Result) -> list[str]:
    """A sentence on the standard deviations, or on why there are none."""
    if result.parts_of_lean is None:
        why = "of neutral subjects no answer can be used" if result.why_no_parts else "no neutral subjects were asked"
        return [f"What contexts add is not known, as {why}."]
    spread = "standard deviation" if _are_two(result) else "root mean square of classes"
    return [f"sd: {spread}."] if _spreads(result) else []


def _no_neutral(result: Result) -> list[str]:
    """A sentence on what contexts add, where the mean of the groups stands for neutral subjects."""
    return [] if result.parts_of_lean is None or result.has_neutral else [f"{NO_NEUTRAL.partition(':')[0]}."]
