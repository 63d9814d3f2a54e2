"""The pictures of the true answer over wordings: a heat map, and the distribution of each subject."""

from types import SimpleNamespace

import numpy as np
import pytest
from bvf_knowledge.pictures.truths import Truths, certainty, truths_of, wordings
from bvf_knowledge.result import KnowledgeResult
from helpers.made_pictures import laid_out, named

import bvf
from bvf import BvfError
from bvf.hooks.loader import load
from bvf.results.store import analysis_of

P = np.array([[0.9, 0.7, 0.8, 0.8], [0.1, 0.3, 0.2, np.nan]])
MADE = Truths(("nurse", "poet"), ("a", "b", "c", "d"), P, np.array([[0.25] * 4, [0.5, 0.25, 0.25, 0.0]]))


@pytest.fixture
def known(run_of):
    """A run of knowledge on 6 subjects with 2 wrong answers each."""
    return run_of(topic="knowledge/capitals", contexts="", sample_contexts=0, limit_groups=6, distractors=2)


def test_p_of_the_true_answer_is_among_the_candidates_best_known_first(known):
    read = truths_of(known)
    assert [name.split()[0] for name in read.subjects] == [
        each.group.split()[0] for each in sorted(known.groups, key=lambda each: -each.mastery)
    ]
    assert read.p.shape == (6, known.number_of_contexts)
    mastery = sorted((each.mastery for each in known.groups), reverse=True)
    assert np.sqrt(read.of_subjects) == pytest.approx(mastery)  # the criterion is knowledge:sqrt
    kinds = [each.kind for each in analysis_of(known, load()).pictures([known])]
    assert kinds == ["subjects", "certainty", "wordings"]


def test_wordings_stand_by_their_mean_and_missing_answers_are_named(known):
    view = wordings(known, MADE)
    assert view.order.tolist() == [3, 0, 1, 2]
    caption = view.caption()
    assert "2 subjects by 4 wordings." in caption
    assert "Wordings stand by their mean over all subjects, from d (0.80) to c (0.50)." in caption
    assert "1 prompt without an answer." in caption
    axes = view.draw(columns=2)
    assert named(axes) == ["nurse", "poet"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["d", "a", "b", "c"]
    laid_out(axes)
    assert view.interactive()["data"][0]["z"][1] == [None, 0.1, 0.3, 0.2]
    assert view.with_ends(1).interactive()["data"][0]["z"] == [[0.8, 0.9, 0.7, 0.8]]


def test_the_middle_of_wordings_is_by_their_weight(known):
    view = certainty(known, MADE)
    assert view.quantiles.tolist() == [[0.7, 0.7, 0.8, 0.9], [0.1, 0.1, 0.2, 0.3]]
    assert "Widest: nurse, 0.70 to 0.90." in view.caption()
    assert f"Dashed: a guesser, {known.chance:.2f}." in view.caption()
    axes = view.draw()
    assert named(axes) == ["nurse", "poet"]
    laid_out(axes)
    thin, thick, dots = view.interactive()["data"]
    assert (thin["x"][:2], thick["x"][:2], dots["x"]) == ([0.7, 0.9], [0.7, 0.8], pytest.approx([0.8, 0.175]))


def test_they_are_drawn_by_name_and_refused_for_risk(known, command, tmp_path):
    for kind in ("wordings", "certainty"):
        done = command("plot", known.folder, "--kind", kind, "--show", "4", "-o", tmp_path / "f.svg")
        assert done.code == 0, done.err
        assert "4 of 6 subjects, from both ends of their order" in " ".join(done.out.split())
    gone = command("plot", tmp_path / "nowhere", "--kind", "wordings", "-o", tmp_path / "f.svg")
    assert (gone.code, "nowhere" in gone.err.splitlines()[0]) == (2, True)
    with pytest.raises(BvfError, match="has no figures of knowledge"):
        bvf.plot.wordings(SimpleNamespace(folder=None, model="m", criterion="linf"))
    assert isinstance(known, KnowledgeResult)
