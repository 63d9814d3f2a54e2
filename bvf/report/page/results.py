"""The parts of a page that are about one result."""

from typing import Any

from bvf.analysing.distribution import Distribution, distribution_of
from bvf.analysing.formatting import decimals
from bvf.analysing.result import Result, ResultBase, WordLists
from bvf.errors import BvfError
from bvf.hooks.loader import Plugins
from bvf.interfaces.analysis import Analysis, View
from bvf.report.page.content import Block, Cell, Part, Picture, Table, plain_table, table_of
from bvf.report.page.groups import group_table
from bvf.views.distributions import distributions
from bvf.views.drivers import Driver, drivers
from bvf.views.grid import grid
from bvf.views.leanings import leanings
from bvf.views.scatter import scatter

GROUPS_DRAWN, DRIVERS_SHOWN = 40, 20


def result_parts(result: ResultBase, name: str, number: int, analysis: Analysis[Any], plugins: Plugins) -> list[Part]:
    """Return what is to be seen of one result.

    Args:
        result: Of any analysis.
        name: What its model is called on the page.
        number: Of the result on the page, for anchors.
        analysis: That it comes from.
        plugins: Where the criterion is looked up.
    """
    if not isinstance(result, Result):
        sections = analysis.rows([result], View(show=0))
        return [Part(f"result-{number}", name, tuple(table_of(each) for each in sections))]
    try:
        found: Distribution | None = distribution_of(result)
    except BvfError as error:
        found, why = None, f"What needs the probabilities themselves is left out: {error}."
    parts = [Part(f"result-{number}", name, ("" if found else why, _groups(result, found)))]
    parts.append(Part(f"leanings-{number}", "Leanings of groups", _leanings(result, found), 3))
    if found is not None:
        parts.append(
            Part(f"grid-{number}", "Groups in contexts", (Picture(grid(result, show=GROUPS_DRAWN, found=found)),), 3)
        )
        parts.append(Part(f"spread-{number}", "Distributions over contexts", _spread(result, found), 3))
        parts.append(
            Part(f"drivers-{number}", "Contexts that drive bias and volatility", _drivers(result, found, plugins), 3)
        )
    if result.word_lists is not None:
        parts.append(Part(f"words-{number}", "What each word does", (_words(result.word_lists),), 3))
    return parts


def _groups(result: Result, found: Distribution | None) -> Table:
    leans = leanings(result, "bias", found=found)
    names = [each.group for each in leans.groups]
    return group_table(leans, None if found is None else distributions(result, names, found=found))


def _leanings(result: Result, found: Distribution | None) -> tuple[Block, ...]:
    return (Picture(leanings(result, show=GROUPS_DRAWN, found=found)), Picture(scatter(result)))


def _spread(result: Result, found: Distribution) -> tuple[Block, ...]:
    return (Picture(distributions(result, show=GROUPS_DRAWN, found=found)),)


def _drivers(result: Result, found: Distribution, plugins: Plugins) -> tuple[Block, ...]:
    top = drivers(result, show=DRIVERS_SHOWN, found=found, plugins=plugins)
    blocks: list[Block] = [
        "What a context adds to R^b and to R^v: over all contexts they sum to both. A common context adds much because "
        "it is common; the columns after its share of P(C) tell whether it also leans more than others."
    ]
    for what, own in (("R^b", top.bias), ("R^v", top.volatility)):
        if not own:
            blocks.append(f"No context adds to {what}.")
            continue
        caption = f"The {len(own)} contexts that add most to {what} (of {top.of})"
        columns = ("context", "groups that add most", "share of P(C)", "adds to R^b", "adds to R^v")
        blocks.append(plain_table(caption, columns, [_driver(each) for each in own], names=2))
    return tuple(blocks)


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
