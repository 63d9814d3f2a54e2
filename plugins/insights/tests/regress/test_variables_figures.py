"""Figures of knowledge against a property of subjects."""

import numpy as np
import pytest
import statsmodels.api as sm

import bvf

FIGURES = ["mastery", "expected_score", "confidence_gap", "corrected_mastery"]


@pytest.fixture(scope="module")
def known(run_of):
    return run_of(topic="knowledge/continents", contexts="", sample_contexts=0, limit_groups=30)


@pytest.fixture(scope="module")
def table(known, tmp_path_factory):
    """A table of subjects with a property that says nothing: the number of letters."""
    file = tmp_path_factory.mktemp("letters") / "letters.csv"
    file.write_text("group,letters\n" + "".join(f"{each.group},{len(each.group)}\n" for each in known.groups))
    return file


def test_every_figure_of_subjects_has_statsmodels_own_slope_and_the_error_of_wordings(known, table):
    found = bvf.regress([known], against=f"{table}:letters", of=FIGURES).regressions
    letters = sm.add_constant([float(len(each.group)) for each in known.groups])
    for figure, each in zip(FIGURES, found, strict=True):
        fitted = sm.OLS([getattr(group, figure) for group in known.groups], letters).fit(cov_type="HC2")
        assert each.figure == figure
        assert (each.slope, each.error) == pytest.approx((fitted.params[1], fitted.bse[1]))
        assert each.context_error > 0.0
        assert (each.low_in_groups is None) == (figure != "expected_score")


def test_the_error_of_wordings_is_that_of_slopes_in_single_wordings(known, table):
    (found,) = bvf.regress([known], against=f"{table}:letters", of="expected_score").regressions
    read = known.probabilities()
    truth = [list(read.classes).index(group.truth) for group in known.groups]
    scores = np.sqrt(np.asarray(read)[np.arange(len(truth)), :, truth])
    slopes = np.polyfit([len(each.group) for each in known.groups], scores, 1)[0]
    assert found.slope == pytest.approx(slopes.mean())
    assert found.context_error == pytest.approx(slopes.std(ddof=1) / np.sqrt(len(slopes)))


def test_the_command_takes_mastery_and_refuses_a_lean(command, known, table):
    done = command("regress", known.folder, "--against", f"{table}:letters")
    assert done.code == 0
    assert "mastery on letters: the groups that move the slope most" in done.out
    refused = command("regress", known.folder, "--against", f"{table}:letters", "--of", "lean")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("error: --of lean: there is no such figure of groups")
