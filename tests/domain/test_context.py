"""Templates, weights, and the files they come from."""

import numpy as np
import pytest

from bvf import BvfError, ContextSet, Prompt, Template
from bvf.domain.context import Sampling

VERBS = ("said", "felt", "knew", "saw")
ALL = Sampling()


@pytest.mark.parametrize("text", ["The nurse said that [Y]", "The [X] said that", "The [X] is [Y] or [Y]"])
def test_a_template_needs_the_group_and_the_word_once(text):
    with pytest.raises(BvfError, match=r"needs \[X\], and \[Y\] once"):
        Template(text)


def test_a_group_may_stand_in_several_places():
    """A causal model reads the text up to the slot and, if no group stands there, up to the first one behind it."""
    both, behind = Template("[X] told [X] that [Y] saw the [X]."), Template("The [Y] [X] met another [X].")
    assert (both.group_right_of_slot, behind.group_right_of_slot) == (False, True)
    assert Prompt("A told A that", " saw the A.", "A", both.text).right_to_group == ""
    assert Prompt("The", " cook met another cook.", "cook", behind.text).right_to_group == " cook"


def four(sampling=ALL):
    templates = tuple(Template(f"The [X] {verb} that [Y]") for verb in VERBS)
    return ContextSet("c", templates, (1, 5, 2, 9), sampling=sampling)


REDRAWN = np.arange(12, dtype=np.uint16).reshape(4, 3)


def test_a_set_is_all_of_its_source_unless_something_else_is_known():
    assert (four().occurrences, four().share) == (17, 1)
    assert (four(Sampling(occurrences=34)).occurrences, four(Sampling(occurrences=34)).share) == (34, 0.5)
    for nobody_knows in (Sampling(written=True), Sampling(cut=True)):
        assert (four(nobody_knows).occurrences, four(nobody_knows).share) == (None, None)


@pytest.mark.parametrize("occurrences", [None, 17, 34])
def test_the_heaviest_keep_their_order_and_know_how_much_of_the_source_they_are(occurrences):
    kept = four(Sampling(occurrences=occurrences, documents=3, replicates=REDRAWN)).heaviest(2)
    assert [t.text for t in kept.templates] == ["The [X] felt that [Y]", "The [X] saw that [Y]"]
    assert kept.counts == (5, 9)
    assert kept.sampling.occurrences == (occurrences or 17)
    assert kept.share == pytest.approx(14 / (occurrences or 17))
    assert kept.sampling.documents == 3
    assert kept.sampling.replicates.tolist() == [[3, 4, 5], [9, 10, 11]]
    assert kept.only([1]).share == pytest.approx(9 / (occurrences or 17))


def test_replicates_follow_their_templates_and_make_no_other_set():
    turned = four(Sampling(replicates=REDRAWN)).only([3, 1, 2, 0])
    assert turned.sampling.replicates[:, 0].tolist() == [9, 3, 6, 0]
    assert turned.share == 1
    assert turned.sampling.occurrences is None
    assert four(Sampling(replicates=REDRAWN)) == four(Sampling(replicates=REDRAWN + np.uint16(1)))


@pytest.mark.parametrize("sampling", [Sampling(written=True), Sampling(cut=True)])
def test_a_part_of_what_is_no_sample_is_none(sampling):
    assert four(sampling).heaviest(2).sampling == sampling


@pytest.mark.parametrize(
    ("sampling", "message"),
    [
        ({"written": True, "occurrences": 20}, "counts that were written have no occurrences"),
        ({"written": True, "replicates": REDRAWN}, "counts that were written have no occurrences"),
        ({"written": True, "cut": True}, "counts that were written have no occurrences"),
        ({"cut": True, "occurrences": 20}, "cut says that the occurrences of the source are not known"),
        ({"occurrences": 16}, "c: the counts add up to 17, and there are 16 occurrences in its source"),
        ({"occurrences": float("nan")}, "c: the counts add up to 17, and there are nan"),
        ({"documents": 0}, "c: 0 documents have a match"),
        ({"replicates": REDRAWN[:3]}, r"c: replicates have shape \(3, 3\)"),
        ({"replicates": REDRAWN[:, 0]}, r"c: replicates have shape \(4,\)"),
        ({"replicates": REDRAWN.astype(float)}, "c: replicates have shape .* and type float64"),
    ],
)
def test_a_sampling_of_other_counts_is_refused(sampling, message):
    with pytest.raises(BvfError, match=message):
        four(Sampling(**sampling))


def test_a_text_about_two_people_has_both_and_nobody_else():
    both = Template("The [X1] phoned the [X2], and the [X1] said that [Y]")
    assert (both.of_pair, both.group_right_of_slot) == (True, False)
    assert Template("The [X1] said that [Y] saw the [X2]").group_right_of_slot  # one of the two is not read
    for text in ("The [X1] said that [Y]", "The [X2] is [Y]", "The [X] saw the [X1] and the [X2] [Y]"):
        with pytest.raises(BvfError, match=r"needs \[X1\] and \[X2\] for two people or \[X\] for one, and \[Y\] once"):
            Template(text)
