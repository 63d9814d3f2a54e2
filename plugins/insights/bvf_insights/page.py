"""What a page says of causes, of other contexts, and of social factors."""

from collections.abc import Callable, Sequence
from typing import Any

from bvf import BvfError, Picture, Result
from bvf.hooks import Plugins, imported
from bvf.results import (
    PageParts,
    PageResult,
    PageResults,
    Part,
    Place,
    alike,
    analysis_of,
    comparable,
    grouped,
    headings,
    of_risk,
    refuse_if_none,
    study_of,
)
from bvf.study import RISK, model_key
from bvf.tables import Column, decimals, symbol, symbols, table
from bvf_insights.contexts import contexts_by_choices, contexts_key
from bvf_insights.contexts import sections as sections_over_contexts
from bvf_insights.explain.analysis import explain_risk, explains
from bvf_insights.explain.drivers import Driver, Drivers
from bvf_insights.explain.result import Explanation
from bvf_insights.explain.tables import besides_drivers, shape_sections
from bvf_insights.pictures import OverContexts, RegressionLine, frame_effects, variance
from bvf_insights.regress.analysis import regress
from bvf_insights.regress.config import RegressConfig
from bvf_insights.regress.result import sections as sections_of_regressions

DRIVERS_SHOWN, LEVELS_SHOWN, GROUPS_SHOWN = 20, 12, 24
VARYING = "What makes predictions vary"
DRIVING = "Contexts that drive bias and volatility"
OVER_CONTEXTS = (
    "The same models and groups in other texts. Two sets share few contexts, so nothing is paired and there are "
    "no intervals."
)
SOCIAL = "Groups differ in many ways at once: a slope says what goes together in these groups, and nothing of why."


class CauseParts(PageParts):
    """The contexts, groups and properties behind the figures of a result."""

    place = Place.CAUSES

    def of_result(self, result: PageResult, number: int, page: PageResults) -> Sequence[Part]:
        """Return what `bvf explain` finds of a result, or a section that says why it cannot be computed."""
        try:
            if not isinstance(result.result, Result):
                analysis = analysis_of(result.result, page.plugins)
                if not explains(analysis):
                    return []
                explained = analysis.explained(result.result, study_of(result.result, page.plugins))
                tables = () if explained is None else tuple(imported(explained.tables)(explained, 0))
                return [Part(f"variance-{number}", VARYING, tables, 3)] if tables else []
            if result.measurement is None:
                return []
            study = study_of(result.result, page.plugins, result.measurement)
            found = explain_risk(result.result, show=DRIVERS_SHOWN, predictions=study, plugins=page.plugins)
        except BvfError as error:
            return [Part(f"variance-{number}", VARYING, (f"Not computed: {error.message}.",), 3)]
        shapes = () if found.shapes is None else tuple(shape_sections(found.shapes))
        return [
            Part(f"shapes-{number}", "Figures over groups", shapes, 3, folded=True),
            Part(f"variance-{number}", VARYING, _variance(found), 3),
            Part(f"drivers-{number}", DRIVING, _drivers(found.drivers, found.but_for_noise), 3, folded=True),
        ]


def _variance(explanation: Explanation) -> tuple[Any, ...]:
    """Blocks on variance components, reliability over contexts, placebo swaps, and properties of contexts."""
    of_frames = (_drawn_or_why(frame_effects, explanation),) if explanation.frames else ()
    return (_drawn_or_why(variance, explanation), *of_frames, *besides_drivers(explanation, LEVELS_SHOWN))


def _drawn_or_why(draw: Callable[[Explanation], Picture], explanation: Explanation) -> Picture | str:
    try:
        return draw(explanation)
    except BvfError as error:
        return f"Not drawn: {error.message}."


def _drivers(top: Drivers, but_for_noise: str) -> tuple[Any, ...]:
    bias, volatility = symbols(*RISK[1:])
    blocks: list[Any] = [
        f"What a context adds to {bias} and to {volatility}: over all contexts they sum to both{but_for_noise}. A "
        "common context adds much because it is common: divide by its share of P(C) to see whether it also leans more "
        "than others."
    ]
    for what, contexts in ((bias, top.bias), (volatility, top.volatility)):
        if not contexts:
            blocks.append(f"No context adds to {what}.")
            continue
        caption = f"Contexts that add most to {what}: {len(contexts)} of {top.of}"
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


class ContextParts(PageParts):
    """Models compared over several sets of contexts, per topic and language."""

    place = Place.ACROSS_TEXTS

    def of_page(self, page: PageResults, above: Sequence[Part]) -> Sequence[Part]:
        """Return a section per topic of which some model was measured in several sets, or on why none is compared."""
        topics = [
            of_topic
            for _, group in alike(page.of(Result))
            for of_topic in grouped(group, lambda each: {"topic": each.result.topic, "language": each.result.language})
        ]
        return [
            Part(f"contexts-{number}", f"Context sets: {of_topic[0].result.topic}", _over(of_topic, page.plugins))
            for number, of_topic in enumerate(filter(_in_several, topics))
        ]


def _in_several(results: Sequence[PageResult]) -> bool:
    """Whether some model was measured in several context sets."""
    known = [each.measurement for each in results if each.measurement is not None]
    asked = {(model_key(each), contexts_key(each)) for each in known}
    return len(asked) > len({model for model, _ in asked})


def _over(of_topic: Sequence[PageResult], plugins: Plugins) -> tuple[Any, ...]:
    try:
        compared = contexts_by_choices(*comparable(of_topic, plugins), plugins)
    except BvfError as error:
        return (f"Not compared over context sets: {error.message}.",)
    return (OVER_CONTEXTS, OverContexts(compared), *sections_over_contexts(compared))


class SocialParts(PageParts):
    """Regressions of the figures of groups on wages, education and other social factors."""

    place = Place.BACKGROUND

    def __init__(self, config: RegressConfig) -> None:
        self._config = config

    def of_page(self, page: PageResults, above: Sequence[Part]) -> Sequence[Part]:
        """Return a section per topic and criterion, or why it has none. Refuses factors that fit no result."""
        against = self._config.against
        if not against:
            return []
        groups = grouped(of_risk([each.result for each in page.of(Result)]))
        found = [self._regressed(group, page.plugins) for group in groups]
        refuse_if_none(found, f"--against {', '.join(against)}: no run of risk is here")
        return [
            Part(
                f"social-{number}",
                f"Social factors: {heading or group[0].topic}",
                (f"Not regressed: {blocks.message}.",) if isinstance(blocks, BvfError) else blocks,
            )
            for number, (group, heading, blocks) in enumerate(zip(groups, headings(groups), found, strict=True))
        ]

    def _regressed(self, results: Sequence[Result], plugins: Plugins) -> tuple[Any, ...] | BvfError:
        try:
            regressions = regress(results, self._config, plugins=plugins)
        except BvfError as error:
            return error
        pictures = [RegressionLine(regressions, each) for each in regressions.regressions]
        return (SOCIAL, *pictures, *sections_of_regressions(regressions, GROUPS_SHOWN))
