"""The sentences on a result of risk, which the terminal and the page have in common."""

from collections import Counter
from collections.abc import Sequence

from bvf.analyses.risk.leans import above_p_star, apart_by, groups_in_order, leading, leading_deviation
from bvf.analyses.risk.result import CHANGED, Result, WordFigures
from bvf.interfaces.analysis import View
from bvf.results.columns import interval_text
from bvf.study.study import CONTEXT_VOLATILITY, PARTICULAR, RISK, SHARED, THOUGHT_VOLATILITY, Names
from bvf.tables.columns import shown_of
from bvf.tables.quantities import named, symbol
from bvf.tables.words import NOTHING, counted, decimals, in_a_list, percent, points

VOLATILITY = symbol("R_volatility")
LITTLE = 0.05
"""A share of the probability of all words that is little."""
MOST_CLASSES = 3
"""The most classes that are listed with the number of groups that lean to them."""


def sentences(result: Result) -> list[str]:
    """Return sentences on the meaning of the figures of a result. The last sentence is on volatility."""
    shared, particular = _parts(result, SHARED), _parts(result, PARTICULAR)
    if not shared or not particular:
        return [*_of_thoughts(result), _volatility(result)]
    lean = common_lean(result)
    together = f"All groups together {f'lean to {lean}' if lean else 'lean to no class'} on average"
    if SHARED[1] in result.between:
        together = "What all groups share on average"
    return [
        *_of_thoughts(result),
        f"{together}: {shared[0]}; contexts that move all groups in the same direction: {shared[1]}",
        f"What sets groups apart on average: {particular[0]}; only in single contexts: {particular[1]}",
        _volatility(result),
    ]


def _of_thoughts(result: Result) -> list[str]:
    """A sentence on the two parts of the volatility of a model that thinks; none of others."""
    parts = _parts(result, ("", CONTEXT_VOLATILITY, THOUGHT_VOLATILITY))
    return [f"Contexts contradict each other: {parts[0]}; thoughts of one context: {parts[1]}"] if parts else []


def common_lean(result: Result) -> str:
    """Return the class to which the mean of all groups leans most, relative to p*. Empty if there is no such lean."""

    def lean(name: str) -> float:
        p_star = sum(group.weight * group.reference_probabilities[name] for group in result.groups)
        return sum(group.weight * group.mean_probabilities[name] for group in result.groups) / p_star

    name = max(result.groups[0].mean_probabilities, key=lean)
    return name if lean(name) > 1.0 + NOTHING else ""


def _parts(result: Result, names: Names) -> tuple[str, ...]:
    """Texts of the bias and the volatility, each with symbol and interval; empty if undefined."""
    values = [getattr(result, name) for name in names[1:]]
    if None in values:
        return ()
    level = percent(result.uncertainty.level)
    ends = [interval_text(result.uncertainty.intervals, name) for name in names[1:]]
    return tuple(
        f"{symbol(name)} {shown_of(result, name)}"
        if name in result.between
        else f"{symbol(name)} {value:.3f}{f' ({level}: {both})' if both else ''}"
        for name, value, both in zip(names[1:], values, ends, strict=True)
    )


def _volatility(result: Result) -> str:
    if result.number_of_contexts == 1:
        return f"{VOLATILITY} is 0: there is one context, so nothing can vary"
    if "R_volatility" in result.between:
        return f"{VOLATILITY} {shown_of(result, 'R_volatility')}: the bounds of the probabilities of words are wide"
    of_all = f"of {counted(len(result.groups), 'group')}"
    changes = f"; {of_all}, {sides}" if (sides := changes_of_side(result)) else ""
    if abs(result.R_volatility) >= NOTHING:
        return f"{VOLATILITY} {result.R_volatility:.4f}{changes}"
    vary = ""
    if result.spread >= NOTHING:
        vary = ". How strongly a group leans does vary: see spread, the standard deviation of that probability"
    return f"{VOLATILITY} is {'near 0' if result.groups_changing_sides else '0'}{changes}{vary}"


def leans(result: Result) -> str:
    """Return a sentence on how many groups lean to each class; how many surely, where tests by context say so."""
    number, sure = len(result.groups), {side.name: side.surely for side in result.sides}
    classes = Counter(leading(group) for group in result.groups if above_p_star(group) > NOTHING).most_common()
    leaning = sum(times for _, times in classes)
    if not leaning:
        return "No group leans to a class"

    def to(name: str) -> str:
        surely = sure.get(name)
        return name if surely is None else f"{name} ({surely} surely)"

    if len(classes) == 1 and leaning == number:
        ((name, _),) = classes
        return f"All {number} groups lean to {to(name)}" if number > 1 else f"The group leans to {to(name)}"
    (most, of_most), *others = classes
    lean = "lean" if of_most > 1 else "leans"
    listed = [f"{times} to {to(name)}" for name, times in others[: MOST_CLASSES - 1]]
    if further := sum(times for _, times in others[MOST_CLASSES - 1 :]):
        listed.append(f"{further} to other classes")
    if without := number - leaning:
        listed.append(f"{without} to none")
    return f"{of_most} of {number} groups {lean} to {', '.join([to(most), *listed])}"


