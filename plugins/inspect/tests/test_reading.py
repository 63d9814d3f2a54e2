"""Reading words from answers without inspect, and which modules are imported when."""

import numpy as np
import pytest
from bvf_inspect.reading import Reader
from bvf_inspect.tasks import TOPICS

from bvf.hooks.loader import load

PRONOUNS = Reader(("he", "him", "she"), np.array([0, 0, 1]), True)
VOCABULARY = ["he", " him", "she", "The", "\n", "h", "s", "x", "y"]


@pytest.mark.parametrize("told", range(2, len(VOCABULARY) + 1))
def test_the_bound_holds_what_the_whole_distribution_says(told):
    for p in np.random.default_rng(told).dirichlet(np.full(len(VOCABULARY), 0.5), size=100):
        order = np.argsort(-p)[:told]
        reading = PRONOUNS.most_probable([(VOCABULARY[i].encode(), float(np.log(p[i]))) for i in order])
        p_of = dict(zip(VOCABULARY, p.tolist(), strict=True))
        male = (p_of["he"] + p_of[" him"]) / (p_of["he"] + p_of[" him"] + p_of["she"])
        assert abs(reading.classes[0] - male) <= reading.bound + 1e-5


def test_a_letter_in_pieces_is_the_beginning_of_a_word():
    reader = Reader(("他", "她"), np.array([0, 1]), False)
    sure = reader.most_probable([("他".encode(), np.log(0.5)), (b"x", np.log(0.5))])
    unsure = reader.most_probable([("他".encode(), np.log(0.5)), ("她".encode()[:2], np.log(0.5))])
    assert sure.bound < 1e-5
    assert unsure.bound > 0.2


def test_a_longer_word_counts_for_no_word():
    reader = Reader(("他", "她"), np.array([0, 1]), False, ("他们",))
    assert [reader.sampled(text).classes.tolist() for text in ("他们说", "他说")] == [[0.0, 0.0], [1.0, 0.0]]
    listed = reader.most_probable([(text.encode(), np.log(p)) for text, p in (("他们", 0.5), ("他", 0.2), ("她", 0.3))])
    assert (listed.classes.tolist(), listed.word) == (pytest.approx([0.4, 0.6], abs=1e-5), "她")


def test_the_topics_with_a_task_of_their_own_are_those_of_the_bundled_packs():
    """Topics that are read from a folder of the user's have options, and no task; words of pairs are people."""
    of_packs = [entry.provider for entry in load().topics if entry.owner.plugin in {"en", "zh"}]
    languages = {}
    for topic in of_packs:
        if not topic.options and topic.name != "pairs":
            languages.setdefault(topic.name, set()).add(topic.language)
    assert {name: "en" if "en" in codes else "zh" for name, codes in languages.items()} == TOPICS


def test_inspect_imports_little_of_bvf_when_it_starts(imported_at_first):
    assert "bvf_inspect" in imported_at_first
    slow = {
        "torch",
        "transformers",
        "pandas",
        "pyarrow",
        "bvf.hooks.loader",
        "bvf.analyses",
        "bvf.running",
        "bvf.measuring",
    }
    assert not slow & imported_at_first
