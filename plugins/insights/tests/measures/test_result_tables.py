"""What the tables say: honest lines of few models and groups, what has no counterpart, and how measures are called."""

import pytest
from bvf_insights.measures.result import Agreement, GroupMeasures, MeasureComparison, Unmatched, sections, sentences


def agreement(over, things, **fields):
    names = {"first_source": "gender", "first": "R_bias", "second_source": "BBQ", "second": "accuracy"}
    return Agreement(over=over, things=things, **{**names, **fields})


def comparison(*agreements, **fields):
    return MeasureComparison(models=("a", "b"), level=0.95, agreements=agreements, groups=(), values=(), **fields)


@pytest.mark.parametrize(
    ("things", "smallest", "line"),
    [
        (1, None, "Too few models to compare measures: one model has both kinds, and 3 are needed."),
        (2, None, "Too few models to compare measures: two models have both kinds, and 3 are needed."),
        (3, 1 / 3, "3 models cannot have a p below 0.3333: too few to tell anything."),
        (4, 1 / 12, "4 models cannot have a p below 0.0833: too few to tell anything."),
    ],
)
def test_few_models_cannot_tell(things, smallest, line):
    known = {"kendall": 1.0, "p_value": smallest, "smallest_p": smallest} if smallest else {}
    assert sentences(comparison(agreement("models", things, **known)))[0] == line


def test_five_models_can():
    of_five = agreement("models", 5, kendall=1.0, p_value=1 / 60, smallest_p=1 / 60)
    said = sentences(comparison(agreement("models", 2, second="bias"), of_five))
    assert said == ["No comparison over groups: no model has both a run and scores of groups."]


def test_two_groups_ask_for_other_topics():
    left = Unmatched(model="a", source="BBQ", without_lean=("Muslims",), without_items=())
    said = sentences(comparison(agreement("groups", 2, model="a"), unmatched=(left,)))
    assert said[-1].endswith("2 groups in both, and 3 are needed: add runs of other topics.")


def test_what_has_no_counterpart_is_counted_and_named():
    groups = tuple(f"g{n}" for n in range(10))
    left = Unmatched(model="a", source="BBQ", without_lean=groups, without_items=("asexual",), several_topics=("men",))
    (table,) = sections(comparison(unmatched=(left,)))
    assert table.rows == []
    assert table.notes == [
        "BBQ: 10 groups in no topic of a run: g0, g1, g2, g3, g4, g5, g6, g7 and 2 more",
        "BBQ: 1 name in topics that no item is about: asexual",
        "BBQ: in several topics, of which the first counts: men",
    ]


def test_a_row_names_both_measures_and_the_groups_have_a_table():
    over = agreement(
        "models", 3, kendall=-1.0, p_value=1 / 3, adjusted_p=0.6667, smallest_p=1 / 3, first_source="gender (zh)"
    )
    fields = {"kendall": 0.5, "low": -0.1, "high": 1.0, "rough": True, "p_value": 0.2, "adjusted_p": 0.4}
    of_groups = agreement("groups", 5, model="a", first="lean", second="s_AMB", **fields)
    point = GroupMeasures(
        model="a",
        group="women",
        topic="gender",
        lean_to="female",
        is_class=True,
        lean=-0.25,
        lean_low=-0.5,
        lean_high=0.0,
        source="BBQ",
        measure="s_AMB",
        value=0.125,
        low=None,
        high=None,
        rough=False,
    )
    first, second = sections(comparison(over, of_groups).model_copy(update={"groups": (point,)}))
    assert first.rows[0] == ("3 models", "R^b, gender (zh)", "accuracy, BBQ", "-1.00", "", "0.3333", "0.6667")
    assert first.rows[1] == ("5 groups", "lean", "s_AMB, BBQ", "+0.50", "(-0.10 to 1.00)", "0.2000", "0.4000")
    assert second.title == "s_AMB of BBQ and lean, a"
    assert second.rows == [("women", "-0.250", "-0.500 to 0.000", "0.125", "female, gender")]
