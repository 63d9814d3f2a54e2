"""Explains a result: variance components, properties of contexts, the most influential contexts, high risks."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from bvf import Analysis, BvfError, Predictions, Result, ResultBase, Study, load
from bvf.domain import ORIGIN, PLACEBO, Amount, checked_number
from bvf.errors import nearest
from bvf.hooks import Plugins
from bvf.results import analysis_of, name_of, named_warnings, of_risk, risk_criterion_of, risk_only, study_of
from bvf.stats import BoolArray, FloatArray, IntArray, benjamini_yekutieli, variance_components
from bvf.study import RISK_OF_GROUP
from bvf_insights.explain.drivers import Judgement, drivers, judgement_of
from bvf_insights.explain.frames import Complete, crossed_shares, frame_differences, frame_shares
from bvf_insights.explain.reliability import origins_of, placebo_of, reliabilities, too_few, without_placebo
from bvf_insights.explain.result import (
    ContextProperty,
    Explanation,
    GroupExceeding,
    LeftOut,
    PropertyLevel,
    Varying,
    WithoutTemplates,
    decided,
)
from bvf_insights.explain.shapes import shapes_of
from bvf_insights.stats.effects import contrast, deviation_between, ends_within, share_within
from bvf_insights.stats.laws import exceeding

FEWEST_OPENINGS = 5
"""The fewest openings per template for an interval. One of 95 % held in 91 to 93 % of simulations, with 3 in 86."""
FEWEST_DRAWS = 50
"""The fewest drawn contexts for which such intervals were tested."""
FEWEST_CONTEXTS = 5
"""The fewest different contexts with a level, and without it, for a comparison."""
FAR = 0.15
"""A template is far if neutral subjects have a class there with a probability this much above or below the mean."""
THRESHOLD = 0.5
"""The default t of P(J > t): half the risk of a fully stereotyped model."""
DRIVERS_SHOWN = 10


def explain(
    result: ResultBase,
    *,
    group: str = "",
    threshold: float = THRESHOLD,
    show: int = DRIVERS_SHOWN,
    predictions: Predictions | None = None,
    plugins: Plugins | None = None,
) -> Any:
    """Explain a stored result: an `Explanation` of risk, or what another analysis finds of its own results.

    Other arguments are those of `explain_risk`, and are for results of risk alone.

    Raises:
        BvfError: As `explain_risk`; or the analysis of the result explains nothing.
    """
    if not of_risk([result]):
        available = plugins or load()
        analysis = analysis_of(result, available)
        if explains(analysis):
            if group or threshold != THRESHOLD:
                option = f"--group {group}" if group else f"--threshold {threshold:g}"
                raise BvfError(f"{option} is for results of risk, and {name_of(result)} has one of {result.criterion}")
            return analysis.explained(result, study_of(result, available))
    return explain_risk(result, group=group, threshold=threshold, show=show, predictions=predictions, plugins=plugins)


def explains(analysis: Analysis[Any]) -> bool:
    """Return whether an analysis explains its own results."""
    return type(analysis).explained is not Analysis.explained


def explain_risk(
    result: ResultBase,
    *,
    group: str = "",
    threshold: float = THRESHOLD,
    show: int = DRIVERS_SHOWN,
    predictions: Predictions | Study | None = None,
    plugins: Plugins | None = None,
) -> Explanation:
    """Explain, from stored probabilities, how groups and contexts contribute to R, R^b (bias) and R^v (volatility).

    Args:
        result: A stored risk result.
        group: Explain the risk of this group alone; empty: of all groups.
        threshold: t of P(J > t), on the scale of the result.
        show: Number of contexts to list that contribute most to bias, and most to volatility; 0: all.
        predictions: The predictions of the result, or its study; None: they are read from its folder.
        plugins: Plugins that define the criterion; None: the installed ones.

    Raises:
        BvfError: The result is not of risk, its predictions cannot be read, there is no such group, or the threshold is
            negative.
    """
    checked_number(threshold, Amount, "--threshold")
    about, available = risk_only(result), plugins or load()
    known = predictions or study_of(result, available)
    study, read = (known, known.predictions) if isinstance(known, Study) else (None, known)
    if group:
        about, read = _of_group(about, read, group)
    judged = judgement_of(about, read, available)
    p_x = np.array([each.weight for each in about.groups])
    level, found = about.uncertainty.level, _complete(about, read, judged, available)
    R, R_bias, R_volatility = (float(p_x @ [getattr(each, name) for each in about.groups]) for name in RISK_OF_GROUP)
    return Explanation(
        model=name_of(about),
        topic=about.topic,
        criterion=about.criterion,
        scale=about.scale,
        reference=about.reference,
        group=group,
        level=level,
        threshold=threshold,
        units=None if read.sample is None else read.sample.size,
        contexts=len(read.contexts),
        complete=len(found.read.contexts) if found else 0,
        R=R,
        R_bias=R_bias,
        R_volatility=R_volatility,
        **_in_complete(found),
        drivers=drivers(about, read, judged, show),
        left_out=tuple(_left_out(read, judged, p_x, (R, R_bias))),
        templates=tuple(_without_templates(about, read, study, available)),
        exceeding=_exceeding(read, judged, threshold, level),
        shapes=None if group else shapes_of(about, read, available),
        warnings=named_warnings([about]),
        notes=tuple(_notes(about, read, found)),
    )


def _of_group(result: Result, predictions: Predictions, group: str) -> tuple[Result, Predictions]:
    names = predictions.group_names
    if group not in names:
        raise BvfError(f'--group: there is no group "{group}" in this result', nearest(group, list(names)))
    x = names.index(group)
    alone = result.groups[x].model_copy(update={"weight": 1.0})
    return result.model_copy(update={"groups": (alone,)}), predictions.of_groups(np.arange(len(names)) == x)


def _complete(result: Result, predictions: Predictions, judged: Judgement, plugins: Plugins) -> Complete | None:
    """What a result says where every group has an answer; None: in no context."""
    complete: BoolArray = np.asarray((judged.weights > 0).all(axis=0))
    if not complete.any():
        return None
    criterion = risk_criterion_of(result, predictions.classes, plugins)
    return Complete(result, predictions.in_contexts(complete), judged, judged.risks[:, complete], criterion)


def _in_complete(found: Complete | None) -> dict[str, Any]:
    """The fields of `Explanation` that can be computed only where no answer is missing."""
    if found is None:
        return {"varying": (), "properties": (), "levels": ()}
    levels = _levels(found)
    return {
        "varying": _varying(found),
        "reliability": reliabilities(found),
        "placebo": tuple(placebo_of(found)),
        "frames": frame_differences(found),
        "frame_shares": tuple(frame_shares(found)),
        "crossed": crossed_shares(found),
        "properties": spreads(found, levels),
        "levels": contrasts(found, levels),
    }


def _varying(found: Complete) -> tuple[Varying, ...]:
    predictions, answers, drawn = found.read, found.read.answers, found.read.random
    if drawn is not None and drawn.one_by_one:
        return _varying_with_thoughts(found, drawn.variances.sum(axis=2))
    noise = None if answers is None else answers.variances.sum(axis=2)
    lean = predictions.unclipped - predictions.reference
    parts = variance_components(lean, found.p_x, predictions.context_weights, predictions.sample, noise)
    group, context, both, sampling = np.sqrt([parts.group, parts.context, parts.interaction, parts.sampling]).tolist()
    of_group, of_context, of_both, of_sampling = parts.shares
    rows = (
        Varying(what="group", deviation=group, share=of_group),
        *_of_contexts(found, context, of_context),
        Varying(what="both", deviation=both, share=of_both),
    )
    return rows if answers is None else (*rows, Varying(what="sampling", deviation=sampling, share=of_sampling))


def _of_contexts(found: Complete, deviation: float, share: float) -> tuple[Varying, ...]:
    """What contexts do to all groups: in two parts, by template and by what stands before it, where that was drawn."""
    predictions, of_all = found.read, np.einsum("x,xcy->cy", found.p_x, found.read.lean)
    templates = predictions.parts_of_contexts.get("template")
    places = np.unique(templates or (), return_inverse=True)[1]
    opened = share_within(of_all, predictions.context_weights, places) if templates else None
    if opened is None:
        return (Varying(what="context", deviation=deviation, share=share),)
    parts: tuple[tuple[Literal["template", "opening"], float], ...] = (("template", 1 - opened), ("opening", opened))
    row, of_opening = (Varying(what=what, deviation=deviation * part**0.5, share=share * part) for what, part in parts)
    none, sample = _no_ends(predictions), predictions.sample
    if none or sample is None:
        known = "context_spread" in found.result.uncertainty.intervals
        none += "; `bvf show` has an interval of sd between contexts" if known else ""
        return row, of_opening.model_copy(update={"no_interval": none})
    ends = ends_within(of_all, places, sample, found.level) if of_opening.deviation else (1.0, 1.0)
    low, high = (of_opening.deviation * end**0.5 for end in ends)
    return row, of_opening.model_copy(update={"low": low, "high": high})


def _no_ends(predictions: Predictions) -> str:
    """Why what stands before templates has no interval; empty: it held in simulations with as many of these draws."""
    sample, drawn = predictions.sample, Counter[str]()
    if sample is None:
        return "the contexts are no sample"
    if predictions.answers is not None:
        return "the noise of sampled answers is in it"
    if sample.unit not in ("opening", "occurrence"):
        return f"it was not tested by {sample.unit}"
    for each in predictions.templates:
        drawn[each.columns["template"]] += each.drawn
    if sample.unit == "opening" and min(drawn.values()) < FEWEST_OPENINGS:
        return f"a template was asked after {min(drawn.values())} openings, and an interval takes {FEWEST_OPENINGS}"
    number = drawn.total()
    return "" if number >= FEWEST_DRAWS else f"{number} contexts were drawn, and an interval takes {FEWEST_DRAWS}"


def _varying_with_thoughts(found: Complete, of_thoughts: FloatArray) -> tuple[Varying, ...]:
    """What varies where the model thinks: a thought too. What its noise adds to the others is taken off."""
    predictions, p_x = found.read, found.p_x
    weights, noise = predictions.context_weights, of_thoughts / predictions.asked.samples
    parts = variance_components(predictions.lean, p_x, weights, predictions.sample, noise)
    variances = [parts.group, parts.context, parts.interaction, float(p_x @ of_thoughts @ weights)]
    total = sum(variances) or 1.0
    return tuple(
        Varying(what=what, deviation=float(np.sqrt(variance)), share=variance / total)
        for what, variance in zip(("group", "context", "both", "thought"), variances, strict=True)
    )


def spreads(found: Complete, levels: Mapping[str, list[str]]) -> tuple[ContextProperty, ...]:
    """Return, per property and figure, the standard deviation between the means of the property's levels."""
    return tuple(
        ContextProperty(
            property=name,
            figure=figure,
            levels=len(set(of_contexts)),
            deviation=deviation_between(values, of_contexts, found.read.context_weights),
        )
        for name, of_contexts in levels.items()
        for figure, values in found.figures.items()
    )


