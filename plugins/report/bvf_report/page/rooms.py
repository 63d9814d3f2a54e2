"""The sections of risk, its groups, controls and comparisons of models, and their pictures, on a page."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np

from bvf import BvfError, Measurement, Media, Predictions, Result, Section, View
from bvf.domain import PICTURES
from bvf.drawing import Value
from bvf.files import Folder
from bvf.hooks import imported
from bvf.interfaces import Cell
from bvf.results import (
    PageParts,
    PageResult,
    PageResults,
    Part,
    Place,
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
    value_of,
)
from bvf.study import RISK, RISK_OF_GROUP
from bvf.tables import NOTHING, Column, between, decimals, points, symbol, symbols, table
from bvf_report.page.content import Block, Gallery, ShownPicture
from bvf_report.pictures.compare import Compared, by_label, said, topic_matrix
from bvf_report.pictures.controls import among_words, controls
from bvf_report.pictures.risk.contexts import Distributions, distributions, grid
from bvf_report.pictures.risk.groups import scatter
from bvf_report.pictures.risk.leanings import Leaning, Leanings, leanings
from bvf_report.pictures.risk.models import scale

GROUPS_DRAWN = 40
MOST_SHOWN = 100
MOST_DIFFERENCES = 24
OF_GROUP = ("particular_bias", *RISK_OF_GROUP)


def _gallery(result: Result, measurement: Measurement, predictions: Predictions, number: int) -> list[Part]:
    """A section with each picture, small, and how predictions lean beside it. Empty if there are no pictures."""
    of_context = {
        each.context.key: [media for media in each.media if media.kind == "image"]
        for each in measurement.record.asked.templates
    }
    rows = tuple(_shown(Folder(result.folder).sub(PICTURES), of_context, predictions)) if result.folder else ()
    if not rows:
        return []
    said = "The pictures that the model was shown, and how all groups lean beside each, on average over its contexts."
    left_out = [f"{MOST_SHOWN} of {len(rows)} pictures."] if len(rows) > MOST_SHOWN else []
    return [Part(f"pictures-{number}", "Pictures", (said, *left_out, Gallery(rows[:MOST_SHOWN])), 3)]


def _shown(folder: Folder, of_context: Mapping[str, list[Media]], predictions: Predictions) -> Iterator[ShownPicture]:
    contexts_with: dict[Media, list[int]] = {}
    for c, key in enumerate(predictions.contexts):
        for media in of_context.get(key, ()):
            contexts_with.setdefault(media, []).append(c)
    for media, contexts in contexts_with.items():
        weights = predictions.context_weights[contexts]
        leans = np.ma.average(np.ma.masked_invalid(predictions.lean[:, contexts]), axis=1, weights=weights).mean(axis=0)
        y = int(leans.argmax())
        small = folder.read_bytes(media.thumbnail)
        address = f"data:image/jpeg;base64,{base64.b64encode(small).decode()}" if small else ""
        yield ShownPicture(address, media.file, f"{predictions.classes[y]} {100 * float(leans[y]):+.1f} points")


def _height(each: Leaning) -> float:
    by_risk = each.group.r if each.group.particular_bias is None else each.group.particular_bias
    return abs(each.apart.value) if each.added else by_risk


def _group_table(leans: Leanings, spread: Distributions) -> Section:
    """The table of groups: what they add is largest first, or else what sets them apart."""
    groups = sorted(leans.groups, key=_height, reverse=True)
    spread = spread.with_groups([each.group.group for each in groups])
    glossed = any(each.group.gloss for each in groups)
    added = ("from neutral",) if leans.added else ()
    columns = ("group", *(("gloss",) if glossed else ()), "leans to", "on average", "p*", *added)
    titles, undefined = list(leans.result.groups[0].class_titles.values()), leans.result.uncertainty.undefined
    divided = any(each.group.particular_bias is not None for each in groups)
    exported = leans.result.groups[0].exported
    figures = [each for each in exported if (divided or each.field in RISK_OF_GROUP) and not each.of_some]
    ordered = sorted(figures, key=lambda each: each.field in RISK_OF_GROUP)
    rows = tuple(
        (
            each.group.group,
            *((each.group.gloss,) if glossed else ()),
            _leans_to(each, leans.classes),
            *_lean(each),
            *((_added(each, leans.classes),) if added else ()),
            *(Cell(f"{p:.1%}", p) for _, p in zip(titles, each.group.mean_probabilities.values(), strict=False)),
            *(_cell(value_of(each.group, name)) for name in OF_GROUP if getattr(each.group, name) is not None),
            Cell(decimals(each.group.spread)[0], each.group.spread),
            Cell("", float(spread.means[x, each.leads]), spark=tuple(map(float, spread.shares[x, each.leads]))),
        )
        for x, each in enumerate(groups)
    )
    notes = [
        "on average: mean probability of the class that the group leans to. p*: that of the reference. "
        f"{'; '.join(f'{each.symbol}: {each.in_legends}' for each in ordered)}. "
        "spread: standard deviation of that probability over contexts.",
        *(["from neutral: points above neutral subjects, of the class that sets the group apart."] if added else []),
        *([f"{titles[0]} to {titles[-1]}: {groups[0].group.OF_CLASSES}."] if titles else []),
        "contexts: shares of contexts by that probability, from 0 on the left to 1 on the right.",
        *([f"No intervals: {undefined}."] if undefined else []),
    ]
    return Section(
        title=f"{len(groups)} groups of {leans.result.topic}",
        columns=(*columns, *titles, *(each.symbol for each in ordered), "spread", "contexts"),
        rows=rows,
        names=3 if glossed else 2,
        searched=True,
        notes=tuple(notes),
    )


def _leans_to(each: Leaning, classes: Sequence[str]) -> str:
    if abs(each.lean[each.leads].value) < NOTHING:
        return "neither" if len(classes) == 2 else "none"
    return classes[each.leads]


def _added(each: Leaning, classes: Sequence[str]) -> Cell:
    """What a group adds to neutral subjects, by which a page sorts it: of two classes, to the first."""
    value = each.apart if len(classes) > 2 else each.added[0]
    return Cell(f"{classes[each.to]} {points(each.apart.value)}", value.value)


def _lean(each: Leaning) -> tuple[Cell, Cell]:
    p_star = list(each.group.reference_probabilities.values())[each.leads]
    mean = each.lean[each.leads].value + p_star
    return Cell(f"{mean:.0%}", mean), Cell(f"{p_star:.0%}", p_star)


def _cell(value: Value) -> Cell:
    return Cell(decimals(value.value)[0], value.value, between(value.low, value.high, 3))


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
        leans, spread = leanings(found, predictions=predictions), distributions(found, predictions=predictions)
        lean: tuple[Block, ...] = (found.lean_section,) if found.parts_of_lean else tuple(found.lean_section.notes)
        cells = grid(found, show=GROUPS_DRAWN, predictions=predictions)
        return [
            Part(f"result-{number}", result.name, (_group_table(leans, spread),)),
            Part(f"lean-{number}", "Parts of the lean", lean, 3),
            Part(f"leanings-{number}", "Leanings of groups", (leans.with_ends(GROUPS_DRAWN), scatter(found)), 3),
            Part(f"grid-{number}", "Groups in contexts", (cells,), 3, folded=True),
            Part(f"spread-{number}", "Distributions over contexts", (spread.with_ends(GROUPS_DRAWN),), 3, folded=True),
            *_gallery(found, result.measurement, predictions, number),
        ]


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
        return [Part(f"words-{number}", "What each word does", (of_words,), 3, folded=True)]


def _without(field: str) -> Column[Any]:
    value = attrgetter(field)
    return Column(f"{symbol(field)} without its unit", lambda word: decimals(value(word))[0], value=value)


WORDS: tuple[Column[Any], ...] = (
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
        """Return a section on other words, and one with a picture and the tables of each result that has controls."""
        words, blocks = list[Block](), list[Block]()
        for study in of_risk([each.result for each in page.all]):
            if study.other_words:
                words += [*study.among_words, among_words(study)]
            if study.controls:
                tables = control_sections(study)
                blocks += chain.from_iterable(section.warnings for section in tables)
                blocks += [*([controls(study)] if study.controls[0].groups else []), *tables]
        parts = (("other-words", "Groups apart beside other words", words), ("controls", "Controls", blocks))
        return [Part(name, title, tuple(found)) for name, title, found in parts if found]


class ComparisonParts(PageParts):
    """Models (or the formats of one) compared with each other, where all were analysed by the same choices."""

    place = Place.ACROSS_MODELS

    def of_page(self, page: PageResults, above: Sequence[Part]) -> Sequence[Part]:
        """Return a section per set of models. What cannot be compared is left out if another room compares it."""
        stored = page.of(Result)
        groups = alike(stored)
        fewest, what = (1, "formats") if page.by == "format" else (2, "models")
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
    blocks: list[Block] = [*(Compared(topic, compared.level) for topic in compared.topics), *said(compared)]
    if any(topic.trends or topic.matched for topic in compared.topics):
        blocks += by_label(compared)
    if len(compared.topics) > 1:
        blocks.append(topic_matrix(compared))
    return (*blocks, *imported(compared.tables)(compared, MOST_DIFFERENCES))
