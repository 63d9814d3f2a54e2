"""Tables of discrimination risk: of models, and of the first and last groups in the chosen order."""

from collections.abc import Sequence
from dataclasses import replace

from bvf.analyses.risk.leans import Order, above_p_star, apart_by, groups_in_order, leading, leading_deviation
from bvf.analyses.risk.reference_models import RANDOM, shared_references
from bvf.analyses.risk.result import GroupRisk, ReferenceRow, Result, WordFigures
from bvf.analyses.risk.sentences import by_kinds, leans, sentences, without_a_word
from bvf.domain.scale import ends_at_1
from bvf.interfaces.analysis import View
from bvf.interfaces.section import Section
from bvf.results.columns import group_columns, interval_of, on_chosen, result_columns, times_as_wide
from bvf.results.result import in_title, name_of
from bvf.results.sections import highest
from bvf.study.study import CONTEXT_VOLATILITY, RISK, RISK_OF_GROUP, THOUGHT_VOLATILITY
from bvf.tables.columns import Column, both_ends, figure, legend, table
from bvf.tables.quantities import named, symbol
from bvf.tables.words import NOTHING, between, counted, points, some_of

MOST_OF_A_CLASS = 0.9
WORDS_SHOWN = 3


def models_section(results: Sequence[Result]) -> Section:
    """Return the table with a row per reference model and per result."""
    references, names, risks = shared_references(results), result_columns(results), [*map(figure, RISK)]
    parts = [figure("shared_bias", optional=True), figure("particular_bias", optional=True)]
    spread = [figure("spread")] if len(names) == 1 else []  # two columns of names leave no room for it
    volatilities = [figure(name, optional=True, spare=True) for name in (CONTEXT_VOLATILITY, THOUGHT_VOLATILITY)]
    divided = any(result.particular_bias is not None for result in results)
    of_parts = f"{legend(parts)} They are not parts of {symbol('R_bias')}, and need not sum to it."
    return table(
        title_of(results),
        [*names, *risks, *spread, *parts, *volatilities],
        results,
        names=len(names),
        above=references,
        notes=[legend(risks), *([of_parts] if divided else []), *_limit_note(references)],
    )


def title_of(results: Sequence[Result], model: str | None = None) -> str:
    """Return the title of a table of results: topic, language and method.

    On a first screen it says no more than that: ``model`` is the name of the model there, empty for several.
    """
    first, whole = results[0], model is None
    named = [f"{first.topic} ({first.language})", f"margin {first.margin}" if first.margin else "", model or ""]
    about = ", ".join([*filter(None, named), in_title(first, with_scale=whole)])
    return f"Discrimination risk: {about}" if whole else about


def group_section(result: Result, view: View) -> Section:
    """Return the table of the first and last groups in the chosen order, and sentences on all groups."""
    by, groups = groups_in_order(result, view)
    title, columns = TABLES[by](result, view.show)
    first_of_all = ("r", "highest r") if by == "r" else ("particular_bias", "set apart most")
    return table(
        f"{name_of(result)}: {title}{some_of(view.show or len(groups), len(groups))}",
        [*group_columns(), *columns],
        both_ends(groups, view.show),
        names=2,
        subtitle=[leans(result), *sentences(result), *highest(result, *first_of_all)],
        notes=[*on_chosen(result, view.show), *_note_of_classes(result), *_note_of_scale(result), *word_lines(result)],
    )


def _association(group: GroupRisk) -> str:
    name = leading_deviation(group)
    return f"{name} {points(group.added[name])}" if group.added else ""


ASSOCIATION: Column[GroupRisk] = Column("from neutral", _association, optional=True, spare=True)
"""In points, of the class in which the group departs most from neutral subjects."""


def _class_columns(result: Result) -> list[Column[GroupRisk]]:
    def column(title: str, name: str) -> Column[GroupRisk]:
        return Column(title, lambda group: f"{group.mean_probabilities[name]:.1%}")

    return [column(title, name) for name, title in result.groups[0].class_titles.items()]


def _note_of_classes(result: Result) -> list[str]:
    titles = list(result.groups[0].class_titles.values())
    return [f"{titles[0]} to {titles[-1]}: {GroupRisk.OF_CLASSES}"] if titles else []


def _note_of_scale(result: Result) -> list[str]:
    if not ends_at_1(result.scale) or result.reference == "uniform":
        return []
    whose = "the stereotyped model"
    if result.reference_in_contexts:
        whose = "a model that is certain of the least likely class in each context"
    return [f"unit scale: risks are divided by {result.divisor:.4g}, the risk of {whose}"]


