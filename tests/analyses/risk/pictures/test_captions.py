"""A caption says what is shown, of how many contexts, and what the bars are; names from strangers stay on its line."""

from dataclasses import replace

import pytest

from bvf.analyses.risk.pictures.distributions import distributions
from bvf.analyses.risk.pictures.grid import grid
from bvf.analyses.risk.pictures.leanings import leanings
from bvf.analyses.risk.pictures.scale import scale
from bvf.analyses.risk.pictures.scatter import scatter


def test_the_caption_of_leans_names_both_ends_and_the_bars(result):
    view = leanings(result, show=4)
    first, last = view.groups[0], view.groups[-1]
    said = view.caption()
    assert "right of 0 male, left of it female" in said
    assert f"4 of 6 groups, from both ends of their order, {result.number_of_contexts} contexts." in said
    assert f"Furthest: {first.group} (male +{first.lean[0].value:.2f})" in said
    assert f"{last.group} (female +{last.lean[1].value:.2f})" in said
    assert f"{view.sides[0].groups} of 6 groups lean" in said
    assert "surely (by Holm over all groups)." in said
    assert said.endswith("Bars: intervals of 95% for other contexts of the kind.")


def test_a_caption_says_why_there_are_no_bars(several):
    said = leanings(several).caption()
    assert "to which of 7 classes" in said
    assert said.endswith("No intervals: the contexts were written, not sampled.")


def test_the_caption_of_cells_says_what_is_binned_and_what_is_missing(result, run_of):
    assert "Each of the 4 columns is the weighted mean of" in grid(result, columns=4).caption()
    silent = run_of(model="toy:silent-nurse", limit_groups=90, sample_contexts=0, limit_contexts=3)
    assert silent.missing == 1
    assert grid(silent).caption().endswith("1 prompt without an answer.")


def test_the_caption_of_a_scale_has_its_figures(result, several):
    said = scale([result, several]).caption()
    assert f"toy:hash, gender: R {result.R:.3f}, R^b {result.R_bias:.3f}, R^v {result.R_volatility:.3f};" in said
    assert "None of toy:hash, weekday: the contexts were written, not sampled." in said


@pytest.mark.parametrize("name", ["one\ntwo", "bell\x07\x1b[31m", "\u202eleft", "half \ud800", "x" * 300])
def test_names_of_strangers_stay_on_one_line(name, result):
    for view in (leanings(result), grid(result), distributions(result), scatter(result)):
        said = replace(view, model=name, classes=(name, "b")).caption()
        assert said.isprintable()
        assert len(said.encode()) < 900
