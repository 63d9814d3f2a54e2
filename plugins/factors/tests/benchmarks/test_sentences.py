"""Sentences of one's own: sets of several sizes, what is refused, and what the table of answers has."""

import pytest
from bvf_bias_benchmarks.sentences import Sentences

from bvf.errors import BvfError
from bvf.interfaces.benchmark import Answer

PACK = Sentences()


def items(tmp_path, text):
    (tmp_path / "mine.csv").write_text(text)
    return list(PACK.items(tmp_path))


def test_sets_of_two_and_three_with_their_other_columns(tmp_path):
    two, three = items(
        tmp_path, "id;sentence_a;sentence_b;sentence_c;job\nx;One.;Two.;;cook\n;One, then.;Two.;Three.;judge\n"
    )
    assert (two.id, two.choices, two.values["job"]) == ("x", ("One.", "Two."), "cook")
    assert (three.id, three.choices, three.values["sentences"]) == ("1", ("One, then.", "Two.", "Three."), "a/b/c")
    answers = [Answer(two, (-1.0, -2.0)), Answer(three, (-3.0, -2.0, -4.0))]
    assert PACK.row(answers[1]) == {
        **{"id": "", "job": "judge", "sentences": "a/b/c", "set": "1", "preferred": "b", "prefers_first": False},
        **{"score_a": -3.0, "score_b": -2.0, "score_c": -4.0},
    }
    figures = {score.name: (score.value, score.items) for score in PACK.scores(answers)}
    assert figures == {"ties": (0, 2), "prefers a": (50, 2), "prefers b": (50, 2), "prefers c": (0, 1)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sentence_a,sentence_b\nOne.,\n", r"mine.csv:2: 1 sentences, and a set has two or more"),
        ("a,b\nOne.,Two.\n", r"mine.csv:2: 0 sentences"),
        ("sentence_a,sentence_b,model\nOne.,Two.,gpt2\n", r'mine.csv:2: "model" is a column of the table of answers'),
        ("id,sentence_a,sentence_b\nx,One.,Two.\nx,A.,B.\n", "the item x occurs twice"),
    ],
)
def test_tables_that_are_refused(tmp_path, text, message):
    with pytest.raises(BvfError, match=message):
        items(tmp_path, text)
