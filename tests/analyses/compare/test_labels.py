"""Labels stay with a run and change no answer; models are compared by them: as a trend, or in matched pairs."""

from dataclasses import replace

import pytest
from helpers.made_alike import measured, probabilities, with_model
from scipy.stats import spearmanr

import bvf
from bvf import BvfError, RunConfig
from bvf.analyses.compare.labels import number_in
from bvf.analyses.compare.tables import sections


def labelled(name, seed, **labels):
    made = measured(name, probabilities(seed))
    return replace(made, record=made.record.model_copy(update={"labels": labels}))


def matched_section(comparison):
    """The table of runs that differ in one label alone."""
    (section,) = [each for each in sections(comparison, 0) if "alone" in each.title]
    return section


SIZES = {"a": "900k", "b": "350M", "c": "1.3e9", "d": "7 b"}


def test_sizes_give_a_trend_with_the_smallest_p_that_so_few_runs_can_have(plugins):
    models = [labelled(name, seed, size=size) for seed, (name, size) in enumerate(SIZES.items())]
    topic = bvf.compare(models, plugins=plugins, by="size").topics[0]
    R = [model.figures["R"] for model in topic.models]
    assert [each.figure for each in topic.trends] == ["R", "R_bias", "R_volatility"]
    assert topic.trends[0].correlation == pytest.approx(spearmanr([1, 2, 3, 4], R).statistic)
    assert topic.trends[0].smallest_p == pytest.approx(2 / 24)
    assert topic.trends[0].exact
    turned = bvf.compare(models[::-1], plugins=plugins, by="size").topics[0]
    assert [each.correlation for each in turned.trends] == pytest.approx([each.correlation for each in topic.trends])


def test_the_number_of_parameters_needs_no_label(plugins):
    models = [with_model(labelled(name, seed), parameters=9 - seed) for seed, name in enumerate("abc")]
    topic = bvf.compare(models, plugins=plugins, by="parameters").topics[0]
    R = [model.figures["R"] for model in topic.models]
    assert topic.trends[0].correlation == pytest.approx(spearmanr([9, 8, 7], R).statistic)


def test_a_label_of_two_values_pairs_runs_whose_other_labels_agree(plugins):
    models = [
        labelled("small chat", 1, size="1b", tuned="chat"),
        labelled("small", 2, size="1b", tuned="no"),
        labelled("large", 3, size="7b", tuned="no"),
        labelled("large chat", 4, size="7b", tuned="chat"),
        labelled("alone", 5, size="70b", tuned="no"),
    ]
    comparison = bvf.compare(models, plugins=plugins, by="tuned")
    (topic,) = comparison.topics
    R = {model.name: model.figures["R"] for model in topic.models}
    matched = {(each.first, each.second): each for each in topic.matched if each.figure == "R"}
    assert {pair: each.value for pair, each in matched.items()} == {
        ("small", "small chat"): pytest.approx(R["small"] - R["small chat"]),
        ("large", "large chat"): pytest.approx(R["large"] - R["large chat"]),
    }
    (untouched,) = [e for e in topic.differences if (e.figure, e.first, e.second) == ("R", "small chat", "small")]
    turned = matched["small", "small chat"]
    assert (turned.low, turned.high, turned.adjusted_p) == (-untouched.high, -untouched.low, untouched.adjusted_p)
    assert (topic.matched_values, topic.unmatched) == (("chat", "no"), ("alone",))
    section = matched_section(comparison)
    assert section.title == "Runs that differ in tuned alone: no less chat"
    assert section.notes == ["left out, because no other run differs in tuned alone: 1 run: alone"]


@pytest.mark.parametrize(("order", "title"), [(1, "7b less 350m"), (-1, "7B less 0.35b")])
def test_of_two_sizes_the_larger_less_the_smaller_in_any_order_and_spelling(plugins, order, title):
    models = [labelled("large", 1, size="7b", kind="a"), labelled("small", 2, size="350m", kind="a")]
    models += [labelled("other large", 3, size="7B", kind="b"), labelled("other small", 4, size="0.35b", kind="b")]
    comparison = bvf.compare(models[::order], plugins=plugins, by="size")
    (topic,) = comparison.topics
    assert {(each.first, each.second) for each in topic.matched} == {("large", "small"), ("other large", "other small")}
    assert [number_in(value) for value in topic.matched_values] == [350e6, 7e9]
    section = matched_section(comparison)
    assert (section.title, section.notes) == (f"Runs that differ in size alone: {title}", [])
    assert number_in("0.07b") == number_in("70M") == number_in("7e7")


REFUSED = {
    "b: no label size": [{"size": "1b"}, {}, {"size": "7b"}],
    "neither two values nor three numbers": [{"size": "1b"}, {"size": "big"}, {"size": "7b"}],
    "the label size is 1b: neither": [{"size": "1b"}, {"size": "1b"}],
    "a and b have the same labels": [{"size": "1b"}, {"size": "1b"}, {"size": "7b"}],
    "no two runs differ in the label size alone": [{"size": "1b", "kind": "x"}, {"size": "7b", "kind": "y"}],
}


@pytest.mark.parametrize("message", REFUSED)
def test_labels_by_which_nothing_can_be_compared_are_refused(plugins, message):
    models = [labelled("abc"[seed], seed, **labels) for seed, labels in enumerate(REFUSED[message])]
    with pytest.raises(BvfError, match=message):
        bvf.compare(models, plugins=plugins, by="size")


def test_a_later_run_renews_labels_and_keeps_answers(tmp_path):
    def run(**changes):
        few = {"limit_groups": 2, "limit_contexts": 3, "out": str(tmp_path / "o")}
        return bvf.read_measurement(bvf.run(RunConfig(model="baseline:random", **few, **changes)).folder).record

    first = run(label=["size=7b", "tuned = chat"])
    assert run().labels == first.labels == {"size": "7b", "tuned": "chat"}
    renewed = run(label={"size": "13b"})
    assert (renewed.labels, renewed.digest) == ({"size": "13b"}, first.digest)
    assert len(list((tmp_path / "o" / "invocations").iterdir())) == 1


def test_two_wordings_of_one_model_are_compared_where_that_is_asked_for(plugins):
    bare = measured("bare", probabilities(1))
    model = bare.record.model
    chat = measured("chat", probabilities(2))
    chat = with_model(chat, wording="chat", name=model.name, path=model.path, weights=model.weights)
    topic = bvf.compare([chat, bare], plugins=plugins, by="wording").topics[0]
    assert [model.name for model in topic.models] == ["bare (chat)", "bare (bare)"]
    assert [model.wording for model in topic.models] == ["chat", "bare"]
    assert {(each.first, each.second) for each in topic.matched} == {("bare (bare)", "bare (chat)")}
    assistant = with_model(measured("assistant", probabilities(3)), wording="chat-assistant", weights="", path="")
    with pytest.raises(BvfError, match="bare and assistant are of two models") as refused:
        bvf.compare([bare, assistant], plugins=plugins, by="wording")
    assert "wordings of one model" in refused.value.hint
    third = with_model(chat, wording="chat-assistant")
    third = replace(third, record=third.record.model_copy(update={"digest": "third"}))
    with pytest.raises(BvfError, match="the label wording is chat, bare, chat, assistant's turn: neither two"):
        bvf.compare([chat, bare, third], plugins=plugins, by="wording")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["size"], "is not a label"),
        (["=7b"], "is not a label"),
        (["size="], "is not a label"),
        (["a=1", "a=2"], "twice"),
    ],
)
def test_what_is_no_label_is_refused(labels, said):
    with pytest.raises(BvfError, match=said):
        RunConfig(label=labels)
