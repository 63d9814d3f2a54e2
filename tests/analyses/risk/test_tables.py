"""The tables: columns that line up where characters are two columns wide, in 80 columns at most."""

from pathlib import Path

import numpy as np
import pytest
from helpers.rendered import body, lines, risks

from bvf.analyses.risk.analysis import RiskAnalysis
from bvf.analyses.risk.reference_models import reference_rows
from bvf.analyses.risk.sentences import furthest
from bvf.analyses.risk.tables import group_section, models_section, sentences
from bvf.builtin.criteria import Linf
from bvf.domain.measurement import CandidateMass
from bvf.interfaces.analysis import View
from bvf.results.sections import result_sections

ALL = View(show=0)
RISK, PARTICULAR = View("risk", 0), View("particular", 0)


MEANS = [{"male": p, "female": 1 - p} for p in (0.7, 0.9, 0.5, 0.8)]
APARTS = [{"male": p, "female": -p} for p in (-0.025, 0.175, -0.225, 0.075)]
FOUR = risks(["cook", "captain", "nurse", "guard"], [""] * 4, means=MEANS, aparts=APARTS)


def from_uniform(means):
    """Groups x, y and so on with these mean probabilities of classes, and p* uniform."""
    names, p_star = "xyz"[: len(means)], dict.fromkeys(means[0], 1 / len(means[0]))
    aparts = [{name: p - p_star[name] for name, p in mean.items()} for mean in means]
    return risks(names, [""] * len(means), means=means, p_star=p_star, aparts=aparts)


def names_in(rendered):
    return [row.split()[0] for row in body(rendered)]


def test_two_classes_go_from_one_side_to_the_other_and_who_is_no_further_to_any_stands_between():
    rendered = lines(group_section(FOUR, PARTICULAR))
    assert names_in(rendered) == ["captain", "guard", "cook", "nurse"]
    shown = [row.split()[5:7] for row in body(rendered)]
    assert shown == [["male", "+17.5"], ["male", "+7.5"], ["female", "+2.5"], ["female", "+22.5"]]
    aparts = [{"male": p, "female": q} for p, q in ((0.1, -0.1), (-0.1, -0.2), (-0.3, 0.3))]
    result = risks(["x", "y", "z"], [""] * 3, means=MEANS[:3], aparts=aparts)
    assert names_in(lines(group_section(result, PARTICULAR))) == ["x", "y", "z"]


def test_more_classes_go_from_what_is_most_apart_to_what_is_least():
    result = from_uniform([{"a": p, "b": 0.3, "c": 0.7 - p} for p in (0.1, 0.3, 0.6)])
    assert [row[0] for row in group_section(result, PARTICULAR).rows] == ["z", "y", "x"]


def test_with_three_classes_the_groups_have_the_mean_probability_of_each():
    means = [{"she": 0.25, "he": 0.35, "they": 0.4}, {"she": 0.5, "he": 0.4, "they": 0.1}]
    result = from_uniform(means)
    for view in (RISK, PARTICULAR):
        section = group_section(result, view)
        shown = {row[0]: dict(zip(section.columns, row, strict=True)) for row in section.rows}
        assert [shown["x"][f"p {name}"] for name in means[0]] == ["25.0%", "35.0%", "40.0%"]
        assert "p she to p they: mean probability of each class over contexts" in section.notes
        assert {"25.0%", "35.0%", "40.0%"} <= set(" ".join(lines(section)).split())
    assert not any(title.startswith("p ") for title in group_section(FOUR, PARTICULAR).columns)


def test_by_risk_the_lean_is_signed_and_measured_from_the_reference():
    skewed = {"male": 0.8, "female": 0.2}
    rendered = lines(group_section(FOUR.model_copy(update={"reference": "census", "scale": "raw"}), RISK))
    assert names_in(rendered) == ["cook", "captain", "nurse", "guard"]
    assert [row.split()[5:] for row in body(rendered)] == [
        *(["male", "70%", "50%", "male", "+20.0"], ["male", "90%", "50%", "male", "+40.0"]),
        *(["male", "50%", "50%", "-"], ["male", "80%", "50%", "male", "+30.0"]),
    ]
    against = risks(["cook"], [""], means=[MEANS[0]], p_star=skewed, reference="census")
    assert body(lines(group_section(against, RISK)))[0].split()[5:] == ["female", "30%", "20%", "female", "+10.0"]


