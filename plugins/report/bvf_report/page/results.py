"""The sections of a page on one result."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bvf_insights.explain.analysis import explain_risk, explains
from bvf_insights.explain.drivers import Driver, Drivers
from bvf_insights.explain.pictures.frames import frame_effects
from bvf_insights.explain.pictures.variance import variance
from bvf_insights.explain.result import Explanation
from bvf_insights.explain.tables import besides_drivers, shape_sections

from bvf.analyses.risk.result import Result, WordFigures, of_risk
from bvf.domain.measurement import Measurement, MeasurementRecord
from bvf.errors import BvfError
from bvf.hooks.imported import imported
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Analysis, View
from bvf.interfaces.picture import Picture
from bvf.results.again import measurement_of, predictions_of, study_of
from bvf.results.result import ResultBase
from bvf.results.shown import rows_with_intervals
from bvf.study.averages import RISK
from bvf.study.predictions import Predictions
from bvf.tables import Column, Section, table
from bvf.tables.symbols import symbol, symbols
from bvf.tables.words import decimals
from bvf_report.page.content import Block, Part
from bvf_report.page.gallery import gallery
from bvf_report.page.groups import group_table
from bvf_report.pictures.risk.distributions import Distributions, distributions
from bvf_report.pictures.risk.leanings import Leanings, leanings
from bvf_report.pictures.risk.of_result import GROUPS_DRAWN, pictures_of

DRIVERS_SHOWN, LEVELS_SHOWN = 20, 12
VARYING = "What makes predictions vary"


@dataclass(frozen=True)
class Seen:
    """A result, the name of its model on the page, and its measurement if pictures need p(y | x, c).

    ``unread`` says why the measurement cannot be read, if so.
    """

    result: ResultBase
    name: str
    measurement: Measurement | None = None
    unread: str = ""


def seen(result: ResultBase, name: str, read: Measurement | MeasurementRecord) -> Seen:
    """Return a result and its measurement, of which only what was not ``read`` is read, and only for a risk result."""
    if not of_risk([result]):
        return Seen(result, name)
    try:
        return Seen(result, name, measurement_of(result, read))
    except BvfError as error:
        return Seen(result, name, unread=error.message)


def result_parts(source: Seen, number: int, analysis: Analysis[Any], plugins: Plugins) -> list[Part]:
    """Return the sections of the page on one result."""
    name, result = source.name, next(iter(of_risk([source.result])), None)
    if result is None:
        blocks = (*_pictures(source.result, analysis), *rows_with_intervals([source.result], analysis, View(show=0)))
        return [Part(f"result-{number}", name, blocks), *_explained_by(analysis, source.result, number, plugins)]
    if source.measurement is None:
        why = f"Pictures of the predictions are left out: {source.unread}."
        return [Part(f"result-{number}", name, (why, *rows_with_intervals([result], analysis, View(show=0))))]
    predictions = predictions_of(result, source.measurement)
    of_all = leanings(result, predictions=predictions)
    over_contexts = distributions(result, predictions=predictions)
    leans, dots, cells, spread = pictures_of(result, predictions, of_all, over_contexts)
    parts = [
        Part(f"result-{number}", name, (_groups(of_all, over_contexts),)),
        Part(f"leanings-{number}", "Leanings of groups", (leans, dots), 3),
        Part(f"grid-{number}", "Groups in contexts", (cells,), 3),
        Part(f"spread-{number}", "Distributions over contexts", (spread,), 3),
        *gallery(result, source.measurement, predictions, number),
        *_explained(result, number, predictions, plugins),
    ]
    if result.word_lists is not None:
        words = sorted(result.word_lists.of_words, key=lambda word: -(word.share or 0.0))
        of_words = table(f"{len(words)} words", WORDS, words, names=2, searched=True)
        parts.append(Part(f"words-{number}", "What each word does", (of_words,), 3))
    return parts


def _explained_by(analysis: Analysis[Any], result: ResultBase, number: int, plugins: Plugins) -> Iterator[Part]:
    """The section on what drives the figures of an analysis other than risk, if it explains them, or why it cannot."""
    try:
        found = analysis.explained(result, study_of(result, plugins)) if explains(analysis) else None
    except BvfError as error:
        yield Part(f"variance-{number}", VARYING, (f"Not computed: {error.message}.",), 3)
        return
    if found is not None:
        tables = imported(found.tables)(found, 0)
        yield Part(f"variance-{number}", VARYING, tuple(tables), 3)


def _explained(result: Result, number: int, predictions: Predictions, plugins: Plugins) -> list[Part]:
    """The sections on the contexts and groups behind the figures, or on why they cannot be computed."""
    try:
        explanation = explain_risk(result, show=DRIVERS_SHOWN, predictions=predictions, plugins=plugins)
    except BvfError as error:
        return [Part(f"variance-{number}", VARYING, (f"Not computed: {error.message}.",), 3)]
    shapes = () if explanation.shapes is None else tuple(shape_sections(explanation.shapes))
    return [
        Part(f"shapes-{number}", "Figures over groups", shapes, 3),
        Part(f"variance-{number}", VARYING, _variance(explanation), 3),
        Part(f"drivers-{number}", "Contexts that drive bias and volatility", _drivers(explanation.drivers), 3),
    ]


def _pictures(result: ResultBase, analysis: Analysis[Any]) -> tuple[Block, ...]:
    """The pictures that the analysis makes of a result, or a note on why there are none."""
    return _drawn(analysis.pictures, [result])


def together(results: Sequence[ResultBase], analysis: Analysis[Any]) -> tuple[Block, ...]:
    """Return the pictures in which the analysis shows results together, or a note on why there are none."""
    return _drawn(analysis.pictures_of_topics, results)


def _drawn(
    pictures: Callable[[Sequence[ResultBase]], Sequence[Picture]], results: Sequence[ResultBase]
) -> tuple[Block, ...]:
    try:
        return tuple(picture.with_ends(GROUPS_DRAWN) for picture in pictures(results))
    except BvfError as error:
        return (f"Not drawn: {error.message}.",)


def _groups(leans: Leanings, spread: Distributions) -> Section:
    in_order = replace(leans, groups=tuple(sorted(leans.groups, key=lambda each: -(each.particular or each.r).value)))
    return group_table(in_order, spread.with_groups([each.group for each in in_order.groups]))


def _drivers(top: Drivers) -> tuple[Block, ...]:
    bias, volatility = symbols(*RISK[1:])
    blocks: list[Block] = [
        f"What a context adds to {bias} and to {volatility}: over all contexts they sum to both. A common context adds "
        "much because it is common: divide by its share of P(C) to see whether it also leans more than others."
    ]
    for what, contexts in ((bias, top.bias), (volatility, top.volatility)):
        if not contexts:
            blocks.append(f"No context adds to {what}.")
            continue
        caption = f"The {len(contexts)} contexts that add most to {what} (of {top.of})"
        blocks.append(table(caption, DRIVERS, contexts, names=2))
    return tuple(blocks)


DRIVERS: tuple[Column[Driver], ...] = (
    Column("context", lambda each: each.context),
    Column("groups that add most", lambda each: ", ".join(each.groups)),
    Column("share of P(C)", lambda each: f"{each.weight:.2%}", value=lambda each: each.weight),
    Column(f"adds to {symbol('R_bias')}", lambda each: decimals(each.bias)[0], value=lambda each: each.bias),
    Column(
        f"adds to {symbol('R_volatility')}",
        lambda each: decimals(each.volatility)[0],
        value=lambda each: each.volatility,
    ),
)


def _variance(explanation: Explanation) -> tuple[Block, ...]:
    """Blocks on variance components, reliability over contexts, placebo swaps, and properties of contexts."""
    of_frames = (_drawn_or_why(frame_effects, explanation),) if explanation.frames else ()
    return (
        _drawn_or_why(variance, explanation),
        *of_frames,
        *besides_drivers(explanation, LEVELS_SHOWN),
    )


def _drawn_or_why(draw: Callable[[Explanation], Picture], explanation: Explanation) -> Block:
    try:
        return draw(explanation)
    except BvfError as error:
        return f"Not drawn: {error.message}."


def _without(field: str) -> Column[WordFigures]:
    def value(word: WordFigures) -> float | None:
        without: float | None = getattr(word, field)
        return without

    return Column(f"{symbol(field)} without it", lambda word: decimals(value(word))[0], value=value)


WORDS: tuple[Column[WordFigures], ...] = (
    Column("word", lambda word: word.word),
    Column("counts for", lambda word: word.attribute),
    Column(
        "share of its class",
        lambda word: "" if word.share is None else f"{word.share:.1%}",
        value=lambda word: word.share,
    ),
    *map(_without, RISK),
)
