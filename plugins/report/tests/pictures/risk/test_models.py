"""Every picture of risk refuses other results; pictures of models: the scale of their figures, and the box plot."""

from dataclasses import replace

import numpy as np
import pytest
from bvf_report.pictures.risk.contexts import distributions, grid
from bvf_report.pictures.risk.groups import scatter
from bvf_report.pictures.risk.leanings import leanings
from bvf_report.pictures.risk.models import leans_of_models, scale
from helpers.made_pictures import keys, named, plotted
from matplotlib.colors import to_hex

import bvf
from bvf import BvfError
from bvf.drawing.style import FIRST, SECOND
from bvf.results import ControlResult


def test_a_result_of_knowledge_has_no_such_picture(run_of):
    known = run_of(topic="knowledge/capitals", contexts="", sample_contexts=0, limit_contexts=2, limit_groups=3)
    for picture in (leanings, grid, distributions, scatter, lambda each: scale([each])):
        with pytest.raises(BvfError, match="has no figures of risk"):
            picture(known)


@pytest.mark.parametrize("name", ["bell\x07\x1b[31m\n", "\u202eleft \ud800", "x" * 300])
def test_names_of_strangers_stay_on_one_line(name, result):
    first, *others = result.groups
    classes = dict(zip((name, "b"), first.mean_probabilities.values(), strict=True))
    groups = (first.model_copy(update={"mean_probabilities": classes}), *others)
    strange = result.model_copy(update={"model": name, "groups": groups})
    views = [replace(view, result=strange) for view in (leanings(result), scatter(result))]
    views += [replace(view, model=name, classes=(name, "b")) for view in (grid(result), distributions(result))]
    for said in (view.caption() for view in views):
        assert said.isprintable()
        assert len(said.encode()) < 900


def test_a_scale_and_its_caption_have_the_figures_and_intervals_of_results(result, several):
    view = scale([result, several])
    assert [each.name for each in view.models] == ["toy:hash, gender", "toy:hash, weekday"]
    one = view.models[0].values["R_bias"]
    interval = result.uncertainty.intervals["R_bias"]
    assert (one.value, one.low, one.high) == (result.R_bias, interval.low, interval.high)
    assert view.models[1].values["R"].low is None
    assert [each.name for each in view.references] == ["ideally unbiased", "stereotyped", "randomly stereotyped"]
    assert view.references[1].values["R"].value == pytest.approx(1.0)
    said = view.caption()
    assert f"toy:hash, gender: R {result.R:.3f}, R^b {result.R_bias:.3f}, R^v {result.R_volatility:.3f};" in said
    assert "No interval for toy:hash, weekday: the contexts were written, not sampled." in said


def test_results_of_two_criteria_are_on_no_scale(result):
    other = bvf.analyse(result.folder, criterion="tv")
    with pytest.raises(BvfError, match=r"has the criterion tv and .* linf"):
        scale([other, result])


def test_a_control_has_a_row_below_its_model_and_the_caption_says_whose_it_is(result, several):
    long = "A-Model-Whose-Name-Takes-All-The-Room"
    control = ControlResult.model_construct(topic="weekday", **dict.fromkeys(("R", "R_bias", "R_volatility"), 0.5))
    view = scale([result.model_copy(update={"model": long, "controls": (control,)}), several])
    assert "control weekday" in named(view.draw())
    assert f"control weekday, {long}: R 0.500" in view.caption()


def without_neutral(result):
    groups = tuple(group.model_copy(update={"association": None}) for group in result.groups)
    return result.model_copy(update={"groups": groups, "parts_of_lean": None})


@pytest.mark.parametrize(
    ("asked", "figure", "less"),
    [(2, "association", "neutral subjects"), (1, "lean_male", "p*"), (0, "lean_male", "p*")],
)
def test_a_box_has_the_quartiles_of_what_groups_add_where_all_models_have_neutral_subjects(models, asked, figure, less):
    models = [*models[:asked], *map(without_neutral, models[asked:])]
    view = leans_of_models(models)
    assert view.marks().across.title == f"mean probability of male, less {less}"
    assert ("less that of neutral subjects in the same contexts." in view.caption()) == (asked == 2)
    for each, result in zip(view.models, models, strict=True):
        leans = result.to_frame()[figure].to_numpy()
        assert each.leans[:, 0] == pytest.approx(leans)
        assert each.quartiles(0) == pytest.approx(tuple(np.percentile(leans, [25, 50, 75])))
        right = f"{np.median(leans):+.2f}, {np.count_nonzero(leans > 0)} of 6 groups right of 0"
        assert f"{result.model}: median {right}" in view.caption()


def test_strokes_have_the_colour_of_the_side_and_lie_in_the_row_of_the_model(models):
    view = leans_of_models(models)
    axes = view.draw()
    (_, of_stereotyped) = axes.collections
    strokes = np.array(of_stereotyped.get_segments())
    assert strokes[:, :, 0] == pytest.approx(np.repeat(view.models[1].leans[:, :1], 2, axis=1))
    assert strokes[:, :, 1] == pytest.approx(np.tile([0.69, 1.31], (6, 1)))
    colours = [to_hex(colour) for colour in of_stereotyped.get_colors()]
    assert colours == [FIRST if lean > 0 else SECOND for lean in view.models[1].leans[:, 0]]
    assert named(axes) == [each.name for each in view.models]
    assert keys(axes) == ["male", "female"]
    traces, _ = plotted(view)
    assert traces[1]["x"] == pytest.approx(view.models[1].leans[:, 0], abs=1e-6)


def test_of_more_classes_each_has_a_box_and_the_highest_median_is_named(several):
    view = leans_of_models([several, several])
    leans = np.array([list(group.added.values()) for group in several.groups])
    highest = np.median(leans, axis=0)
    assert f"highest median {view.classes[highest.argmax()]} {highest.max():+.2f}" in view.caption()
    traces, _ = plotted(view)
    assert len(traces) == len(view.draw().collections) == 14
    assert [trace["name"] for trace in traces if trace["showlegend"]] == list(view.classes)


def test_other_classes_are_refused(result):
    first = result.groups[0]
    turned = {"mean_probabilities": dict(reversed(first.mean_probabilities.items()))}
    other = result.model_copy(update={"groups": [first.model_copy(update=turned), *result.groups[1:]]})
    with pytest.raises(BvfError, match="has the classes female, male, not male, female"):
        leans_of_models([result, other])
