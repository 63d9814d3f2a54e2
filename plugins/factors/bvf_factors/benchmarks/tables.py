"""Scores of a benchmark, and their differences between models, as printed tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import stdev

from bvf import Section
from bvf.tables import Column, between, both_ends, counted, counted_gap, decimals, p_value, percent, table
from bvf_factors.benchmarks.scored import BenchmarkScores, GroupScore, ScoreDifference, ScoreFigure
from bvf_factors.clusters import ENOUGH_CLUSTERS

NAMED = 6
"""Groups that a note names."""
TESTS = {
    "McNemar": "McNemar: exact, of the answers that differ; its interval is Bonett's and Price's.",
    "t": "t: paired by {cluster}.",
}


def score_sections(scores: BenchmarkScores, show: int) -> list[Section]:
    """Return a table of all scores, those of the whole benchmark above parts and counts, and of differences."""
    depth = {each.key: (len(each.of), each.lowest is None) for each in scores.scores}
    keys = sorted(depth, key=lambda key: depth[key])
    row = {key: index for index, key in enumerate(keys[: show or None])}
    figures = sorted((each for each in scores.scores if each.key in row), key=lambda each: row[each.key])
    number = {each.model: index for index, each in enumerate(scores.models, 1)}
    several, title = [], f"{scores.title}: {scores.models[0].model}"
    said = [scores.said]
    if len(number) > 1:
        several, title = [Column[ScoreFigure]("model", lambda each: str(number[each.model]))], scores.title
        said.append(f"Models: {', '.join(f'{index} {name}' for name, index in number.items())}.")
    left = len(keys) - len(row)
    columns, names = [Column[ScoreFigure]("score", _named), *several, *_columns(scores, figures)], 1 + len(several)
    notes = [*([f"{counted(left, 'more score')}: --show all"] if left else []), *_left_out(scores), *scores.notes]
    first = table(title, columns, figures, names=names, subtitle=[*said, *_by_cluster(scores, figures)], notes=notes)
    apart = [each for each in scores.differences if each.key in row]
    return [first, *([_differences(scores, apart, number)] if apart else []), *_judged(scores, show)]


def _named(each: ScoreFigure | ScoreDifference) -> str:
    return ", ".join((each.name, *each.of.values()))


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
        Column(
            f"{percent(scores.level)} interval",
            lambda each: _interval(each.low, each.high, _places(each), rough=each.rough),
            optional=True,
        ),
        Column("n", lambda each: f"{each.clusters:,}" if each.clusters else "", optional=True),
        Column("ideal", lambda each: "" if each.ideal is None else f"{each.ideal:.4g}", optional=True),
        Column("p", lambda each: p_value(each.p_value), optional=True),
        Column("needed", lambda each: f"{each.needed:,}" if each.needed else "", optional=True, spare=True),
    ]


def _over_wordings(function: Callable[[Sequence[float]], float], score: ScoreFigure) -> str:
    values = [value for value in score.by_wording.values() if value is not None]
    return _shown(score, function(values)) if len(values) > 1 else ""


def _shown(score: ScoreFigure, value: float | None) -> str:
    return decimals(value, places=_places(score) if score.clusters or score.ideal is not None else 4)[0]


def _places(score: ScoreFigure) -> int:
    """The decimals with which a score is shown: 2 if it is in percent, 4 otherwise."""
    values = [score.value, score.high, score.ideal]
    return 2 if any(each is not None and abs(each) > 1.0 for each in values) else 4


def _interval(low: float | None, high: float | None, places: int, *, rough: bool) -> str:
    ends = between(low, high, places)
    return f"({ends})" if rough and ends else ends


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
        yield f"In brackets: n is below {ENOUGH_CLUSTERS} by Kish's number, and the interval is rough."
    if any(each.p_value is not None for each in figures):
        yield "p: of the test that the score is ideal; needed: the n that shows it in 80 of 100 benchmarks."


def _left_out(scores: BenchmarkScores) -> Iterator[str]:
    """Which groups have no row in the tables of groups, and why."""
    if names := scores.groups_left_out:
        more = len(names) - NAMED
        named = f"{', '.join(names[:NAMED])}{f' and {more:,} more' if more > 0 else ''}"
        yield f"No interval for items about {named}: each takes items of at least two values of {scores.cluster}."


def _differences(scores: BenchmarkScores, apart: Sequence[ScoreDifference], number: Mapping[str, int]) -> Section:
    places = {(each.model, each.key): _places(each) for each in scores.scores}

    def places_of(each: ScoreDifference) -> int:
        return places[each.first, each.key]

    columns: list[Column[ScoreDifference]] = [
        Column("score", _named),
        Column("models", lambda each: f"{number[each.first]} - {number[each.second]}"),
        Column("difference", lambda each: decimals(each.value, places=places_of(each))[0]),
        Column(
            f"{percent(scores.level)} interval",
            lambda each: _interval(each.low, each.high, places_of(each), rough=each.rough),
            optional=True,
        ),
        Column("p", lambda each: p_value(each.p_value), optional=True),
        Column("p (Holm)", lambda each: p_value(each.adjusted_p), optional=True),
        Column("test", lambda each: each.method, optional=True, spare=True),
    ]
    methods, rough = {each.method for each in apart}, any(each.rough for each in apart)
    return table(
        f"Differences: {scores.title}",
        columns,
        apart,
        names=2,
        subtitle=["The first model less the second. p (Holm): adjusted for all pairs of models, score by score."],
        notes=[
            *(text.format(cluster=scores.cluster) for name, text in TESTS.items() if name in methods),
            *(["In brackets: few answers differ, or there are few clusters."] if rough else []),
        ],
    )


def _judged(scores: BenchmarkScores, show: int) -> list[Section]:
    """A table per model and score: the groups with the highest and with the lowest scores."""
    parts: dict[tuple[str, ...], list[GroupScore]] = {}
    for each in scores.groups:
        parts.setdefault((each.model, each.name, *each.of.values()), []).append(each)

    def figure(score: GroupScore, value: float | None) -> str:
        return decimals(value, places=1 if score.high > 1.0 else 3)[0]

    def interval(score: GroupScore, low: float | None, high: float | None) -> str:
        return _interval(low, high, 1 if score.high > 1.0 else 3, rough=score.rough)

    columns: list[Column[GroupScore]] = [
        Column("group", lambda each: each.group),
        Column("n", lambda each: f"{each.clusters:,}"),
        Column("value", lambda each: figure(each, each.value)),
        Column(f"{percent(scores.level)} interval", lambda each: interval(each, each.low, each.high)),
        Column("difference", lambda each: figure(each, each.difference), optional=True),
        Column("its interval", lambda each: interval(each, each.difference_low, each.difference_high), optional=True),
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
