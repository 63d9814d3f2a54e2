"""Tables of a comparison: models, pairs of models, differences of groups, and topics side by side."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from types import MappingProxyType
from typing import NamedTuple

from bvf.analyses.compare.result import (
    ChangedByThought,
    ComparedModel,
    Comparison,
    GroupDifference,
    LabelTrend,
    ModelDifference,
    OrderAgreement,
    TopicComparison,
    TopicCorrelation,
)
from bvf.analyses.risk.other_words import other_words_section
from bvf.analyses.risk.parts_of_lean import parts_beside
from bvf.interfaces.analysis import GROUPS_SHOWN
from bvf.interfaces.section import Section
from bvf.results.result import in_title
from bvf.study.study import CONTEXT_VOLATILITY, RISK, THOUGHT_VOLATILITY
from bvf.tables.columns import Column, known, legend, table
from bvf.tables.quantities import symbol, symbols
from bvf.tables.words import (
    DECIDED,
    between,
    correlation,
    counted,
    decimals,
    p_value,
    percent,
    percents,
    shortened,
    some_of,
)

TOPICS_BESIDE = 4
"""The most topics that are columns beside the names of models."""
TOPIC_WIDTH = 13
IN_GROUPS = 3
"""Decimals in the table of groups, so that two figures fit beside the names of groups."""
BY_ITSELF = (
    "Each interval is for one difference alone. higher, lower and tied are decided for all differences together, by p, "
    "so a tied difference may have an interval without 0."
)
OF_BIAS = (
    f"{' and '.join(symbols(*RISK[1:]))}: the interval covers both the plug-in and the cross-fit difference, so "
    "that a model that is only more volatile is not called more biased."
)
OF_THOUGHTS = (
    f"{' and '.join(symbols(CONTEXT_VOLATILITY, THOUGHT_VOLATILITY))}: few thoughts make the first too large and the "
    "second too small, each model's by an amount of its own, and the interval covers whatever that may be."
)
FEW = 4
"""The most models for which the summary lists pairs; for more, it lists ranks."""


def sections(comparison: Comparison, show: int = GROUPS_SHOWN) -> list[Section]:
    """Return all tables of a comparison, with at most ``show`` differences per figure and ``show`` groups (0: all)."""
    tables = list[Section]()
    for topic in comparison.topics:
        tables += [_models(topic, comparison), _differences(topic, comparison, show)]
        models = [(f"{place} {each.name}", each) for place, each in enumerate(topic.models, 1)]
        words = [(name, each.other_words) for name, each in models if each.other_words is not None]
        title = "Groups apart beside other words, each model's own"
        tables += [other_words_section(title, words, comparison.level)] if words else []
        lean = [(name, each.parts_of_lean) for name, each in models if each.parts_of_lean is not None]
        tables += [parts_beside("Parts of the lean, each model's own", lean, comparison.level)] if lean else []
        tables += [_groups(topic, show)] if topic.of_groups else []
        tables += [_orders(topic)] if topic.orders else []
        tables += [_changed(topic.changed)] if topic.changed else []
        tables += [_trends(topic, comparison.by)] if topic.trends else []
        tables += [_matched(topic, comparison.by)] if topic.matched else []
    return [*tables, *_topics_together(comparison)]


class _Row(NamedTuple):
    """A row of the table of models: a figure, and a model with its number in the topic."""

    figure: str
    place: int
    model: ComparedModel


def _model_columns(level: float, by_chance: Mapping[str, float] = MappingProxyType({})) -> list[Column[_Row]]:
    def interval(row: _Row) -> str:
        ends = row.model.intervals.get(row.figure)
        return between(ends.low, ends.high) if ends else ""

    def ranks(row: _Row) -> str:
        both = row.model.ranks.get(row.figure)
        return spanned(*both) if both else ""

    return [
        Column("figure", lambda row: symbol(row.figure)),
        Column("model", lambda row: f"{row.place} {row.model.name}"),
        Column("value", lambda row: _between(*row.model.ends(row.figure))),
        Column("by chance", lambda row: decimals(by_chance.get(row.figure))[0], "of a model that guesses", True),
        Column(f"interval of {percent(level)}", interval, optional=True),
        Column("rank", ranks, "best and worst rank that the decisions allow, 1 the highest", True),
    ]


def _between(low: float, high: float) -> str:
    """A figure, or the ends between which it lies."""
    return between(low, high, 2) if low < high else decimals(low)[0]


def _models(topic: TopicComparison, comparison: Comparison) -> Section:
    margin = f", margin {comparison.margin}" if comparison.margin else ""
    title = f"Compared: {topic.topic} ({topic.language}){margin}, {in_title(comparison, with_scale=True)}"
    columns = _model_columns(comparison.level, topic.by_chance)
    return table(title, columns, _rows(topic), names=2, subtitle=_what_is_shared(topic), notes=topic.notes)


def _rows(topic: TopicComparison) -> list[_Row]:
    return [_Row(figure, *placed) for figure in topic.models[0].figures for placed in enumerate(topic.models, 1)]


def _what_is_shared(topic: TopicComparison) -> list[str]:
    groups, contexts = counted(len(topic.groups), "group"), counted(topic.number_of_contexts, "context")
    sentences = [f"the same {groups} in the same {contexts}"]
    if topic.groups_left_out:
        sentences.append(f"{counted(topic.groups_left_out, 'group')} left out: not asked of every {topic.called}")
    if topic.contexts_left_out:
        sentences.append(
            f"{counted(topic.contexts_left_out, 'context')} left out: not every {topic.called} was asked there"
        )
    if topic.missing:
        sentences.append(f"{counted(topic.missing, 'prompt')} left out: a {topic.called} has no answer")
    return [*sentences, f"intervals are for {topic.population}"] if topic.population else sentences


def _difference_columns(topic: TopicComparison) -> list[Column[ModelDifference]]:
    number = {model.name: place for place, model in enumerate(topic.models, 1)}

    def difference(each: ModelDifference) -> str:
        (low, high), (least, most) = (
            topic.models[number[name] - 1].ends(each.figure) for name in (each.first, each.second)
        )
        return _between(low - most, high - least)

    return [
        Column("figure", lambda each: symbol(each.figure)),
        Column(f"{topic.called}s", lambda each: f"{number[each.first]} - {number[each.second]}"),
        Column("difference", difference),
        Column("interval", lambda each: between(each.low, each.high), optional=True),
        Column("Holm p", lambda each: p_value(each.adjusted_p), optional=True),
        Column("", lambda each: each.decision, "no significant difference", optional=True, term="tied"),
    ]


TO_FIND = Column[ModelDifference](
    "to find",
    lambda each: decimals(each.detectable)[0],
    "the smallest true difference that a test of it alone would find with a probability of 80%",
    optional=True,
)


def _differences(topic: TopicComparison, comparison: Comparison, show: int) -> Section:
    figures, shown = list(topic.models[0].figures), _shown(topic.differences, show)
    columns = _difference_columns(topic)
    title = "Differences, the first less the second"
    if len(shown) < len(topic.differences):
        title += f" ({len(shown) // len(figures)} of {len(topic.differences) // len(figures)} of each figure)"
    if topic.undefined:
        why = f"no intervals, so the differences hold for these texts alone: {topic.undefined}"
        return table(title, [*columns, TO_FIND], shown, names=2, notes=[why])
    sentences = [f"{symbol(figure)}: {summary(topic, figure)}" for figure in figures]
    of_models = known(_model_columns(comparison.level, topic.by_chance), _rows(topic))
    explained = legend([*columns, *of_models, *known([TO_FIND], shown)])
    of_bias = [OF_BIAS] if set(RISK[1:]) <= set(figures) else []
    of_bias += [OF_THOUGHTS] if THOUGHT_VOLATILITY in figures else []
    tests = counted(comparison.tests, "difference")
    family = f"p: Holm-adjusted for {tests} of {topic.called}s (figures x pairs x topics)"
    notes = [family, *without_a_unit(topic), " ".join([BY_ITSELF, explained, *of_bias])]
    return table(title, [*columns, TO_FIND], shown, names=2, subtitle=sentences, notes=notes)


def _shown(differences: Sequence[ModelDifference], show: int) -> list[ModelDifference]:
    """The ``show`` differences per figure that are printed (0: all). Significant ones come first, then the largest."""
    shown = list[ModelDifference]()
    for figure in dict.fromkeys(each.figure for each in differences):
        of_figure = [each for each in differences if each.figure == figure]
        if 0 < show < len(of_figure):
            of_figure.sort(key=lambda each: (each.decision not in DECIDED, -abs(each.value)))
        shown += of_figure[: show or None]
    return shown


def _groups(topic: TopicComparison, show: int) -> Section:
    by_group: dict[str, dict[str, GroupDifference]] = {}
    for each in topic.of_groups:
        by_group.setdefault(each.group, {})[each.figure] = each
    figures = sorted({each.figure for each in topic.of_groups})
    shown = list(by_group.values())[: show or None]
    title = f"Groups in which the two {topic.called}s differ most{some_of(len(shown), len(by_group))}"
    group = Column[dict[str, GroupDifference]]("group", lambda each: each[figures[0]].group)
    note = (
        f"higher, lower, tied: by p, adjusted for {len(topic.of_groups)} differences of groups "
        "(Benjamini-Hochberg); each interval is for one difference alone"
    )
    return table(title, [group, *chain.from_iterable(map(_group_columns, figures))], shown, notes=[note])


def _orders(topic: TopicComparison) -> Section:
    level = percent(topic.orders[0].level)
    number = {model.name: place for place, model in enumerate(topic.models, 1)}
    of_formats, thinks = topic.called == "format", any(model.thinking for model in topic.models)
    pair = Column[OrderAgreement]("formats", lambda each: f"{number[each.first]} - {number[each.second]}")
    columns: list[Column[OrderAgreement]] = [
        *([pair] if of_formats else []),
        Column("by", lambda each: symbol(each.figure) if each.figure.startswith("r") else each.figure),
        Column("Kendall", lambda each: decimals(each.kendall, places=IN_GROUPS)[0]),
        Column(f"interval of {level}", lambda each: between(each.low, each.high, IN_GROUPS), optional=True),
        Column("p", lambda each: p_value(each.p_value)),
    ]
    note = "Kendall: 1 for the same order of groups, -1 for the opposite one; the interval is for other groups"
    ways = "answers with and without thought" if thinks else "probable words and texts"
    what = "formats" if of_formats else ways
    return table(f"Do {what} order the groups alike?", columns, topic.orders, names=1 + of_formats, notes=[note])


def _changed(changed: ChangedByThought) -> Section:
    columns: list[Column[ChangedByThought]] = [
        Column("after a thought", lambda each: each.with_thought),
        Column("share", lambda each: f"{each.share:.1%}"),
        Column(f"interval of {percent(changed.level)}", lambda each: percents(each.low, each.high), optional=True),
    ]
    note = f"share: how often another class leads after a thought than without ({changed.without})"
    return table("How often does thinking change the answer?", columns, [changed], notes=[note])


def _group_columns(figure: str) -> list[Column[dict[str, GroupDifference]]]:
    return [
        Column(symbol(figure), lambda each: decimals(each[figure].value, places=IN_GROUPS)[0]),
        Column("interval", lambda each: between(each[figure].low, each[figure].high, IN_GROUPS)),
        Column("", lambda each: each[figure].decision),
    ]


def _trends(topic: TopicComparison, by: str) -> Section:
    orders = "every order of the runs was tried" if topic.trends[0].exact else "orders of the runs were drawn"
    notes = [f"{len(topic.models)} runs; p: {orders}; Holm p: adjusted for all figures of this table"]
    columns: list[Column[LabelTrend]] = [
        Column("figure", lambda each: symbol(each.figure)),
        Column("Spearman", lambda each: decimals(each.correlation)[0]),
        Column("p", lambda each: p_value(each.p_value)),
        Column("Holm p", lambda each: p_value(each.adjusted_p), optional=True),
        Column("smallest p possible", lambda each: p_value(each.smallest_p)),
    ]
    return table(f"Does it rise with {shortened(by)}?", columns, topic.trends, notes=notes)


def _matched(topic: TopicComparison, by: str) -> Section:
    first, second = topic.matched_values
    if topic.is_by_size(by):
        title = f"Runs of two sizes: {int(second):,} less {int(first):,} parameters"
    else:
        title = f"Runs that differ in {shortened(by)} alone: {shortened(second)} less {shortened(first)}"
    alone = f"{counted(len(topic.unmatched), 'run')}: {', '.join(topic.unmatched)}"
    notes = [f"left out, because no other run differs in {shortened(by)} alone: {alone}"] if topic.unmatched else []
    return table(title, _difference_columns(topic), topic.matched, names=2, notes=notes)


def _topics_together(comparison: Comparison) -> list[Section]:
    topics, tables = comparison.topics, list[Section]()
    if len(topics) == 1:
        return []
    names = list(dict.fromkeys(model.name for topic in topics for model in topic.models))
    title = f"{symbol(next(iter(topics[0].models[0].figures)))} of every model by topic"
    for start in range(0, len(topics), TOPICS_BESIDE):
        by_topic = map(_first_figure_in, topics[start : start + TOPICS_BESIDE])
        tables.append(table(title, [Column("model", str), *by_topic], names))
    columns: list[Column[TopicCorrelation]] = [
        Column("topic", lambda pair: shortened(pair.first)),
        Column("other topic", lambda pair: shortened(pair.second)),
        Column("models", lambda pair: str(pair.models)),
        Column("Spearman", lambda pair: correlation(pair.correlation)),
        Column("p", lambda pair: "too few" if pair.p_value is None else p_value(pair.p_value)),
        Column("smallest p possible", lambda pair: p_value(pair.smallest_p)),
    ]
    return [*tables, table("Are the same models high in both?", columns, comparison.correlations, names=2)]


def _first_figure_in(topic: TopicComparison) -> Column[str]:
    of_model = {model.name: model.first_figure for model in topic.models}
    return Column(shortened(topic.topic, TOPIC_WIDTH), lambda name: decimals(of_model.get(name))[0])


def summary(topic: TopicComparison, figure: str) -> str:
    """Return a sentence on which models are significantly above which others in a figure.

    Models are numbered from 1.
    """
    place = {model.name: number for number, model in enumerate(topic.models, 1)}
    above: dict[int, set[int]] = {number: set() for number in place.values()}
    for each in topic.differences:
        if each.figure == figure and each.decision in DECIDED:
            pair = (place[each.first], place[each.second])
            high, low = pair if each.decision == "higher" else pair[::-1]
            above[high].add(low)
    if not any(above.values()):
        return f"{_listed(place.values())} tied" if len(place) <= FEW else f"all {len(place)} tied"
    return _of_pairs(above) if len(place) <= FEW else _of_ranks(topic, figure)


def without_a_unit(topic: TopicComparison) -> list[str]:
    """Return a sentence on decisions that do not hold without some unit of words; none where that was not tried."""
    tried = [each for each in topic.differences if each.without is not None]
    if not tried:
        return []
    number = {model.name: place for place, model in enumerate(topic.models, 1)}
    changed = [
        f"{symbol(each.figure)} of {number[each.first]} and {number[each.second]} ({each.changes})"
        for each in tried
        if each.changes
    ]
    if not changed:
        figures = ", ".join(symbols(*dict.fromkeys(each.figure for each in tried)))
        return [f"decisions that hold without any one unit of words: {figures}"]
    rest = "; the other decisions hold without any one unit" if len(changed) < len(tried) else ""
    if any("" in (each.without or {}).values() for each in tried):
        rest += "; not known: improbable words were not asked (--tolerance 0 asks all)"
    return [f"decisions that do not hold without some unit of words: {', '.join(changed)}{rest}"]


def _of_pairs(above: dict[int, set[int]]) -> str:
    """A sentence on the ranks that tests of pairs support, such as: 1 above 2 and 3; 2 and 3 tied."""
    higher: dict[tuple[int, ...], list[int]] = {}
    for number in sorted(above, key=lambda number: -len(above[number])):
        if above[number]:
            higher.setdefault(tuple(sorted(above[number])), []).append(number)
    sentences = [f"{_listed(numbers)} above {_listed(lower)}" for lower, numbers in higher.items()]
    return "; ".join([*sentences, *(f"{_listed(numbers)} tied" for numbers in _tied(above))])


def _tied(above: dict[int, set[int]]) -> list[tuple[int, ...]]:
    """The maximal sets of models whose differences are all not significant."""
    groups = list[tuple[int, ...]]()
    for size in range(len(above), 1, -1):
        for group in combinations(above, size):
            alike = all(b not in above[a] and a not in above[b] for a, b in combinations(group, 2))
            if alike and not any(set(group) <= set(larger) for larger in groups):
                groups.append(group)
    return groups


def _of_ranks(topic: TopicComparison, figure: str) -> str:
    """A sentence on possible ranks, such as: rank 1: 4; 2-5: 1, 2, 3 and 5."""
    by_ranks: dict[tuple[int, int], list[int]] = {}
    for number, model in enumerate(topic.models, 1):
        by_ranks.setdefault(model.ranks[figure], []).append(number)
    sentences = [f"{spanned(*ranks)}: {_listed(numbers)}" for ranks, numbers in sorted(by_ranks.items())]
    return f"rank {'; '.join(sentences)}"


def spanned(first: int, last: int) -> str:
    """Return a range of ranks as text.

    >>> spanned(1, 1), spanned(2, 5)
    ('1', '2-5')
    """
    return f"{first}" if first == last else f"{first}-{last}"


def _listed(numbers: Iterable[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} and {last}" if others else last
