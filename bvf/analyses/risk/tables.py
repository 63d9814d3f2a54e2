"""Tables of discrimination risk: the models, and the groups that stand out."""

from collections.abc import Sequence
from dataclasses import dataclass

from bvf.analyses.risk.reference_models import RANDOM
from bvf.analyses.risk.result import GroupRisk, ReferenceRow, Result, WordFigures
from bvf.interfaces.analysis import Section, View
from bvf.results.names import glossed_names, name_columns, row_name
from bvf.results.shown import highest, interval_column
from bvf.study.parts import RISK
from bvf.tables.words import NOTHING, adding_up, between, decimals, ends

LEGEND = (
    "R: how far predictions are from p*. R^b: how far they still are when averaged over contexts. "
    "R^v: the rest, by which contexts contradict each other."
)
LEGEND_OF_PARTS = (
    "shared: one lean that all groups have. particular: what sets groups apart. "
    "They are no shares of R: together they are R or more."
)
CALLED = dict(zip(RISK, ("R", "R^b", "R^v"), strict=True))
MOST_OF_A_CLASS = 0.9
WORDS_SHOWN = 3


def models_section(results: Sequence[Result]) -> Section:
    """Return one table: the reference models, then a row per result; and what its columns are."""
    references = _shared_references(results)
    first = results[0]
    p_star = "" if first.reference == "uniform" else f", p* {first.reference}"
    margin = f", margin {first.margin}" if first.margin else ""
    title = (
        f"Discrimination risk: {first.topic} ({first.language}){margin}, criterion {first.criterion}, "
        f"{first.scale} scale{p_star}"
    )
    names = name_columns(results)
    divided = any(result.particular is not None for result in results)
    spread = ("spread",) if len(names) == 1 else ()  # beside two columns of names there is no room for it
    columns = ("R", "R^b", "R^v", *spread, *(("shared", "particular") if divided else ()))
    blank = ("",) * (len(columns) - 3)
    scale = [(row.name, *("",) * (len(names) - 1), *adding_up(row.R, row.R_volatility), *blank) for row in references]
    rows = [
        (
            *row_name(each, names),
            *adding_up(each.R, each.R_volatility),
            *decimals(*[each.spread for _ in spread], *((each.shared, each.particular) if divided else ())),
        )
        for each in results
    ]
    notes = [LEGEND, *([LEGEND_OF_PARTS] if divided else []), *limit_note(references)]
    return Section(title, (*names, *columns), rows, above=scale, names=len(names), notes=notes)


def _shared_references(results: Sequence[Result]) -> list[ReferenceRow]:
    """The rows in which all results agree; they differ where each model is compared with a p* of its own."""
    of_each = zip(*(result.references for result in results), strict=True)
    return [rows[0] for rows in of_each if all(abs(row.R - rows[0].R) < NOTHING for row in rows)]


def group_section(result: Result, view: View) -> Section:
    """Return what is to be said of the groups together, and the groups at both ends of their order."""
    by_risk = result.particular is None or view.rank == "risk"
    title, columns, rows = _by_risk(result) if by_risk else _by_particular(result)
    first_of_all = ("r", "highest r") if by_risk else ("particular", "set apart most")
    first, last = ends(rows, view.show)
    shown = [*first, *last]
    names, cells = glossed_names([row.group for row in shown])
    lines = [(*name, *row.cells, *row.spare) for name, row in zip(cells, shown, strict=True)]
    if len(shown) < len(rows):
        lines.insert(len(first), ("...", *("",) * (len(lines[0]) - 1)))
        title = f"{title} ({len(shown)} of {len(rows)})"
    notes = [*_note_of_scale(result), *word_lines(result)]
    said = [*sentences(result), *highest(result.groups, *first_of_all)]
    return Section(title, (*names, *columns), lines, names=len(names), said=said, notes=notes, spare=len(rows[0].spare))


def _note_of_scale(result: Result) -> list[str]:
    if result.scale == "raw" or result.reference == "uniform":
        return []
    whose = "the stereotyped model"
    if result.reference_in_contexts:
        whose = "a model that is certain of the least likely class in each context"
    return [f"unit scale: risks are divided by {result.divisor:.4g}, the risk of {whose}"]


def sentences(result: Result) -> list[str]:
    """Return what the figures of a result say together, one line each."""
    said = []
    if result.shared is not None and result.particular is not None:
        shared = "one lean that all groups share"
        if result.shared_bias is not None and result.shared_bias < NOTHING <= result.shared:
            shared = "what all groups do alike in some contexts, and on average none"
        said.append(
            f"R {result.R:.3f}: {result.shared:.3f} is {shared}, {result.particular:.3f} is what sets groups apart"
        )
    return [*said, _volatility(result)]


def limit_note(rows: Sequence[ReferenceRow]) -> list[str]:
    """Return what the asterisk in the rows means, in sentences; none where no row has one."""
    random = [row for row in rows if row.name == RANDOM]
    if not random:
        return []
    said = ["* in the limit of infinitely many contexts; `bvf run --model baseline:random` shows it on finitely many"]
    if random[0].R < 1 - NOTHING:
        said.append("(its R is below 1: it draws classes from p*, mostly likely ones of less risk)")
    return said


@dataclass(frozen=True)
class Row:
    """A group, what stands right of its name, and what else does where there is room."""

    group: GroupRisk
    cells: tuple[str, ...]
    spare: tuple[str, ...]


def leading(group: GroupRisk) -> str:
    """Return the class whose mean probability exceeds p* most, relative to p*, as linf has it."""
    return _highest(group.mean_probabilities, group)


def leading_apart(group: GroupRisk) -> str:
    """Return the class in which a group is furthest above what all groups share, relative to p*."""
    return _highest(_apart(group), group)


