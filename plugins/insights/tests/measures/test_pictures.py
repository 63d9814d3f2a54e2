"""The picture of groups has their leans and scores, drawn and in a browser, and says what it cannot show."""

import numpy as np
import pytest
from bvf_insights.measures.pictures import measures
from bvf_insights.measures.result import Agreement, GroupMeasures, MeasureComparison
from helpers.made_pictures import plotted

from bvf.drawing.marks import Dots
from bvf.errors import BvfError


def comparison(model="a", names=("women", "men", "Jews"), source="BBQ"):
    points = [
        GroupMeasures(
            model=model,
            group=name,
            topic="gender",
            lean_to=name,
            is_class=True,
            lean=place / 10.0,
            lean_low=place / 10.0 - 0.1,
            lean_high=place / 10.0 + 0.1,
            source=source,
            measure=measure,
            value=50.0 + sign * place,
            low=40.0,
            high=60.0,
            rough=False,
        )
        for measure, sign in (("one", 1.0), ("two", -1.0))
        for place, name in enumerate(names)
    ]
    over = {"over": "groups", "model": model, "first_source": "gender", "first": "lean", "second_source": source}
    ranked = {"things": len(names), "p_value": 1 / 3, "smallest_p": 1 / 3, "adjusted_p": 2 / 3}
    agreements = (
        Agreement(**over, second="one", kendall=1.0, **ranked),
        Agreement(**over, second="two", kendall=-1.0, low=-1.0, high=0.25, rough=True, **ranked),
    )
    return MeasureComparison(models=(model,), level=0.95, agreements=agreements, groups=tuple(points), values=())


def test_a_point_stands_at_the_lean_and_the_score_of_its_group():
    view = measures(comparison(), "two")
    axes = view.draw()
    (dots,) = (line for line in axes.lines if line.get_marker() not in ("None", ""))
    assert np.column_stack(dots.get_data()).tolist() == [[0.0, 50.0], [0.1, 49.0], [0.2, 48.0]]
    assert {text.get_text() for text in axes.texts} == {"women", "men", "Jews"}
    (mark,) = (mark for mark in view.marks().marks if isinstance(mark, Dots))
    assert (mark.y[1].low, mark.y[1].high) == (40.0, 60.0)
    (data,), layout = plotted(view)
    assert (data["x"], data["y"], data["text"]) == ([0.0, 0.1, 0.2], [50.0, 49.0, 48.0], ["women", "men", "Jews"])
    assert layout["yaxis"]["title"]["text"] == "two, BBQ"
    assert "Kendall's correlation -1.00 (95%: -1.00 to 0.25, rough), p 0.3333, of 3 groups." in view.caption()


def test_the_first_score_is_drawn_unless_one_is_named():
    assert measures(comparison()).score == "one, BBQ"
    with pytest.raises(BvfError, match='no group has a score "three"'):
        measures(comparison(), "three")


def test_nothing_is_drawn_where_no_group_has_both():
    with pytest.raises(BvfError, match="no group of a benchmark is a class"):
        measures(comparison().model_copy(update={"agreements": (), "groups": ()}))
