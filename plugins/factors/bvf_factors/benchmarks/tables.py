"""Scores of a benchmark, and their differences between models, as printed tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import stdev

from bvf.interfaces.analysis import Section
from bvf.tables.columns import Column, both_ends, counted_gap, table
from bvf.tables.words import between, counted, decimals, p_value
from bvf_factors.benchmarks.answered import AS_PUBLISHED, Answered
from bvf_factors.benchmarks.asking import Asked
from bvf_factors.benchmarks.judged import GroupScore
from bvf_factors.benchmarks.scored import ENOUGH_DIFFERING, BenchmarkScores, ScoreDifference, ScoreFigure
from bvf_factors.reading.table import ENOUGH_CLUSTERS

CHOSEN = {
    "sum": "the answer with the highest log-probability",
    "bytes": "the answer with the highest log-probability per byte",
    "letters": "the letter with the highest log-probability",
    "pmi": "the answer whose log-probability the question raises most",
}
NAMED = 6
"""Groups that a note names."""
WHOLE = {"sum": "log-probability", "tokens": "log-probability per token", "bytes": "log-probability per byte"}


def score_sections(scores: BenchmarkScores, show: int) -> list[Section]:
    """Return a table of the scores of all models, and one of their differences. Several models are numbered from 1.

    Scores of the whole benchmark stand above those of its parts, and counts of answers below scores.
    """
    depth = {each.key: (len(each.of), each.lowest is None) for each in scores.scores}
    keys = sorted(depth, key=lambda key: depth[key])
    shown = keys[: show or None]
    row = {key: index for index, key in enumerate(shown)}
    figures = sorted((each for each in scores.scores if each.key in row), key=lambda each: row[each.key])
    number = {each.model: index for index, each in enumerate(scores.models, 1)}
    several = len(number) > 1
    numbered = f"Models: {', '.join(f'{index} {name}' for name, index in number.items())}."
    of_model = Column[ScoreFigure]("model", lambda each: str(number[each.model]))
    left = len(keys) - len(shown)
    first = table(
        scores.title if several else f"{scores.title}: {scores.models[0].model}",
        [SCORE, *([of_model] if several else []), *_columns(scores, figures)],
        figures,
        names=1 + several,
        subtitle=[scores.said, *([numbered] if several else []), *_by_cluster(scores, figures)],
        notes=[*([f"{counted(left, 'more score')}: --show all"] if left else []), *_left_out(scores), *scores.notes],
    )
    apart = [each for each in scores.differences if (each.name, tuple(each.of.items())) in row]
    return [first, *([_differences(scores, apart, number)] if apart else []), *_judged(scores, show)]


def _columns(scores: BenchmarkScores, figures: Sequence[ScoreFigure]) -> list[Column[ScoreFigure]]:
    """The figures of a score, without columns that are empty for all."""
    spread = [
        Column[ScoreFigure](name, partial(_over_wordings, function), optional=True)
        for name, function in (("sd", stdev), ("lowest", min), ("highest", max))
    ]
    mean = any(each.by_wording for each in figures)
    return [
        Column("mean" if mean else "value", lambda each: _shown(each, each.value) or "undefined"),
        *spread,
        Column(f"{scores.level:.0%} interval", _interval, optional=True),
        Column("n", lambda each: f"{each.clusters:,}" if each.clusters else "", optional=True),
        Column("ideal", lambda each: "" if each.ideal is None else f"{each.ideal:.4g}", optional=True),
        Column("p", lambda each: p_value(each.p_value), optional=True),
        Column("needed", lambda each: f"{each.needed:,}" if each.needed else "", optional=True, spare=True),
    ]


def _by_cluster(scores: BenchmarkScores, figures: Sequence[ScoreFigure]) -> Iterator[str]:
    """What intervals, p and the clusters needed mean."""
    if not any(each.clusters for each in figures):
        return
    dependent = any(each.clusters < each.items for each in figures if each.clusters)
    yield (
        f"Intervals are by {scores.cluster}, as answers of one may depend on each other; n counts them."
        if dependent
        else f"Intervals take each {scores.cluster} as independent; n counts them."
    )
    if any(each.rough for each in figures):
        yield f"In brackets: n is below {ENOUGH_CLUSTERS}, and the interval is rough."
    if any(each.p_value is not None for each in figures):
        yield "p: of the test that the score is ideal; needed: the n that shows it in 80 of 100 benchmarks."


def _differences(scores: BenchmarkScores, apart: Sequence[ScoreDifference], number: Mapping[str, int]) -> Section:
    columns: list[Column[ScoreDifference]] = [
        Column("score", lambda each: _name(each.name, each.of)),
        Column("models", lambda each: f"{number[each.first]} - {number[each.second]}"),
        Column("difference", lambda each: decimals(each.value, places=_places(scores, each))[0]),
        Column(
            f"{scores.level:.0%} interval",
            lambda each: _bracketed(between(each.low, each.high, _places(scores, each)), each.rough),
            optional=True,
        ),
        Column("p", lambda each: p_value(each.p_value), optional=True),
        Column("p (Holm)", lambda each: p_value(each.adjusted_p), optional=True),
        Column("test", lambda each: each.method, optional=True, spare=True),
    ]
    tests = {each.method for each in apart}
    meant = {
        "McNemar": "McNemar: exact, of the answers that differ; its interval is Bonett's and Price's.",
        "t": f"t: paired by {scores.cluster}.",
    }
    return table(
        f"Differences: {scores.title}",
        columns,
        apart,
        names=2,
        subtitle=["The first model less the second. p (Holm): adjusted for all pairs of models, score by score."],
        notes=[
            *(text for name, text in meant.items() if name in tests),
            *(["In brackets: few answers differ, or there are few clusters."] if any(e.rough for e in apart) else []),
        ],
    )


def few_compared(difference: ScoreDifference, cluster: str) -> str:
    """Return why the interval of a difference is rough; empty: it is not."""
    if not difference.rough:
        return ""
    enough = ENOUGH_DIFFERING[difference.method]
    return {
        "McNemar": f"fewer than {enough} answers differ",
        "t": f"fewer than {enough} values of {cluster} are compared",
    }[difference.method]


def _judged(scores: BenchmarkScores, show: int) -> list[Section]:
    """A table per model and score: the groups with the highest and with the lowest scores."""
    parts: dict[tuple[str, ...], list[GroupScore]] = {}
    for each in scores.groups:
        parts.setdefault((each.model, each.name, *each.of.values()), []).append(each)
    columns: list[Column[GroupScore]] = [
        Column("group", lambda each: each.group),
        Column("n", lambda each: f"{each.clusters:,}"),
        Column("value", lambda each: _in_group(each, each.value)),
        Column(f"{scores.level:.0%} interval", lambda each: _bracketed(_ends(each, each.low, each.high), each.rough)),
        Column("difference", lambda each: _in_group(each, each.difference), optional=True),
        Column(
            "its interval",
            lambda each: _bracketed(_ends(each, each.difference_low, each.difference_high), each.rough),
            optional=True,
        ),
        Column("p", lambda each: p_value(each.adjusted_p), optional=True),
    ]
    return [
        table(
            f"Who is judged worse: {', '.join(name)}, {model}",
            columns,
            both_ends(found, show, counted_gap),
            subtitle=[
                f"Each group against items about other groups, by {scores.cluster}; p: adjusted for all groups (Holm)."
                if any(each.difference is not None for each in found)
                else f"Intervals are by {scores.cluster}.",
                *(["In brackets: few clusters, rough."] if any(each.rough for each in found) else []),
            ],
        )
        for (model, *name), found in parts.items()
    ]


def _left_out(scores: BenchmarkScores) -> Iterator[str]:
    """Which groups have no row in the tables of groups, and why."""
    if names := scores.groups_left_out:
        more = len(names) - NAMED
        named = f"{', '.join(names[:NAMED])}{f' and {more:,} more' if more > 0 else ''}"
        yield f"No interval for items about {named}: each takes items of at least two values of {scores.cluster}."


def _in_group(score: GroupScore, value: float | None) -> str:
    return decimals(value, places=1 if score.high > 1.0 else 3)[0]


def _ends(score: GroupScore, low: float | None, high: float | None) -> str:
    return between(low, high, 1 if score.high > 1.0 else 3)


def _places(scores: BenchmarkScores, difference: ScoreDifference) -> int:
    """The decimals of a score, which are those of both models."""
    return next(
        places_of(each)
        for each in scores.scores
        if each.key == (difference.name, tuple(difference.of.items())) and each.model == difference.first
    )


def places_of(score: ScoreFigure) -> int:
    """Return the decimals with which a score is shown: 2 if it is in percent, 4 otherwise."""
    values = [score.value, score.high, score.ideal]
    return 2 if any(each is not None and abs(each) > 1.0 for each in values) else 4


def _shown(score: ScoreFigure, value: float | None) -> str:
    return decimals(value, places=places_of(score) if score.clusters or score.ideal is not None else 4)[0]


def _interval(score: ScoreFigure) -> str:
    ends = between(score.low, score.high, places_of(score))
    return _bracketed(ends, score.rough)


def _bracketed(ends: str, rough: bool) -> str:
    return f"({ends})" if rough and ends else ends


def _over_wordings(function: Callable[[Sequence[float]], float], score: ScoreFigure) -> str:
    values = [value for value in score.by_wording.values() if value is not None]
    return _shown(score, function(values)) if len(values) > 1 else ""


def _name(name: str, of: Mapping[str, str]) -> str:
    return f"{name}, {', '.join(of.values())}" if of else name


SCORE = Column[ScoreFigure]("score", lambda each: _name(each.name, each.of))


def summary(answered: Answered) -> str:
    """Return a sentence on the items, and on what is compared."""
    asked = answered.asked
    if AS_PUBLISHED in answered.answers:
        answers = answered.answers[AS_PUBLISHED]
        texts = sum(len(each.texts) for each in answers)
        return (
            f"{counted(texts, 'text')} after {counted(len(answers), 'prompt')}."
            if texts
            else (f"{counted(len(answers), 'published answer')}.")
        )
    if asked.generation:
        return f"{counted(len(asked.items), 'prompt')}, {asked.generation.described}."
    return f"{counted(len(asked.items), 'item')}{_wordings(asked)}. {_how(answered)}."


def _wordings(asked: Asked) -> str:
    texts, orders = ({getattr(each, field) for each in asked.wordings} for field in ("text", "order"))
    drawn = any(isinstance(order, int) for order in orders)
    return "".join(
        (
            f", in {counted(len(texts), 'wording')}" if len(texts) > 1 else "",
            f", in {len(orders)} orders of the choices" if len(orders) > 1 else "",
            ", with the choices in an order drawn for each item" if drawn else "",
        )
    )


def _how(answered: Answered) -> str:
    asked, by = answered.asked, answered.asked.by or "sum"
    if asked.benchmark.asks != "answers":
        return "Sentences are compared" + ("" if by == "sum" else f" by their {WHOLE[by]}")
    if not answered.whole:
        return f"Chosen: {CHOSEN[by]}"
    follows = any(not item.inside for item in asked.items)
    following = f", or the one that is most probable after its context{' per byte' if by == 'bytes' else ''}"
    return f"Chosen: the whole sentence with the highest {WHOLE[by]}{following if follows else ''}"