def contrasts(found: Complete, levels: Mapping[str, list[str]]) -> tuple[PropertyLevel, ...]:
    """Return, per figure, tests of each level of a property against the rest, ordered by adjusted p value."""
    rows = [
        row
        for name, of_contexts in levels.items()
        for level, contexts in zip(*np.unique(of_contexts, return_counts=True), strict=True)
        if level and min(contexts, len(of_contexts) - contexts) >= FEWEST_CONTEXTS
        for row in _contrasts(found, name, level, np.array([each == level for each in of_contexts]))
    ]
    if not rows:
        return ()
    adjusted = benjamini_yekutieli(np.array([row.adjusted_p for row in rows])).tolist()
    tested = [decided(row, p, found.level) for row, p in zip(rows, adjusted, strict=True)]
    return tuple(sorted(tested, key=lambda row: (row.adjusted_p, -abs(row.difference))))


def _contrasts(found: Complete, name: str, level: str, inside: BoolArray) -> Iterator[PropertyLevel]:
    """Yield the test of a level of a property against the rest, per figure. P values are not adjusted yet."""
    weights = found.read.context_weights
    for figure, values in found.figures.items():
        tested = contrast(values, inside, weights, found.level)
        yield PropertyLevel(
            property=name,
            level=level,
            figure=figure,
            contexts=int(inside.sum()),
            share=float(weights @ inside),
            inside=tested.inside,
            outside=tested.outside,
            difference=tested.difference,
            low=tested.low,
            high=tested.high,
            adjusted_p=tested.p_value,
            decision="tied",
        )