def test_the_order_is_by_what_sets_groups_apart_where_that_is_defined():
    assert "from more male than others to more female" in lines(group_section(FOUR, View()))[0]
    undefined = FOUR.model_copy(update=dict.fromkeys(("shared_bias", "shared_volatility", "particular_bias")))
    for view in (View(), View("particular")):
        assert "groups by risk" in lines(group_section(undefined, view))[0]
    assert not any("meaning" in line for line in lines(group_section(FOUR, ALL)))  # the topic has none
    assert not any("share" in line for line in sentences(undefined))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"R_volatility": 0.0}, "R^v is 0; of 8 groups, none changes sides in some context"),
        ({"R_volatility": 0.00001, "groups_changing_sides": 1}, "R^v is near 0; of 8 groups, 1 changes sides in some"),
        ({"groups_changing_sides": 3}, "R^v 0.2500; of 8 groups, 3 change sides in some context"),
        ({"R_volatility": 0.0, "number_of_contexts": 1}, "R^v is 0: there is one context"),
    ],
)
def test_why_volatility_is_zero_is_said(changes, said):
    result = risks().model_copy(update=changes)
    assert sentences(result)[-1].startswith(said)


def test_spread_is_pointed_at_only_where_there_is_some():
    still = risks().model_copy(update={"R_volatility": 0.0})
    assert "see spread" in sentences(still)[-1]
    assert "spread" not in sentences(still.model_copy(update={"spread": 0.0}))[-1]


def test_a_warning_stands_above_the_table_and_a_note_below_in_the_details_alone():
    result = risks().model_copy(update={"warnings": ("hardly anything is measured",), "notes": ("left out: x",)})
    result._folder = Path("runs/x")
    text = "\n".join(lines(*result_sections([result], RiskAnalysis(), View(details=True))))
    assert text.index("WARNING: bundled:zh-causal: hardly anything") < text.index("Discrimination risk")
    assert text.index("results: runs/x") > text.index("note: left out: x") > text.index("than others")
    text = lines(*result_sections([result], RiskAnalysis(), View()))
    assert text[0] == "WARNING: bundled:zh-causal: hardly anything is measured"
    assert text[-1] == "details: bvf show --details runs/x"
    assert "left out" not in " ".join(text)


def details(result):
    return " ".join(lines(*result_sections([result], RiskAnalysis(), View(details=True))))


def test_small_shares_are_not_rounded_to_nothing_and_the_divisor_of_a_reference_is_named():
    low = CandidateMass(prompts=1, mean=0.0002, quantile_05=1e-9, quantile_25=0.0)
    said = details(risks().model_copy(update={"candidate_mass": low}))
    assert "0.02% on average over 1 prompt (5th percentile: less than 0.01%)" in said
    said = details(risks(p_star={"male": 0.8, "female": 0.2}, reference="mean", divisor=4.0))
    assert "risks are divided by 4, the risk of the stereotyped model" in said
    assert "p* mean" in said


def rows_of(p_star):
    return reference_rows(Linf(), np.ones(1), np.ones(1), np.array([[p_star]]), "unit")


def test_the_random_reference_model_is_left_out_where_results_have_references_of_their_own():
    mean = [risks(references=rows_of((p, 1 - p)), reference="mean") for p in (0.8, 0.6)]
    assert [row[0] for row in models_section(mean[:1]).above][-1] == "randomly stereotyped *"
    assert [row[0] for row in models_section(mean).above] == ["ideally unbiased", "stereotyped"]


def test_groups_stand_by_what_they_add_to_neutral_subjects_with_their_lean_beside_it(result):
    section, by_name = group_section(result, ALL), {group.group: group for group in result.groups}
    assert [row[0] for row in section.rows] == sorted(by_name, key=lambda name: -by_name[name].association)
    assert section.title.endswith(": from more male than neutral to more female")
    for row in section.rows:
        shown, group = dict(zip(section.columns, row, strict=True)), by_name[row[0]]
        interval, up = group.intervals["association"], group.association > 0
        ends = (interval.low, interval.high) if up else (-interval.high, -interval.low)
        assert shown["from neutral"] == f"{'male' if up else 'female'} {100 * abs(group.association):+.1f}"
        assert shown["interval"] == "{:+.1f} to {:+.1f}".format(*(100 * end for end in ends))
        assert shown["on average"].split()[1] == f"{max(group.mean_probabilities.values()):.0%}"


def test_of_more_classes_a_group_stands_by_the_class_in_which_it_departs_most_up_or_down(several):
    section, most = group_section(several, ALL), dict[str, tuple[str, float]]()
    for group in several.groups:
        added = {name: each.value for name, each in group.associations.items()}
        most[group.group] = max(added.items(), key=lambda each: abs(each[1]))
    in_order = sorted(most, key=lambda name: -abs(most[name][1]))
    assert [row[0] for row in section.rows] == in_order
    at = section.columns.index("from neutral")
    assert [row[at] for row in section.rows] == [f"{most[n][0]} {100 * most[n][1]:+.1f}" for n in in_order]
    assert any(value < 0 for _, value in most.values())
    listed = (f"{name} ({most[name][0]} {100 * most[name][1]:+.1f} points)" for name in in_order[:2])
    assert furthest(several) == [f"Furthest from neutral subjects: {' and '.join(listed)}."]
