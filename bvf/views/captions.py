"""One caption for each kind of picture: what is shown, of how many contexts, and what the bars are.

A caption can be read without the picture, so that it is its text alternative as well.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from bvf.analyses.explain.sides import told_sides
from bvf.analyses.explain.tables import told_spearman
from bvf.tables.words import counted
from bvf.views.comparison import Compared, TopicMatrix, Trend
from bvf.views.controls import Beside, Controls
from bvf.views.coverage import Coverage
from bvf.views.distributions import Distributions
from bvf.views.ecdf import Ecdf
from bvf.views.forest import Forest
from bvf.views.grid import Grid
from bvf.views.leanings import Leaning, Leanings
from bvf.views.names import shown_name, whole_name
from bvf.views.over_contexts import OverContexts
from bvf.views.regression import RegressionView
from bvf.views.scale import Place, Scale
from bvf.views.scatter import Scatter
from bvf.views.sunburst import Sunburst
from bvf.views.values import Value
from bvf.views.variance import Variance

Of = Leanings | Grid | Distributions | Scatter | Scale | Compared | Trend | TopicMatrix | RegressionView
View = Of | Coverage | Sunburst | Forest | Ecdf | Variance | OverContexts | Controls
NAMED = {"R": "R", "R_bias": "R^b", "R_volatility": "R^v", "particular_bias": "R^b of what sets groups apart"}
"""Names of figures in texts, by their fields."""
CORRELATIONS = 3
"""The most correlations of topics in a caption; the table below has all."""
MODELS_SAID = 8
"""The most columns of a sentence that names topics."""


def caption(view: View) -> str:
    """Return what a picture shows, in whole sentences on one line."""
    return " ".join(filter(None, _CAPTIONS[type(view)](view)))


def _of_leanings(view: Leanings) -> list[str]:
    first, *others = map(shown_name, view.classes)
    if len(others) == 1:
        what = (
            f"mean probability of {first} less that of the unbiased model; right of 0 {first}, left of it {others[0]}"
        )
        said = [f"How far {whole_name(view.model)} leans by group: {what}."]
    else:
        what = "mean probability of the class that it leans to, less that of the unbiased model"
        said = [
            f"How far {whole_name(view.model)} leans by group, and to which of {len(view.classes)} classes: {what}."
        ]
    ends = f" Furthest: {_lean(view, view.groups[0])} and {_lean(view, view.groups[-1])}." if view.groups else ""
    said.append(f"{_shown(len(view.groups), view.of)}, {counted(view.contexts, 'context')}.{ends}")
    said.append(told_sides([(shown_name(side.name), side) for side in view.sides], view.of))
    hollow = any(each.changes_sides for each in view.groups)
    said.append("Hollow: the class that a group leans to changes with the context." if hollow else "")
    return [*said, _bars(view.level, view.undefined)]


def _lean(view: Leanings, each: Leaning) -> str:
    return f"{shown_name(each.group)} ({shown_name(view.classes[each.leads])} {each.lean[each.leads].value:+.2f})"


def _of_grid(view: Grid) -> list[str]:
    first, last = shown_name(view.classes[0]), shown_name(view.classes[-1])
    of = f"the probability of {first}" if len(view.classes) == 2 else "the probability of the leading class"
    order = f"from {first} to {last}" if len(view.classes) == 2 else "those of one leading class together"
    said = [
        f"How far {whole_name(view.model)} leans in each context: {of} less that of the unbiased model, "
        f"{counted(len(view.groups), 'group')} by {counted(view.of, 'context')}.",
        f"Contexts stand by the mean lean of groups, {order}.",
    ]
    if len(view.groups) < view.of_groups:
        said.append(f"{_shown(len(view.groups), view.of_groups)}.")
    if view.is_binned:
        low, high = int(view.in_column.min()), int(view.in_column.max())
        each = f"{low}" if low == high else f"{low} to {high}"
        said.append(f"Each of the {len(view.in_column)} columns is the weighted mean of {each} contexts.")
    if view.missing:
        said.append(f"{counted(view.missing, 'prompt')} without an answer.")
    return said


def _of_distributions(view: Distributions) -> list[str]:
    two = len(view.classes) == 2
    what = shown_name(view.classes[0]) if two else "each class"
    shape = "The shape is the share of contexts by their weight, the " if two else "The "
    unbiased = "vertical line" if two else "grey stroke"
    return [
        f"How the probability of {what} varies over {counted(view.contexts, 'context')} by group, for "
        f"{whole_name(view.model)}.",
        f"{shape}thick line is the middle half of contexts by their weight, the thin line the middle nine tenths, the "
        f"dot the mean; the {unbiased} is the unbiased model.",
        f"{_shown(len(view.groups), view.of)}.",
    ]


def _of_scatter(view: Scatter) -> list[str]:
    return [
        f"Volatility risk r^v against bias risk r^b of {counted(len(view.groups), 'group')} for "
        f"{whole_name(view.model)}, over {counted(view.contexts, 'context')}.",
        "A dot is a group, its colour the class that it leans to on average.",
        told_spearman(view.spearman, view.sides_decide),
    ]


def _of_scale(view: Scale) -> list[str]:
    contexts = " to ".join(str(each) for each in sorted({min(view.contexts), max(view.contexts)}))
    unit = ", where 1 is a fully stereotyped model" if view.scale == "unit" else ""
    return [
        f"Discrimination risk R, bias risk R^b and volatility risk R^v by the criterion {view.criterion}{unit}.",
        " ".join(f"{_figures(each)};" for each in view.models).removesuffix(";") + ".",
        f"{contexts} contexts.",
        "Grey: reference models, in the limit of infinitely many contexts." if view.references else "",
        _bars(view.level, "; ".join(dict.fromkeys(view.undefined.values()))),
        *(f"None of {whole_name(name)}: {why}." for name, why in view.undefined.items() if view.level is not None),
    ]


def _figures(place: Place) -> str:
    values = (place.R, place.R_bias, place.R_volatility)
    return f"{whole_name(place.whole_name)}: " + ", ".join(
        f"{name} {each.value:.3f}" for name, each in zip(NAMED.values(), values, strict=False)
    )


def _of_compared(view: Compared) -> list[str]:
    first = ", ".join(f"{whole_name(each.name)} {each.values['R'].value:.3f}" for each in view.models)
    ranks = "At the right the ranks that a model may have by R." if any(each.ranks for each in view.models) else ""
    return [
        f"R, R^b and R^v of {counted(len(view.models), 'model')} in the {counted(view.contexts, 'context')} and "
        f"{counted(view.groups, 'group')} of {shown_name(view.topic)} that all were asked.",
        f"R: {first}.",
        ranks,
        _bars(None if view.undefined else view.level, view.undefined),
    ]


def _of_trend(view: Trend) -> list[str]:
    label = shown_name(view.label)
    tests = [
        f"Spearman's correlation of {NAMED[figure]} with {label} is {each.correlation:+.2f} (p = {each.p_value:.2g})."
        for figure, each in view.tests.items()
    ]
    return [
        f"R, R^b and R^v of {counted(len(view.names), 'model')} by {label}, in the "
        f"{counted(view.contexts, 'context')} of {shown_name(view.topic)} that all were asked.",
        *tests,
        _bars(None if view.undefined else view.level, view.undefined),
    ]


def _of_topics(view: TopicMatrix) -> list[str]:
    said = [
        f"R of {counted(len(view.models), 'model')} in {counted(len(view.topics), 'topic')}: the darker the higher."
    ]
    for t, topic in enumerate(view.topics):
        m = int(np.nanargmax(view.R[:, t]))
        said.append(f"Highest in {shown_name(topic)}: {whole_name(view.models[m])} {view.R[m, t]:.3f}.")
    pairs = combinations(range(len(view.topics)), 2)
    known = [(i, j) for i, j in pairs if np.isfinite(view.correlations[i, j])]
    said += [
        f"Spearman's correlation of {shown_name(view.topics[i])} and {shown_name(view.topics[j])} over models is "
        f"{view.correlations[i, j]:+.2f} (p = {view.p_values[i, j]:.2g})."
        for i, j in known[:CORRELATIONS]
    ]
    return [*said, "" if known else "Too few models to say whether topics put them in the same order."]


def _of_coverage(view: Coverage) -> list[str]:
    first, second = shown_name(view.first), shown_name(view.second)
    return [
        f"How many prompts there are of each pair of {first} and {second}: {view.prompts:,} in all, none in "
        f"{view.empty} of {view.counts.size} pairs, which are crossed out."
    ]


def _of_sunburst(view: Sunburst) -> list[str]:
    return [
        f"Prompts by {shown_name(view.first)} (inner ring) and {shown_name(view.second)} (outer ring).",
        "A sector is as wide as its share of prompts, and its colour is the log disparity: how much more the model "
        "deviates there than elsewhere.",
        f"The rate of all prompts is {view.rate:.3f}; white: too few prompts to tell.",
    ]


def _of_forest(view: Forest) -> list[str]:
    references = dict.fromkeys(f"{shown_name(each.term)}={shown_name(each.reference)}" for each in view.effects)
    return [
        f"Which levels make the model deviate, all other factors held ({view.method}, {view.rows:,} prompts): the "
        f"coefficient of each against its reference ({', '.join(references)}).",
        f"{len(view.effects)} of {view.of} levels, those furthest from 0." if len(view.effects) < view.of else "",
        f"Bars: intervals of {view.level:.0%}. Coloured: p < {1 - view.level:.2g}, adjusted by Holm.",
    ]


def _of_ecdf(view: Ecdf) -> list[str]:
    distances = ", ".join(f"{shown_name(each.name)} {each.distance:.3f}" for each in view.steps)
    return [
        "The share of subgroups in which the model deviates at most so often.",
        f"Mean distance of their rates from {view.target:g}: {distances}.",
    ]


def _of_regression(view: RegressionView) -> list[str]:
    fitted, per = view.regression, f" per {view.unit}" if view.unit else ""
    label, year = shown_name(view.label), f" ({view.year})" if view.year else ""
    areas = "" if view.weighted_by == "uniform" else f", as large as its weight ({shown_name(view.weighted_by)})"
    said = {"rises": "it rises", "falls": "it falls", "cannot tell": "it may rise or fall"}[fitted.decision]
    return [
        f"The {shown_name(view.figure)} of {counted(len(view.groups), 'group')} of {shown_name(view.topic)} against "
        f"{label}{year}, for {whole_name(view.model)}. A point is a group{areas}.",
        f"Slope{per} {fitted.slope:.4g} ({view.level:.0%}: {fitted.low:.4g} to {fitted.high:.4g}): {said}; "
        f"unweighted {fitted.unweighted:.4g}.",
        f"The weights are worth {fitted.effective:.1f} equal ones." if areas else "",
        f"Band: intervals of {view.level:.0%} of the line, by HC3.",
    ]


def _of_variance(view: Variance) -> list[str]:
    parts = ", ".join(f"{name} {share:.0%}" for name, share in view.parts)
    said = [
        f"What makes predictions of {whole_name(view.model)} vary ({shown_name(view.topic)}, "
        f"{counted(view.contexts, 'context')}): {parts} of the variance."
    ]
    if view.swaps:
        swaps = "; ".join(f"{shown_name(each.name)} {_share(each.variance)}" for each in view.swaps)
        said += [
            f"Share that swaps which should not matter make in {counted(view.templates, 'template')}: {swaps}.",
            "Grey stroke: the share if a variant were as different as another template.",
        ]
    if view.reliabilities:
        figures = ", ".join(f"{shown_name(name)} {value.value:.2f}" for name, value in view.reliabilities)
        said.append(f"Split-half reliability of figures of groups: {figures}.")
    held = [
        *(["intervals with templates drawn again"] if view.swaps else []),
        *([f"the middle {view.level:.0%} of splits"] if view.reliabilities else []),
    ]
    return [*said, f"Bars: {' and '.join(held)}." if held else ""]


def _of_contexts(view: OverContexts) -> list[str]:
    several, apart = len(view.models) > 1, view.distances[np.triu_indices(len(view.sets), 1)]
    who = counted(len(view.models), "model") if several else whole_name(view.models[0])
    values = zip(view.models, view.figures["R"].T, strict=True)
    R = [f"{whole_name(name)} {of_model.min():.3f} to {of_model.max():.3f}" for name, of_model in values]
    said = [
        f"{'R' if several else 'R, R^b and R^v'} of {who} over {counted(len(view.sets), 'context set')} of "
        f"{shown_name(view.topic)}, {counted(view.groups, 'group')}.",
        f"R: {', '.join(R[:MODELS_SAID])}.",
        "Beside each set stands its distance from the first: 0 the same, 1 no template in common; any two are "
        f"{apart.min():.2f} to {apart.max():.2f} apart.",
    ]
    if view.kendall is not None:
        low, high = view.kendall
        said.append(f"Kendall's correlation of r of groups between two sets is {low:+.2f} to {high:+.2f}.")
    return [*said, *(f"{each[0].upper()}{each[1:]}." for each in view.orders)]


def _of_controls(view: Controls) -> list[str]:
    study, *others = (shown_name(each.name) for each in view.topics)
    why = "; ".join(f"{shown_name(name)}: {reason}" for name, reason in view.undefined.items())
    return [
        f"R, and how far groups are apart (mean total variation from the mean over groups), of {study} beside "
        f"{counted(len(others), 'control')}, for {whole_name(view.model)}.",
        f"A dot is the figure, a stroke one of {counted(view.groups, 'group')}.",
        *(whole_name(f"{each}.") for each in view.said),
        f"Bars: intervals of {view.level:.0%}." if any(_has_bar(each) for each in view.topics) else "",
        f"None of {why}." if why else "",
    ]


def _has_bar(each: Beside) -> bool:
    return any(value.low is not None for value in each.figures.values())


def _share(value: Value | None) -> str:
    if value is None:
        return "none, as nothing varies"
    return f"{value.value:.0%}" + ("" if value.low is None else f" ({value.low:.0%} to {value.high:.0%})")


def _shown(number: int, of: int) -> str:
    return counted(of, "group") if number == of else f"{number} of {of} groups, from both ends of their order"


def _bars(level: float | None, undefined: str) -> str:
    if level is None:
        return f"No intervals: {undefined}." if undefined else "No intervals."
    return f"Bars: intervals of {level:.0%} for other contexts of the kind."


_CAPTIONS: dict[type, Callable[[Any], list[str]]] = {
    Leanings: _of_leanings,
    Grid: _of_grid,
    Distributions: _of_distributions,
    Scatter: _of_scatter,
    Scale: _of_scale,
    Compared: _of_compared,
    Trend: _of_trend,
    TopicMatrix: _of_topics,
    Coverage: _of_coverage,
    Sunburst: _of_sunburst,
    Forest: _of_forest,
    Ecdf: _of_ecdf,
    RegressionView: _of_regression,
    Variance: _of_variance,
    OverContexts: _of_contexts,
    Controls: _of_controls,
}