def _levels(found: Complete) -> dict[str, list[str]]:
    """The level of each context ('': none), by property. Only properties that have several levels are included."""
    rows, known = found.read.properties, set[str]()
    if origins_of(found.read) is not None:
        known = {ORIGIN, PLACEBO}
    if found.frames.levels:
        known |= {ORIGIN, *found.frames.levels}
    names = dict.fromkeys(name for row in rows for name in row if name not in known)
    levels = {name: [row.get(name, "") for row in rows] for name in names}
    return {name: of_contexts for name, of_contexts in levels.items() if len(set(of_contexts)) > 1}


def _left_out(
    predictions: Predictions, judged: Judgement, p_x: FloatArray, figures: tuple[float, float]
) -> Iterator[LeftOut]:
    """Yield, for R and R^b (``figures``) and R^v, the context whose removal changes it most; none if it is alone."""
    if (judged.weights >= 1.0).any():
        return
    (R, of_mean), (R_without, of_mean_without) = figures, judged.leaving_each_out(p_x)
    for name, value, without in (
        ("R", R, R_without),
        ("R_bias", of_mean, of_mean_without),
        ("R_volatility", R - of_mean, R_without - of_mean_without),
    ):
        c = int(np.abs(without - value).argmax())
        fields = {"value": float(value), "without": float(without[c]), "context": predictions.contexts[c]}
        yield LeftOut.model_validate({"figure": name, **fields})


