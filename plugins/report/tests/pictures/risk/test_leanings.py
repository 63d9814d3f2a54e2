"""Leans are means over contexts, in their order, with their intervals and a caption that says what they are."""

import numpy as np
import pytest
from bvf_report.pictures.risk.leanings import leanings, ordered
from helpers.leans import long, mean_of
from helpers.made_pictures import leans, named
from scipy.stats import t as student
from statsmodels.stats.multitest import multipletests

from bvf import BvfError
from bvf.drawing.marks import Dots
from bvf.results.restore import predictions_of

SHOWN_AS_ZERO = 5e-5  # with four decimals


@pytest.mark.parametrize("which", ["result", "several", "silent"])
def test_leans_are_means_over_contexts(which, request):
    result = request.getfixturevalue(which)
    frame, view = long(result), leanings(result)
    assert len(view.groups) == len(result.groups)
    for each in view.groups:
        of_group = frame[frame["group"] == each.group.group]
        for name, lean in zip(view.classes, each.lean, strict=True):
            assert lean.value == pytest.approx(mean_of(of_group[of_group["attribute"] == name]))
        excess = [mean_of(of_group[of_group["attribute"] == name], "stereotype") for name in view.classes]
        assert each.leads == int(np.argmax(excess))


def test_two_classes_stand_from_the_first_to_the_second(result):
    added = [each.added[0].value for each in leanings(result).groups]
    assert added == sorted(added, reverse=True)
    shown = leanings(result, show=3).groups
    assert [each.added[0].value for each in shown] == [*added[:2], added[-1]]


def test_several_classes_stand_together_by_the_class_in_which_a_group_departs_most(several):
    by_name, groups = {group.group: group for group in several.groups}, leanings(several).groups
    added = [[part.value for part in by_name[each.group.group].associations.values()] for each in groups]
    assert [each.to for each in groups] == [int(np.abs(values).argmax()) for values in added]
    assert [each.apart.value for each in groups] == [of[each.to] for of, each in zip(added, groups, strict=True)]
    places = [(each.to, -each.apart.value) for each in groups]
    assert places == sorted(places)


def test_dots_are_what_groups_add_and_strokes_how_they_lean(result):
    view = leanings(result)
    strokes, *dots = [mark for mark in view.marks().marks if isinstance(mark, Dots)]
    assert list(strokes.x) == [each.lean[0].value for each in view.groups]
    drawn = {place: value for mark in dots for place, value in zip(mark.y, mark.x, strict=True)}
    for place, each in enumerate(view.groups):
        interval = each.group.intervals["association"]
        shown = (drawn[place].value, drawn[place].low, drawn[place].high)
        assert shown == (each.group.association, interval.low, interval.high)
    assert len(drawn) == len(result.groups)
    assert "less neutral subjects" in view.marks().across.title
    assert "mean probability of male less that of neutral subjects in the same contexts" in view.caption()
    assert "Grey strokes: less that of the unbiased model" in view.caption()


@pytest.mark.parametrize(
    ("rank", "field"),
    [("risk", "r"), ("bias", "r_bias"), ("volatility", "r_volatility"), ("particular", "particular_bias")],
)
def test_groups_stand_by_any_figure(result, rank, field):
    figures = [getattr(result.groups[x], field) for x in ordered(result, rank)]
    assert figures == sorted(figures, reverse=True)


def test_an_order_that_is_not_there_is_named_with_its_nearest(result):
    with pytest.raises(BvfError, match='no order "risks"') as refused:
        ordered(result, "risks")
    assert "did you mean risk" in refused.value.hint


def test_the_interval_of_a_lean_is_that_of_a_mean_of_draws(result):
    """A plain t interval of the draws, to which the error of a mined set and the skewness add a little."""
    frame, view = long(result), leanings(result)
    n = result.uncertainty.draws
    for each in view.groups:
        rows = frame[(frame["group"] == each.group.group) & (frame["attribute"] == view.classes[0])]
        lean = each.lean[0]
        variance = np.average((rows["lean"] - lean.value) ** 2, weights=rows["weight"]) / (n - 1)
        half = student.ppf(0.975, n - 1) * np.sqrt(variance)
        assert lean.low < lean.value < lean.high
        assert half < (lean.high - lean.low) / 2 < 1.25 * half
        other = each.lean[1]
        assert (other.low, other.high) == pytest.approx((-lean.high, -lean.low))


def test_contexts_that_are_no_sample_give_no_interval_and_the_caption_says_why(several):
    view = leanings(several)
    assert "to which of 7 classes" in view.caption()
    assert view.caption().endswith("No intervals: the contexts were written, not sampled.")
    assert all(lean.low is None for each in view.groups for lean in each.lean)


def test_leans_are_sure_by_holm_over_all_groups_also_those_that_are_not_shown(run_of):
    result = run_of(limit_groups=30, model="toy:hash")
    view = leanings(result, show=4)
    lean = np.array([group.mean_probabilities["male"] - 0.5 for group in result.groups])
    male, female = lean >= SHOWN_AS_ZERO, lean <= -SHOWN_AS_ZERO
    assert [(side.name, side.groups) for side in view.result.sides] == [("male", male.sum()), ("female", female.sum())]
    read = predictions_of(result)
    influence = read.probabilities[..., 0] - (read.probabilities[..., 0] @ read.context_weights)[:, np.newaxis]
    p_values = read.sample.p_values(lean, influence)
    sure = multipletests(p_values, method="holm")[0]
    assert [side.surely for side in view.result.sides] == [(sure & male).sum(), (sure & female).sum()]
    assert sure.sum() < (p_values < 0.05).sum()


def test_every_lean_of_a_stereotyped_model_is_sure_and_of_several_classes_none_is_told(models, run_of, several):
    certain = leanings(models[1])
    assert all(side.surely == side.groups for side in certain.result.sides)
    assert sum(side.groups for side in certain.result.sides) == 6
    assert leanings(run_of(model="baseline:unbiased")).result.sides == ()
    assert {side.surely for side in leanings(several).result.sides} == {None}


def test_dots_and_intervals_are_the_leans():
    view = leans(["captain", "judge", "nurse"])
    axes = view.draw()
    assert named(axes) == ["captain", "judge", "nurse"]
    dots = [mark for mark in view.marks().marks if isinstance(mark, Dots) and len(mark.x)]
    lying = {place: value for mark in dots for place, value in zip(mark.y, mark.x, strict=True)}
    assert lying == {place: each.lean[0] for place, each in enumerate(view.groups)}
    assert "less p*" in view.marks().across.title
    top, bottom = axes.transData.transform([(0, 0), (0, 2)])[:, 1]
    assert top > bottom


def test_the_caption_of_leans_names_both_ends_and_the_bars(run_of):
    result = run_of(limit_groups=0, groups="accountant,administrator,advisor,ambassador,analyst,animator")
    view = leanings(result, show=4)
    first, last = view.groups[0], view.groups[-1]
    said = view.caption()
    assert "right of 0 male, left of it female" in said
    assert f"4 of 6 groups, from both ends of their order, {result.number_of_contexts} contexts." in said
    assert f"From {first.group.group} (male {first.added[0].value:.2f} above neutral subjects) to " in said
    assert f" to {last.group.group} (female {last.added[1].value:.2f} above neutral subjects)." in said
    assert f"{view.result.sides[0].groups} of 6 groups lean" in said
    assert "surely (by Holm over all groups)." in said
    assert said.endswith("Bars: intervals of 95% for other contexts of the kind.")
