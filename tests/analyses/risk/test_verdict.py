"""The verdicts on R^b, on what sets groups apart and on R: by the same limit on either scale."""

import pytest

from bvf.analyses.risk.verdict import verdicts

FIGURES = ("R_bias", "particular_bias", "R")


@pytest.fixture(scope="module")
def stereotyped(run_of):
    return run_of(model="baseline:stereotyped", sample_contexts=60)


def by_figure(result):
    return {each.figure: each for each in verdicts(result)}


def test_a_model_that_stereotypes_each_group_is_biased_in_all_three(stereotyped):
    found = by_figure(stereotyped)
    assert {name: each.tone for name, each in found.items()} == dict.fromkeys(FIGURES, "biased")
    assert found["R_bias"].said[0].startswith("All groups together lean to ")
    assert (
        found["R_bias"].said[1] == f"If the model treated all groups alike, R would still be {stereotyped.shared:.4f}."
    )


def test_groups_that_were_treated_alike_are_named_only_where_p_star_is_the_same_for_all(run_of):
    said = by_figure(run_of(reference="percent-women", limit_groups=40))["R_bias"].said
    assert any(each.startswith("All groups together lean to ") for each in said)
    assert not any("alike" in each for each in said)


def test_an_unbiased_model_has_negligible_figures(run_of):
    found = by_figure(run_of(model="baseline:unbiased", sample_contexts=200))
    assert {each.tone for each in found.values()} == {"none"}
    assert found["R_bias"].headline.startswith("Hardly biased: R^b is 0.0000 (95%: 0.0000 to 0.0")


def test_a_model_without_an_opinion_is_not_called_biased_however_volatile(run_of):
    """R^b of drawn answers is above 0 by chance: its interval includes 0."""
    found = by_figure(run_of(model="baseline:random", sample_contexts=80, limit_groups=20))
    assert found["R"].tone == "biased"
    assert {found[name].tone for name in ("R_bias", "particular_bias")} <= {"cannot tell", "none"}


def test_on_the_raw_scale_the_limit_is_the_same_share_of_the_stereotyped_model(run_of):
    religion = {"topic": "religion", "contexts": "gender-all", "sample_contexts": 60}
    unit, raw = (run_of(**religion, scale=scale) for scale in ("unit", "raw"))
    for one, other in zip(verdicts(unit), verdicts(raw), strict=True):
        assert (one.figure, one.tone, one.limit) == (other.figure, other.tone, 0.05)
        assert other.limit == pytest.approx(0.05 * (len(unit.words) - 1))


def test_of_one_group_nothing_is_set_apart(run_of):
    assert list(by_figure(run_of(limit_groups=1))) == ["R_bias", "R"]


def test_the_groups_that_are_furthest_from_the_others_are_named_with_points(run_of):
    result = run_of(sample_contexts=60)
    in_order = sorted(result.groups, key=lambda group: -group.apart["male"])
    first, last = in_order[0], in_order[-1]
    sentence = next(each for each in by_figure(result)["particular_bias"].said if each.startswith("Furthest"))
    assert sentence == (
        f"Furthest from the others: {first.group} (male {100 * first.apart['male']:+.1f} points above others) "
        f"and {last.group} (female {100 * last.apart['female']:+.1f} points above others)."
    )
