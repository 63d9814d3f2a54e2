"""The parts of a page that are about one result."""

from dataclasses import dataclass, replace
from typing import Any

from bvf.analyses.explain import tables as explanation_rows
from bvf.analyses.explain.analysis import explain
from bvf.analyses.explain.drivers import Driver, drivers
from bvf.analyses.explain.result import Explanation
from bvf.analyses.explain.tables import shape_sections
from bvf.analyses.risk.result import Result, WordLists
from bvf.domain.measurement import Measurement
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Analysis, View
from bvf.report.page.content import Block, Cell, Part, Picture, Table, plain_table, table_of
from bvf.report.page.groups import group_table
from bvf.results.again import Distribution, distribution_of, measurement_of
from bvf.results.result import ResultBase
from bvf.tables.words import decimals, ends
from bvf.views.distributions import distributions
from bvf.views.grid import grid
from bvf.views.leanings import Leanings, leanings
from bvf.views.scatter import scatter
from bvf.views.variance import variance

GROUPS_DRAWN, DRIVERS_SHOWN, LEVELS_SHOWN = 40, 20, 12


@dataclass(frozen=True)
class Seen:
    """A result with its measurement, read once.

    Args:
        result: Of any analysis.
        name: What its model is called on the page.
        measurement: That of the result; None: it cannot be read, or no picture is drawn of it.
        unread: Why it cannot be read; empty otherwise.
    """

    result: ResultBase
    name: str
    measurement: Measurement | None = None
    unread: str = ""


def seen(result: ResultBase, name: str) -> Seen:
    """Return a result with its measurement, where there are pictures of its predictions."""
    if not isinstance(result, Result):
        return Seen(result, name)
    try:
        return Seen(result, name, measurement_of(result))
    except BvfError as error:
        return Seen(result, name, unread=error.message)


def result_parts(source: Seen, number: int, analysis: Analysis[Any], plugins: Plugins) -> list[Part]:
    """Return the parts of the page about one result.

    Args:
        source: The result.
        number: Number of the result on the page, for anchors.
        analysis: That it comes from.
        plugins: Where the criterion is looked up.
    """
    result, name = source.result, source.name
    tables = tuple(table_of(each) for each in analysis.rows([result], View(show=0)))
    if not isinstance(result, Result):
        return [Part(f"result-{number}", name, tables)]
    if source.measurement is None:
        why = f"Pictures of the predictions are left out: {source.unread}."
        return [Part(f"result-{number}", name, (why, *tables))]
    predictions = distribution_of(result, source.measurement)
    leans = leanings(result, predictions=predictions)
    cells = Picture(grid(result, show=GROUPS_DRAWN, predictions=predictions))
    spread = Picture(distributions(result, show=GROUPS_DRAWN, predictions=predictions))
    explanation = explain(result, predictions=predictions, plugins=plugins)
    parts = [
        Part(f"result-{number}", name, (_groups(result, leans, predictions),)),
        Part(f"leanings-{number}", "Leanings of groups", _leanings(result, leans), 3),
        Part(f"grid-{number}", "Groups in contexts", (cells,), 3),
        Part(f"spread-{number}", "Distributions over contexts", (spread,), 3),
        Part(f"shapes-{number}", "Figures over groups", _shapes(explanation), 3),
        Part(f"variance-{number}", "What makes predictions vary", _variance(explanation), 3),
        Part(f"drivers-{number}", "Contexts that drive bias and volatility", _drivers(result, predictions, plugins), 3),
    ]
    if result.word_lists is not None:
        parts.append(Part(f"words-{number}", "What each word does", (_words(result.word_lists),), 3))
    return parts


def _groups(result: Result, leans: Leanings, predictions: Distribution) -> Table:
    by_bias = replace(leans, groups=tuple(sorted(leans.groups, key=lambda each: -each.r_bias.value)))
    names = [each.group for each in by_bias.groups]
    return group_table(by_bias, distributions(result, names, predictions=predictions))


def _leanings(result: Result, leans: Leanings) -> tuple[Block, ...]:
    first, last = ends(leans.groups, GROUPS_DRAWN)
    return (Picture(replace(leans, groups=(*first, *last))), Picture(scatter(result)))


def _drivers(result: Result, predictions: Distribution, plugins: Plugins) -> tuple[Block, ...]:
    top = drivers(result, show=DRIVERS_SHOWN, predictions=predictions, plugins=plugins)
    blocks: list[Block] = [
        "What a context adds to R^b and to R^v: over all contexts they sum to both. A common context adds much because "
        "it is common; the columns after its share of P(C) tell whether it also leans more than others."
    ]
    for what, contexts in (("R^b", top.bias), ("R^v", top.volatility)):
        if not contexts:
            blocks.append(f"No context adds to {what}.")
            continue
        caption = f"The {len(contexts)} contexts that add most to {what} (of {top.of})"
        columns = ("context", "groups that add most", "share of P(C)", "adds to R^b", "adds to R^v")
        blocks.append(plain_table(caption, columns, [_driver(each) for each in contexts], names=2))
    return tuple(blocks)


def _variance(explanation: Explanation) -> tuple[Block, ...]:
    """What varies, whether other contexts agree, whether swaps matter that should not, and properties of contexts."""
    pictures = list[Block]()
    try:
        pictures.append(Picture(variance(explanation)))
    except BvfError as error:
        pictures.append(f"Not drawn: {error.message}.")
    return (*pictures, *(table_of(each) for each in explanation_rows.besides_drivers(explanation, LEVELS_SHOWN)))


def _shapes(explanation: Explanation) -> tuple[Table, ...]:
    shapes = explanation.shapes
    return () if shapes is None else tuple(table_of(each) for each in shape_sections(shapes))


def _driver(each: Driver) -> tuple[Cell, ...]:
    shown = decimals(each.bias, each.volatility)
    return (
        Cell(each.context),
        Cell(", ".join(each.groups)),
        Cell(f"{each.weight:.2%}", each.weight),
        Cell(shown[0], each.bias),
        Cell(shown[1], each.volatility),
    )


def _words(lists: WordLists) -> Table:
    rows = [
        (
            Cell(word.word),
            Cell(word.attribute),
            Cell("" if word.share is None else f"{word.share:.1%}", word.share),
            *(Cell(text, value) for value in (word.R, word.R_bias, word.R_volatility) for text in decimals(value)),
        )
        for word in sorted(lists.of_words, key=lambda word: -(word.share or 0.0))
    ]
    columns = ("word", "counts for", "share of its class", "R without it", "R^b without it", "R^v without it")
    return plain_table(f"{len(rows)} words", columns, rows, names=2, searched=True)
