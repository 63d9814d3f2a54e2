"""What is said of the text right of the slot, which some models do not read."""

from dataclasses import replace

import pytest
from helpers.made_alike import measured, probabilities, with_asked, with_model

import bvf
from bvf.domain.asked import AskedTemplate
from bvf.study.candidate_mass import unread_note, unread_warning

ENDINGS = ("", ".", " to leave.", " to stay.")


def record(endings, *, left_only=True):
    made = measured("a", probabilities(1, contexts=len(endings)))
    templates = tuple(AskedTemplate(template=f"The [X] {c} [Y]{end}", count=c + 1) for c, end in enumerate(endings))
    return with_model(with_asked(made, templates=templates), left_only=left_only)


def test_words_that_differ_are_a_warning_with_their_share_by_weight():
    made = record(ENDINGS)
    assert unread_warning(made.record).startswith(
        "in 70% of the contexts words stand right of the slot and the group, and"
    )
    assert unread_note(made.record) == ""
    assert unread_warning(made.record) in bvf.analyse(replace(made, folder=None), unit="template").warnings


def test_the_same_words_everywhere_are_a_note():
    made = record([" to leave."] * 4)
    assert unread_warning(made.record) == ""
    assert unread_note(made.record).startswith('"to leave." right of the slot and the group is not read')
    assert unread_note(made.record) in bvf.analyse(replace(made, folder=None), unit="template").notes


def test_a_group_in_several_places_ends_nothing():
    made = record(["", ""])
    texts = ("The [X] met a [X], and [Y]", "A [X] is one [X] [Y]", "The [Y] [X]")
    read = with_asked(made, templates=tuple(AskedTemplate(template=text, count=1) for text in texts))
    assert (unread_warning(read.record), unread_note(read.record)) == ("", "")
    behind = with_asked(made, templates=(AskedTemplate(template="The [Y] [X] and a [X]", count=1),))
    assert '"and a [X]" right of the slot' in unread_note(behind.record)


@pytest.mark.parametrize(("endings", "left_only"), [(ENDINGS, False), (("", ".", "!", " ?"), True)])
def test_a_model_that_reads_all_and_a_full_stop_are_no_doubt(endings, left_only):
    made = record(endings, left_only=left_only)
    assert (unread_warning(made.record), unread_note(made.record)) == ("", "")


@pytest.mark.parametrize(
    ("endings", "counts", "shown"),
    [
        (("", " to leave."), (999, 1), "less than 1%"),
        (("", " to leave."), (1, 999), "more than 99%"),
        ((" to stay.", " to leave."), (1, 9), "all"),
    ],
)
def test_a_share_is_never_rounded_to_nothing_or_everything(endings, counts, shown):
    made = record(endings)
    known = zip(made.record.asked.templates, counts, strict=True)
    templates = tuple(each.model_copy(update={"count": count}) for each, count in known)
    assert f"in {shown} of the contexts" in unread_warning(with_asked(made, templates=templates).record)
