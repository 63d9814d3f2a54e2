"""`bvf explain` of knowledge: effects of wordings and subjects, from the stored probabilities."""

import json

import numpy as np
import pytest

import bvf


@pytest.fixture(scope="module")
def scores(whole):
    """J of the true answer, by subject and wording, from the array that users read."""
    read = whole.probabilities()
    truth = [list(read.classes).index(group.truth) for group in whole.groups]
    return np.sqrt(np.asarray(read)[np.arange(len(truth)), :, truth])


def test_effects_of_wordings_are_paired_differences_of_scores(whole, scores):
    found = {each.wording: each for each in bvf.explain(whole).wordings}
    for c, wording in enumerate(whole.probabilities().contexts):
        others = np.delete(scores, c, axis=1)
        each = found[wording]
        assert each.expected_score == pytest.approx(scores[:, c].mean())
        assert each.difference == pytest.approx((scores[:, c] - others.mean(axis=1)).mean())
        assert each.mastery_without == pytest.approx(np.sqrt((others**2).mean(axis=1)).mean())
        assert each.gap_without == pytest.approx(each.mastery_without - others.mean())
        assert each.low <= each.difference <= each.high


def test_effects_of_subjects_name_the_answer_given_instead_and_shares_of_variance_add_up(whole, scores):
    read, found = whole.probabilities(), bvf.explain(whole)
    assert [each.difference for each in found.subjects] == sorted(each.difference for each in found.subjects)[::-1]
    x = [group.group for group in whole.groups].index(found.subjects[-1].subject)
    said = np.asarray(read)[x].argmax(axis=1)
    truth = list(read.classes).index(whole.groups[x].truth)
    assert found.subjects[-1].right == pytest.approx((said == truth).mean())
    counts = np.bincount(said[said != truth], minlength=len(read.classes))
    assert counts[list(read.classes).index(found.subjects[-1].instead)] == counts.max()
    assert found.subjects[-1].difference == pytest.approx(scores[x].mean() - np.delete(scores, x, axis=0).mean())
    varying = found.varying
    assert [each.what for each in varying] == ["subject", "wording", "both"]
    assert sum(each.share for each in varying) == pytest.approx(1.0)
    assert all(each.low <= each.share <= each.high for each in varying)


def test_the_command_prints_it_in_every_form_without_options_of_risk(command, whole):
    text, raw, rows = (command("explain", whole.folder, *form) for form in ([], ["--format=json"], ["--format=csv"]))
    assert (text.code, raw.code, rows.code) == (0, 0, 0)
    assert "What each wording does" in text.out
    found = json.loads(raw.out)
    assert found["schema"] == "bvf.knowledge-explanation/1"
    assert len(rows.out.splitlines()) == 1 + len(found["wordings"]) + len(found["subjects"])
    for option in ("--group=Benin", "--threshold=0.2"):
        refused = command("explain", whole.folder, option)
        assert (refused.code, refused.out, len(refused.err.splitlines())) == (2, "", 1)
        assert "is for results of risk" in refused.err


def test_few_subjects_are_not_tested_and_one_is_not_explained(command, continents):
    few, one = (continents(limit_groups=number) for number in (6, 1))
    found = bvf.explain(few)
    assert {each.decision for each in found.wordings} == {None}
    assert "wordings are not tested: this needs 24 subjects of about equal weight" in found.notes
    done = command("explain", one.folder)
    assert (done.code, done.out) == (2, "")
    assert "too few to explain: 1 of subjects" in done.err