def _highest(of_class: dict[str, float], group: GroupRisk) -> str:
    return max(of_class, key=lambda name: of_class[name] / group.reference_probabilities[name])


def _by_risk(result: Result) -> tuple[str, tuple[str, ...], list[Row]]:
    rows, groups = [], sorted(result.groups, key=lambda group: -group.r)
    interval, intervals = interval_column(groups, "r")
    for group, interval_cells in zip(groups, intervals, strict=True):
        r, *parts = adding_up(group.r, group.r_volatility)
        figures = (r, *interval_cells, *parts, *decimals(group.spread), *_on_average(result, group))
        rows.append(Row(group, (*figures, *_than_p_star(result, group)), decimals(*_particular_of(result, group))))
    than_p_star = () if result.reference == "uniform" else ("than p*",)
    divided = () if result.particular is None else ("particular",)
    columns = ("r", *interval, "r^b", "r^v", "spread", *_on_average_columns(result), *than_p_star, *divided)
    return f"{result.model}: groups by risk, highest first", columns, rows


def _by_particular(result: Result) -> tuple[str, tuple[str, ...], list[Row]]:
    classes = list(result.groups[0].mean_probabilities)
    two = len(classes) == 2
    order = f"from more {classes[0]} than others to more {classes[1]}" if two else "what sets groups apart, most first"
    groups = sorted(result.groups, key=lambda group: -_apart(group)[classes[0]] if two else -(group.particular or 0.0))
    rows = []
    interval, intervals = interval_column(groups, "particular")
    for group, interval_cells in zip(groups, intervals, strict=True):
        lean = leading_apart(group)
        figures = (*decimals(group.particular), *interval_cells, *decimals(group.spread))
        cells = (*figures, *_on_average(result, group), _signed(lean, _apart(group)[lean]))
        rows.append(Row(group, cells, adding_up(group.r, group.r_volatility)))
    columns = ("particular", *interval, "spread", *_on_average_columns(result), "than others", "r", "r^b", "r^v")
    return f"{result.model}: {order}", columns, rows


def _particular_of(result: Result, group: GroupRisk) -> tuple[float | None, ...]:
    return () if result.particular is None else (group.particular,)


def _apart(group: GroupRisk) -> dict[str, float]:
    return group.apart or dict.fromkeys(group.mean_probabilities, 0.0)


def _than_p_star(result: Result, group: GroupRisk) -> tuple[str, ...]:
    lean = leading(group)
    difference = group.mean_probabilities[lean] - group.reference_probabilities[lean]
    return () if result.reference == "uniform" else (_signed(lean, difference),)


def _signed(lean: str, difference: float) -> str:
    return f"{lean} {difference:+.1%}" if difference > NOTHING else "-"


def _on_average_columns(result: Result) -> tuple[str, ...]:
    return ("on average",) if result.reference == "uniform" else ("on average", "p*")


def _on_average(result: Result, group: GroupRisk) -> tuple[str, ...]:
    """The class that a group leans to with its mean probability, and what p* is for that class unless it is uniform."""
    lean = leading(group)
    shown = f"{lean} {group.mean_probabilities[lean]:.0%}"
    return (shown,) if result.reference == "uniform" else (shown, f"{group.reference_probabilities[lean]:.0%}")


def _volatility(result: Result) -> str:
    number, changing = len(result.groups), result.groups_changing_sides
    if result.number_of_contexts == 1:
        return "R^v is 0: there is one context, so nothing can vary"
    sides = f"{changing} of {number} groups lean to one class in some contexts and to another in others"
    if abs(result.R_volatility) >= NOTHING:
        return f"R^v {result.R_volatility:.4f}; {sides}"
    why = f"R^v is near 0: {sides}" if changing else "R^v is 0: no group changes sides between contexts"
    if result.spread < NOTHING:
        return why
    return f"{why}. How strongly a group leans does vary: see spread, the standard deviation of that probability"


def word_lines(result: Result) -> list[str]:
    """Return which words bring the probability of each class, and the ranges of R, R^b and R^v with other words."""
    if result.word_lists is None:
        return []
    words, halved = result.word_lists.of_words, result.word_lists.halved
    lines = [f"words that carry {'; '.join(_carried(words, attribute) for attribute in result.words)}"]
    without = [f"{called} {_ends(words, name)}" for name, called in CALLED.items() if _with(words, name)]
    if without:
        lines.append(f"without any one word: {', '.join(without)}")
    if halved:
        ranges = [f"{called} {between(*halved[name])}" for name, called in CALLED.items()]
        lines.append(f"with a random half of each class's words, 90 of 100 times: {', '.join(ranges)}")
    return lines


def _carried(words: Sequence[WordFigures], attribute: str) -> str:
    """The words that bring most of the probability of a class."""
    of_class = sorted((word for word in words if word.attribute == attribute), key=lambda word: -(word.share or 0.0))
    shown, together = list[str](), 0.0
    for word in of_class[:WORDS_SHOWN]:
        if together < MOST_OF_A_CLASS and word.share:
            shown.append(f"{word.word} {word.share:.0%}")
            together += word.share
    others = f", {len(of_class) - len(shown)} others the rest" if len(shown) < len(of_class) else ""
    return f"{attribute}: {', '.join(shown)}{others}"


def _with(words: Sequence[WordFigures], name: str) -> list[WordFigures]:
    """The words without which the figure is known, from the one with the smallest figure."""
    return sorted((word for word in words if getattr(word, name) is not None), key=lambda word: getattr(word, name))


def _ends(words: Sequence[WordFigures], name: str) -> str:
    """The smallest and the largest figure, each with the word that is left out there."""
    in_order = _with(words, name)
    return " to ".join(f"{decimals(getattr(word, name))[0]} ({word.word})" for word in (in_order[0], in_order[-1]))