def _limit_note(rows: Sequence[ReferenceRow]) -> list[str]:
    """Return sentences that explain the asterisk of the random reference model; empty if ``rows`` lacks it."""
    random = [row for row in rows if row.name == RANDOM]
    if not random:
        return []
    sentences = [
        "* in the limit of infinitely many contexts; `bvf run --model baseline:random` shows it on finitely many"
    ]
    if random[0].R < 1 - NOTHING:
        sentences.append("(its R is below 1: it draws classes from p*, mostly likely ones of less risk)")
    return sentences


def _by_risk(result: Result, show: int) -> tuple[str, list[Column[GroupRisk]]]:
    r, *parts = map(figure, RISK_OF_GROUP)
    figures = [r, interval_of("r", result, show), *parts, figure("spread")]
    further = figure("particular_bias", optional=True, spare=True)
    return "groups by risk, highest first", [
        *(*figures, *_lean_columns(result, "r"), *_class_columns(result)),
        *(further, ASSOCIATION),
    ]


def _by_particular(result: Result, show: int) -> tuple[str, list[Column[GroupRisk]]]:
    interval = interval_of("particular_bias", result, show)
    figures = [figure("particular_bias"), interval, figure("spread")]
    times = times_as_wide(result, show)

    def ends(group: GroupRisk) -> str:
        return group.from_mean[leading_deviation(group)].widened(times).ends(points) if group.from_mean else ""

    leans = [*_lean_columns(result, "particular_bias"), Column(interval.title, ends, optional=True)]
    leans += _class_columns(result)
    spare = [figure(name, spare=True) for name in RISK_OF_GROUP]
    return _order(result, "others", "what sets groups apart"), [*figures, *leans, *spare]


def _by_association(result: Result, show: int) -> tuple[str, list[Column[GroupRisk]]]:
    times = times_as_wide(result, show)

    def ends(group: GroupRisk) -> str:
        return group.parts_added[leading_deviation(group)].widened(times).ends(points)

    added = [replace(ASSOCIATION, spare=False), Column(interval_of("r", result, show).title, ends, optional=True)]
    leans = [*_lean_columns(result, "association"), *_class_columns(result)]
    spare = [figure(name, spare=True) for name in ("particular_bias", *RISK_OF_GROUP)]
    title = _order(result, "neutral", "what groups add to neutral subjects")
    return title, [*added, *leans, figure("spread"), *spare]


TABLES = {"r": _by_risk, "particular_bias": _by_particular, "association": _by_association}
"""The title and the columns of the table of groups, by the figure that orders them."""


def _order(result: Result, others: str, apart: str) -> str:
    first, second, *more = result.groups[0].mean_probabilities
    return f"{apart}, most first" if more else f"from more {first} than {others} to more {second}"


def _lean_columns(result: Result, by: Order) -> list[Column[GroupRisk]]:
    """Return columns on the lean of a group: the class, its mean probability, and the difference from p* or others.

    ``by`` is the figure by which groups are ordered.
    """
    columns: list[Column[GroupRisk]] = [
        Column("on average", lambda group: f"{leading(group)} {group.mean_probabilities[leading(group)]:.0%}")
    ]
    if result.reference != "uniform":
        columns.append(Column("p*", lambda group: f"{group.reference_probabilities[leading(group)]:.0%}"))
    if by == "particular_bias":
        others = Column[GroupRisk](
            "points above others", lambda group: _signed(lean := leading_deviation(group), apart_by(group)[lean])
        )
        columns.append(others)
    elif result.reference != "uniform":
        columns.append(Column("points above p*", lambda group: _signed(leading(group), above_p_star(group))))
    return columns


def _signed(lean: str, difference: float) -> str:
    return f"{lean} {points(difference)}" if difference > NOTHING else "-"


def word_lines(result: Result) -> list[str]:
    """Return lines on the most probable words of each class, and on ranges of the risks over lists of words."""
    if result.word_lists is None:
        return []
    words, halved = result.word_lists.of_words, result.word_lists.halved
    carried = f"words that carry {'; '.join(_carried(words, attribute) for attribute in result.words)}"
    lines = [carried, *by_kinds(result), *without_a_word(result)]
    if halved:
        ranges = [f"{called} {between(*halved[name])}" for name, called in named(RISK).items()]
        lines.append(f"90% range over random halves of the units of words: {', '.join(ranges)}")
    return lines


def _carried(words: Sequence[WordFigures], attribute: str) -> str:
    """A phrase on the words with the largest fractions of a class's probability."""
    of_class = sorted((word for word in words if word.attribute == attribute), key=lambda word: -(word.share or 0.0))
    shown, together = list[str](), 0.0
    for word in of_class[:WORDS_SHOWN]:
        if together < MOST_OF_A_CLASS and word.share:
            shown.append(f"{word.word} {word.share:.0%}")
            together += word.share
    if len(shown) < len(of_class):
        shown.append(f"{counted(len(of_class) - len(shown), 'other')} the rest")
    return f"{attribute}: {', '.join(shown)}"
