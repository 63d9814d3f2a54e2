"""Tables of a comparison: the models, every pair, the groups in which two models differ, and the topics together."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from bvf.analyses.compare.result import (
    OF_GROUPS,
    ComparedModel,
    Comparison,
    GroupDifference,
    LabelTrend,
    ModelDifference,
    TopicComparison,
    TopicCorrelation,
)
from bvf.interfaces.analysis import GROUPS_SHOWN, Section
from bvf.tables.words import DECIDED, between, counted, decimals, p_value, shortened

CALLED = {
    "R": "R",
    "R_bias": "R^b",
    "R_volatility": "R^v",
    "particular_bias": "particular R^b",
    "r": "r",
    "r_bias": "r^b",
}
TOPICS_BESIDE = 4
"""Columns of topics that fit beside names of models."""
TOPIC_WIDTH = 13
IN_GROUPS = 3
"""Decimals in the table of groups, so that both figures fit beside their names."""
LEGEND = (
    "An interval is for one difference by itself; more, less and tied are decided for "
    "all together, by p. So one may be tied whose interval does not hold 0. "
    "tied: cannot be told apart. rank: first and last that a model may have by what "
    "is decided, 1 the highest. to find: the smallest true difference that would be "
    "found with a probability of 80% if it were the only one. R^b and R^v: the "
    "interval reaches beyond the plug-in and the cross-fit difference, so that a "
    "model that is only more volatile is not called more biased."
)
WHAT_OF = {
    "document": "for texts such as those mined, whose documents are the sample",
    "occurrence": "for texts such as those mined, each occurrence by itself",
    "template": "for other templates of the kind",
}
FEW = 4
"""The most models of which every pair is named; for more, ranks are told."""


def sections(comparison: Comparison, show: int = GROUPS_SHOWN) -> list[Section]:
    """Return all tables of a comparison.

    Args:
        comparison: Of one topic or several.
        show: Differences of each figure, and groups; 0: all.
    """
    tables = list[Section]()
    for topic in comparison.topics:
        tables += [_models(topic, comparison), _differences(topic, comparison, show)]
        tables += [_groups(topic, show)] if topic.of_groups else []
        tables += [_trends(topic, comparison.by)] if topic.trends else []
        tables += [_matched(topic, comparison.by)] if topic.matched else []
    return [*tables, *_topics_together(comparison)]


def _models(topic: TopicComparison, comparison: Comparison) -> Section:
    rows = [
        (CALLED[figure], f"{number} {model.name}", *_figure(model, figure))
        for figure in topic.models[0].figures
        for number, model in enumerate(topic.models, 1)
    ]
    p_star = "" if comparison.reference == "uniform" else f", p* {comparison.reference}"
    margin = f", margin {comparison.margin}" if comparison.margin else ""
    title = (
        f"Compared: {topic.topic} ({topic.language}){margin}, criterion {comparison.criterion}, "
        f"{comparison.scale} scale{p_star}"
    )
    columns = ("figure", "model", "value", f"interval of {comparison.level:.0%}", "rank")
    shown = 3 if topic.undefined else len(columns)
    rows = [row[:shown] for row in rows]
    return Section(title, columns[:shown], rows, names=2, said=_what_is_shared(topic), notes=topic.notes)


def _what_is_shared(topic: TopicComparison) -> list[str]:
    groups, contexts = counted(len(topic.groups), "group"), counted(topic.number_of_contexts, "context")
    said = [f"the same {groups} in the same {contexts}"]
    if topic.groups_left_out:
        said.append(f"{counted(topic.groups_left_out, 'group')} left out, as not all were asked")
    if topic.contexts_left_out:
        said.append(f"{counted(topic.contexts_left_out, 'context')} left out, in which not all were asked")
    if topic.missing:
        said.append(f"{counted(topic.missing, 'prompt')} left out, as a model has no answer there")
    return [*said, f"intervals are {WHAT_OF[topic.unit]}"] if topic.unit else said


def _figure(model: ComparedModel, figure: str) -> tuple[str, ...]:
    interval, ranks = model.intervals.get(figure), model.ranks.get(figure)
    return (
        *decimals(model.figures[figure]),
        between(interval.low, interval.high) if interval else "",
        spanned(*ranks) if ranks else "",
    )


def _differences(topic: TopicComparison, comparison: Comparison, show: int) -> Section:
    number = {model.name: place for place, model in enumerate(topic.models, 1)}
    figures, shown = list(topic.models[0].figures), _shown(topic.differences, show)
    rows = [(CALLED[each.figure], f"{number[each.first]} - {number[each.second]}", *_apart(each)) for each in shown]
    columns = ("figure", "models", "difference", "interval", "Holm p", "", "to find")
    title = "Differences, the first less the second"
    if len(shown) < len(topic.differences):
        title += f" ({len(shown) // len(figures)} of {len(topic.differences) // len(figures)} of each figure)"
    if topic.undefined:
        why = f"no interval, so nothing is said of other texts: {topic.undefined}"
        return Section(title, columns[:3], [row[:3] for row in rows], names=2, notes=[why])
    decided = [f"{CALLED[figure]}: {summary(topic, figure)}" for figure in figures]
    return Section(title, columns, rows, names=2, said=decided, notes=[*_family(comparison), LEGEND])


def _shown(differences: Sequence[ModelDifference], show: int) -> list[ModelDifference]:
    """All differences, or ``show`` per figure: first those that are told apart, the largest first."""
    shown = list[ModelDifference]()
    for figure in dict.fromkeys(each.figure for each in differences):
        of_figure = [each for each in differences if each.figure == figure]
        if 0 < show < len(of_figure):
            of_figure.sort(key=lambda each: (each.decision not in DECIDED, -abs(each.value)))
        shown += of_figure[: show or None]
    return shown


def _apart(difference: ModelDifference) -> tuple[str, ...]:
    low, high, adjusted, detectable = difference.low, difference.high, difference.adjusted_p, difference.detectable
    if low is None or high is None or adjusted is None:
        return decimals(difference.value, None, None, None, None)
    decided = DECIDED.get(difference.decision, difference.decision)
    return (*decimals(difference.value), between(low, high), p_value(adjusted), decided, *decimals(detectable))


def _family(comparison: Comparison) -> list[str]:
    return [f"p: adjusted by Holm for all {comparison.tests} differences of models (figures x pairs x topics)"]


def _groups(topic: TopicComparison, show: int) -> Section:
    by_group: dict[str, dict[str, GroupDifference]] = {}
    for each in topic.of_groups:
        by_group.setdefault(each.group, {})[each.figure] = each
    rows = [
        (group, *(cell for figure in OF_GROUPS for cell in _of_group(by_figure[figure])))
        for group, by_figure in list(by_group.items())[: show or None]
    ]
    shown = f" ({len(rows)} of {len(by_group)})" if len(rows) < len(by_group) else ""
    return Section(
        f"Groups in which the first differs from the second most{shown}",
        ("group", *(column for figure in OF_GROUPS for column in (CALLED[figure], "interval", ""))),
        rows,
        notes=[
            f"more, less, tied: by p, adjusted by Benjamini and Hochberg for {len(topic.of_groups)} differences of "
            "groups; an interval is for one difference by itself",
        ],
    )


def _of_group(difference: GroupDifference) -> tuple[str, ...]:
    decided = DECIDED.get(difference.decision, difference.decision)
    interval = between(difference.low, difference.high, places=IN_GROUPS)
    return *decimals(difference.value, places=IN_GROUPS), interval, decided


def _trends(topic: TopicComparison, by: str) -> Section:
    rows = [
        (CALLED[each.figure], *decimals(each.correlation), p_value(each.p_value), p_value(each.smallest_p))
        for each in topic.trends
    ]
    return Section(
        f"Does it rise with {shortened(by)}?",
        ("figure", "Spearman", "p", "smallest p possible"),
        rows,
        notes=[_how(topic.trends[0], len(topic.models))],
    )


def _how(trend: LabelTrend, runs: int) -> str:
    orders = "every order of the runs was tried" if trend.exact else "orders of the runs were drawn"
    return f"{runs} runs; p: {orders}"


def _matched(topic: TopicComparison, by: str) -> Section:
    number = {model.name: place for place, model in enumerate(topic.models, 1)}
    rows = [
        (CALLED[each.figure], f"{number[each.first]} - {number[each.second]}", *_apart(each)[:-1])
        for each in topic.matched
    ]
    columns = ("figure", "models", "difference", "interval", "Holm p", "")
    first, second = map(shortened, topic.matched_values)
    title = f"Runs that differ in {shortened(by)} alone: {second} less {first}"
    return Section(title, columns, rows, names=2, notes=_without_partner(topic.unmatched))


def _without_partner(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    return [f"without a partner, so not among these: {counted(len(names), 'run')}: {', '.join(names)}"]


def _topics_together(comparison: Comparison) -> list[Section]:
    topics, tables = comparison.topics, list[Section]()
    if len(topics) == 1:
        return []
    names = list(dict.fromkeys(model.name for topic in topics for model in topic.models))
    for start in range(0, len(topics), TOPICS_BESIDE):
        beside = topics[start : start + TOPICS_BESIDE]
        rows = [(name, *_R_by_topic(name, beside)) for name in names]
        columns = ("model", *(shortened(topic.topic, TOPIC_WIDTH) for topic in beside))
        tables.append(Section("R of every model by topic", columns, rows))
    between_topics = [
        (shortened(each.first), shortened(each.second), str(each.models), *_correlated(each))
        for each in comparison.correlations
    ]
    columns = ("topic", "other topic", "models", "Spearman", "p", "smallest p possible")
    return [*tables, Section("Are the same models high in both?", columns, between_topics, names=2)]


def _R_by_topic(name: str, topics: Sequence[TopicComparison]) -> tuple[str, ...]:
    by_name = [{model.name: model.figures["R"] for model in topic.models} for topic in topics]
    return decimals(*(figures.get(name) for figures in by_name))


def _correlated(pair: TopicCorrelation) -> tuple[str, str, str]:
    if pair.correlation is None or pair.p_value is None or pair.smallest_p is None:
        return "", "too few", ""
    return f"{pair.correlation:+.2f}", p_value(pair.p_value), p_value(pair.smallest_p)


def summary(topic: TopicComparison, figure: str) -> str:
    """Return which models are above which by a figure, and which are tied; by their places in the topic, from 1.

    Args:
        topic: With differences that are decided.
        figure: Its field.
    """
    place = {model.name: number for number, model in enumerate(topic.models, 1)}
    above: dict[int, set[int]] = {number: set() for number in place.values()}
    for each in topic.differences:
        if each.figure == figure and each.decision in ("higher", "lower"):
            pair = (place[each.first], place[each.second])
            high, low = pair if each.decision == "higher" else pair[::-1]
            above[high].add(low)
    if not any(above.values()):
        return f"{_listed(place.values())} tied" if len(place) <= FEW else f"all {len(place)} tied"
    return _of_pairs(above) if len(place) <= FEW else _of_ranks(topic, figure)


def _of_pairs(above: dict[int, set[int]]) -> str:
    """Such as: 1 above 2 and 3; 2 and 3 tied."""
    higher: dict[tuple[int, ...], list[int]] = {}
    for number in sorted(above, key=lambda number: -len(above[number])):
        if above[number]:
            higher.setdefault(tuple(sorted(above[number])), []).append(number)
    said = [f"{_listed(numbers)} above {_listed(lower)}" for lower, numbers in higher.items()]
    return "; ".join([*said, *(f"{_listed(numbers)} tied" for numbers in _tied(above))])


def _tied(above: dict[int, set[int]]) -> list[tuple[int, ...]]:
    """The largest groups of models that are all tied with each other."""
    groups = list[tuple[int, ...]]()
    for size in range(len(above), 1, -1):
        for group in combinations(above, size):
            alike = all(b not in above[a] and a not in above[b] for a, b in combinations(group, 2))
            if alike and not any(set(group) <= set(larger) for larger in groups):
                groups.append(group)
    return groups


def _of_ranks(topic: TopicComparison, figure: str) -> str:
    """Such as: rank 1: 4; 2-5: 1, 2, 3 and 5."""
    by_ranks: dict[tuple[int, int], list[int]] = {}
    for number, model in enumerate(topic.models, 1):
        by_ranks.setdefault(model.ranks[figure], []).append(number)
    said = [f"{spanned(*ranks)}: {_listed(numbers)}" for ranks, numbers in sorted(by_ranks.items())]
    return f"rank {'; '.join(said)}"


def spanned(first: int, last: int) -> str:
    """Return ranks from the first to the last.

    >>> spanned(1, 1), spanned(2, 5)
    ('1', '2-5')
    """
    return f"{first}" if first == last else f"{first}-{last}"


def _listed(numbers: Iterable[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} and {last}" if others else last