def _without_templates(
    about: Result, read: Predictions, study: Study | None, plugins: Plugins
) -> Iterator[WithoutTemplates]:
    """Yield the figures of a result as they are, and without some of its templates, if there are several.

    These are the heaviest, and those in which neutral subjects are far. Nothing is yielded where a group has no answer
    in those that are left.
    """
    names, place = np.unique(read.parts_of_contexts.get("template", read.contexts), return_inverse=True)
    if about.folder is None or len(names) < 2:
        return
    study = replace(study or study_of(about, plugins), predictions=read)
    weights = np.bincount(place, read.context_weights)
    left_out: dict[str, BoolArray] = {
        "none": np.zeros(len(names), bool),
        "heaviest": np.arange(len(names)) == weights.argmax(),
    }
    if about.has_neutral:
        left_out["far"] = _far(study.neutral, place, read.context_weights)
    for what, without in left_out.items():
        kept = ~without[place]
        answered: BoolArray = np.asarray(~np.isnan(read.probabilities[:, kept]).any(axis=2))
        if not answered.any(axis=1).all() or without.any() == (what == "none"):
            continue
        risk = replace(study, predictions=read.in_contexts(kept)).risk
        yield WithoutTemplates.model_validate(
            {
                "without": what,
                "templates": int(without.sum()),
                "of": len(names),
                "share": float(weights[without].sum()),
                "template": str(names[without][0]) if what == "heaviest" else "",
                "R": risk.R,
                "R_bias": risk.R_bias,
                "R_volatility": risk.R_volatility,
                "particular_bias": None if risk.parts is None else risk.parts.particular_bias,
            }
        )


def _far(neutral: FloatArray, place: IntArray, weights: FloatArray) -> BoolArray:
    """Whether the mean over a template's contexts of p for neutral subjects is far from that over all, (T,)."""
    known: BoolArray = np.asarray(~np.isnan(neutral).any(axis=1))
    values, w = np.where(known[:, np.newaxis], neutral, 0.0), np.where(known, weights, 0.0)
    of_each = np.stack([np.bincount(place, w * of_class) for of_class in values.T], axis=1)
    total = np.bincount(place, w)[:, np.newaxis]
    means = np.divide(of_each, total, out=np.full_like(of_each, np.nan), where=total > 0)
    return np.asarray((np.abs(means - w @ values / w.sum()) > FAR).any(axis=1))


def _exceeding(
    predictions: Predictions, judged: Judgement, threshold: float, level: float
) -> tuple[GroupExceeding, ...]:
    above = judged.by_shares > threshold
    columns = {"group": predictions.group_names, "share": (judged.weights * above).sum(axis=1).tolist()}
    if predictions.sample is not None:
        _, low, high = exceeding(above, judged.weights > 0, predictions.sample, level)
        columns |= {"low": low.tolist(), "high": high.tolist()}
    rows = [GroupExceeding(**dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)]
    return tuple(sorted(rows, key=lambda row: -row.share))


def _notes(result: Result, predictions: Predictions, found: Complete | None) -> Iterator[str]:
    if result.sampled is not None:
        yield (
            f"sampled: {result.sampled.hits:.1f} answers per prompt. Variances, and what contexts add, are without "
            "their noise; how often risks are high, swaps, and who changes sides hold it"
        )
    if predictions.sample is None:
        yield f"no interval, so the figures hold for these texts alone: {result.uncertainty.undefined}"
    if without := np.count_nonzero(predictions.context_weights) - (len(found.read.contexts) if found else 0):
        yield f"what varies, and properties of contexts: without {without} in which a group has no answer"
    if found:
        reasons = (too_few(found.read) if len(predictions.group_names) > 1 else "", without_placebo(found.read))
        yield from filter(None, reasons)
        for name, levels in found.frame_levels(compared=False).items():
            yield f"{name} has {len(set(levels))} levels: they are not compared pair by pair"
