"""Runs of one name are distinguished by the first fact that differs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvf.domain.measurement import MeasuredModel
from bvf.study.names import distinct_names, facts_of


def model(path, **choices):
    known = {"name": "m", "backend": "causal", "revision": "", "weights": "", "settings": "", "parameters": None}
    asked = {"wording": "bare", "system": "", "word_boundary": False, "tolerance": 0.0}
    return MeasuredModel(**{**known, **asked, "path": path, **choices})


def named(*models, labels=None):
    return distinct_names(
        [each.name for each in models], facts_of(models, labels or [{}] * len(models), [each.path for each in models])
    )


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (model("/a/m", wording="chat"), model("/b/m"), ("m (chat)", "m (bare)")),
        (model("/a/m", revision="v2"), model("/b/m"), ("m (v2)", "m")),
        (model("/a/x/m"), model("/b/x/m"), ("m (a)", "m (b)")),
        (model("one/m"), model("two/m"), ("m (one)", "m (two)")),
        (model("llama.Q4_1.gguf"), model("llama.Q8_0.gguf"), ("m (llama.Q4_1)", "m (llama.Q8_0)")),
        (model("/h/models--o--m/snapshots/0a1b2c3d4e"), model("/h/models--o--m/snapshots/ff1b2c3d4e"),
         ("m (0a1b2c3d)", "m (ff1b2c3d)")),
        (model("/a/m"), model("/a/m"), ("m", "m")),
    ],
)  # fmt: skip
def test_what_differs_first_stands_behind_the_name(one, other, told):
    assert named(one, other) == told


def test_a_label_counts_before_a_path_and_only_where_it_differs():
    labels = [{"size": "7b", "tuned": "no"}, {"size": "7b", "tuned": "yes"}]
    assert named(model("/a/m"), model("/b/m"), labels=labels) == ("m (tuned=no)", "m (tuned=yes)")


def test_three_runs_have_as_much_as_they_need():
    told = named(model("/a/m", wording="chat"), model("/a/m"), model("/b/m"))
    assert told == ("m (chat)", "m (bare, a)", "m (bare, b)")


@given(st.lists(st.tuples(st.sampled_from("mn"), st.sampled_from(["", "x", "y"])), max_size=6))
def test_with_a_fact_of_its_own_each_has_a_name_of_its_own(runs):
    names, facts = [name for name, _ in runs], [[fact, str(place)] for place, (_, fact) in enumerate(runs)]
    told = distinct_names(names, facts)
    assert len(set(told)) == len(runs)
    assert all(each.startswith(name) for each, name in zip(told, names, strict=True))
    alone = [place for place, name in enumerate(names) if names.count(name) == 1]
    assert all(told[place] == names[place] for place in alone)
