"""Tables of a comparison: the models, every pair, the groups in which two models differ, and the topics together."""

from collections.abc import Sequence

from bvf.analysing.comparison import ComparedModel, Comparison, LabelTrend, ModelDifference, TopicComparison
from bvf.analysing.formatting import between, decimals, shortened
from bvf.interfaces.analysis import Section

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
SMALLEST_SHOWN = 1e-4
LEGEND = (
    "rank: first and last that a model may have, 1 the highest, all at once.\n"
    "tied: cannot be told apart. to find: the smallest true difference that would be\n"
    "found with a probability of 80%. R^b and R^v: the interval reaches beyond the\n"
    "plug-in and the cross-fit difference, so that a model that is only more\n"
    "volatile is not called more biased."
)
WHAT_OF = {
    "document": "for texts such as those mined, whose documents are the sample",
    "occurrence": "for texts such as those mined, each occurrence by itself",
    "template": "for other templates of the kind",
}


def sections(comparison: Comparison, show: int) -> list[Section]:
    """Return all tables of a comparison.

    Args:
        comparison: Of one topic or several.
        show: Rows of groups; 0: all.
    """
    tables = list[Section]()
    for topic in comparison.topics:
        tables += [_models(topic, comparison), _differences(topic, comparison)]
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
    return Section(title, columns, rows, names=2, said=_what_is_shared(topic), notes=topic.notes)


def _what_is_shared(topic: TopicComparison) -> list[str]:
    said = [f"the same {len(topic.groups)} groups in the same {topic.number_of_contexts} contexts"]
    left_out = {"groups": topic.groups_left_out, "contexts": topic.contexts_left_out}
    said += [f"{number} {what} left out, in which not all were asked" for what, number in left_out.items() if number]
    if topic.missing:
        said.append(f"{topic.missing} prompts left out, as a model has no answer there")
    return [*said, f"intervals are {WHAT_OF[topic.unit]}"] if topic.unit else said


def _figure(model: ComparedModel, figure: str) -> tuple[str, ...]:
    interval, ranks = model.intervals.get(figure), model.ranks.get(figure)
    return (
        *decimals(model.figures[figure]),
        between(interval.low, interval.high) if interval else "",
        f"{ranks[0]}" if ranks and ranks[0] == ranks[1] else f"{ranks[0]}-{ranks[1]}" if ranks else "",
    )


def _differences(topic: TopicComparison, comparison: Comparison) -> Section:
    number = {model.name: place for place, model in enumerate(topic.models, 1)}
    rows = [
        (CALLED[each.figure], f"{number[each.first]} - {number[each.second]}", *_apart(each))
        for each in topic.differences
    ]
    columns = ("figure", "models", "difference", "interval", "Holm p", "", "to find")
    if topic.undefined:
        return Section(
            "Differences",
            columns[:3],
            [row[:3] for row in rows],
            names=2,
            notes=[f"no interval, so nothing is said of other texts: {topic.undefined}"],
        )
    return Section(
        "Differences, the first less the second", columns, rows, names=2, notes=[*_family(comparison), LEGEND]
    )


def _apart(difference: ModelDifference) -> tuple[str, ...]:
    low, high, adjusted, detectable = difference.low, difference.high, difference.adjusted_p, difference.detectable
    if low is None or high is None or adjusted is None:
        return decimals(difference.value, None, None, None, None)
    decided = {"higher": "more", "lower": "less"}.get(difference.decision, difference.decision)
    return (*decimals(difference.value), between(low, high), _p(adjusted), decided, *decimals(detectable))


def _family(comparison: Comparison) -> list[str]:
    return [f"p: adjusted by Holm for all {comparison.tests} differences of models (figures x pairs x topics)"]


def _groups(topic: TopicComparison, show: int) -> Section:
    rows = topic.of_groups[: show or None]
    cells = [
        (each.group, CALLED[each.figure], *decimals(each.value), between(each.low, each.high), _p(each.adjusted_p))
        for each in rows
    ]
    shown = f" ({len(rows)} of {len(topic.of_groups)})" if len(rows) < len(topic.of_groups) else ""
    return Section(
        f"Groups in which the first differs from the second most{shown}",
        ("group", "figure", "difference", "interval", "BH p"),
        cells,
        names=2,
        notes=[f"p: adjusted by Benjamini and Hochberg for {len(topic.of_groups)} differences of groups"],
    )


def _trends(topic: TopicComparison, by: str) -> Section:
    rows = [
        (CALLED[each.figure], *decimals(each.correlation), _p(each.p_value), _p(each.smallest_p))
        for each in topic.trends
    ]
    return Section(
        f"Does it rise with {shortened(by)}?",
        ("figure", "Spearman", "p", "smallest p possible"),
        rows,
        notes=[_how(topic.trends[0], len(topic.models))],
    )


def _how(found: LabelTrend, runs: int) -> str:
    orders = "every order of the runs was tried" if found.exact else "orders of the runs were drawn"
    return f"{runs} runs; p: {orders}"


def _matched(topic: TopicComparison, by: str) -> Section:
    number = {model.name: place for place, model in enumerate(topic.models, 1)}
    rows = [
        (CALLED[each.figure], f"{number[each.first]} - {number[each.second]}", *_apart(each)[:-1])
        for each in topic.matched
    ]
    columns = ("figure", "models", "difference", "interval", "Holm p", "")
    return Section(f"Runs that differ in {shortened(by)} alone", columns, rows, names=2)


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
        (shortened(each.first), shortened(each.second), str(each.models), *_correlated(each.correlation, each.p_value))
        for each in comparison.correlations
    ]
    columns = ("topic", "other topic", "models", "Spearman", "p")
    return [*tables, Section("Are the same models high in both?", columns, between_topics, names=2)]


def _R_by_topic(name: str, topics: Sequence[TopicComparison]) -> tuple[str, ...]:
    by_name = [{model.name: model.figures["R"] for model in topic.models} for topic in topics]
    return decimals(*(figures.get(name) for figures in by_name))


def _correlated(correlation: float | None, p_value: float | None) -> tuple[str, str]:
    if correlation is None or p_value is None:
        return "", "too few"
    return f"{correlation:+.2f}", _p(p_value)


def _p(value: float) -> str:
    return f"<{SMALLEST_SHOWN:g}" if value < SMALLEST_SHOWN else f"{value:.4f}"