def changes_of_side(result: Result) -> str:
    """Return a phrase on the groups that lean to another class in more than a tenth of the contexts.

    It is empty where answers were sampled: by chance alone few samples lean to another class now and then.
    """
    if result.number_of_contexts == 1:
        return "there is one context, so nothing can vary"
    if result.is_sampled:
        return ""
    shares = [group.other_side for group in result.groups if group.other_side is not None]
    if len(shares) < len(result.groups):  # stored before shares were
        changing, where = result.groups_changing_sides, "some context"
    else:
        changing, where = sum(share > CHANGED for share in shares), f"more than {percent(CHANGED)} of contexts"
    change = {0: "none changes", 1: "1 changes"}.get(changing, f"{changing} change")
    return f"{change} sides in {where}"


def beside_neutral(result: Result) -> list[str]:
    """Return a sentence on neutral subjects beside all groups; none for one group, or with more than two classes."""
    parts = result.parts_of_lean
    if parts is None or not result.has_neutral or len(parts.classes) != 2 or len(result.groups) == 1:
        return []
    first = parts.classes[0]
    both = first.association.ends(points)
    ends = f" ({percent(result.uncertainty.level)}: {both})" if both else ""
    return [
        f"{first.name[:1].upper()}{first.name[1:]} has {first.default.value:.1%} after neutral subjects "
        f"({in_a_list(list(parts.subjects))}), and {first.groups.value:.1%} over all groups: "
        f"{points(first.association.value)} points{ends}."
    ]


def if_alike(result: Result) -> list[str]:
    """Return a sentence on R if the model had the mean prediction for each group; none where it is 0 or undefined."""
    if result.R_if_alike is None or result.R_if_alike < NOTHING:
        return []
    interval = interval_text(result.uncertainty.intervals, SHARED[0])
    beside = f" ({percent(result.uncertainty.level)}: {interval})" if interval else ""
    return [f"With equal predictions for all groups, {symbol('R')} would be {shown_of(result, 'shared', 3)}{beside}."]


def furthest(result: Result) -> list[str]:
    """Return a sentence on the groups furthest from neutral subjects or, where these were not asked, from the others.

    With two classes these are the furthest to each class, with more the first two in the order of tables.
    """
    by, groups = groups_in_order(result, View())
    if by == "r":
        return []
    ends = [*groups[:1], *(groups[1:][-1:] if len(result.words) == 2 else groups[1:2])]
    named = [(group.group, lean, apart_by(group)[lean]) for group in ends for lean in [leading_deviation(group)]]
    listed = [f"{group} ({lean} {points(apart)} points)" for group, lean, apart in named if abs(apart) > NOTHING]
    other = "neutral subjects" if by == "association" else "the others"
    return [f"Furthest from {other}: {' and '.join(listed)}."] if listed else []


def without_a_word(result: Result) -> list[str]:
    """Return a line with the ranges of R, R^b and R^v over removals of one unit of words, or why there are none."""
    if result.word_lists is None:
        return []
    words = result.word_lists.of_words
    without = [f"{called} {ends}" for name, called in named(RISK).items() if (ends := _ends(words, name))]
    if without:
        what = "unit of words" if any(len(word.unit) > 1 for word in words) else "word"
        within = [max(word.within.values()) for word in words if word.within]
        off = f"; one unit fewer: ±{max(within):.2g} at most, as improbable words were left out" if within else ""
        what += "" if all(word.R is not None for word in words) else " without which they are known"
        return [f"leaving out any one {what}: {', '.join(without)}{off}"]
    if any(word.unit for word in words):
        return []
    return [
        "no range without some of the words: the topic names no units, and its classes have different numbers of words"
    ]


def by_kinds(result: Result) -> list[str]:
    """Return sentences on the figures of each kind of words, its share of their probability, and orders of groups."""
    kinds, sentences = result.word_lists.kinds if result.word_lists else (), list[str]()
    for kind in kinds:
        known = ((called, getattr(kind, name)) for name, called in named((*RISK, PARTICULAR[1])).items())
        figures = ", ".join(f"{called} {decimals(value)[0]}" for called, value in known if value is not None)
        few = ", little" if kind.share < LITTLE else ""
        figures += f", off by {max(kind.within.values()):.2g} at most" if figures and kind.within else ""
        left = "words were left out (--tolerance 0 asks all)" if result.deviation_bound else "a group has no answer"
        which = figures or f"not known, as {left}"
        sentences.append(f"by {kind.name} alone ({kind.share:.1%} of the probability{few}): {which}")
    alike = [f"{other} and {kind.name} {tau:.2f}" for kind in kinds for other, tau in kind.kendall.items()]
    if alike:
        sentences.append(f"do kinds of words order the groups alike (Kendall, 1: the same order)? {', '.join(alike)}")
    return sentences


def _ends(words: Sequence[WordFigures], name: str) -> str:
    """The range of a figure over removals of one word, and the words at both ends; '' if unknown."""
    known = sorted((word for word in words if getattr(word, name) is not None), key=lambda word: getattr(word, name))
    ends = (known[0], known[-1]) if known else ()
    return " to ".join(f"{decimals(getattr(word, name))[0]} ({'/'.join(word.unit) or word.word})" for word in ends)
