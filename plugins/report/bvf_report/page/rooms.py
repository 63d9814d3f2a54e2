"""The sections of risk, controls and comparisons of models on a page."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from bvf import BvfError, Result, Section, View
from bvf.domain import FORMAT
from bvf.hooks import imported
from bvf.results import (
    PageParts,
    PageResult,
    PageResults,
    Part,
    Place,
    WordFigures,
    alike,
    analysis_of,
    comparable,
    compared_by_choices,
    control_sections,
    grouped,
    headings,
    of_risk,
    refuse_if_none,
    rows_with_intervals,
)
from bvf.study import RISK
from bvf.tables import Column, decimals, symbol, symbols, table
from bvf_report.page.content import Block
from bvf_report.page.gallery import gallery
from bvf_report.page.groups import group_table
from bvf_report.pictures.compare.compared import comparison
from bvf_report.pictures.compare.pairs import by_label
from bvf_report.pictures.compare.said import said
from bvf_report.pictures.compare.topics import topic_matrix
from bvf_report.pictures.controls import controls
from bvf_report.pictures.risk.distributions import Distributions, distributions
from bvf_report.pictures.risk.leanings import Leanings, leanings
from bvf_report.pictures.risk.of_result import pictures_of
from bvf_report.pictures.risk.scale import scale

MOST_DIFFERENCES = 24


class RiskParts(PageParts):
    """R, R^b and R^v of all results in pictures; the groups of each result, and how they lean."""

    place = Place.SUMMARY
    results = Result

    def of_page(self, page: PageResults, above: Sequence[Part]) -> Sequence[Part]:
        """Return a section with a picture of R, R^b (bias) and R^v (volatility) per set of comparable results."""
        groups = grouped(of_risk([each.result for each in page.all]))
        if not groups:
            return []
        blocks = list[Block]()
        for group, heading in zip(groups, headings(groups), strict=True):
            blocks += [*([f"{heading}:"] if heading else []), scale(group)]
        R, bias, volatility = symbols(*RISK)
        return [Part("scale", f"{R}, {bias} and {volatility} between reference models", tuple(blocks))]

    def of_result(self, result: PageResult, number: int, page: PageResults) -> Sequence[Part]:
        """Return the table of groups and the pictures of their leanings."""
        found = result.result
        if not isinstance(found, Result):
            return []
        if result.measurement is None:
            why = f"Pictures of the predictions are left out: {result.unread}."
            tables = rows_with_intervals([found], analysis_of(found, page.plugins), View(show=0))
            return [Part(f"result-{number}", result.name, (why, *tables))]
        predictions = result.predictions
        of_all = leanings(found, predictions=predictions)
        over_contexts = distributions(found, predictions=predictions)
        leans, dots, cells, spread = pictures_of(found, predictions, of_all, over_contexts)
        return [
            Part(f"result-{number}", result.name, (_groups(of_all, over_contexts),)),
            Part(f"leanings-{number}", "Leanings of groups", (leans, dots), 3),
            Part(f"grid-{number}", "Groups in contexts", (cells,), 3),
            Part(f"spread-{number}", "Distributions over contexts", (spread,), 3),
            *gallery(found, result.measurement, predictions, number),
        ]


def _groups(leans: Leanings, spread: Distributions) -> Section:
    in_order = replace(leans, groups=tuple(sorted(leans.groups, key=lambda each: -(each.particular or each.r).value)))
    return group_table(in_order, spread.with_groups([each.group for each in in_order.groups]))


class WordParts(PageParts):
    """What each word of a class does to the figures of a risk result."""

    place = Place.DETAILS

    def of_result(self, result: PageResult, number: int, page: PageResults) -> Sequence[Part]:
        """Return the table of words; nothing if no class has several."""
        lists = result.result.word_lists if isinstance(result.result, Result) and result.measurement else None
        if lists is None:
            return []
        words = sorted(lists.of_words, key=lambda word: -(word.share or 0.0))
        of_words = table(f"{len(words)} words", WORDS, words, names=2, searched=True)
        return [Part(f"words-{number}", "What each word does", (of_words,), 3)]


def _without(field: str) -> Column[WordFigures]:
    def value(word: WordFigures) -> float | None:
        without: float | None = getattr(word, field)
        return without

    return Column(f"{symbol(field)} without its unit", lambda word: decimals(value(word))[0], value=value)


WORDS: tuple[Column[WordFigures], ...] = (
    Column("word", lambda word: word.word),
    Column("counts for", lambda word: word.attribute),
    Column("unit", lambda word: ", ".join(word.unit), optional=True),
    Column(
        "share of its class",
        lambda word: "" if word.share is None else f"{word.share:.1%}",
        value=lambda word: word.share,
    ),
    *map(_without, RISK),
)


class ControlParts(PageParts):
    """The controls of risk results."""

    place = Place.CHECKS

    def of_page(self, page: PageResults, above: Sequence[Part]) -> Sequence[Part]:
        """Return a section with a picture and the tables of each result that has controls."""
        blocks = list[Block]()
        for study in of_risk([each.result for each in page.all]):
            if study.controls:
                tables = control_sections(study)
                blocks += chain.from_iterable(section.warnings for section in tables)
                blocks += [*([controls(study)] if study.controls[0].groups else []), *tables]
        return [Part("controls", "Controls", tuple(blocks))] if blocks else []


class ComparisonParts(PageParts):
    """Models (or the formats of one) compared with each other, where all were analysed by the same choices."""

    place = Place.ACROSS_MODELS

    def of_page(self, page: PageResults, above: Sequence[Part]) -> Sequence[Part]:
        """Return a section per set of models. What cannot be compared is left out if another room compares it."""
        stored = page.of(Result)
        groups = alike(stored)
        fewest, what = (1, "formats") if page.by == FORMAT else (2, "models")
        found = [(heading, _compared(group, page)) for heading, group in groups if len(group) >= fewest]
        if page.by:
            nothing = f"--by {page.by}: no two runs of risk are here that were analysed alike"
            refuse_if_none([blocks for _, blocks in found], nothing)
        if len(stored) < fewest:
            return []
        parts = list[Part]()
        for heading, blocks in found:
            if isinstance(blocks, BvfError) and above:
                continue
            id = f"comparison-{len(parts)}" if parts else "comparison"
            title = f"Comparison of {what}: {heading}" if heading else f"Comparison of {what}"
            shown = (f"Not compared: {blocks.message}.",) if isinstance(blocks, BvfError) else blocks
            parts.append(Part(id, title, shown))
        if not parts and not above:
            apart = "; ".join(heading for heading, _ in groups)
            parts.append(Part("comparison", "Comparison", (f"Not compared, as no two were analysed alike: {apart}.",)))
        return parts


def _compared(group: Sequence[PageResult], page: PageResults) -> tuple[Block, ...] | BvfError:
    try:
        compared = compared_by_choices(*comparable(group, page.plugins), page.plugins, by=page.by)
    except BvfError as error:
        return error
    blocks: list[Block] = [*comparison(compared), *said(compared)]
    if any(topic.trends or topic.matched for topic in compared.topics):
        blocks += by_label(compared)
    if len(compared.topics) > 1:
        blocks.append(topic_matrix(compared))
    return (*blocks, *imported(compared.tables)(compared, MOST_DIFFERENCES))
